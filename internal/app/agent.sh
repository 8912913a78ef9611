#!/bin/sh
# Installs the agent of Tidemark on this machine, upgrades it, or removes it:
#
#   curl -fsSL SERVER/agent.sh | sh -s -- --token TOKEN [--host NAME]
#   curl -fsSL SERVER/agent.sh | sh
#   curl -fsSL SERVER/agent.sh | sh -s -- remove
#
# As root it becomes a service of the machine with a user of its own. Without
# root everything is below the home directory, and it runs as you. What is
# configured stays: the file env, of which --token and --host replace their
# lines, and agent.yaml, which is written once.
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
else
	: "${HOME:?is not set}"
	bin=$HOME/.local/bin settings=$HOME/.config/tidemark-agent state=$HOME/.local/state/tidemark-agent
	units=$HOME/.config/systemd/user ctl='systemctl --user' target=default.target
fi
program=$bin/tidemark-agent
service=tidemark-agent.service
pidfile=$state/agent.pid
ready=$state/ready

has_systemd() { [ -d /run/systemd/system ] && $ctl show-environment >/dev/null 2>&1; }

# runs PID: the process is the agent that was installed here, not one that got
# the number of an agent that ended. A program that was replaced is "(deleted)".
runs() {
	case $1 in '' | *[!0-9]*) return 1 ;; esac
	exe=$(readlink "/proc/$1/exe" 2>/dev/null) && [ "${exe%" (deleted)"}" = "$(cd "$bin" && pwd -P)/tidemark-agent" ]
}

pause() { sleep 0.2 2>/dev/null || sleep 1; }

# stop_agent returns when the agent has ended: it holds its spool until then.
stop_agent() {
	if has_systemd; then
		$ctl disable --now $service >/dev/null 2>&1 || true
	fi
	[ -f "$pidfile" ] || return 0
	pid=$(cat "$pidfile")
	left=150
	while runs "$pid"; do
		# It sends for a while what it has. Killed it loses nothing: that is on disk.
		case $left in
		150) kill "$pid" 2>/dev/null || true ;;
		50) kill -9 "$pid" 2>/dev/null || true ;;
		0) fail "the agent that runs ($pid) does not end" ;;
		esac
		left=$((left - 1))
		pause
	done
	rm -f "$pidfile"
}

if [ -n "$remove" ]; then
	stop_agent
	rm -rf "$program" "$units/$service" "$settings" "$state"
	if has_systemd; then $ctl daemon-reload; fi
	say "The agent is removed from this machine."
	exit 0
fi

# unquoted prints a value of env, where it may be quoted as systemd allows.
unquoted() {
	case $1 in \"*\" | \'*\') set -- "${1#?}" && set -- "${1%?}" ;; esac
	printf '%s\n' "$1"
}

configured() {
	[ ! -f "$settings/env" ] || unquoted "$(sed -n "s/^$1=//p" "$settings/env" | tail -n 1)"
}

# A token is one of the server that the script comes from.
to=$server
if [ -z "$token" ]; then
	token=$(configured TIDEMARK_TOKEN)
	to=$(configured TIDEMARK_SERVER)
	to=${to:-$server} to=${to%/}
fi
[ -n "$token" ] || fail "give a token that may record: sh -s -- --token TOKEN"
case $token$host in *[!A-Za-z0-9._:-]*) fail "tokens and names of hosts have letters, digits and . _ : - only" ;; esac
system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no agent for $(uname -m)" ;;
esac

# A server that would take measurements with this token refuses the request
# only because there are none in it. The token is in no list of processes.
code=$(printf 'header = "Authorization: Bearer %s"\n' "$token" |
	curl -sS -m 30 -K - -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' -d '{"measurements":[]}' "$to/v1/measurements") ||
	fail "$to does not answer; nothing was changed"
case $code in
2?? | 307 | 308 | 400) ;;
401) fail "$to does not accept this token: it is mistyped, inactive or expired; nothing was changed" ;;
403) fail "this token may not record: generate a Record Only token; nothing was changed" ;;
*) fail "$to answered $code when asked whether the token is right; nothing was changed" ;;
esac

