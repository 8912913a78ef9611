#!/usr/bin/env bash
# Runs agents of other products against the real server: those of make test,
# and those that are too heavy for it: OpenTelemetry's SDK and collector, and Debian's
# Prometheus, which is unpacked into .cache and not installed; and by Mono the
# example for .NET. Those for Java and Elixir need libraries that Debian has not.
set -euo pipefail
cd "$(dirname "$0")/.."
mono=()
if ! command -v mcs >/dev/null || ! command -v mono >/dev/null; then
	mono=(mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-web-extensions4.0-cil)
fi
scripts/test-deps.sh "${mono[@]}"
prometheus=.cache/prometheus/usr/bin/prometheus
if [ ! -x $prometheus ]; then
	packed=$(mktemp -d)
	trap 'rm -rf "$packed"' EXIT
	(cd "$packed" && apt-get download -qq prometheus)
	mkdir -p .cache/prometheus
	dpkg -x "$packed"/prometheus_*.deb .cache/prometheus
fi
if [ -z "${TIDEMARK_BIN:-}" ]; then
	go build -o bin/tidemark-agents ./cmd/tidemark
	export TIDEMARK_BIN=$PWD/bin/tidemark-agents
fi
PROMETHEUS=$PWD/$prometheus TIDEMARK_TEST_ALL=1 go test -tags agents -count 1 -timeout 30m ./test/agents "$@"
