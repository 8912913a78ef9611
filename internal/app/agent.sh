#!/bin/sh
# Installs the agent of Tidemark on this machine, or removes it:
#
#   curl -fsSL SERVER/agent.sh | sh -s -- --token TOKEN [--host NAME]
#   curl -fsSL SERVER/agent.sh | sh -s -- remove
#
# As root it becomes a service of the machine with a user of its own. Without
# root everything is below the home directory, and it runs as you.
set -eu

server='@SERVER@'
token=${TIDEMARK_TOKEN:-}
host=
remove=

say() { printf '%s\n' "$*"; }
fail() {
	printf 'tidemark-agent: %s\n' "$*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--token) token=${2:?--token needs a value} && shift 2 ;;
	--token=*) token=${1#*=} && shift ;;
	--host) host=${2:?--host needs a value} && shift 2 ;;
	--host=*) host=${1#*=} && shift ;;
	remove) remove=yes && shift ;;
	*) fail "unknown word $1; there are --token, --host and remove" ;;
	esac
done

if [ "$(id -u)" = 0 ]; then
	bin=/usr/local/bin settings=/etc/tidemark-agent state=/var/lib/tidemark-agent
	units=/etc/systemd/system ctl=systemctl target=multi-user.target
	user='DynamicUser=yes
StateDirectory=tidemark-agent'
else
	: "${HOME:?is not set}"
	bin=$HOME/.local/bin settings=$HOME/.config/tidemark-agent state=$HOME/.local/state/tidemark-agent
	units=$HOME/.config/systemd/user ctl='systemctl --user' target=default.target
	user=
fi
service=tidemark-agent.service
pidfile=$state/agent.pid

has_systemd() { [ -d /run/systemd/system ] && $ctl show-environment >/dev/null 2>&1; }

stop_agent() {
	if has_systemd; then
		$ctl disable --now $service >/dev/null 2>&1 || true
	fi
	if [ -f "$pidfile" ]; then
		kill "$(cat "$pidfile")" 2>/dev/null || true
		rm -f "$pidfile"
	fi
}

if [ -n "$remove" ]; then
	stop_agent
	rm -rf "$bin/tidemark-agent" "$units/$service" "$settings" "$state"
	if has_systemd; then $ctl daemon-reload; fi
	say "The agent is removed from this machine."
	exit 0
fi

[ -n "$token" ] || fail "give a token that may record: sh -s -- --token TOKEN"
case $token$host in *[!A-Za-z0-9._:-]*) fail "tokens and names of hosts have letters, digits and . _ : - only" ;; esac
system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no agent for $(uname -m)" ;;
esac

mkdir -p "$bin" "$settings" "$state"
chmod 700 "$settings" "$state"
say "Fetching the agent from $server"
curl -fsSL "$server/agent/$system/$arch" -o "$bin/tidemark-agent.new" ||
	fail "the server has no agent for $system/$arch: put tidemark-agent_${system}_$arch beside its program"
chmod 755 "$bin/tidemark-agent.new"
stop_agent
mv "$bin/tidemark-agent.new" "$bin/tidemark-agent"

(umask 077 && {
	printf 'TIDEMARK_SERVER=%s\nTIDEMARK_TOKEN=%s\n' "$server" "$token"
} >"$settings/env")
words=${host:+"--host $host"}

if has_systemd; then
	mkdir -p "$units"
	cat >"$units/$service" <<UNIT
[Unit]
Description=Tidemark agent: watches this machine
After=network-online.target

[Service]
EnvironmentFile=$settings/env
ExecStart=$bin/tidemark-agent --spool $state/spool $words
Restart=always
RestartSec=5s
NoNewPrivileges=yes
$user

[Install]
WantedBy=$target
UNIT
	$ctl daemon-reload
	$ctl enable --now $service
	say "The agent runs as a service: $ctl status $service"
else
	# shellcheck disable=SC2046,SC2086 # names and values without blanks, checked above
	nohup env $(cat "$settings/env") "$bin/tidemark-agent" --spool "$state/spool" $words >"$state/agent.log" 2>&1 &
	printf '%s\n' $! >"$pidfile"
	say "The agent runs until the machine restarts; what it says is in $state/agent.log"
fi
say "Remove it with: curl -fsSL $server/agent.sh | sh -s -- remove"
