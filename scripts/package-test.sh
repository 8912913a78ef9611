#!/usr/bin/env bash
# Installs what make release makes as a user would, on this machine without
# changing it; needs root, Debian's mirrors, and mmdebstrap and systemd-nspawn
# (installed where they are missing).
#
#   deb      in a clean Debian with its own systemd: install, crash, upgrade, remove, purge
#   archive  in an empty directory as root directory, without Go, Node or libraries
#   image    its layers as root directory, as its user
#   chart    rendered by Helm, and every object read strictly
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "package-test: run it as root" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }
missing=
command -v mmdebstrap >/dev/null || missing+=" mmdebstrap"
command -v systemd-nspawn >/dev/null || missing+=" systemd-container"
[ -z "$missing" ] || apt-get install -y -qq --no-install-recommends $missing >/dev/null

arch=$(go env GOHOSTARCH)
step "this release and one before it"
export PLATFORMS=linux/$arch ALLOW_MODIFIED=1
OUT=$work/old VERSION=0.0.1 scripts/release.sh >"$work/log" || { cat "$work/log"; exit 1; }
OUT=$work/new scripts/release.sh >"$work/log" || { cat "$work/log"; exit 1; }

# try_server DIR PROGRAM USER: runs a program with DIR as its root directory.
try_server() {
	local dir=$1 program=$2 user=$3 port=$((20000 + RANDOM % 20000)) data=/tmp/tried
	mkdir -p "$dir/tmp" && chmod 1777 "$dir/tmp"
	chroot --userspec="$user:$user" "$dir" "$program" version
	chroot --userspec="$user:$user" "$dir" "$program-agent" --version
	TIDEMARK_BOOTSTRAP_TOKEN=0123456789abcdef0123456789abcdef TIDEMARK_DATA=$data TIDEMARK_LISTEN=127.0.0.1:$port \
		chroot --userspec="$user:$user" "$dir" "$program" serve >"$work/server.log" 2>&1 &
	local server=$!
	for _ in $(seq 150); do
		TIDEMARK_DATA=$data chroot --userspec="$user:$user" "$dir" "$program" health >/dev/null 2>&1 && break
		sleep 0.2
	done
	TIDEMARK_DATA=$data chroot --userspec="$user:$user" "$dir" "$program" health || { cat "$work/server.log"; kill $server; return 1; }
	curl -fsS -u 0123456789abcdef0123456789abcdef: -H 'Content-Type: application/json' -d '{"tags":{"host":"a"},"measurements":[{"name":"tried","value":1}]}' \
		"http://127.0.0.1:$port/v1/measurements" >/dev/null
	curl -fsS -H 'Accept: text/html' "http://127.0.0.1:$port/" | grep -q '<script' || { echo "no interface in $program"; kill $server; return 1; }
	kill $server && wait $server
}

step "archive"
mkdir "$work/empty"
tar -xzf "$work"/new/tidemark_*_linux_"$arch".tar.gz -C "$work/empty" --strip-components=1
try_server "$work/empty" /tidemark 65534

step "image"
scripts/package-test/unpack-image.sh "$work"/new/tidemark_*_linux_"$arch"_image.tar "$work/image"
try_server "$work/image" /tidemark 65532

step "chart"
scripts/package-test/chart.sh

step "clean Debian"
if [ -n "${DEBIAN_ROOT:-}" ]; then # made before, with the same packages
	cp -a "$DEBIAN_ROOT" "$work/debian"
else
	mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,adduser,procps,ca-certificates,curl bookworm "$work/debian" \
		"deb http://deb.debian.org/debian bookworm main"
fi
step "package"
cp "$work"/old/*.deb "$work/debian/root/old.deb"
cp "$work"/new/*.deb "$work/debian/root/new.deb"
cp scripts/package-test/inside.sh "$work/debian/root/inside.sh"
cat >"$work/debian/etc/systemd/system/package-test.service" <<-UNIT
	[Unit]
	After=multi-user.target
	[Service]
	Type=oneshot
	ExecStart=/bin/sh /root/inside.sh
	StandardOutput=file:/root/result
	StandardError=file:/root/result
	ExecStopPost=/bin/systemctl --no-block poweroff
	[Install]
	WantedBy=default.target
UNIT
mkdir -p "$work/debian/etc/systemd/system/default.target.wants"
ln -s ../package-test.service "$work/debian/etc/systemd/system/default.target.wants/package-test.service"
for unit in tidemark tidemark-agent; do
	score=$(systemd-analyze security --offline=true --no-pager "packaging/$unit.service" | sed -n 's/.*: \([0-9.]*\) .*/\1/p' | tail -1)
	echo "systemd-analyze security $unit: $score"
	awk -v s="$score" 'BEGIN { exit !(s != "" && s <= 1.5) }' || { echo "the unit $unit is less restricted than promised: $score"; exit 1; }
done
timeout 600 systemd-nspawn --quiet --directory="$work/debian" --private-network --boot --register=no --keep-unit --link-journal=no </dev/null >"$work/boot.log" 2>&1 ||
	{ tail -20 "$work/boot.log"; echo "package-test: systemd did not start here"; exit 1; }
cat "$work/debian/root/result"
grep -q 'package-test: PASSED' "$work/debian/root/result"
step "all passed"
