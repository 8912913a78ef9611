#!/usr/bin/env bash
# Runs every fuzz target for FUZZTIME (default 1m).
set -euo pipefail
cd "$(dirname "$0")/.."
for dir in $(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do
	for target in $(grep -ho '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed 's/^func //' | sort -u); do
		printf '\n== %s %s\n' "$dir" "$target"
		# Making an input small that merely shows something new takes up to a minute each
		# where it is large; a failure is made small all the same.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-1m}" -fuzzminimizetime 100x "./$dir"
	done
done
