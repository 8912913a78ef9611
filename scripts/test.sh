#!/usr/bin/env bash
# Runs all tests: Go with the race detector on both databases, the interface's
# unit tests, and the end-to-end tests on the real binary. What reads the source
# and runs nothing is scripts/lint.sh.
#
# Go compiles while npm waits for the network. The Go tests run beside the
# interface's, whose journeys leave a third of two cores idle: one at a time, as
# a person would, and with the right of way. More packages are tested at once
# than there are cores, because each waits now and then.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

source scripts/race.sh

# What takes longest to compile, and does not contain the interface: the files
# of that come and go while it is built.
compile_below() {
	below=(./internal/store/... ./internal/tsdb/... ./internal/query/... ./internal/ingest/... ./internal/notify/... ./internal/alerting/...)
	go build "${race[@]}" "${below[@]}"
}

step "what the tests need"
scripts/test-deps.sh

said=$(mktemp)
background= # a group of processes, which ends with this one
beside() {
	setsid "$@" >"$said" 2>&1 &
	background=$!
}
failed=$(mktemp)
trap 'kill -- -$background 2>/dev/null || true; rm -f "$said" "$failed"' EXIT

export -f compile_below
beside bash -c 'source scripts/race.sh && compile_below'

step "interface: build"
scripts/ui-build.sh

step "binary"
if ! wait $background; then
	cat "$said"
	exit 1
fi
background=
scripts/build.sh
export TIDEMARK_BIN=$PWD/bin/tidemark # so that no test builds it again

step "interface: unit tests, and the Go tests beside them"
# Where sessions share the cores equally, being nice counts within one only.
beside bash -c '{ echo 10 >/proc/self/autogroup; } 2>/dev/null || true; exec nice -n 10 scripts/test-go.sh'
(cd ui && npm run --silent test)

step "interface: journeys in a browser"
export TIDEMARK=$TIDEMARK_BIN
# A journey that failed may leave a server listening: it ends nonetheless.
journeys() { node --test --test-concurrency=2 --test-force-exit --test-timeout=1800000 --test-reporter=spec "$@"; }
journeys --test-reporter-destination=stdout \
	--test-reporter=./test/ui/failed.mjs --test-reporter-destination="$failed" \
	test/ui/part1.mjs test/ui/part2.mjs || [ -s "$failed" ]

step "Go: tests with the race detector"
tail -n +1 -f --pid=$background "$said"
wait $background
background=

# A journey that could not keep up with everything beside it may try once more
# on its own. What fails twice is wrong.
if [ -s "$failed" ]; then
	step "interface: journeys that failed, alone"
	cat "$failed"
	mapfile -t again <"$failed"
	journeys "${again[@]}"
fi

step "all passed"
