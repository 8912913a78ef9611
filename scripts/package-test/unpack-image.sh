#!/usr/bin/env bash
# Unpacks the layers of an image that docker load takes: unpack-image.sh IMAGE.tar DIR.
# Fails if the image would run as root.
set -euo pipefail
mkdir -p "$2" "$2.layout"
tar -xf "$1" -C "$2.layout"
node -e '
	const fs = require("fs"), dir = process.argv[1];
	const [image] = JSON.parse(fs.readFileSync(dir + "/manifest.json"));
	const { config } = JSON.parse(fs.readFileSync(dir + "/" + image.Config));
	if (config.User !== "65532:65532") throw new Error("runs as " + config.User);
	if (config.Healthcheck.Test.join(" ") !== "CMD /tidemark health") throw new Error("no health check");
	console.log(image.Layers.join("\n"));
' "$2.layout" | while read -r layer; do
	[ "$(sha256sum <"$2.layout/$layer" | cut -d" " -f1)" = "$(basename "$layer")" ] || { echo "$layer is not what its name says" >&2; exit 1; }
	tar -xzf "$2.layout/$layer" -C "$2" --numeric-owner
done
rm -r "$2.layout"
