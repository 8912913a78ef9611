#!/bin/sh
# Measures Tidemark over HTTP beside its peers and prints a table.
#
#   bench/http/run.sh                  all of them, some minutes
#   bench/http/run.sh -only tidemark   one of them
#
# VictoriaMetrics and Prometheus are built from their Go modules; InfluxDB is
# Debian's package, unpacked and not installed.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
cache=$root/.cache/bench
mkdir -p "$cache"

make -s -C "$root" build
(cd peers && go build -o "$cache/victoria-metrics" github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics)
# Its ways to find what it scrapes are left out: they are most of it.
(cd peers/prometheus && go build -tags remove_all_sd -o "$cache/prometheus" github.com/prometheus/prometheus/cmd/prometheus)
go build -o "$cache/bench-http" .

unpack() { # package, path of its binary
	[ -x "$cache/$1/$2" ] && return
	command -v apt-get >/dev/null || { echo "$1: this is not a Debian system; left out" >&2; return; }
	(
		cd "$cache"
		# A machine that is new has no lists of packages yet.
		apt-get download -qq "$1" 2>/dev/null || { as_root apt-get update -qq && apt-get download -qq "$1"; }
		dpkg -x "$1"_*.deb "$1" && rm "$1"_*.deb
	)
}
as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}
unpack influxdb usr/bin/influxd

# Whoever is not there is left out.
at() { if [ -x "$1" ]; then echo "$1"; fi; }
exec "$cache/bench-http" -tidemark "$root/bin/tidemark" -victoria "$cache/victoria-metrics" \
	-prometheus "$cache/prometheus" -influxd "$(at "$cache/influxdb/usr/bin/influxd")" "$@"
