#!/usr/bin/env bash
# A current ClickHouse for tests and for looking, without installing it.
#   clickhouse.sh fetch                    downloads it once (178 MB) into .cache/clickhouse; 3 if it cannot be had
#   clickhouse.sh run DIR HTTP_PORT [TCP_PORT [CONFIG]]  runs it on loopback in the foreground, data in DIR
# It ignores SIGTERM: end it with SIGKILL.
set -euo pipefail
cd "$(dirname "$0")/.."
version=26.7.3-stable.1
cache=${TIDEMARK_CLICKHOUSE_CACHE:-$PWD/.cache/clickhouse}

download() {
	echo "clickhouse: downloading ClickHouse $version (178 MB), once" >&2
	local work ok=
	work=$(mktemp -d "$cache/download.XXXXXX")
	if (cd "$work" && npm pack --silent "@chdb/lib-linux-x64-gnu@$version" >/dev/null && tar xzf ./*.tgz); then
		rm -rf "${cache:?}/$version"
		mv "$work/package" "$cache/$version"
		ok=1
	fi
	rm -rf "$work"
	[ -n "$ok" ]
}

fetch() {
	mkdir -p "$cache"
	if [ ! -f "$cache/$version/libchdb.so" ] && ! download; then
		echo "clickhouse: ClickHouse $version cannot be downloaded" >&2
		exit 3
	fi
	if [ ! -x "$cache/server" ] || [ test/cluster/clickhouse/main.go -nt "$cache/server" ]; then
		(cd test/cluster/clickhouse && CGO_ENABLED=0 go build -o "$cache/server.new" . && mv "$cache/server.new" "$cache/server")
	fi
}

run() {
	local dir=$1 http=$2 tcp=${3:-} config=${4:-} listen="SYSTEM START LISTEN HTTP;"
	mkdir -p "$dir/backups"
	dir=$(cd "$dir" && pwd)
	if [ -z "$config" ]; then
		config=$dir/config.xml
		# Where BACKUP ... TO File('name') may write; and room for merges under way
		# to end in when the disk gets full.
		echo "<clickhouse><backups><allowed_path>$dir/backups/</allowed_path></backups>
			<storage_configuration><disks><default><keep_free_space_bytes>33554432</keep_free_space_bytes></default></disks></storage_configuration></clickhouse>" >"$config"
	fi
	local args=(--config-file="$config" --path="$dir" --listen_host=127.0.0.1 --http_port="$http" --output-format=TSV
		--max_memory_usage="${CLICKHOUSE_MEMORY:-2000000000}" --background_pool_size=2 --max_threads=2)
	if [ -n "$tcp" ]; then
		args+=(--tcp_port="$tcp")
		listen="$listen SYSTEM START LISTEN TCP;"
	fi
	# The library serves while it answers a question: this one takes years.
	exec "$cache/server" "$cache/$version/libchdb.so" "${args[@]}" --query="$listen SELECT sleepEachRow(1) FROM numbers(100000000) SETTINGS max_block_size=1, function_sleep_max_microseconds_per_block=0 FORMAT Null"
}

case ${1:-} in
fetch) fetch ;;
run) shift; run "$@" ;;
*) sed -n '2,5p' "$0" | cut -c3- >&2; exit 2 ;;
esac
