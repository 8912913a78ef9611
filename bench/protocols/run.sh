#!/bin/sh
# Measures the protocols and PromQL beside VictoriaMetrics and Prometheus, with
# what the server is measured with: about six minutes, or less than one with
# -short.
exec "$(dirname "$0")/../http/run.sh" -protocols "$@"
