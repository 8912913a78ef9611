#!/bin/sh
# Measures three servers on PostgreSQL and ClickHouse, which it starts on this
# machine: about five minutes.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
make -s build
mkdir -p .cache/bench
(cd bench/http && go build -o "$root/.cache/bench/bench-http" .)
scripts/cluster.sh fetch
dir=$(mktemp -d /tmp/tidemark-cluster-XXXXXX)
trap 'scripts/cluster.sh down "$dir"; rm -rf "$dir"' EXIT INT TERM
scripts/cluster.sh up "$dir"
.cache/bench/bench-http -cluster "$dir" "$@"
