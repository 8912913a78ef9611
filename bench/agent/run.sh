#!/usr/bin/env bash
# What the agent takes of a machine that it watches every 10 s: the processor's
# time of a minute (SECONDS_MEASURED) and the memory that is resident, of
# tidemark-agent and of the same inside the server's program.
set -euo pipefail
cd "$(dirname "$0")/../.."
measured=${SECONDS_MEASURED:-60}
port=${PORT:-18433}
token=$(printf '5e%.0s' {1..32})
dir=$(mktemp -d)
pids=()
cleanup() {
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait
	rm -rf "$dir"
}
trap cleanup EXIT

go build -trimpath -ldflags '-s -w' -o "$dir/tidemark" ./cmd/tidemark
go build -trimpath -ldflags '-s -w' -o "$dir/tidemark-agent" ./cmd/tidemark-agent
TIDEMARK_BOOTSTRAP_TOKEN=$token "$dir/tidemark" serve --data "$dir/data" --listen "127.0.0.1:$port" >"$dir/server.log" 2>&1 &
pids+=($!)
for _ in {1..100}; do
	curl -fsS -o /dev/null -u "$token:" "http://127.0.0.1:$port/v1/metrics" 2>/dev/null && break
	sleep 0.1
done

names=("tidemark-agent" "tidemark agent")
agents=()
for i in 0 1; do
	read -r -a command <<<"${names[$i]}"
	printf 'server: http://127.0.0.1:%s\ntoken: %s\nhost: bench-%s\nevery: 10s\nspool: {dir: %s/spool-%s}\n' "$port" "$token" "$i" "$dir" "$i" >"$dir/agent-$i.yaml"
	chmod 600 "$dir/agent-$i.yaml"
	"$dir/${command[0]}" "${command[@]:1}" --settings "$dir/agent-$i.yaml" >"$dir/agent-$i.log" 2>&1 &
	agents+=($!)
	pids+=($!)
done

# spent is the processor's time of a process in nanoseconds: it is less than the
# hundredths of a second that /proc/PID/stat counts in.
spent() { cat "/proc/$1"/task/*/schedstat | awk '{ n += $1 } END { printf "%d", n }'; }
sleep 15 # the first round has more to do than the others
before=("$(spent "${agents[0]}")" "$(spent "${agents[1]}")")
sleep "$measured"
printf '%-16s %12s %14s %16s\n' "" "of a core" "resident MiB" "at most MiB"
for i in 0 1; do
	after=$(spent "${agents[$i]}")
	cpu=$(awk -v t=$((after - before[i])) -v s="$measured" 'BEGIN { printf "%.3f %%", t / s / 1e7 }')
	memory() { awk -v field="$1:" '$1 == field { printf "%.1f", $2 / 1024 }' "/proc/${agents[$i]}/status"; }
	printf '%-16s %12s %14s %16s\n' "${names[$i]}" "$cpu" "$(memory VmRSS)" "$(memory VmHWM)"
done
echo "goal             0.3 % of a core, 25 MiB"
for i in 0 1; do
	rounds=$(curl -fsS -u "$token:" "http://127.0.0.1:$port/v1/measurements/host.cpu.percent?resolution=1&duration=600&tags%5Bhost%5D=bench-$i" | grep -o '"time"' | wc -l)
	[ "$rounds" -ge $((measured / 10)) ] || { echo "${names[$i]}: $rounds rounds arrived" >&2; cat "$dir/agent-$i.log" >&2; exit 1; }
done
