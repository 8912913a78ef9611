#!/usr/bin/env bash
# The hardening campaign (docs/reliability.md): campaign.sh [PART...], all if
# none is named. Each part leaves its output in .cache/campaign/PART.log and adds
# a line to .cache/campaign/results.md: date, commit, part, how much, seed,
# outcome and figures. The first part that fails ends the campaign with its
# output.
#
#   kill        kill -9 of a process that writes, seals and merges      KILLS=10000
#   power       power cuts: what was not synced is lost, or in part     POWER_CUTS=1000
#   errors      an I/O error at every call, a full disk at every write  FAULTS=all
#   damage      bytes of the files changed                              DAMAGES=5000
#   model       random work against a model                             MODEL_RUNS=5000
#   alerting    simulated weeks of alerting                             WEEKS=10000
#   neighbours  five hostile organizations beside one                   ATTACK_SECONDS=3600
#   cluster     parts of a cluster killed and frozen                    CLUSTER_ROUNDS=60
#   fuzz        every fuzz target                                       FUZZTIME=10m
#   memory      memory under live load                                  LIVE_MINUTES=240
#   drill       backups under load, damaged in every way, restored
#   upgrade     data of every release opened by this build
#
# SEED is what random numbers are drawn from; the time if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."
results=.cache/campaign/results.md
mkdir -p .cache/campaign
seed=${SEED:-$(date +%s%N)}
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit+=-modified
export TIDEMARK_SEED=$seed

# part NAME HOW-MUCH COMMAND...: runs it, and notes what became of it. Figures
# are the last lines that its tests log.
part() {
	local name=$1 much=$2 began=$SECONDS log=.cache/campaign/$1.log
	shift 2
	echo "== $name: $much"
	local outcome=passed
	nice -n 5 "$@" >"$log" 2>&1 || outcome=FAILED
	if [ $outcome = passed ] && grep -q '^--- SKIP' "$log" && ! grep -q '^--- PASS' "$log"; then outcome="did not run"; fi
	local figures
	figures=$(sed -n '/TIDEMARK_SEED/d; /_test\.go:[0-9][0-9]*: /{ s/.*_test\.go:[0-9]*: *//; s/|/\//g; p; }' "$log" | tail -1)
	printf '| %s | %s | %s | %s | %s | %s, %d min | %s |\n' "$(date -u +%F)" "$commit" "$name" "$much" "$seed" "$outcome" $(((SECONDS - began + 59) / 60)) "$figures" | tee -a "$results"
	[ "$outcome" = passed ] || { tail -n 40 "$log"; exit 1; }
}
gotest=(go test -count=1 -v -timeout 24h)

run() {
	case $1 in
	kill) part kill "${KILLS:-10000} kills" env TIDEMARK_KILLS="${KILLS:-10000}" "${gotest[@]}" ./test/engine -run '^TestKill$' ;;
	power) part power "${POWER_CUTS:-1000} power cuts" env TIDEMARK_POWER_CUTS="${POWER_CUTS:-1000}" "${gotest[@]}" ./test/engine -run '^TestPowerFailure$' ;;
	errors) part errors "${FAULTS:-all} faults" env TIDEMARK_FAULTS="${FAULTS:-1000000000}" "${gotest[@]}" ./test/engine -run '^TestFaults$' ;;
	damage) part damage "${DAMAGES:-5000} times" env TIDEMARK_DAMAGES="${DAMAGES:-5000}" "${gotest[@]}" ./test/engine -run '^TestDamage$' ;;
	model) part model "${MODEL_RUNS:-5000} runs" env TIDEMARK_MODEL_RUNS="${MODEL_RUNS:-5000}" "${gotest[@]}" ./test/engine -run '^TestModel$' ;;
	alerting) part alerting "${WEEKS:-10000} weeks" env TIDEMARK_WEEKS="${WEEKS:-10000}" "${gotest[@]}" ./internal/alerting -run '^TestSimulation$' ;;
	neighbours) part neighbours "${ATTACK_SECONDS:-3600} s" env TIDEMARK_ATTACK_SECONDS="${ATTACK_SECONDS:-3600}" "${gotest[@]}" ./test/neighbours -run '^TestHostileNeighbours$' ;;
	cluster)
		scripts/clickhouse.sh fetch
		part cluster "${CLUSTER_ROUNDS:-60} rounds" env TIDEMARK_TEST_CLUSTER=1 TIDEMARK_CLUSTER_ROUNDS="${CLUSTER_ROUNDS:-60}" "${gotest[@]}" ./test/cluster -run '^TestFaults$'
		;;
	fuzz) part fuzz "${FUZZTIME:-10m} a target" env FUZZTIME="${FUZZTIME:-10m}" scripts/fuzz.sh ;;
	memory) part memory "${LIVE_MINUTES:-240} min" env TIDEMARK_LIVE_MINUTES="${LIVE_MINUTES:-240}" "${gotest[@]}" ./test/neighbours -run '^TestMemoryIsFlat$' ;;
	drill) part drill "every kind of damage" "${gotest[@]}" ./internal/app -run 'Backup|Restore|Damage|Killed|Drill|Repository|Manifest' ;;
	upgrade) part upgrade "every release" "${gotest[@]}" ./test/upgrade ;;
	*) sed -n '2,23p' "$0" | cut -c3- >&2; exit 2 ;;
	esac
}

if [ -f bin/tidemark ] && [ -z "${TIDEMARK_BIN:-}" ]; then export TIDEMARK_BIN=$PWD/bin/tidemark; fi
[ $# -gt 0 ] || set -- kill power errors damage model alerting neighbours cluster fuzz memory drill upgrade
for name in "$@"; do run "$name"; done
