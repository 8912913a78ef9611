#!/bin/sh
# Makes the backup that the documents have, word for word, on a machine whose
# server of the package runs: backup.sh UPGRADING.md. As root and as the
# server's user, and once where the server may not write, which is told.
set -eu
fail() {
	echo "package-test: FAILED: $*"
	exit 1
}
user() { su tidemark -s /bin/sh -c "$1"; }
dir=/var/backups/tidemark
[ "$(stat -c %U:%G:%a $dir)" = tidemark:tidemark:700 ] || fail "modes of $dir"

line=$(sed -n 's/^    \(tidemark backup .*\)/\1/p' /usr/share/doc/tidemark/README.md)
[ -n "$line" ] || fail "README.md has no backup"
sh -c "$line" || fail "as root: $line"
rm -r $dir/*
user "$line" || fail "as tidemark: $line"

line=$(sed -n 's/^2\. .*`\(tidemark backup DIR[^`]*\)`.*/\1/p' "$1")
[ -n "$line" ] || fail "upgrading.md has no backup"
sh -c "$(echo "$line" | sed "s|DIR|$dir/root|g")" || fail "as root: $line"
user "$(echo "$line" | sed "s|DIR|$dir/user|g")" || fail "as tidemark: $line"
[ "$(stat -c %U:%a $dir/root)" = tidemark:700 ] || fail "others can read the backup"

mkdir -p /srv/other
if said=$(tidemark backup /srv/other/backup 2>&1); then fail "a backup in /srv/other"; fi
case $said in
*"the server (user tidemark) writes it"*) ;;
*) fail "it does not say who may not write: $said" ;;
esac
echo "package-test: the documented backups are made"
