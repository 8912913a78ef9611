#!/usr/bin/env bash
# Makes the release of the last commit twice, in two directories and at
# different times, and wants the same bytes, signed by a key that nobody keeps.
# PLATFORMS as in release.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
commit=$(git rev-parse HEAD)
export GNUPGHOME=$work/ring
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; git worktree remove --force "$work/a"; git worktree remove --force "$work/another-place"; rm -rf "$work"' EXIT
gpg --batch --quiet --passphrase "" --quick-gen-key "Tidemark Test <test@tidemark.example>" ed25519 sign never
SIGNING_KEY=$(gpg --batch --with-colons --list-secret-keys | awk -F: '$1 == "fpr" { print $10; exit }')
export SIGNING_KEY
unset MAINTAINER # packages name the owner of the key
for dir in a another-place; do
	git worktree add --quiet --detach "$work/$dir" "$commit"
	if [ -d ui/node_modules ]; then
		cp -al ui/node_modules "$work/$dir/ui/"
	fi
	(cd "$work/$dir" && scripts/release.sh >"$work/log-$dir") || { cat "$work/log-$dir"; exit 1; }
done
diff "$work/a/dist/SHA256SUMS" "$work/another-place/dist/SHA256SUMS" || { echo "release-test: these files differ from build to build"; exit 1; }
for dir in a another-place; do
	gpg --batch --quiet --verify "$work/$dir/dist/SHA256SUMS.asc" "$work/$dir/dist/SHA256SUMS"
done
cat "$work/a/dist/SHA256SUMS"
echo "release-test: both builds have the same bytes, and good signatures"
