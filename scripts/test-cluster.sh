#!/usr/bin/env bash
# Runs the tests that need ClickHouse: the engine's exam in all its ways, and
# servers on it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
scripts/clickhouse.sh fetch
export TIDEMARK_TEST_CLUSTER=1
go test -timeout 30m ./internal/tsdb/clickhouse/... ./internal/app -run 'TestExam|TestHours|TestRemoved|TestInsert|TestAnswer|TestAway|TestBack|TestFail|TestTwo|TestOpen|TestServers|TestEmbeddedAlone'
