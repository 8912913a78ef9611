package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// scrape returns what a server's /metrics has, by name and labels.
func scrape(t *testing.T, url string) map[string]string {
	t.Helper()
	resp, err := http.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	line := regexp.MustCompile(`^([a-z_0-9]+(?:\{[^}]*\})?) (\S+)$`)
	found := make(map[string]string)
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Errorf("no line of Prometheus text: %q", lines.Text())
			continue
		}
		if _, twice := found[m[1]]; twice {
			t.Errorf("%s is there twice", m[1])
		}
		found[m[1]] = m[2]
	}
	return found
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	got := scrape(t, s.URL)
	for _, want := range []string{
		"tidemark_streams", "tidemark_storage_refusing", "tidemark_disk_free_bytes", "tidemark_storage_seal_seconds_count",
		"tidemark_storage_merge_seconds_sum", "tidemark_storage_tier_seconds_count", "tidemark_storage_failures_total",
		"tidemark_alerting_deliveries_waiting", "tidemark_alerting_late_max_seconds", "tidemark_delivery_seconds_count", "tidemark_delivery_failure_seconds_count",
		`tidemark_sign_ins_total{outcome="good"}`, `tidemark_sign_ins_total{outcome="bad"}`, `tidemark_second_steps_total{outcome="limited"}`,
		`tidemark_log_messages_total{level="warn"}`, `tidemark_log_messages_total{level="error"}`,
		"go_goroutines", "go_memstats_heap_alloc_bytes", "go_gc_cycles_total", "process_cpu_seconds_total", "process_open_fds", "process_max_fds",
		"process_resident_memory_bytes", "process_start_time_seconds",
		"tidemark_storage_log_bytes", "tidemark_storage_generations", "tidemark_storage_cache_bytes",
		"tidemark_storage_cache_hits_total", "tidemark_storage_cache_misses_total", "tidemark_queries", "tidemark_turns_running", "tidemark_turns_waiting", "tidemark_database_connections", "tidemark_database_waiting", "tidemark_database_refused_total", "tidemark_query_points", "tidemark_query_points_max",
	} {
		if _, ok := got[want]; !ok {
			t.Errorf("/metrics has no %s", want)
		}
	}
	for _, above := range []string{"go_goroutines", "process_open_fds", "process_resident_memory_bytes", "tidemark_disk_free_bytes"} {
		if got[above] == "0" {
			t.Errorf("%s is 0", above)
		}
	}
	// Profiles and a reload are the operator's, by the socket and by a signal.
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/-/reload"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if status := statusOf(t, s, method, path, ""); status != http.StatusNotFound {
				t.Errorf("%s %s answers %d", method, path, status)
			}
		}
	}
	families := documentedFamilies(t)
	for sample := range got {
		if !families.MatchString(sample) {
			t.Errorf("docs/running.md has no family of %s", sample)
		}
	}
}

// documentedFamilies matches the names that docs/running.md says /metrics has.
func documentedFamilies(t *testing.T) *regexp.Regexp {
	t.Helper()
	page, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "| Family |")
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for _, m := range regexp.MustCompile("`([a-z_]+)(\\*?)`").FindAllStringSubmatch(table, -1) {
		if m[2] == "*" {
			m[1] += `\w*`
		}
		names = append(names, m[1])
	}
	if !ok || len(names) < 10 {
		t.Fatalf("docs/running.md has the families %v", names)
	}
	return regexp.MustCompile(`^(` + strings.Join(names, "|") + `)($|\{)`)
}

// TestMeters: what happens is counted once, and goes on to whom it is for.
func TestMeters(t *testing.T) {
	t.Parallel()
	m, told := &meters{}, 0
	e := m.observe(embedded.Hooks{
		Sealed: func(embedded.SealInfo) { told++ }, Merged: func(embedded.MergeInfo) { told++ }, TierBuilt: func(embedded.TierInfo) { told++ },
		Damaged: func(string, error) { told++ }, WriteRefused: func(string) { told++ }, BackgroundError: func(string, error) { told++ },
	}, &turns.Turns{})
	e.Sealed(embedded.SealInfo{Records: 7, Took: time.Second})
	e.Merged(embedded.MergeInfo{})
	e.TierBuilt(embedded.TierInfo{})
	e.Damaged("chunk", nil)
	e.WriteRefused("full")
	e.BackgroundError("seal", nil)
	for _, ok := range []bool{true, false} {
		send := m.sending(func(context.Context, *tidemark.Service, *tidemark.Delivery) alerting.Answer {
			told++
			return alerting.Answer{OK: ok}
		})
		send(t.Context(), nil, nil)
	}
	log := m.logging(slog.New(slog.NewTextHandler(io.Discard, nil))).With(slog.Int("a", 1)).WithGroup("b")
	log.Info("one")
	log.Warn("two")
	log.Error("three")
	if told != 8 {
		t.Errorf("%d of 8 were passed on", told)
	}
	var text strings.Builder
	m.write(exposition{&text})
	for _, want := range []string{
		"tidemark_storage_seal_seconds_sum 1\n", "tidemark_storage_seal_seconds_count 1\n", "tidemark_storage_sealed_records_total 7\n",
		"tidemark_storage_merge_seconds_count 1\n", "tidemark_storage_tier_seconds_count 1\n", "tidemark_storage_damaged_total 1\n",
		"tidemark_storage_refusals_total 1\n", "tidemark_storage_failures_total 1\n", "tidemark_delivery_seconds_count 1\n",
		"tidemark_delivery_failure_seconds_count 1\n", "{level=\"warn\"} 1\n", "{level=\"error\"} 1\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// TestFirstWords: the log names the file that a disk cannot read; where the
// whole disk is full, or a number is all that differs, its messages are alike.
func TestFirstWords(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		fmt.Errorf("load: %w", &fs.PathError{Op: "read", Path: "db/000012.sst", Err: syscall.EIO}): "read db/000012.sst: input/output error",
		&fs.PathError{Op: "create", Path: "db/000013.sst", Err: syscall.ENOSPC}:                    "no space left on device",
		errors.New("table 14 is not open\nat line 15"):                                             "table ## is not open",
	} {
		if got := firstWords(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}
