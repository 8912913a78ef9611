#!/bin/sh
# Runs as root in a clean Debian whose systemd is the first process: installs
# the older package, upgrades, removes and purges it, as an operator would.
set -eu
export DEBIAN_FRONTEND=noninteractive
say() { echo "package-test: $*"; }
fail() { say "FAILED: $*"; journalctl -u tidemark --no-pager | tail -40; exit 1; }
as_tidemark() { runuser -u tidemark -- tidemark "$@"; }
ready() {
	for _ in $(seq 300); do
		if as_tidemark health >/dev/null 2>&1; then return 0; fi
		sleep 0.2
	done
	fail "the server is not ready: $(as_tidemark health 2>&1)"
}
pid() { systemctl show -p MainPID --value tidemark; }
field() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$(pid)/status"; }
at=$(($(date +%s) - 300))
read_back() { curl -fsS -u "$token:" "http://127.0.0.1:8433/v1/measurements/packaged.value?resolution=1&start_time=$((at - 10))&end_time=$((at + 10))"; }

say "install"
dpkg -i /root/old.deb
ready
[ "$(systemctl is-enabled tidemark)" = enabled ] || fail "not enabled"
[ "$(stat -c %U:%G:%a /var/lib/tidemark)" = tidemark:tidemark:700 ] || fail "modes of the data directory"
[ "$(stat -c %U:%G:%a /etc/tidemark/tidemark.yaml)" = root:tidemark:640 ] || fail "modes of the settings"
systemd-analyze verify --man=no tidemark.service 2>/root/verify || fail "systemd-analyze verify: $(cat /root/verify)"
if grep -q tidemark /root/verify; then fail "systemd-analyze verify: $(cat /root/verify)"; fi
systemd-analyze security --no-pager tidemark.service | tail -1
[ "$(ps -o user= -p "$(pid)" 2>/dev/null || stat -c %U "/proc/$(pid)")" = tidemark ] || fail "runs as another user"
[ "$(field NoNewPrivs)" = 1 ] && [ "$(field Seccomp)" = 2 ] && [ "$(field CapEff)" = 0000000000000000 ] && [ "$(field CapBnd)" = 0000000000000000 ] ||
	fail "restrictions are not in force: $(cat "/proc/$(pid)/status")"
man_page=/usr/share/man/man1/tidemark.1.gz
[ -s $man_page ] || [ ! -d /usr/share/man/man1 ] || fail "no manual"

say "measure"
token=$(journalctl -u tidemark --no-pager -o cat | grep -o 'tmk_[0-9A-Za-z]*' | head -1)
curl -sS --fail-with-body -u "$token:" -H 'Content-Type: application/json' \
	-d '{"tags":{"host":"a"},"measurements":[{"name":"packaged.value","value":42,"time":'"$at"'}]}' http://127.0.0.1:8433/v1/measurements
read_back >/root/before
grep -q 42 /root/before || fail "the measurement is not there: $(cat /root/before)"

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
dpkg --force-confold -i /root/new.deb
ready
[ "$(tidemark version)" != "$old" ] || fail "the version is still $old"
grep -q '^log_level: debug' /etc/tidemark/tidemark.yaml || fail "changed settings were replaced"
[ "$(readlink "/proc/$(pid)/exe")" = /usr/bin/tidemark ] || fail "the old program still runs: $(readlink "/proc/$(pid)/exe")"
read_back | cmp - /root/before || fail "other answers after the upgrade"

say "remove"
dpkg -r tidemark
if systemctl is-active --quiet tidemark; then fail "still running"; fi
[ ! -e /usr/bin/tidemark ] || fail "the program is still there"
[ -e /var/lib/tidemark/tidemark.db ] || fail "removing took the data"
[ -e /etc/tidemark/tidemark.yaml ] || fail "removing took the settings"

say "purge"
dpkg -P tidemark
[ ! -e /var/lib/tidemark ] && [ ! -e /etc/tidemark ] || fail "purge left data or settings"
if getent passwd tidemark; then fail "purge left the user"; fi
say "PASSED"
