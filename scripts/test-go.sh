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
said=$(mktemp)
trap 'rm -f "$said"' EXIT
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
# Under the race detector an eighth of the properties are drawn, and of the
# rounds of models and simulations played: all of them without it.
plain=(-trimpath -buildvcs=false -count 1 -timeout 14m) # as scripts/build.sh has it, so that both share one cache
export CGO_ENABLED=0
go test "${plain[@]}" -run 'TestOneMeaning|TestSimulation|TestClusterSimulation|TestModel' ./internal/alerting ./internal/tsdb/embedded ./test/engine
go test "${plain[@]}" . ./internal/tsdb ./internal/tsdb/embedded/{chunk,catalog,tables} ./internal/{wal,query,promql,ingest,ports,agent,api/legacy}
unset CGO_ENABLED
# A module of its own, see docs/decisions/0010-promql.md.
cd test/promql && go vet . && go test -count 1 -timeout 14m .
