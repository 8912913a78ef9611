#!/usr/bin/env bash
# Storage that speaks S3 and is not ours, for tests: versitygw or minio, built
# by Go into .cache/s3.
#   s3.sh fetch NAME         builds it, once; prints its version
#   s3.sh run NAME DIR PORT  runs it on loopback in the foreground, data in DIR
# Its region is eu-central-1, its keys are tidemark and tide-secret.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=$PWD/.cache/s3

# MinIO has no later commit.
case ${2:-} in
versitygw) package=github.com/versity/versitygw/cmd/versitygw version=v1.8.0 ;;
minio) package=github.com/minio/minio version=v0.0.0-20260212201848-7aac2a2c5b7c ;;
*) sed -n '2,6p' "$0" | cut -c3- >&2; exit 2 ;;
esac
program=$cache/$version/$2

fetch() {
	[ -x "$program" ] || CGO_ENABLED=0 GOFLAGS= GOBIN=$cache/$version go install -trimpath -ldflags "-s -w" "$package@$version"
	echo "$1 $version"
}

run() {
	mkdir -p "$2"
	case $1 in
	versitygw) ROOT_ACCESS_KEY=tidemark ROOT_SECRET_KEY=tide-secret exec "$program" --quiet --port "127.0.0.1:$3" --region eu-central-1 posix "$2" ;;
	minio)
		export MINIO_ROOT_USER=tidemark MINIO_ROOT_PASSWORD=tide-secret MINIO_SITE_REGION=eu-central-1 MINIO_BROWSER=off MINIO_UPDATE=off
		exec "$program" server --quiet --address "127.0.0.1:$3" "$2"
		;;
	esac
}

case $1 in
fetch) fetch "$2" ;;
run) shift; run "$@" ;;
*) sed -n '2,6p' "$0" | cut -c3- >&2; exit 2 ;;
esac
