package app

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/system"
)

// writeProcess writes what every Prometheus dashboard of a Go program looks
// at: the build, the runtime and the process.
func writeProcess(e exposition, started time.Time) {
	b := thisBuild()
	e.head("tidemark_build_info", "gauge", "Which program this is; always 1.")
	e.sample("tidemark_build_info", fmt.Sprintf("version=%q,commit=%q,goversion=%q", b.short(), b.commit, runtime.Version()), 1)
	writeRuntime(e)
	if used, err := system.ProcessorTime(); err == nil {
		e.counter("process_cpu_seconds_total", "Processor time.", used.Seconds())
	}
	if limit, err := system.MaxFiles(); err == nil {
		e.gauge("process_max_fds", "Files that may be open.", float64(limit))
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		e.gauge("process_open_fds", "Files and connections that are open.", float64(len(open)))
	}
	if pages, err := residentPages(); err == nil {
		e.gauge("process_resident_memory_bytes", "Memory in use.", float64(pages)*float64(os.Getpagesize()))
	}
	e.gauge("process_start_time_seconds", "When the server started, in seconds since 1970.", float64(started.UnixMilli())/1e3)
}

// residentPages reads the second number of /proc/self/statm; there is none
// elsewhere than on Linux.
func residentPages() (int64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm is %q", text)
	}
	return strconv.ParseInt(string(fields[1]), 10, 64)
}

// runtimeMetrics are Go's, under the names that Prometheus' own client gives
// them.
var runtimeMetrics = []struct{ name, kind, source, help string }{
	{"go_goroutines", "gauge", "/sched/goroutines:goroutines", "Goroutines."},
	{"go_memstats_heap_alloc_bytes", "gauge", "/memory/classes/heap/objects:bytes", "Bytes of objects on the heap."},
	{"go_memstats_sys_bytes", "gauge", "/memory/classes/total:bytes", "Bytes taken from the operating system."},
	{"go_memstats_next_gc_bytes", "gauge", "/gc/heap/goal:bytes", "Size of the heap at which the next collection ends."},
	{"go_memstats_alloc_bytes_total", "counter", "/gc/heap/allocs:bytes", "Bytes allocated."},
	{"go_gc_cycles_total", "counter", "/gc/cycles/total:gc-cycles", "Garbage collections."},
	{"go_sched_gomaxprocs_threads", "gauge", "/sched/gomaxprocs:threads", "Processors in use."},
}

func writeRuntime(e exposition) {
	samples := make([]metrics.Sample, len(runtimeMetrics))
	for i, m := range runtimeMetrics {
		samples[i].Name = m.source
	}
	metrics.Read(samples)
	for i, m := range runtimeMetrics {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			continue // another version of Go
		}
		e.head(m.name, m.kind, m.help)
		e.sample(m.name, "", float64(samples[i].Value.Uint64()))
	}
}
