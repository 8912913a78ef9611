#!/usr/bin/env bash
# Installs what make release makes as a user would, on this machine without
# changing it; needs root, the Debian mirror of this machine's apt, and
# mmdebstrap, systemd-nspawn and podman (installed where they are missing).
#
#   deb      in a clean Debian with its own systemd: install, crash, upgrade, remove, purge
#   rpm      the same by rpm, on that Debian: its database is empty, so that
#            dependencies are not asked for
#   apk      taken apart as apk does, its scripts run by busybox, under OpenRC
#   archive  in an empty directory as root directory, without Go, Node or libraries
#   image    its layers as root directory, as its user; then by podman, locked down
#   chart    rendered by Helm, and every object read strictly
#
# Arguments choose some of them: package-test.sh deb rpm.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "package-test: run it as root" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }
parts=" ${*:-archive image chart deb rpm apk} "
wants() { [[ $parts == *" $1 "* ]]; }
missing=
command -v mmdebstrap >/dev/null || missing+=" mmdebstrap"
command -v systemd-nspawn >/dev/null || missing+=" systemd-container"
command -v podman >/dev/null || missing+=" podman"
command -v runc >/dev/null || missing+=" runc"
[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=" debian-archive-keyring"
[ -z "$missing" ] || apt-get install -y -qq --no-install-recommends $missing >/dev/null

arch=$(go env GOHOSTARCH)
releases=${RELEASES:-$work} # old and new, made before
if [ -z "${RELEASES:-}" ]; then
	step "this release and one before it"
	export PLATFORMS=linux/$arch ALLOW_MODIFIED=1
	OUT=$work/old VERSION=0.0.1 scripts/release.sh >"$work/log" || { cat "$work/log"; exit 1; }
	OUT=$work/new scripts/release.sh >"$work/log" || { cat "$work/log"; exit 1; }
fi

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

# try_image IMAGE.tar: loads and runs it with podman, as locked down as
# compose.yaml has it. Limits are lower than podman's own, which only a machine
# with all of root's rights can set.
try_image() {
	local port=$((20000 + RANDOM % 20000)) name well=
	local podman=(podman --root "$work/podman" --runroot "$work/podman-run" --storage-driver vfs --cgroup-manager cgroupfs --runtime runc --events-backend none)
	name=$("${podman[@]}" load --quiet --input "$1" | sed -n 's|^Loaded image: docker.io/library/||p')
	[[ $name == tidemark:* ]] || { echo "podman load calls it $name"; return 1; }
	"${podman[@]}" run --detach --name tried --network host --read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges \
		--ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --health-cmd '["/tidemark", "health"]' --health-interval disable \
		--env TIDEMARK_LISTEN=127.0.0.1:$port --env TIDEMARK_BOOTSTRAP_TOKEN=0123456789abcdef0123456789abcdef --volume data:/data "$name" >/dev/null
	for _ in $(seq 150); do
		"${podman[@]}" healthcheck run tried >/dev/null 2>&1 && well=1 && break
		sleep 0.2
	done
	[ -n "$well" ] || { "${podman[@]}" logs tried; "${podman[@]}" rm --force tried; return 1; }
	curl -fsS -u 0123456789abcdef0123456789abcdef: "http://127.0.0.1:$port/v1/metrics" >/dev/null
	"${podman[@]}" stop --time 30 tried >/dev/null
	local ended
	ended=$("${podman[@]}" inspect --format '{{.State.ExitCode}} {{.Config.User}}' tried)
	"${podman[@]}" rm tried >/dev/null
	[ "$ended" = "0 65532:65532" ] || { echo "it ended with (code, user) $ended"; return 1; }
	echo "$name runs, is healthy and stops under podman"
}

if wants archive; then
	step "archive"
	mkdir "$work/empty"
	tar -xzf "$releases"/new/tidemark_*_linux_"$arch".tar.gz -C "$work/empty" --strip-components=1
	try_server "$work/empty" /tidemark 65534
fi

if wants image; then
	step "image"
	scripts/package-test/unpack-image.sh "$releases"/new/tidemark_*_linux_"$arch"_image.tar "$work/image"
	try_server "$work/image" /tidemark 65532
	try_image "$releases"/new/tidemark_*_linux_"$arch"_image.tar
fi

if wants chart; then
	step "chart"
	scripts/package-test/chart.sh
fi

# mirror prints where this machine's apt gets Debian from.
mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Component: main' |
		awk '!/security/ && !found { found = $0 } END { print found; exit !found }'
}

# clean_debian NAME PACKAGES makes $work/NAME.
clean_debian() {
	local from
	from=$(mirror) || { echo "package-test: the apt of this machine has no sources of Debian" >&2; exit 1; }
	mmdebstrap --quiet --dpkgopt=force-unsafe-io --variant=minbase --include="$2" bookworm "$work/$1" "deb $from bookworm main"
}

# try_booted KIND: boots $work/KIND, whose systemd runs inside.sh and ends.
try_booted() {
	local kind=$1 root=$work/$1
	cp "$releases"/old/*."$kind" "$root/root/old.$kind"
	cp "$releases"/new/*."$kind" "$root/root/new.$kind"
	cp scripts/package-test/{inside,backup}.sh docs/upgrading.md "$root/root/"
	cat >"$root/etc/systemd/system/package-test.service" <<-UNIT
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/bin/sh /root/inside.sh $kind
		StandardOutput=file:/root/result
		StandardError=file:/root/result
		ExecStopPost=/bin/systemctl --no-block poweroff
		[Install]
		WantedBy=default.target
	UNIT
	mkdir -p "$root/etc/systemd/system/default.target.wants"
	ln -s ../package-test.service "$root/etc/systemd/system/default.target.wants/package-test.service"
	timeout 600 systemd-nspawn --quiet --directory="$root" --private-network --boot --register=no --keep-unit --link-journal=no </dev/null >"$work/boot.log" 2>&1 ||
		{ tail -20 "$work/boot.log"; echo "package-test: systemd did not start here"; exit 1; }
	cat "$root/root/result"
	grep -q 'package-test: PASSED' "$root/root/result"
	rm -r "$root"
}

if wants deb || wants rpm; then
	for unit in tidemark tidemark-agent; do
		score=$(systemd-analyze security --offline=true --no-pager "packaging/$unit.service" | sed -n 's/.*: \([0-9.]*\) .*/\1/p' | tail -1)
		echo "systemd-analyze security $unit: $score"
		awk -v s="$score" 'BEGIN { exit !(s != "" && s <= 1.5) }' || { echo "the unit $unit is less restricted than promised: $score"; exit 1; }
	done
fi
for kind in deb rpm; do
	wants $kind || continue
	step "clean system for $kind"
	more=
	[ $kind = deb ] || more=,rpm
	clean_debian $kind systemd,systemd-sysv,dbus,adduser,procps,ca-certificates,curl$more
	step "$kind"
	try_booted $kind
done

if wants apk; then
	step "clean system for apk"
	clean_debian apk openrc,busybox-static,ca-certificates,curl
	step "apk"
	(cd packaging/tools && go build -o "$work/unapk" ./unapk)
	for release in old new; do "$work/unapk" "$releases/$release"/*.apk "$work/apk/root/$release.control" "$work/apk/root/$release"; done
	cp scripts/package-test/inside-apk.sh "$work/apk/root/inside.sh"
	cp scripts/package-test/backup.sh docs/upgrading.md "$work/apk/root/"
	# A network and processes of its own, which end with it.
	timeout 600 unshare --mount --pid --net --fork --mount-proc="$work/apk/proc" chroot "$work/apk" /bin/sh /root/inside.sh
fi
step "all passed"
