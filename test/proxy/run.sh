#!/usr/bin/env bash
# Runs the proxies of docs/running.md for real, with the settings that stand
# there, in front of a real server: nginx and HAProxy from Debian. Looks at
# sending, the page, a large body, a live page, and whose address is seen.
# Usage: TIDEMARK_BIN=bin/tidemark test/proxy/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=${TIDEMARK_BIN:-bin/tidemark}
missing=
command -v nginx >/dev/null || missing+=" nginx-light"
command -v haproxy >/dev/null || missing+=" haproxy"
[ -z "$missing" ] || apt-get install -y -qq --no-install-recommends $missing >/dev/null
work=$(mktemp -d)
pids=()
cleanup() {
	kill "${pids[@]}" 2>/dev/null || true
	wait "${pids[@]}" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
base=$((20000 + RANDOM % 20000))
server=$base token=0123456789abcdef0123456789abcdef

TIDEMARK_BOOTSTRAP_TOKEN=$token TIDEMARK_TRUSTED_PROXIES=127.0.0.1/32 TIDEMARK_LOG_REQUESTS=true \
	TIDEMARK_PUBLIC_URL=http://127.0.0.1:$((base + 3))/tidemark \
	"$bin" serve --data "$work/data" --listen 127.0.0.1:$server >"$work/out" 2>"$work/log" &
pids+=($!)
for _ in $(seq 100); do "$bin" health --data "$work/data" >/dev/null 2>&1 && break; sleep 0.1; done
"$bin" health --data "$work/data"

# example LANGUAGE prints the example of docs/running.md that begins with a
# comment that names its file.
example() { awk -v begin="    # $1" '$0 == begin {on = 1; next} on && /^[^ ]/ {exit} on {sub(/^    /, ""); print}' docs/running.md; }

nginx_conf=$work/nginx.conf nginx_port=$((base + 1))
{
	echo "user $(id -un); pid $work/nginx.pid; error_log $work/nginx.log; events {} http { access_log off; client_body_temp_path $work/b; proxy_temp_path $work/p; fastcgi_temp_path $work/f; uwsgi_temp_path $work/u; scgi_temp_path $work/s;"
	example /etc/nginx/conf.d/tidemark.conf | sed "s/listen 443 ssl;/listen 127.0.0.1:$nginx_port;/; /ssl_certificate/d; s/127.0.0.1:8433/127.0.0.1:$server/"
	echo "server { listen 127.0.0.1:$((base + 3));"
	example /etc/nginx/snippets/tidemark-path.conf | sed "s/127.0.0.1:8433/127.0.0.1:$server/"
	echo "} }"
} >"$nginx_conf"
[ "$(grep -c proxy_pass "$nginx_conf")" = 2 ] || { echo "docs/running.md does not have both examples of nginx"; exit 1; }
nginx -c "$nginx_conf" -g 'daemon off;' &
pids+=($!)

haproxy_conf=$work/haproxy.cfg haproxy_port=$((base + 2))
example /etc/haproxy/haproxy.cfg | sed "s/bind :443.*/bind 127.0.0.1:$haproxy_port/; s/127.0.0.1:8433/127.0.0.1:$server/" >"$haproxy_conf"
grep -q 127.0.0.1:$server "$haproxy_conf" || { echo "docs/running.md has no example of HAProxy"; exit 1; }
haproxy -f "$haproxy_conf" -db 2>"$work/haproxy.log" &
pids+=($!)

try() { # NAME PORT [PATH]
	local url=http://127.0.0.1:$2${3:-}
	for _ in $(seq 50); do curl -fsS "$url/healthz" >/dev/null 2>&1 && break; sleep 0.1; done
	curl -fsS -u $token: -H 'Content-Type: application/json' -d "{\"tags\":{\"proxy\":\"$1\"},\"measurements\":[{\"name\":\"proxied\",\"value\":1}]}" "$url/v1/measurements" >/dev/null
	curl -fsS -H 'Accept: text/html' "$url/" | grep -q '<html' || { echo "$1: no page"; return 1; }
	# 2 MB: more than nginx takes by default.
	node -e 'const m=[];for(let i=0;i<9000;i++)m.push({name:"big",value:i,time:Math.floor(Date.now()/1000)-i%1000,tags:{n:String(i%50),padding:"x".repeat(200)}});process.stdout.write(JSON.stringify({measurements:m}))' >"$work/big.json"
	[ "$(curl -sS -o "$work/answer" -w '%{http_code}' -u $token: -H 'Content-Type: application/json' --data-binary @"$work/big.json" "$url/v1/measurements")" = 202 ] ||
		{ echo "$1: a large batch: $(head -c 300 "$work/answer")"; return 1; }
	# A live page hears something at once, not when a buffer is full.
	(timeout 5 curl -sSN -u $token: "$url/ui/api/watch" || true) >"$work/live"
	[ -s "$work/live" ] || { echo "$1: a live page hears nothing"; return 1; }
	# The client is at 127.0.0.2 and says that it is somebody else.
	curl -fsS --interface 127.0.0.2 -H 'X-Forwarded-For: 203.0.113.9' -A "through-$1" "$url/healthz" >/dev/null
	grep "through-$1" "$work/log" | grep -q 'from=127.0.0.2' || { echo "$1: the client's own X-Forwarded-For was believed: $(grep "through-$1" "$work/log")"; return 1; }
	echo "$1: sending, page, large body, live page and address are in order"
}
try nginx $nginx_port
try haproxy $haproxy_port
try nginx-path $((base + 3)) /tidemark
scripts=$(curl -fsS -H 'Accept: text/html' "http://127.0.0.1:$((base + 3))/tidemark/" | grep -o 'src="[^"]*"' | cut -d'"' -f2)
[ -n "$scripts" ] || { echo "nginx-path: the page has no script"; exit 1; }
for script in $scripts; do
	curl -fsS "http://127.0.0.1:$((base + 3))$script" >/dev/null || { echo "nginx-path: the page's script is not at $script"; exit 1; }
done
