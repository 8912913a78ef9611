# Sourced by cluster.sh: ZooKeeper and replicas of Debian's ClickHouse.
# Its packages are unpacked in .cache/replicas, not installed: they would start
# services.

replicas_root=$root/.cache/replicas/root

fetch_replicas() {
	need java default-jre-headless
	[ ! -x "$replicas_root/usr/sbin/clickhouse-server" ] || return 0
	say "downloading Debian's ClickHouse and ZooKeeper, once"
	local work=$root/.cache/replicas/debs
	mkdir -p "$work" "$replicas_root"
	(cd "$work" && apt-get install --no-install-recommends -y -qq --print-uris clickhouse-server zookeeper 2>/dev/null | cut -d"'" -f2 | xargs -P4 -n1 curl -sfO) ||
		fail "could not download Debian's clickhouse-server and zookeeper"
	for deb in "$work"/*.deb; do dpkg -x "$deb" "$replicas_root"; done
	rm -rf "$work"
}

# replica_commands SHARDS REPLICAS
replica_commands() {
	fetch_replicas
	local java_libs
	java_libs=$(ls "$replicas_root"/usr/share/java/{zookeeper,zookeeper-jute,metrics-core,log4j-1.2}.jar "$replicas_root"/usr/share/java/{netty-,snappy,jackson}*.jar \
		{"$replicas_root",}/usr/share/java/{slf4j-api,slf4j-simple,commons-cli}.jar 2>/dev/null | tr '\n' ':' || true)
	mkdir -p "$dir/zookeeper/data"
	cat >"$dir/zookeeper/zoo.cfg" <<-CONF
		tickTime=1000
		dataDir=$dir/zookeeper/data
		clientPort=$zk
		clientPortAddress=127.0.0.1
		admin.enableServer=false
	CONF
	command_of zookeeper "exec java -Xmx128m -cp '$java_libs' org.apache.zookeeper.server.quorum.QuorumPeerMain '$dir/zookeeper/zoo.cfg'"
	local all='' i tcp
	for i in $(seq $(($1 * $2))); do
		[ $((i % $2)) -ne $((1 % $2)) ] || all="$all<shard><internal_replication>true</internal_replication>"
		tcp=tcp$i all="$all<replica><host>127.0.0.1</host><port>${!tcp}</port></replica>"
		[ $((i % $2)) -ne 0 ] || all="$all</shard>"
	done
	for i in $(seq $(($1 * $2))); do replica_command "$i" $(((i - 1) / $2 + 1)) "$all"; done
}

# replica_command NUMBER SHARD CLUSTER
replica_command() {
	local group=
	[ "$(id -u)" -ne 0 ] || group="setpriv --regid=$((40010 + $1)) --clear-groups "
	local i=$1 d=$dir/clickhouse$1 http=ch$1 tcp=tcp$1 interserver=is$1
	mkdir -p "$d/data" "$d/tmp"
	cat >"$d/config.xml" <<-CONF
		<?xml version="1.0"?><yandex>
		<logger><level>warning</level><log>$d/log</log><errorlog>$d/errors</errorlog><size>100M</size><count>2</count></logger>
		<http_port>${!http}</http_port><tcp_port>${!tcp}</tcp_port>
		<interserver_http_port>${!interserver}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
		<listen_host>127.0.0.1</listen_host><max_connections>256</max_connections><keep_alive_timeout>30</keep_alive_timeout>
		<max_concurrent_queries>100</max_concurrent_queries><mark_cache_size>134217728</mark_cache_size>
		<path>$d/data/</path><tmp_path>$d/tmp/</tmp_path><users_config>users.xml</users_config>
		<default_profile>default</default_profile><default_database>default</default_database>
		<zookeeper><node><host>127.0.0.1</host><port>${TIDEMARK_TEST_ZOOKEEPER_PORT:-$zk}</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
		<macros><shard>$2</shard><replica>r$i</replica></macros>
		<remote_servers><main>$3</main></remote_servers>
		<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
		</yandex>
	CONF
	cat >"$d/users.xml" <<-CONF
		<?xml version="1.0"?><yandex><profiles><default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
		<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
		<quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas></yandex>
	CONF
	command_of "clickhouse$i" "export LD_LIBRARY_PATH='$replicas_root/usr/lib/x86_64-linux-gnu:$replicas_root/lib/x86_64-linux-gnu'
exec $group'$replicas_root/usr/sbin/clickhouse-server' --config-file='$d/config.xml'"
}
