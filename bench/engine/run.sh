#!/bin/sh
# Measures the embedded engine against Prometheus' tsdb and prints a table.
#
#   bench/engine/run.sh          quick, under two minutes
#   bench/engine/run.sh full     the sizes that the goals are given for
#   bench/engine/run.sh -growth  Tidemark at growing sizes
#   bench/engine/run.sh -only many -many 1000000
set -eu
cd "$(dirname "$0")"
go build -o ../../bin/bench-engine .
case "${1:-}" in
full)
	shift
	exec ../../bin/bench-engine -streams 20000 -samples 2160 -many 1000000 -reopen 40 -week 200 -seconds 60 "$@"
	;;
*)
	exec ../../bin/bench-engine "$@"
	;;
esac
