#!/usr/bin/env bash
# Several servers on one PostgreSQL and one ClickHouse, behind a balancer: all
# on free ports of loopback, everything under DIR.
#
#   cluster.sh fetch [--replicas]    installs and downloads what up needs; 3 if it cannot be had
#   cluster.sh up [--replicas[=SxR]] DIR  starts everything and waits until it is ready
#   cluster.sh status DIR            says what runs
#   cluster.sh kill DIR NAME         kill -9
#   cluster.sh freeze DIR NAME       SIGSTOP;  thaw DIR NAME: SIGCONT
#   cluster.sh start DIR NAME        starts what was killed again
#   cluster.sh cli DIR WORDS...      a command of tidemark, with the settings of node1
#   cluster.sh down DIR              ends everything that up and start started
#
# NAME is postgres, clickhouse1, node1, node2, node3 or balancer; with
# --replicas also clickhouse2, clickhouse3 and zookeeper: three replicas of
# Debian's ClickHouse instead of one current server. --replicas=2x2 is two
# shards of two replicas, clickhouse1 and 2 of the first and 3 and 4 of the
# second.
#
# DIR/env has BASE (the balancer), NODES, TOKEN and CLICKHOUSE; DIR/pids/NAME
# the process of each. TIDEMARK_* variables reach the nodes; TOKEN is
# TIDEMARK_BOOTSTRAP_TOKEN if that is set. TIDEMARK_BIN is the program. Where
# TIDEMARK_TEST_POSTGRES_PORT and TIDEMARK_TEST_CLICKHOUSE_PORT are set the nodes
# reach PostgreSQL and clickhouse1 by those ports, on which somebody stands
# between; so do the replicas ZooKeeper by TIDEMARK_TEST_ZOOKEEPER_PORT. Started
# by root, each node (40001 and on) and each replica (40011 and on) has a group
# of its own, by which a firewall tells their connections apart.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() { sed -n '2,28p' "$0" | cut -c3- >&2; exit 2; }
say() { echo "cluster: $*" >&2; }
fail() { say "$*"; exit 1; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# need PROGRAM PACKAGE installs a Debian package where the program is missing.
need() {
	PATH=$PATH:/usr/sbin command -v "$1" >/dev/null 2>&1 && return
	command -v apt-get >/dev/null 2>&1 || fail "please install $2: this is not a Debian system"
	say "installing $2"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null 2>&1 && return
	say "could not install $2"
	exit 3
}

# free_ports N prints N ports that nobody listens on.
free_ports() {
	node -e '
		const net = require("net"), n = +process.argv[1]; const all = [];
		const next = () => { if (all.length === n) { console.log(all.map(s => s.address().port).join(" ")); all.forEach(s => s.close()); return; }
			const s = net.createServer(); s.listen(0, "127.0.0.1", () => { all.push(s); next(); }); };
		next();' "$1"
}

# until_ready SECONDS COMMAND...
until_ready() {
	local end=$((SECONDS + $1)); shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# command_of NAME writes DIR/run/NAME: what starts it, the same each time.
command_of() {
	printf '#!/usr/bin/env bash\nset -e\n%s\n' "$2" >"$dir/run/$1"
	chmod 755 "$dir/run/$1"
}

# ready NAME tells whether it answers.
ready() {
	# shellcheck disable=SC1091
	. "$dir/ports"
	local n=${1#clickhouse}
	case $1 in
	postgres) "$pgbin/pg_isready" -q -h 127.0.0.1 -p "$pg" ;;
	clickhouse*) local p=ch$n; curl -sf -m 2 "http://127.0.0.1:${!p}/?query=SELECT%201" ;;
	node*) local p=$1; curl -sf -m 3 "http://127.0.0.1:${!p}/readyz" ;;
	balancer) curl -s -m 2 -o /dev/null "http://127.0.0.1:$lb/healthz" ;;
	zookeeper) (exec 3<>"/dev/tcp/127.0.0.1/$zk") 2>/dev/null ;;
	esac
}

# alive tells whether it runs: one that has ended may wait to be buried.
alive() { [ -f "$dir/pids/$1" ] && grep -q '^State:.[^ZX]' "/proc/$(cat "$dir/pids/$1")/status" 2>/dev/null; }

start() {
	local name=$1
	[ -x "$dir/run/$name" ] || fail "there is no $name in $dir"
	! alive "$name" || fail "$name is running"
	# A group of its own: what it starts itself is ended with it.
	setsid "$dir/run/$name" >>"$dir/log/$name" 2>&1 </dev/null &
	echo $! >"$dir/pids/$name"
	until_ready 60 ready "$name" || { tail -n 20 "$dir/log/$name" >&2; fail "$name does not get ready; see $dir/log/$name"; }
}