umask 077
mkdir -p "$settings" "$state"
(umask 022 && mkdir -p "$bin")
chmod 700 "$settings" "$state"
new=$bin/.tidemark-agent.new
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir "$new"
say "Fetching the agent from $server"
curl -fsSL "$server/agent/$system/$arch" -o "$new/tidemark-agent" ||
	fail "the server has no agent for $system/$arch: put tidemark-agent_${system}_$arch beside its program"
chmod 755 "$new/tidemark-agent"

# set_env NAME VALUE replaces a line of env; the others stay.
set_env() {
	sed "/^$1=/d" "$new/env" >"$new/env.less"
	printf '%s=%s\n' "$1" "$2" >>"$new/env.less"
	mv "$new/env.less" "$new/env"
}
if [ -f "$settings/env" ]; then cat "$settings/env" >"$new/env"; else : >"$new/env"; fi
set_env TIDEMARK_SERVER "$to"
set_env TIDEMARK_TOKEN "$token"
[ -z "$host" ] || set_env TIDEMARK_AGENT_HOST "$host"
if [ ! -e "$settings/agent.yaml" ]; then
	"$new/tidemark-agent" --template >"$new/agent.yaml" || fail "the agent of $server does not run on this machine; nothing was changed"
	mv "$new/agent.yaml" "$settings/agent.yaml"
fi

# agent DIR ENV WORDS: becomes the agent in DIR, with the environment of a file,
# as systemd would read it.
agent() {
	dir=$1 from=$2 && shift 2
	while IFS= read -r line || [ -n "$line" ]; do
		name=${line%%=*}
		case $name in '' | "$line" | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
		export "$name=$(unquoted "${line#*=}")"
	done <"$from"
	export STATE_DIRECTORY="$state"
	exec "$dir/tidemark-agent" --settings "$settings/agent.yaml" "$@"
}
(agent "$new" "$new/env" --check >/dev/null) || fail "the settings in $settings are wrong; nothing was changed"

stop_agent
rm -f "$ready"
mv "$new/env" "$settings/env"
mv "$new/tidemark-agent" "$program"

if has_systemd; then
	# A user of the agent's own cannot read what is root's: systemd hands it over
	# or, before 247, it must be readable.
	config=$settings/agent.yaml own="Environment=\"STATE_DIRECTORY=$state\""
	if [ "$(id -u)" = 0 ]; then
		own='DynamicUser=yes
StateDirectory=tidemark-agent'
		version=$($ctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
		if [ "${version:-0}" -ge 247 ]; then
			own="$own
LoadCredential=agent.yaml:$config"
			config='${CREDENTIALS_DIRECTORY}/agent.yaml'
		else
			chmod 711 "$settings" && chmod 644 "$config"
		fi
	fi
	mkdir -p "$units"
	cat >"$new/unit" <<UNIT
[Unit]
Description=Tidemark agent: watches this machine
After=network-online.target

[Service]
EnvironmentFile=$settings/env
ExecStart="$program" --settings "$config" --ready "$ready"
Restart=always
RestartSec=5s
NoNewPrivileges=yes
$own

[Install]
WantedBy=$target
UNIT
	chmod 644 "$new/unit"
	mv "$new/unit" "$units/$service"
	$ctl daemon-reload
	$ctl enable --now $service
	alive() { $ctl is-active --quiet $service; }
	said="$ctl status $service"
	runs="as a service: $said"
else
	{
		trap '' HUP
		agent "$bin" "$settings/env" --ready "$ready"
	} </dev/null >"$state/agent.log" 2>&1 &
	pid=$!
	printf '%s\n' "$pid" >"$pidfile"
	alive() { kill -0 "$pid" 2>/dev/null; }
	said="tail $state/agent.log"
	runs="until the machine restarts; what it says is in $state/agent.log"
fi

# One that ends before the server has answered will not begin to by itself; a
# service may fail at first and be started again.
left=300
until [ -e "$ready" ] || [ $left = 0 ]; do
	left=$((left - 1))
	alive || has_systemd || left=0
	pause
done
alive || fail "the agent does not run; see: $said"
[ -e "$ready" ] || fail "the agent runs, but has had no answer from $to yet; see: $said"
say "The agent runs $runs"
say "Its settings are in $settings. Remove it with: curl -fsSL $server/agent.sh | sh -s -- remove"
