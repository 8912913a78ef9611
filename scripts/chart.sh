#!/usr/bin/env bash
# Packs the Helm chart and the plain manifests with this version inside.
# Usage: VERSION=0.1.0 scripts/chart.sh DIR
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r packaging/helm/tidemark "$work/tidemark"
sed -i "s/^version: .*/version: $VERSION/; s/^appVersion: .*/appVersion: \"$VERSION\"/" "$work/tidemark/Chart.yaml"
tar --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$work" -cf - tidemark | gzip -9n >"$out/tidemark-chart-$VERSION.tgz"
sed "s|\(image: .*tidemark\):.*|\1:$VERSION|" packaging/kubernetes/tidemark.yaml >"$out/tidemark-kubernetes.yaml"