cli() {
	# shellcheck disable=SC1091
	. "$dir/settings/node1"
	exec "$bin" "$@"
}

signal() { # SIGNAL NAME
	alive "$2" || fail "$2 is not running"
	kill "-$1" -- "-$(cat "$dir/pids/$2")"
}

names() { ls "$dir/run" 2>/dev/null || true; }

down() {
	for name in balancer node1 node2 node3; do # nodes finish what is under way
		alive "$name" && kill -CONT -- "-$(cat "$dir/pids/$name")" && kill -TERM -- "-$(cat "$dir/pids/$name")"
	done
	for name in $(names); do
		case $name in node*) until_ready 15 dead "$name" || true ;; esac
		alive "$name" && kill -KILL -- "-$(cat "$dir/pids/$name")"
		rm -f "$dir/pids/$name"
	done
	return 0
}
dead() { ! alive "$1"; }

status() {
	local all=0
	for name in $(names); do
		if ! alive "$name"; then echo "$name: dead"; all=1
		elif grep -q '^State:.T' "/proc/$(cat "$dir/pids/$name")/status"; then echo "$name: frozen"; all=1
		elif ready "$name" >/dev/null 2>&1; then echo "$name: ready"
		else echo "$name: not ready"; all=1; fi
	done
	return $all
}

postgres_command() {
	local as=
	if [ "$(id -u)" -eq 0 ]; then # PostgreSQL refuses to run as root
		as="setpriv --reuid=postgres --regid=postgres --clear-groups "
		mkdir -p "$dir/postgres"
		chown postgres "$dir/postgres"
		setpriv --reuid=postgres --regid=postgres --clear-groups test -w "$dir/postgres" || fail "the user postgres cannot reach $dir: choose a directory that others may enter"
	fi
	[ -d "$dir/postgres/data" ] || (cd / && $as "$pgbin/initdb" -D "$dir/postgres/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 >"$dir/log/postgres" 2>&1)
	command_of postgres "cd / && rm -f '$dir/postgres/data/postmaster.pid' && exec $as'$pgbin/postgres' -D '$dir/postgres/data' -p $pg -k '' -c listen_addresses=127.0.0.1 -c max_connections=200 -c shared_buffers=64MB"
}

balancer_command() {
	cat >"$dir/balancer.conf" <<-CONF
		daemon off;
		master_process off;
		pid $dir/nginx.pid;
		error_log $dir/log/balancer warn;
		events { worker_connections 1024; }
		http {
			access_log off;
			client_max_body_size 64m;
			client_body_temp_path $dir/tmp/body; proxy_temp_path $dir/tmp/proxy; fastcgi_temp_path $dir/tmp/f; uwsgi_temp_path $dir/tmp/u; scgi_temp_path $dir/tmp/s;
			upstream nodes {
				server 127.0.0.1:$node1 max_fails=1 fail_timeout=2s;
				server 127.0.0.1:$node2 max_fails=1 fail_timeout=2s;
				server 127.0.0.1:$node3 max_fails=1 fail_timeout=2s;
				keepalive 16;
			}
			server {
				listen 127.0.0.1:$lb;
				location / {
					proxy_pass http://nodes;
					proxy_http_version 1.1;
					proxy_set_header Connection "";
					proxy_set_header Host \$host:$lb;
					proxy_set_header X-Forwarded-For \$remote_addr;
					proxy_connect_timeout 1s;
					proxy_read_timeout 30s;
					proxy_buffering off;
				}
			}
		}
	CONF
	mkdir -p "$dir/tmp"
	command_of balancer "exec $(PATH=$PATH:/usr/sbin command -v nginx) -c '$dir/balancer.conf' -p '$dir'"
}

node_commands() {
	local settings
	settings=$(env -0 | while IFS='=' read -r -d '' name value; do
		case $name in
		TIDEMARK_BIN | TIDEMARK_TEST_*) ;; # not settings
		TIDEMARK_*) printf 'export %s=%q\n' "$name" "$value" ;;
		esac
	done)
	mkdir -p "$dir/settings"
	local group=
	for name in node1 node2 node3; do
		cat >"$dir/settings/$name" <<-SETTINGS
			unset \${!TIDEMARK_*} # what is set here holds, not what whoever starts it has
			export TIDEMARK_TRUSTED_PROXIES=127.0.0.1/32 TIDEMARK_PUBLIC_URL=http://127.0.0.1:$lb
			$settings
			export TIDEMARK_ZONE=${name/node/zone-} TIDEMARK_SECRETS_KEY_FILE='$dir/secrets.key' TIDEMARK_DATA='$dir/$name' TIDEMARK_LISTEN=127.0.0.1:${!name} TIDEMARK_DATABASE='postgres://postgres@127.0.0.1:${TIDEMARK_TEST_POSTGRES_PORT:-$pg}/postgres?sslmode=disable'
			export TIDEMARK_ENGINE=clickhouse TIDEMARK_CLICKHOUSE_URLS='$1' TIDEMARK_CLICKHOUSE_CLUSTER='$2' TIDEMARK_BOOTSTRAP_TOKEN='$token'
			bin='$bin'
		SETTINGS
		[ "$(id -u)" -ne 0 ] || group="setpriv --regid=$((40000 + ${name#node})) --clear-groups "
		command_of "$name" ". '$dir/settings/$name'
