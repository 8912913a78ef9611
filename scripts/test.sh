#!/usr/bin/env bash
# Runs all tests: Go with the race detector on both databases, the interface's
# unit tests, and the end-to-end tests on the real binary.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }

step "what the tests need"
scripts/test-deps.sh

step "interface: build, types, lint, unit tests"
scripts/ui-build.sh
if [ -f ui/package.json ]; then
	(cd ui && npm run --silent check && npm run --silent test)
fi

step "binary"
mkdir -p bin
go build -trimpath -o bin/tidemark ./cmd/tidemark
export TIDEMARK_BIN=$PWD/bin/tidemark # so that no test builds it again

step "interface: journeys in a browser"
TIDEMARK=$TIDEMARK_BIN node --test --test-reporter=spec test/ui/*.test.mjs

step "Go: format, vet, tests with the race detector"
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted: $unformatted"
	exit 1
fi
go vet ./...
go test -race -timeout 14m ./...
