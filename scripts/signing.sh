#!/usr/bin/env bash
# What a release needs of gpg.
#
#   signing.sh import           takes a secret key from standard input into the
#                               key ring, and says its fingerprint
#   signing.sh maintainer KEY   whom packages name, "Name <address>": MAINTAINER,
#                               or else the owner of the key
#   signing.sh sign KEY FILE    leaves FILE.asc
set -euo pipefail
fail() {
	echo "signing: $*" >&2
	exit 1
}
# field KIND LISTED: the tenth field of the first such record of a key that gpg listed.
field() { awk -F: -v kind="$1" '$1 == kind && !found { found = 1; print $10 }' <<<"$2"; }

import_key() {
	local shown
	shown=$(tee >(gpg --batch --quiet --import >&2) | gpg --batch --with-colons --show-keys)
	[[ $shown == sec:* ]] || fail "this is no secret key"
	field fpr "$shown"
}

maintainer() {
	local name=${MAINTAINER:-}
	[ -n "$name" ] || name=$(field uid "$(gpg --batch --with-colons --list-secret-keys "$1")")
	[[ $name =~ ^[^\<\>\"]+\ \<[^\<\>\"@\ ]+@[^\<\>\"@\ ]+\>$ ]] ||
		fail "a signed release needs MAINTAINER=\"Name <address>\", whom packages name; the key is of \"$name\""
	echo "$name"
}

case ${1:-} in
import) import_key ;;
maintainer) maintainer "$2" ;;
sign) gpg --batch --yes --local-user "$2" --armor --detach-sign "$3" ;;
*) fail "import, maintainer KEY or sign KEY FILE" ;;
esac
