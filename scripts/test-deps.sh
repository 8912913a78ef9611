#!/bin/sh
# Installs what the tests need beside Go and Node.js, from Debian's packages:
# PostgreSQL for the control store, Chromium for the web interface's journeys,
# Poppler for what they print, collectd and curl as real clients, gpg for
# signatures, and the packages that are named, whose programs are called like
# them. Says nothing and does nothing where all are there.
set -eu

missing=
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v curl >/dev/null 2>&1 || missing="$missing curl"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v chromium-headless-shell >/dev/null 2>&1 || missing="$missing chromium-headless-shell"
command -v pdftoppm >/dev/null 2>&1 || missing="$missing poppler-utils"
command -v gpg-agent >/dev/null 2>&1 || missing="$missing gpg gpg-agent"
for named in "$@"; do
	command -v "$named" >/dev/null 2>&1 || missing="$missing $named"
done
[ -x /usr/sbin/collectd ] || missing="$missing collectd-core"
# What collectd's write_http needs is only recommended by its package.
if ! ldd /usr/lib/collectd/write_http.so >/dev/null 2>&1 || ldd /usr/lib/collectd/write_http.so | grep -q 'not found'; then
	missing="$missing libyajl2 libcurl3-gnutls"
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "test-deps: please install$missing: this is not a Debian system" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null 2>&1 || {
		echo "test-deps: please install$missing as root" >&2
		exit 1
	}
	as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "test-deps: installing$missing" >&2
install() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}
if ! install >"$log" 2>&1; then
	cat "$log" >&2
	exit 1
fi
