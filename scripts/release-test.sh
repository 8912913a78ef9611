#!/usr/bin/env bash
# Makes the release of the last commit twice, in two directories and at
# different times, and wants the same bytes. PLATFORMS as in release.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
commit=$(git rev-parse HEAD)
trap 'git worktree remove --force "$work/a"; git worktree remove --force "$work/another-place"; rm -rf "$work"' EXIT
for dir in a another-place; do
	git worktree add --quiet --detach "$work/$dir" "$commit"
	if [ -d ui/node_modules ]; then
		cp -al ui/node_modules "$work/$dir/ui/"
	fi
	(cd "$work/$dir" && scripts/release.sh >"$work/log-$dir") || { cat "$work/log-$dir"; exit 1; }
done
diff "$work/a/dist/SHA256SUMS" "$work/another-place/dist/SHA256SUMS" || { echo "release-test: these files differ from build to build"; exit 1; }
cat "$work/a/dist/SHA256SUMS"
echo "release-test: both builds have the same bytes"
