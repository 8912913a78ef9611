#!/usr/bin/env bash
# Static checks beyond what the tests enforce.
set -euo pipefail
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted: $unformatted"
	exit 1
fi
go vet ./...
go run honnef.co/go/tools/cmd/staticcheck@latest ./...
if [ -f ui/package.json ]; then
	(cd ui && npm run --silent check)
fi
