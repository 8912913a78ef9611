#!/usr/bin/env bash
# Prints how many lines of tests there are for each line of code that ships,
# and fails where Go has fewer than 0.8. CONTRIBUTING.md says what counts.
set -euo pipefail
cd "$(dirname "$0")/.."
lines() { git ls-files -z -- "$@" | xargs -0 cat | wc -l; }
elsewhere=(':!bench' ':!packaging' ':!scripts')
helpers=('internal/*test/*.go' 'internal/testdeps/*.go' 'internal/store/fresh/*.go')
tests=$(lines '*_test.go' 'test/*.go' "${helpers[@]}" "${elsewhere[@]}")
code=$(($(lines '*.go' "${elsewhere[@]}") - tests))
tests_ui=$(lines 'ui/src/*.test.ts' 'ui/src/*.test.tsx' 'test/ui/*.mjs')
code_ui=$(($(lines 'ui/src/*.ts' 'ui/src/*.tsx' ':!ui/src/api/*.gen.ts') - $(lines 'ui/src/*.test.ts' 'ui/src/*.test.tsx')))
awk -v t="$tests" -v c="$code" -v tu="$tests_ui" -v cu="$code_ui" 'BEGIN {
	printf "Go: %d lines of tests, %d of code: %.2f\n", t, c, t / c
	printf "interface: %d lines of tests, %d of code: %.2f\n", tu, cu, tu / cu
	exit t / c < 0.8
}'
