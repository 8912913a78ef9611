#!/bin/sh
# Runs as root in a system whose tools are busybox's and whose services are
# OpenRC's, as in Alpine: installs what unapk took apart in the order in which
# apk does, upgrades and removes it. Alpine itself, and its apk, cannot be had
# everywhere.
set -eu
mkdir -p /busybox && busybox --install -s /busybox
# Debian's busybox has neither of these: they take what Alpine's take, no more.
cat >/busybox/addgroup <<'SCRIPT'
#!/bin/sh
[ "$#" = 2 ] && [ "$1" = -S ] || { echo "addgroup: $*" >&2; exit 1; }
groupadd --system "$2"
SCRIPT
cat >/busybox/adduser <<'SCRIPT'
#!/bin/sh
while getopts h:g:s:G:DSH option; do
	case $option in
	h) home=$OPTARG ;; g) comment=$OPTARG ;; s) shell=$OPTARG ;; G) group=$OPTARG ;; D | S | H) ;; *) exit 1 ;;
	esac
done
shift $((OPTIND - 1))
useradd --system --no-create-home --home-dir "$home" --comment "$comment" --shell "$shell" --gid "$group" "$1"
SCRIPT
rm -f /busybox/install # as Alpine's, GNU's knows -d, -o, -g and -m
chmod 755 /busybox/addgroup /busybox/adduser
export PATH=/busybox:/usr/sbin:/usr/bin:/sbin:/bin
say() { echo "package-test: $*"; }
fail() {
	say "FAILED: $*"
	tail -20 /var/log/tidemark.log
	exit 1
}
as_tidemark() { su tidemark -s /bin/sh -c "tidemark $*"; }
ready() {
	for _ in $(seq 300); do
		if as_tidemark health --data /var/lib/tidemark >/dev/null 2>&1; then return 0; fi
		sleep 0.2
	done
	fail "the server is not ready: $(as_tidemark health --data /var/lib/tidemark 2>&1)"
}
# put DIR copies the files of a package; a file of settings that was changed
# stays, and the new one lies beside it.
put() {
	(cd "$1" && find . -type f) | while read -r file; do
		mkdir -p "$(dirname "/$file")"
		case $file in
		./etc/*) if [ -e "/$file" ] && ! cmp -s "/$file" "$2/$file"; then cp -p "$1/$file" "/$file.apk-new"; continue; fi ;;
		esac
		cp -p "$1/$file" "/$file.apk-temporary" && mv "/$file.apk-temporary" "/$file"
	done
}
version() { sed -n 's/^pkgver = //p' "/root/$1.control/.PKGINFO"; }

ifconfig lo up
mkdir -p /etc/conf.d
for state in daemons exclusive failed hotplugged inactive options scheduled started starting stopping tmp wasinactive; do
	mkdir -p /run/openrc/$state # as OpenRC makes them when it is the first process
done
echo default >/run/openrc/softlevel
echo 'rc_need="!net"' >/etc/conf.d/tidemark # nothing here brings a network up
for release in old new; do
	for script in pre-install post-install pre-upgrade post-upgrade; do [ -s "/root/$release.control/.$script" ] || fail "no $script"; done
	grep -q '^depend = ca-certificates-bundle$' "/root/$release.control/.PKGINFO" || fail "dependencies: $(cat "/root/$release.control/.PKGINFO")"
done

say "install"
sh /root/old.control/.pre-install "$(version old)"
put /root/old /root/old
sh /root/old.control/.post-install "$(version old)"
[ "$(stat -c %U:%G:%a /var/lib/tidemark)" = tidemark:tidemark:700 ] || fail "modes of the data directory"
[ "$(stat -c %U:%G:%a /etc/tidemark/tidemark.yaml)" = root:tidemark:640 ] || fail "modes of the settings"
rc-service tidemark start
ready
token=$(grep -o 'tmk_[0-9A-Za-z]*' /var/log/tidemark.log | head -1)
[ "$(stat -c %a /var/log/tidemark.log)" = 600 ] || fail "others can read the log, which has the first token"
at=$(($(date +%s) - 300))
read_back() { curl -fsS -u "$token:" "http://127.0.0.1:8433/v1/measurements/packaged.value?resolution=1&start_time=$((at - 10))&end_time=$((at + 10))"; }
curl -sS --fail-with-body -u "$token:" -H 'Content-Type: application/json' \
	-d '{"tags":{"host":"a"},"measurements":[{"name":"packaged.value","value":42,"time":'"$at"'}]}' http://127.0.0.1:8433/v1/measurements
read_back >/root/before
grep -q 42 /root/before || fail "the measurement is not there: $(cat /root/before)"
process=$(pidof tidemark)
[ "$(stat -c %U "/proc/$process")" = tidemark ] || fail "runs as another user"
rc-service tidemark reload
ready
kill -9 "$process"
ready
[ "$(pidof tidemark)" != "$process" ] || fail "still the same process"

say "upgrade"
echo "log_level: debug" >>/etc/tidemark/tidemark.yaml
sh /root/new.control/.pre-upgrade "$(version new)" "$(version old)"
put /root/new /root/old
sh /root/new.control/.post-upgrade "$(version new)" "$(version old)"
rc-service tidemark restart
ready
grep -q '^log_level: debug' /etc/tidemark/tidemark.yaml || fail "changed settings were replaced"
[ "$(readlink "/proc/$(pidof tidemark)/exe")" = /usr/bin/tidemark ] || fail "the old program still runs"
read_back | cmp - /root/before || fail "other answers after the upgrade"

say "backup"
sh /root/backup.sh /root/upgrading.md || fail "see above"

say "remove"
rc-service tidemark stop
[ -z "$(pidof tidemark)" ] || fail "still running"
[ -e /var/lib/tidemark/tidemark.db ] || fail "the data is gone"
say "PASSED"
