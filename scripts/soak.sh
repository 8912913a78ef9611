#!/usr/bin/env bash
# Long rounds of the crash, model and simulation tests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
scripts/build.sh
TIDEMARK_SOAK=1 go test -timeout 6h ./internal/tsdb/... ./internal/alerting/... ./test/...
