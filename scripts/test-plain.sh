#!/usr/bin/env bash
# Runs the Go tests that draw or simulate much, whole and without the race
# detector, a client generated of the OpenAPI document, and PromQL beside
# Prometheus' own storage.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
plain=(-trimpath -buildvcs=false -p 1 -count 1 -timeout 20m) # as scripts/build.sh has it, so that both share one cache
go test "${plain[@]}" -run 'TestOneMeaning|TestBacktestAgrees|TestSimulation|TestClusterSimulation|TestModel|TestExamReopened' ./internal/alerting ./internal/tsdb/embedded ./test/engine
go test "${plain[@]}" . ./internal/tsdb ./internal/tsdb/embedded/{chunk,catalog,tables} ./internal/{wal,query,promql,ingest,ports,agent,api/legacy}
go test "${plain[@]}" -run 'TestPermissions|TestWrongTypes' ./internal/api
unset CGO_ENABLED
# Modules of their own: the server needs neither Prometheus' storage, see
# docs/decisions/0010-promql.md, nor a generator of clients.
(cd test/openapi && go vet . && go test -count 1 -timeout 20m .)
cd test/promql && go vet . && go test -count 1 -timeout 20m .
