#!/usr/bin/env bash
# Runs all Go tests with the race detector, more packages at once than there
# are cores, because each waits now and then. Nothing may be skipped for want
# of a program: scripts/test-deps.sh installs them. scripts/lint.sh vets.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/race.sh
export TIDEMARK_TEST_ALL=1
# Properties are drawn alike in every run, so that what fails is the change
# under test; make soak draws anew.
export RAPID_SEED=${RAPID_SEED:-1}
said=$(mktemp) plainly=$(mktemp)
beside= # a group of processes, which ends with this one
trap 'kill -- -$beside 2>/dev/null || true; rm -f "$said" "$plainly"' EXIT

# Under the race detector an eighth of the properties are drawn, and of the
# rounds of models and simulations played: all of them without it, beside the
# others, which wait more than these.
setsid scripts/test-plain.sh >"$plainly" 2>&1 &
beside=$!

# Those that take longest come first, so that none is left over at the end.
if ! RAPID_CHECKS=12 go test "${race[@]}" -vet=off -count 1 -p 4 -timeout 25m \
	./internal/{api,tsdb/embedded,app,migrate,promql,alerting,store,auth} ./test/... ./... 2>&1 | tee "$said"; then
	# A package that could not keep up with everything beside it may try once
	# more on its own. What fails twice is wrong, and so is a race at once.
	again=$(awk '$1 == "FAIL" && $2 ~ /\// { print $2 }' "$said")
	if [ -z "$again" ] || grep -qE 'DATA RACE|^panic:|\[build failed\]' "$said"; then
		exit 1
	fi
	printf '\n== failed, and alone once more:\n%s\n' "$again"
	go test "${race[@]}" -p 1 -count 1 -timeout 25m $again
fi

printf '\n== without the race detector, and against Prometheus\n'
tail -n +1 -f --pid=$beside "$plainly"
wait $beside
beside=
