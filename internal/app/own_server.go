package app

import (
	"context"
	"os"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// counters are what has been counted since the start, by the metric that says
// by how much that grew.
type counters struct {
	at        time.Time
	processor time.Duration
	counts    map[string]int64
}

func (rm *rooms) count(at time.Time) counters {
	m := rm.meters
	used, err := system.ProcessorTime()
	if err != nil {
		used = 0 // then it does not grow
	}
	return counters{at, used, map[string]int64{
		alerting.MetricSent: m.delivered.count.Load(), alerting.MetricFailed: m.undelivered.count.Load(),
		alerting.MetricWarnings: m.warnings.Load(), alerting.MetricErrors: m.errors.Load(),
		alerting.MetricRefusals: m.refusals.Load(), alerting.MetricFailures: m.storageFailures.Load(),
		alerting.MetricMailsHeld: rm.watch.mails.Held(),
	}}
}

// serverMeasurements are the metrics about this server, by name. What is
// counted comes with grown.
func (r *ownRecorder) serverMeasurements(ctx context.Context, at time.Time) (map[string]float64, error) {
	stats, err := r.engine.Stats(ctx)
	if err != nil {
		return nil, err
	}
	load := r.load(at)
	values := map[string]float64{
		alerting.MetricUptime: at.Sub(r.started).Seconds(), alerting.MetricMemory: float64(load.Memory),
		alerting.MetricStorage: float64(stats.Bytes), alerting.MetricStreams: float64(stats.Streams), alerting.MetricMeasurements: load.Measurements,
		alerting.MetricQueries: load.Queries, alerting.MetricQueryP95: load.QueryP95, alerting.MetricTurns: float64(r.turns.Load().Waiting),
	}
	if load.DiskSize > 0 {
		values[alerting.MetricDiskFree] = float64(load.DiskFree)
		values[alerting.MetricDiskPercent] = 100 * (1 - float64(load.DiskFree)/float64(load.DiskSize))
	}
	if percent, ok := filesOpen(); ok {
		values[alerting.MetricFiles] = percent
	}
	r.backupMeasurements(values, at)
	return values, nil
}

// grown adds what was counted since the last time that it was recorded, or
// since the start, and returns what is counted by now.
func (r *ownRecorder) grown(values map[string]float64, at time.Time) counters {
	now, past := r.count(at), r.past
	if past.at.IsZero() {
		past.at = r.started
	}
	for metric, n := range now.counts {
		values[metric] = float64(n - past.counts[metric])
	}
	if took := at.Sub(past.at); took > 0 {
		values[alerting.MetricProcessor] = 100 * float64(now.processor-past.processor) / float64(took)
	}
	return now
}

// backupMeasurements says how old the last good backup is, and how late the
// next, where the server makes them. The first is due with the start.
func (r *ownRecorder) backupMeasurements(values map[string]float64, at time.Time) {
	every := r.cfg.Backup.Every
	if every == 0 {
		return
	}
	late := at.Sub(r.started)
	if last := r.meters.backupAt.Load(); last > 0 {
		age := at.Sub(time.Unix(last, 0))
		values[alerting.MetricBackupAge] = age.Seconds()
		late = age - every
	}
	values[alerting.MetricBackupLate] = max(0, late).Seconds()
}

// filesOpen is how many of a hundred files and connections that may be open are.
func filesOpen() (percent float64, ok bool) {
	limit, err := system.MaxFiles()
	if err != nil || limit == 0 {
		return 0, false
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0, false
	}
	return 100 * float64(len(open)) / float64(limit), true
}
