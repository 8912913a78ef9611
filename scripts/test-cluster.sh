#!/usr/bin/env bash
# Runs the tests that need ClickHouse: the engine's exam, the API's transcripts
# and the alerts end to end on PostgreSQL and ClickHouse, and a whole cluster of
# which parts are spoiled, with the browser's main journeys on it.
#
#   test-cluster.sh          everything
#   test-cluster.sh --short  what continuous integration does: the exam one way,
#                            no replicas. Where ClickHouse or the balancer cannot
#                            be had it says so, runs nothing and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."
# step NAME ends the step before, with what it took: seconds on the wall, and
# seconds of processors of what it waited for. What cluster.sh starts is not
# among them: it says so itself when it is ended.
taken() { awk -v hz="$(getconf CLK_TCK)" '{ printf "%d", ($16 + $17) / hz }' /proc/$$/stat; }
wall=0 cpu=0 before=
step() {
	local now=$(taken)
	[ -z "$before" ] || printf '== cluster: %s took %d s, %d s of processors\n' "$before" $((SECONDS - wall)) $((now - cpu))
	printf '\n== cluster: %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60))
	before=$* wall=$SECONDS cpu=$now
}

export TIDEMARK_TEST_CLUSTER=1
[ "${1:-}" != --short ] || export TIDEMARK_TEST_CLUSTER=short

step "what the tests need"
scripts/test-deps.sh iptables
fetched=0 replicas=--replicas # where the network is cut nothing can be downloaded
[ $TIDEMARK_TEST_CLUSTER != short ] || replicas=
scripts/cluster.sh fetch $replicas || fetched=$?
if [ $fetched -eq 3 ] && [ $TIDEMARK_TEST_CLUSTER = short ]; then
	step "NOT TESTED: ClickHouse or the balancer cannot be had on this machine; nothing about clusters was tested"
	exit 0
fi
[ $fetched -eq 0 ] || exit $fetched
if [ -z "${TIDEMARK_BIN:-}" ]; then
	scripts/build.sh
	TIDEMARK_BIN=$PWD/bin/tidemark
fi
export TIDEMARK_BIN TIDEMARK=$TIDEMARK_BIN
gotest() { go test -count 1 -trimpath -buildvcs=false "$@"; }

step "the exam"
gotest -timeout 30m ./internal/tsdb/clickhouse/...
if [ -n "$replicas" ]; then
	step "the exam, two shards of two replicas"
	grid=$(mktemp -d /tmp/tidemark-cluster-XXXXXX) # PostgreSQL's user must reach it
	trap 'scripts/cluster.sh down "$grid"; rm -rf "$grid"' EXIT
	scripts/cluster.sh up --replicas=2x2 "$grid"
	# shellcheck disable=SC1091
	urls=$(. "$grid/env" && echo "${CLICKHOUSE// /,}")
	TIDEMARK_TEST_CLUSTER=short TIDEMARK_TEST_CLICKHOUSE=$urls TIDEMARK_TEST_CLICKHOUSE_CLUSTER=main gotest -timeout 60m ./internal/tsdb/clickhouse
	scripts/cluster.sh down "$grid"
fi
step "servers, transcripts of the API"
gotest -timeout 30m -run 'Servers|EmbeddedAlone' ./internal/app
gotest -timeout 30m -run 'TestTranscriptsOnClickHouse' ./internal/api
step "alerts end to end, three servers"
gotest -timeout 30m ./test/alerting

step "faults under load"
# In a network of its own a test may cut parts off.
apart=()
if [ "$(id -u)" -eq 0 ] && unshare --net sh -c 'ip link set lo up && iptables -w -A INPUT -p tcp --dport 1 -j DROP' 2>/dev/null; then
	apart=(unshare --net sh -c 'ip link set lo up && exec "$@"' sh)
	export TIDEMARK_TEST_NETWORK=1
else
	echo "a cut network is not tested: it takes root, iproute2 and iptables"
fi
go test -c -trimpath -buildvcs=false -o .cache/cluster.test ./test/cluster
(cd test/cluster && "${apart[@]}" ../../.cache/cluster.test -test.v -test.timeout 60m)

step "journeys in a browser, three servers"
node --test --test-concurrency=1 --test-force-exit --test-timeout=900000 --test-reporter=spec test/ui/journeys.test.mjs

step "all passed"
