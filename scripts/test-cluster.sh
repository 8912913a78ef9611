#!/usr/bin/env bash
# Runs the tests that need ClickHouse: the engine's exam in all its ways,
# servers on it, and a whole cluster of which parts are ended.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
scripts/clickhouse.sh fetch
if [ -z "${TIDEMARK_BIN:-}" ]; then
	TIDEMARK_BIN=$PWD/.cache/tidemark-cluster
	go build -o "$TIDEMARK_BIN" ./cmd/tidemark
fi
export TIDEMARK_BIN TIDEMARK_TEST_CLUSTER=1
go test -timeout 30m ./internal/tsdb/clickhouse/...
go test -timeout 10m ./internal/app -run 'Servers|EmbeddedAlone'
go test -timeout 20m ./test/cluster
