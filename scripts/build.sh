#!/usr/bin/env bash
# Builds the static binary, which runs on any Linux of its architecture, with
# its version, commit and date inside, and the agent beside it. GOOS and GOARCH
# choose others; for Windows the names end with .exe.
# Usage: scripts/build.sh [FILE]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-bin/tidemark}
app=github.com/tidemark-metrics/tidemark/internal/app
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
if [ -n "$commit" ] && [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then
	commit+=-modified
fi
version=${VERSION:-$(git describe --tags --match 'v[0-9]*' 2>/dev/null || true)}
# The commit's date rather than today's: the same source gives the same binary.
date=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%d 2>/dev/null || true)
exe=
[ "${GOOS:-}" != windows ] || exe=.exe
mkdir -p "$(dirname "$out")"
CGO_ENABLED=0 go build -trimpath -buildvcs=false \
	-ldflags "-s -w -X $app.version=$version -X $app.commit=$commit -X $app.date=$date" \
	-o "$out$exe" ./cmd/tidemark
CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=${version:-devel-$commit}" \
	-o "$(dirname "$out")/tidemark-agent$exe" ./cmd/tidemark-agent
