#!/usr/bin/env bash
# Makes everything that is given away, in dist/: archives, packages (deb, rpm,
# apk), container images, Kubernetes files, the Homebrew formula, bills of
# materials and checksums. The same commit gives the same bytes.
#
#   VERSION      defaults to the newest section of CHANGELOG.md
#   SIGNING_KEY  key of gpg that signs the checksums; none, no signature
#   MAINTAINER   who answers mail about the packages, "Name <address>"; by default
#                the owner of the signing key, or the project's page without one
#   OUT          where to, instead of dist
#   PLATFORMS    only some, for trying: "linux/amd64"
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022 # modes of files go into archives
VERSION=${VERSION:-$(sed -n 's/^## \([0-9][^ ]*\).*/\1/p' CHANGELOG.md | head -1)}
EPOCH=$(git log -1 --format=%ct)
OUT=${OUT:-dist}
BUILD=$OUT/build
export VERSION SOURCE_DATE_EPOCH=$EPOCH
read -ra platforms <<<"${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64}"
if [ -n "${SIGNING_KEY:-}" ]; then
	MAINTAINER=$(scripts/signing.sh maintainer "$SIGNING_KEY")
fi
MAINTAINER=${MAINTAINER:-Tidemark <https://github.com/tidemark-metrics/tidemark>}
step() { printf '== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

# A release says which commit it is of, so it must be of one.
if [ -n "$(git status --porcelain --untracked-files=no)" ] && [ -z "${ALLOW_MODIFIED:-}" ]; then
	echo "release: there are changes that are not committed (ALLOW_MODIFIED=1 makes a release of them for trying)" >&2
	exit 1
fi

rm -rf "$OUT"
mkdir -p "$BUILD/shared/completions"

step "interface"
make -s ui/dist/index.html

for p in "${platforms[@]}"; do
	step "binary for $p"
	GOOS=${p%/*} GOARCH=${p#*/} scripts/build.sh "$BUILD/${p/\//_}/tidemark"
done

step "manual, completions, settings, licenses"
host=$BUILD/$(go env GOHOSTOS)_$(go env GOHOSTARCH)/tidemark
shared=$BUILD/shared
"$host" man >"$shared/tidemark.1"
gzip -9n <"$shared/tidemark.1" >"$shared/tidemark.1.gz"
"$host" completion bash >"$shared/completions/tidemark.bash"
"$host" completion zsh >"$shared/completions/_tidemark"
"$host" completion fish >"$shared/completions/tidemark.fish"
"$host" config --template | sed 's|^#data: .*|data: /var/lib/tidemark|' >"$shared/tidemark.yaml"
go build -o "$BUILD/release" ./scripts/release
make_step() { "$BUILD/release" -version "$VERSION" -epoch "$EPOCH" -build "$BUILD" -out "$OUT" -roots "$BUILD/roots.pem" \
	-platforms "$(printf '%s\n' "${platforms[@]//\//_}" | paste -sd,)" "$@"; }
make_step licenses

step "archives, bills of materials"
# The archive has no place for data of its own: its settings keep the default.
"$host" config --template >"$BUILD/template.yaml"
mv "$shared/tidemark.yaml" "$BUILD/package.yaml" && mv "$BUILD/template.yaml" "$shared/tidemark.yaml"
make_step archives sbom
[ -n "${PLATFORMS:-}" ] || make_step formula # names the archives of all platforms
mv "$BUILD/package.yaml" "$shared/tidemark.yaml"

step "packages"
tools=$PWD/$BUILD/nfpm
case $BUILD in /*) tools=$BUILD/nfpm ;; esac
(cd packaging/tools && go build -o "$tools" github.com/goreleaser/nfpm/v2/cmd/nfpm && go run ./roots) >"$BUILD/roots.pem"
# An apk keeps the times that its scripts have as files.
cp -r packaging/scripts "$BUILD/scripts"
touch -d "@$EPOCH" "$BUILD"/scripts/*
for p in "${platforms[@]}"; do
	[ "${p%/*}" = linux ] || continue
	sed "s|packaging/scripts/|$BUILD/scripts/|g; s|@VERSION@|$VERSION|; s|@ARCH@|${p#*/}|g; s|@BUILD@|$BUILD|; s#@MAINTAINER@#$MAINTAINER#" packaging/nfpm.yaml >"$BUILD/nfpm.yaml"
	for kind in deb rpm apk; do
		"$tools" package --config "$BUILD/nfpm.yaml" --packager $kind --target "$OUT" >"$BUILD/nfpm.log" || { cat "$BUILD/nfpm.log" && exit 1; }
	done
done

step "images"
make_step images

step "Kubernetes files"
scripts/chart.sh "$OUT"
for file in compose.yaml compose-cluster.yaml; do
	sed "s|\(tidemark-metrics/tidemark\):[0-9][^ ]*|\1:$VERSION|" "packaging/$file" >"$OUT/$file"
done

step "checksums"
make_step checksums
if [ -n "${SIGNING_KEY:-}" ]; then
	scripts/signing.sh sign "$SIGNING_KEY" "$OUT/SHA256SUMS"
fi
ls -l "$OUT"
