#!/usr/bin/env bash
# Builds the interface into ui/dist, from which the binary takes it.
set -euo pipefail
cd "$(dirname "$0")/../ui"
if [ ! -f package.json ]; then
	echo "no interface to build"
	exit 0
fi
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	# Not npm ci: it refuses a lock file without the optional packages of other
	# platforms. This takes the locked versions too, and changes no file.
	npm install --no-save --no-audit --no-fund --loglevel=error
fi
npm run --silent build
