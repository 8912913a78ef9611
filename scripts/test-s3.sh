#!/usr/bin/env bash
# Tries backups, with the real binary, on storage that speaks S3 and is not
# ours: versitygw and minio, or those that are named. Go builds them once,
# which takes minutes; each runs on loopback and ends with its test.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- versitygw minio
for name in "$@"; do scripts/s3.sh fetch "$name"; done
if [ -z "${TIDEMARK_BIN:-}" ]; then
	scripts/build.sh
	export TIDEMARK_BIN=$PWD/bin/tidemark
fi
for name in "$@"; do
	printf '\n== %s\n' "$name"
	TIDEMARK_TEST_S3_SERVER=$name go test -count 1 -timeout 20m -v ./test/s3
done
