package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// ownEvery is how often metrics about the server are recorded.
	ownEvery = time.Minute
	// beatTimeout bounds one call of the heartbeat's address.
	beatTimeout = 10 * time.Second

	// What alerting.own_organization may say besides a name.
	ownFirst, ownNone = "first", "none"
)

// ownMeasurements are the metrics about alerting itself, by name.
func (rm *rooms) ownMeasurements(ctx context.Context, now time.Time) (map[string]float64, error) {
	backlog, err := rm.store.DeliveryBacklog(ctx)
	if err != nil {
		return nil, err
	}
	h := rm.watch.health()
	oldest := 0.0
	if backlog.Oldest != 0 {
		oldest = max(0, float64(now.Unix()-backlog.Oldest))
	}
	late := max(h.LateMax, float64(h.Behind(now.Unix())))
	return map[string]float64{
		alerting.MetricAlerts: float64(h.Alerts), alerting.MetricSetAside: float64(h.SetAside),
		alerting.MetricLateMax: late, alerting.MetricLateP99: h.LateP99, alerting.MetricUnsaved: float64(h.Unsaved),
		alerting.MetricWaiting: float64(backlog.Waiting), alerting.MetricRetrying: float64(backlog.Retrying), alerting.MetricOldest: oldest,
	}, nil
}

// ownRecorder records metrics about the server as any client would, so that
// they can be charted and alerted on.
type ownRecorder struct {
	*rooms
	cfg  *config.Config
	past counters // as of the last time that it was recorded
}

// recordOwn records until ctx is done.
func (rm *rooms) recordOwn(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if cfg.Alerting.OwnOrg == ownNone || cfg.Demo {
		return nil
	}
	r := &ownRecorder{rooms: rm, cfg: cfg}
	tick := time.NewTicker(ownEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case at := <-tick.C:
			if err := r.record(ctx, at); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "metrics about the server not recorded", slog.Any("err", err))
			}
		}
	}
}

// record records once. An organization that is empty stays so, unless alerts
// are evaluated.
func (r *ownRecorder) record(ctx context.Context, at time.Time) error {
	org, err := r.ownOrg(ctx, r.cfg.Alerting.OwnOrg)
	if err != nil {
		return err
	}
	values, err := r.values(ctx, at)
	if err != nil {
		return err
	}
	if values[alerting.MetricAlerts] == 0 && !r.cfg.Alerting.OwnAlerts {
		if some, err := r.hasMetrics(ctx, org); err != nil || !some {
			return err
		}
	}
	counted := r.grown(values, at)
	if err := r.recordValues(ctx, org, values, at); err != nil {
		if tidemark.KindOf(err) == tidemark.Unavailable {
			r.tellRefused(org, at)
		}
		return err
	}
	r.past = counted
	if !r.cfg.Alerting.OwnAlerts {
		return nil
	}
	return r.makeOwnAlerts(ctx, org)
}

// tellRefused gives alerts the measurement that measurements are refused,
// which is refused like all others.
func (r *ownRecorder) tellRefused(org tidemark.OrgID, at time.Time) {
	var b tsdb.Batch
	b.Add(alerting.MetricRefusals, tidemark.Tags{{Name: "server", Value: strings.ToLower(serverName())}}, at.Unix(), 1)
	r.tellAlerts(org, &b)
}

// values are the metrics about this server, and about alerting, unless another
// server evaluates the alerts and records how it does.
func (r *ownRecorder) values(ctx context.Context, at time.Time) (map[string]float64, error) {
	values, err := r.serverMeasurements(ctx, at)
	if err != nil || r.watch.evaluator.Load().EvaluatedAt() < r.watch.elsewhere.Load() {
		return values, err
	}
	own, err := r.ownMeasurements(ctx, at)
	maps.Copy(values, own)
	return values, err
}

func (rm *rooms) hasMetrics(ctx context.Context, org tidemark.OrgID) (bool, error) {
	for _, err := range rm.store.MetricNames(ctx, org) {
		return err == nil, err
	}
	return false, nil
}

// serverName is the tag of what is recorded about this server.
func serverName() string {
	if name, err := os.Hostname(); err == nil && name != "" {
		return name
	}
	return "tidemark"
}

