#!/usr/bin/env bash
# Prints the benchmarks: ours beside the code, then the tables against peers.
# Figures are comparable within one run only.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
go test -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" ./...
for table in bench/*/run.sh; do
	[ -x "$table" ] || continue
	printf '\n== %s\n' "$(dirname "$table")"
	"$table"
done
