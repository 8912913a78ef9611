package app

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/system"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// exposition writes metrics as Prometheus text.
type exposition struct{ w io.Writer }

func (e exposition) head(name, kind, help string) {
	fmt.Fprintf(e.w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e exposition) gauge(name, help string, v float64) {
	e.head(name, "gauge", help)
	e.sample(name, "", v)
}

func (e exposition) counter(name, help string, v float64) {
	e.head(name, "counter", help)
	e.sample(name, "", v)
}

// sample writes a value; labels are as they stand between the braces.
func (e exposition) sample(name, labels string, v float64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(e.w, "%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

// work writes how often something was done and how long it took.
func (e exposition) work(name, help string, w *work) {
	e.head(name, "summary", help)
	e.sample(name+"_sum", "", time.Duration(w.nanos.Load()).Seconds())
	e.sample(name+"_count", "", float64(w.count.Load()))
}

// metrics answers GET /metrics for Prometheus. It names no organization.
func (rm *rooms) metrics(w http.ResponseWriter, r *http.Request) {
	st, err := rm.engine.Stats(r.Context())
	if err != nil {
		http.Error(w, "the engine does not answer", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	e := exposition{w}
	rm.storageMetrics(e, st)
	rm.resourceMetrics(e)
	rm.writeAlertingMetrics(r.Context(), func(name, help string, v int64) { e.gauge(name, help, float64(v)) })
	rm.meters.write(e)
	rm.meters.writeLeftOut(e)
	e.counter("tidemark_audit_dropped_total", "Entries of the audit log that the webhook did not get.", float64(rm.audit.dropped()))
	writeOutcomes(e, "tidemark_sign_ins_total", "First steps of signing in, by what became of them.", rm.auth.SignIns())
	writeOutcomes(e, "tidemark_second_steps_total", "Second steps of signing in, by what became of them.", rm.auth.SecondSteps())
	writeProcess(e, rm.started)
	writeLimits(w, rm.limits)
	rm.api.WriteMetrics(w)
	rm.ports.WriteMetrics(w)
}

func (rm *rooms) storageMetrics(e exposition, st tsdb.Stats) {
	e.gauge("tidemark_streams", "Streams known.", float64(st.Streams))
	e.gauge("tidemark_samples", "Measurements written since the engine was made.", float64(st.Samples))
	e.gauge("tidemark_storage_bytes", "Bytes on disk.", float64(st.Bytes))
	e.gauge("tidemark_storage_memory_bytes", "Bytes of measurements not yet sealed.", float64(st.Memory))
	e.gauge("tidemark_storage_lost", "Damaged records and chunks that were set aside.", float64(st.Lost))
	refusing := 0.0
	if st.Refusing != "" || rm.space.Refusing() != nil {
		refusing = 1
	}
	e.gauge("tidemark_storage_refusing", "1 while measurements are refused.", refusing)
	if free, size, err := system.Disk(rm.data); err == nil {
		e.gauge("tidemark_disk_free_bytes", "Free bytes of the disk that the data directory is on.", float64(free))
		e.gauge("tidemark_disk_size_bytes", "Size of the disk that the data directory is on, without what is reserved for root.", float64(size))
	}
}

// resources is an engine that says what it works with.
type resources interface {
	Resources() (embedded.Resources, error)
}

func (rm *rooms) resourceMetrics(e exposition) {
	l := rm.querier.Load()
	e.gauge("tidemark_queries", "Queries under way.", float64(l.Queries))
	e.gauge("tidemark_query_points", "Points that queries hold in memory.", float64(l.Points))
	e.gauge("tidemark_query_points_max", "Points that queries may hold in memory together.", float64(l.MaxPoints))
	db := rm.store.Load()
	e.gauge("tidemark_database_connections", "Connections to the database in use.", float64(db.Used))
	e.gauge("tidemark_database_waiting", "Reads and changes that wait for a connection to the database.", float64(db.Waiting))
	e.counter("tidemark_database_refused_total", "Reads and changes that waited for a connection in vain.", float64(db.Refused))
	turns := rm.turns.Load()
	e.gauge("tidemark_turns_running", "Requests and evaluations that are worked on.", float64(turns.Running))
	e.gauge("tidemark_turns_waiting", "Requests and evaluations that wait because the processors do not keep up.", float64(turns.Waiting))
	local, ok := rm.engine.(resources)
	if !ok {
		return // ClickHouse has metrics of its own
	}
	r, err := local.Resources()
	if err != nil {
		return // the engine is being closed
	}
	e.gauge("tidemark_storage_log_bytes", "Bytes of the write-ahead log, which a start after a crash reads.", float64(r.LogBytes))
	e.gauge("tidemark_storage_generations", "Generations of measurements in memory; more than two wait for a seal.", float64(r.Generations))
	e.gauge("tidemark_storage_cache_bytes", "Bytes in the cache of what is read from disk.", float64(r.Cache.Bytes))
	e.counter("tidemark_storage_cache_hits_total", "Blocks that were read from the cache.", float64(r.Cache.Hits))
	e.counter("tidemark_storage_cache_misses_total", "Blocks that were read from disk.", float64(r.Cache.Misses))
}

// write writes what was counted.
func (m *meters) write(e exposition) {
	e.work("tidemark_storage_seal_seconds", "Seals: measurements from memory to disk.", &m.seals)
	e.counter("tidemark_storage_sealed_records_total", "Measurements sealed.", float64(m.sealedRecords.Load()))
	e.work("tidemark_storage_merge_seconds", "Merges of a day.", &m.merges)
	e.work("tidemark_storage_tier_seconds", "Summaries of minutes and hours built.", &m.tiers)
	e.counter("tidemark_storage_damaged_total", "Times that data was found damaged.", float64(m.damaged.Load()))
	e.counter("tidemark_storage_refusals_total", "Times that measurements began to be refused.", float64(m.refusals.Load()))
	e.counter("tidemark_storage_failures_total", "Background work of the storage that failed and is tried again.", float64(m.storageFailures.Load()))
	e.work("tidemark_delivery_seconds", "Notifications delivered.", &m.delivered)
	e.work("tidemark_delivery_failure_seconds", "Attempts to deliver a notification that failed.", &m.undelivered)
	e.counter("tidemark_backups_total", "Backups made by the clock, and verified.", float64(m.backups.Load()))
	e.counter("tidemark_backup_failures_total", "Backups by the clock that failed.", float64(m.backupsFailed.Load()))
	e.gauge("tidemark_backup_last_success_seconds", "When the last good backup by the clock was made, in seconds since 1970; 0 if there is none.", float64(m.backupAt.Load()))
	e.gauge("tidemark_backup_duration_seconds", "How long it took.", time.Duration(m.backupDuration.Load()).Seconds())
	const messages = "tidemark_log_messages_total"
	e.head(messages, "counter", "Warnings and errors, also those that the log leaves out because they repeat themselves.")
	e.sample(messages, `level="warn"`, float64(m.warnings.Load()))
	e.sample(messages, `level="error"`, float64(m.errors.Load()))
}

func writeOutcomes(e exposition, name, help string, o *auth.Outcomes) {
	e.head(name, "counter", help)
	e.sample(name, `outcome="good"`, float64(o.Good()))
	e.sample(name, `outcome="bad"`, float64(o.Bad()))
	e.sample(name, `outcome="limited"`, float64(o.Limited()))
}