func (rm *rooms) recordValues(ctx context.Context, org tidemark.OrgID, values map[string]float64, at time.Time) error {
	type measurement struct {
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	}
	body := struct {
		Time         int64             `json:"time"`
		Tags         map[string]string `json:"tags"`
		Measurements []measurement     `json:"measurements"`
	}{Time: at.Unix(), Tags: map[string]string{"server": serverName()}}
	for name, v := range values {
		body.Measurements = append(body.Measurements, measurement{name, v})
	}
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	_, problems, err := rm.recorder.Record(ctx, org, b, "tidemark")
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%d of %d measurements were refused", len(problems), len(values))
	}
	return err
}

// ownOrg finds the organization that a setting names.
func (rm *rooms) ownOrg(ctx context.Context, name string) (tidemark.OrgID, error) {
	orgs, err := rm.store.Orgs(ctx)
	if err != nil {
		return 0, err
	}
	for _, o := range orgs {
		if name == ownFirst || o.Name == name {
			return o.ID, nil
		}
	}
	return 0, fmt.Errorf("alerting.own_organization: there is no organization %q", name)
}

// makeOwnAlerts makes the alerts on these metrics that are not there, of those
// that are recorded: not every system tells how many files are open.
func (rm *rooms) makeOwnAlerts(ctx context.Context, org tidemark.OrgID) error {
	known, err := rm.store.AlertsOverview(ctx, org)
	if err != nil {
		return err
	}
	for _, a := range alerting.OwnAlerts() {
		if slices.ContainsFunc(known, func(w *tidemark.WatchedAlert) bool { return w.Alert.Name == a.Name }) {
			continue
		}
		_, err := rm.store.Metric(ctx, org, a.Conditions[0].MetricName)
		if tidemark.KindOf(err) == tidemark.NotFound {
			continue
		}
		if err == nil {
			err = rm.store.CreateAlert(ctx, org, tidemark.ServerActor(), a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// heartbeat calls the heartbeat's address as long as alerts are evaluated on time:
// the receiver notices when they are not, for any reason.
func (rm *rooms) heartbeat(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if cfg.Heartbeat.URL == "" {
		return nil
	}
	tick := time.NewTicker(cfg.Heartbeat.Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case at := <-tick.C:
			if err := rm.beatOnce(ctx, cfg.Heartbeat.URL, at); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "no heartbeat", slog.Any("err", err))
			}
		}
	}
}

func (rm *rooms) beatOnce(ctx context.Context, url string, at time.Time) error {
	if h := rm.watch.health(); h.EvaluatedAt == 0 || h.Behind(at.Unix()) > 0 {
		return fmt.Errorf("alerts are not evaluated on time, but last at %s", time.Unix(h.EvaluatedAt, 0).UTC().Format(time.RFC3339))
	}
	ctx, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := rm.own.HTTP().Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)); err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("the answer is %s", answer.Status)
	}
	return nil
}

// writeAlertingMetrics writes the same for Prometheus.
func (rm *rooms) writeAlertingMetrics(ctx context.Context, gauge func(name, help string, v int64)) {
	values, err := rm.ownMeasurements(ctx, time.Now())
	if err != nil {
		return // those of the engine are worth having without
	}
	for _, m := range []struct{ name, help, of string }{
		{"tidemark_alerting_alerts", "Alerts that are evaluated.", alerting.MetricAlerts},
		{"tidemark_alerting_set_aside", "Alerts that cannot be evaluated or saved.", alerting.MetricSetAside},
		{"tidemark_alerting_late_max_seconds", "How late the latest alert is evaluated.", alerting.MetricLateMax},
		{"tidemark_alerting_late_p99_seconds", "How late 99 of 100 alerts are evaluated at most.", alerting.MetricLateP99},
		{"tidemark_alerting_unsaved", "Changes of state that could not be saved since the start.", alerting.MetricUnsaved},
		{"tidemark_alerting_deliveries_waiting", "Notifications that wait to be delivered.", alerting.MetricWaiting},
		{"tidemark_alerting_deliveries_retrying", "Notifications that have failed and are tried again.", alerting.MetricRetrying},
		{"tidemark_alerting_deliveries_oldest_seconds", "How long the oldest of them has waited.", alerting.MetricOldest},
	} {
		gauge(m.name, m.help, int64(values[m.of]))
	}
	gauge("tidemark_alerting_evaluated_at_seconds", "When all alerts were last evaluated.", rm.watch.health().EvaluatedAt)
}
