#!/bin/sh
# Measures Tidemark over HTTP beside its peers and prints a table.
#
#   bench/http/run.sh                  all of them, some minutes
#   bench/http/run.sh -only tidemark   one of them
#
# VictoriaMetrics is built from its Go module; Prometheus and InfluxDB are
# Debian's packages, unpacked and not installed.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
cache=$root/.cache/bench
mkdir -p "$cache"

(cd "$root" && go build -trimpath -o bin/tidemark ./cmd/tidemark)
(cd peers && go build -o "$cache/victoria-metrics" github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics)
go build -o "$cache/bench-http" .

unpack() { # package, path of its binary
	if [ ! -x "$cache/$1/$2" ]; then
		(cd "$cache" && apt-get download -qq "$1" && dpkg -x "$1"_*.deb "$1" && rm "$1"_*.deb)
	fi
}
unpack prometheus usr/bin/prometheus
unpack influxdb usr/bin/influxd

exec "$cache/bench-http" -tidemark "$root/bin/tidemark" -victoria "$cache/victoria-metrics" \
	-prometheus "$cache/prometheus/usr/bin/prometheus" -influxd "$cache/influxdb/usr/bin/influxd" "$@"
