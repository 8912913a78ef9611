#!/usr/bin/env bash
# Prints the benchmarks: ours beside the code, the tables of engine and server
# against their peers, and the interface in a browser. Figures are comparable
# within one run only, and mean little on a machine that does other work.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
go test -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" ./...
for table in bench/*/run.sh; do
	[ -x "$table" ] || continue
	printf '\n== %s\n' "$(dirname "$table")"
	"$table"
done
printf '\n== test/ui\n'
make -s build
node test/ui/bench.mjs
