#!/usr/bin/env bash
# Prints the benchmarks: ours beside the code, the tables of engine and server
# against their peers, and the interface in a browser. Figures are comparable
# within one run only, and mean little on a machine that does other work. It
# takes about three hours, two of them for every shape and state of data;
# SHORT=1 leaves those and growing sizes out.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
go test -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" ./...
for table in bench/*/run.sh; do
	[ -x "$table" ] || continue
	printf '\n== %s\n' "$(dirname "$table")"
	"$table"
done
if [ -z "${SHORT:-}" ]; then
	for more in 'bench/engine/run.sh -limit' 'bench/engine/run.sh -growth' 'bench/http/run.sh -matrix'; do
		printf '\n== %s\n' "$more"
		$more
	done
fi
printf '\n== test/ui\n'
make -s build
node test/ui/bench.mjs
