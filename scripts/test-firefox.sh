#!/usr/bin/env bash
# Runs the main journeys of the interface in Debian's Firefox; make test has all
# of them in Chromium. Where Firefox cannot be had it says so, runs nothing and
# succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/test-deps.sh
if ! scripts/test-deps.sh firefox-esr; then
	echo "test-firefox: NOT TESTED: Firefox cannot be had on this machine; no journey ran in it"
	exit 0
fi

main=(
	"from the one-time link to a chart of the first measurement"
	"signing in: wrong, then right, and out"
	"a space with three kinds of chart survives a reload"
	"a chart is dragged by its title and resized at its corner"
	"a composite with an error, then right"
	"a share link opens signed out, and no more when revoked"
	"drag zooms the page, Back returns"
	"live points arrive without a reload"
	"two queries side by side, and a link that opens the same"
	"a service is added, tested, told of an alert, which is resolved"
	"de-DE in Europe/Berlin"
	"a window is dragged in the calendar, says what it would do, and is changed by keys"
	"a secret that was not copied is not lost by accident, and Back leads to the details"
	"a save of a space is given a name and restored at once, and the restore undone"
	"cells are read by keys, and a row narrows the page"
	"one is made, changed and deleted"
	"an app is set up and asked for; a recovery code works once"
	"the switcher opens the other one"
	"printed, a space has all its charts, drawn and light, also those that were never in sight"
	"a chart on its own fills one sheet of paper"
)

told=$(mktemp)
trap 'rm -f "$told"' EXIT
journeys() {
	TIDEMARK_BROWSER=firefox node --test --test-force-exit --test-timeout=900000 "${main[@]/#/--test-name-pattern=}" \
		--test-reporter=spec --test-reporter-destination=stdout \
		--test-reporter=tap --test-reporter-destination="$told" \
		test/ui/main.mjs | grep -v '# test name does not match'
}
journeys || {
	echo "test-firefox: once more"
	journeys
}

# A journey that was renamed would be left out in silence.
for name in "${main[@]}"; do
	grep -q "ok [0-9]* - $name\$" "$told" || {
		echo "test-firefox: no journey is named \"$name\"" >&2
		exit 1
	}
done