exec $group\"\$bin\" serve"
	done
}

install_programs() {
	pgbin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
	[ -n "$pgbin" ] || { need postgres postgresql; pgbin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1); }
	need nginx nginx-light
	need curl curl
}

fetch() {
	install_programs
	"$root/scripts/clickhouse.sh" fetch
	[ "${1:-}" = --replicas ] || return 0
	# shellcheck source=scripts/replicas.sh
	. "$root/scripts/replicas.sh"
	fetch_replicas
}

up() {
	local shards=1 replicas=1
	case ${1:-} in
	--replicas) replicas=3; shift ;;
	--replicas=[1-9]x[1-9]) shards=${1:11:1} replicas=${1:13:1}; shift ;;
	esac
	[ $# -eq 1 ] || usage
	mkdir -p "$1"
	dir=$(cd "$1" && pwd)
	[ -z "$(names)" ] || fail "$dir has a cluster already: down it first, or choose another directory"
	chmod 711 "$dir"
	mkdir -p "$dir"/run "$dir"/log "$dir"/pids
	bin=${TIDEMARK_BIN:-$root/bin/tidemark}
	[ -x "$bin" ] || make -C "$root" build >&2
	install_programs
	local parts="pg zk node1 node2 node3 lb" servers=$((shards * replicas)) i ports v
	for i in $(seq "$servers"); do parts="$parts ch$i tcp$i is$i"; done
	ports=$(free_ports "$(wc -w <<<"$parts")")
	for v in $parts; do
		printf -v "$v" %s "${ports%% *}"
		ports=${ports#* }
	done
	token=${TIDEMARK_BOOTSTRAP_TOKEN:-$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')}
	for v in pgbin $parts; do printf '%s=%q\n' "$v" "${!v}"; done >"$dir/ports"
	local urls="http://127.0.0.1:${TIDEMARK_TEST_CLICKHOUSE_PORT:-$ch1}" cluster=
	postgres_command
	if [ "$servers" -gt 1 ]; then
		# shellcheck source=scripts/replicas.sh
		. "$root/scripts/replicas.sh"
		replica_commands "$shards" "$replicas"
		for i in $(seq 2 "$servers"); do v=ch$i urls="$urls,http://127.0.0.1:${!v}"; done
		cluster=main
	else
		"$root/scripts/clickhouse.sh" fetch
		command_of clickhouse1 "exec '$root/scripts/clickhouse.sh' run '$dir/clickhouse1' $ch1 $tcp1"
	fi
	balancer_command
	node_commands "$urls" "$cluster"
	{
		echo "BASE=http://127.0.0.1:$lb"
		echo "NODES=\"http://127.0.0.1:$node1 http://127.0.0.1:$node2 http://127.0.0.1:$node3\""
		echo "TOKEN=$token"
		echo "CLICKHOUSE=\"${urls//,/ }\""
	} >"$dir/env"
	trap 'say "ending what was started"; down' ERR
	[ "$servers" -eq 1 ] || start zookeeper
	for name in postgres $(names | grep clickhouse) node1 node2 node3 balancer; do start "$name"; done
	trap - ERR
	say "ready: $dir/env has the addresses"
}

if [ "${1:-}" = fetch ]; then shift; fetch "$@"; exit; fi
[ $# -ge 2 ] || usage
action=$1; shift
if [ "$action" = up ]; then up "$@"; exit; fi
dir=$(cd "$1" 2>/dev/null && pwd) || fail "there is no $1"
case $action in
kill)
	[ $# -eq 2 ] || usage
	signal KILL "$2"
	until_ready 60 dead "$2" || fail "$2 does not end"
	;;
freeze) [ $# -eq 2 ] || usage; signal STOP "$2" ;;
thaw) [ $# -eq 2 ] || usage; signal CONT "$2" ;;
start) [ $# -eq 2 ] || usage; start "$2" ;;
status) status ;;
cli) shift; cli "$@" ;;
down) down ;;
*) usage ;;
esac
