#!/usr/bin/env bash
# Long rounds of the crash, model and simulation tests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
scripts/build.sh
TIDEMARK_SOAK=1 TIDEMARK_MODEL_ROUNDS=500 go test -timeout 6h ./internal/tsdb/... ./internal/alerting/... ./test/...
go test -timeout 6h ./internal/alerting -run TestOneMeaning -rapid.checks=20000
(cd test/promql && TIDEMARK_PROMQL_ROUNDS=200000 TIDEMARK_PROMQL_SEED=$RANDOM go test -timeout 6h -run TestSameAsPrometheus .)
# make test does not watch what is inside of Pebble.
RACE_WHOLE=1
source scripts/race.sh
go test "${race[@]}" -timeout 6h ./internal/wal ./internal/tsdb/... ./test/engine
