#!/usr/bin/env bash
# Static checks beyond what the tests enforce. Versions of the tools are those
# of go.mod.
set -euo pipefail
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted: $unformatted"
	exit 1
fi
go vet ./...
scripts/ratio.sh
go build -o bin/lint ./scripts/lint
go vet -vettool="$PWD/bin/lint" ./...
go tool staticcheck ./...
# What the language says in fewer words by now. Texts that are put together in
# a loop of a few rounds may stay as they are.
old=$(go fix -diff -stringsbuilder=false ./...) || true
if [ -n "$old" ]; then
	echo "$old"
	echo "go fix -stringsbuilder=false ./... does this"
	exit 1
fi
if [ -d ui/node_modules ]; then # scripts/ui-build.sh puts them there
	(cd ui && npm run --silent check)
fi
