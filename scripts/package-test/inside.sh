#!/bin/sh
# Runs as root in a clean system whose systemd is the first process: installs
# the older package, upgrades and removes it, as an operator would.
#
#   inside.sh deb   with dpkg, in Debian; purges it at the end
#   inside.sh rpm   with rpm, whose scripts run as on Fedora; its database knows
#                   no other package, so that nothing can be asked to depend on
set -eu
kind=$1
export DEBIAN_FRONTEND=noninteractive
say() { echo "package-test: $*"; }
fail() {
	say "FAILED: $*"
	journalctl -u tidemark -u tidemark-agent --no-pager | tail -40
	exit 1
}
ready() {
	for _ in $(seq 300); do
		if curl -fsS http://127.0.0.1:8433/readyz >/dev/null 2>&1; then return 0; fi
		sleep 0.2
	done
	fail "the server is not ready: $(curl -sS http://127.0.0.1:8433/readyz 2>&1)"
}
pid() { systemctl show -p MainPID --value "${1:-tidemark}"; }
field() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$2/status"; }
# restricted UNIT: systemd takes its unit as it is, and does to it what it says.
restricted() {
	systemd-analyze verify --man=no "$1.service" 2>/root/verify || fail "systemd-analyze verify: $(cat /root/verify)"
	if grep -q tidemark /root/verify; then fail "systemd-analyze verify: $(cat /root/verify)"; fi
	systemd-analyze security --no-pager "$1.service" | tail -1
	process=$(pid "$1")
	[ "$(field NoNewPrivs "$process")" = 1 ] && [ "$(field Seccomp "$process")" = 2 ] && [ "$(field CapEff "$process")" = 0000000000000000 ] &&
		[ "$(field CapBnd "$process")" = 0000000000000000 ] || fail "restrictions of $1 are not in force: $(cat "/proc/$process/status")"
	[ "$(field Uid "$process" | cut -f1)" != 0 ] || fail "$1 runs as root"
}
# watched starts the agent and waits for what it sends.
watched() {
	printf 'server: http://127.0.0.1:8433\ntoken: %s\nevery: 1s\n' "$token" >/etc/tidemark/agent.yaml
	chmod 0600 /etc/tidemark/agent.yaml
	systemctl start tidemark-agent
	restricted tidemark-agent
	for _ in $(seq 300); do
		code=$(curl -sS -o /dev/null -w '%{http_code}' -u "$token:" http://127.0.0.1:8433/v1/metrics/host.cpu.percent)
		[ "$code" = 200 ] && break
		sleep 0.2
	done
	[ "$code" = 200 ] || fail "the agent sent nothing: $code"
}
at=$(($(date +%s) - 300))
read_back() { curl -fsS -u "$token:" "http://127.0.0.1:8433/v1/measurements/packaged.value?resolution=1&start_time=$((at - 10))&end_time=$((at + 10))"; }

say "install"
case $kind in
deb) dpkg -i /root/old.deb ;;
rpm)
	rpm --install --nodeps /root/old.rpm
	if systemctl is-active --quiet tidemark; then fail "it was started by itself"; fi
	systemctl enable --now tidemark
	;;
esac
ready
[ "$(systemctl is-enabled tidemark)" = enabled ] || fail "not enabled"
[ "$(stat -c %U:%G:%a /var/lib/tidemark)" = tidemark:tidemark:700 ] || fail "modes of the data directory"
[ "$(stat -c %U:%G:%a /etc/tidemark/tidemark.yaml)" = root:tidemark:640 ] || fail "modes of the settings"
restricted tidemark
[ "$(stat -c %U "/proc/$(pid)")" = tidemark ] || fail "runs as another user"
man_page=/usr/share/man/man1/tidemark.1.gz
[ -s $man_page ] || [ ! -d /usr/share/man/man1 ] || fail "no manual"

say "measure"
token=$(journalctl -u tidemark --no-pager -o cat | grep -o 'tmk_[0-9A-Za-z]*' | head -1)
curl -sS --fail-with-body -u "$token:" -H 'Content-Type: application/json' \
	-d '{"tags":{"host":"a"},"measurements":[{"name":"packaged.value","value":42,"time":'"$at"'}]}' http://127.0.0.1:8433/v1/measurements
read_back >/root/before
grep -q 42 /root/before || fail "the measurement is not there: $(cat /root/before)"

# A release before the agent has none to upgrade.
has_agent=
if [ -e /usr/bin/tidemark-agent ]; then has_agent=1; fi
if [ -n "$has_agent" ]; then
	say "agent"
	watched
	agent=$(pid tidemark-agent)
fi

say "reload, and a crash"
systemctl reload tidemark
ready
was=$(pid)
kill -9 "$was"
for _ in $(seq 100); do
	now=$(pid)
	[ "$now" = "$was" ] || [ "$now" = 0 ] || break
	sleep 0.2
done
ready
read_back | cmp - /root/before || fail "other answers after a crash"

say "upgrade"
echo "log_level: debug" >>/etc/tidemark/tidemark.yaml
old=$(tidemark version)
case $kind in
deb) dpkg --force-confold -i /root/new.deb ;;
rpm) rpm --upgrade --nodeps /root/new.rpm ;;
esac
ready
runuser -u tidemark -- tidemark health || fail "it does not find its own server"
[ "$(tidemark version)" != "$old" ] || fail "the version is still $old"
grep -q '^log_level: debug' /etc/tidemark/tidemark.yaml || fail "changed settings were replaced"
[ "$(readlink "/proc/$(pid)/exe")" = /usr/bin/tidemark ] || fail "the old program still runs: $(readlink "/proc/$(pid)/exe")"
if [ -n "$has_agent" ]; then
	[ "$(pid tidemark-agent)" != "$agent" ] && [ "$(readlink "/proc/$(pid tidemark-agent)/exe")" = /usr/bin/tidemark-agent ] || fail "the old agent still runs"
else
	say "agent, which is new"
	watched
fi
read_back | cmp - /root/before || fail "other answers after the upgrade"

say "backup"
sh /root/backup.sh /root/upgrading.md

say "remove"
case $kind in
deb) dpkg -r tidemark ;;
rpm) rpm --erase tidemark ;;
esac
for unit in tidemark tidemark-agent; do
	if systemctl is-active --quiet $unit; then fail "$unit is still running"; fi
done
[ ! -e /usr/bin/tidemark ] || fail "the program is still there"
[ -e /var/lib/tidemark/tidemark.db ] || fail "removing took the data"
[ -e /var/backups/tidemark/root/backup.json ] || fail "removing took the backups"

if [ "$kind" = rpm ]; then
	[ -e /etc/tidemark/tidemark.yaml.rpmsave ] || fail "removing took changed settings: $(ls /etc/tidemark)"
	say "PASSED"
	exit
fi
[ -e /etc/tidemark/tidemark.yaml ] || fail "removing took the settings"

say "purge"
dpkg -P tidemark
[ ! -e /var/lib/tidemark ] && [ ! -e /etc/tidemark ] || fail "purge left data or settings"
[ ! -e /var/lib/tidemark-agent ] && [ ! -e /var/lib/private/tidemark-agent ] || fail "purge left the agent's data"
[ "$(stat -c %U:%a /var/backups/tidemark/root)" = root:700 ] || fail "purge took the backups, or left them to nobody"
if getent passwd tidemark; then fail "purge left the user"; fi
say "PASSED"
