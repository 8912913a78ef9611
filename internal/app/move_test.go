package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/migrate"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// pastDays is how long a server of these tests has lived: longer than it
// keeps records.
const pastDays = 14

// past gives the organization of a server that does not run measurements of two
// weeks: values, summaries that fold, and distributions.
func past(t *testing.T, cfg *config.Config) {
	t.Helper()
	ctx := t.Context()
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	period := int64(60)
	if _, err := st.EnsureMetrics(ctx, 1, []*tidemark.Metric{
		{Name: "past.cpu", Type: tidemark.Gauge}, {Name: "past.latency", Type: tidemark.Gauge},
		{Name: "past.hits", Type: tidemark.Gauge, Period: &period, Attributes: map[string]any{"aggregate": true}},
	}); err != nil {
		t.Fatal(err)
	}
	now := time.Now().Add(-pastDays * 24 * time.Hour).Truncate(time.Hour)
	o := engineOptions(cfg, slog.New(slog.DiscardHandler))
	o.Now, o.Elapsed = func() time.Time { return now }, nil
	e, err := embedded.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.SetMode(ctx, 1, "past.hits", tsdb.Mode{Fold: true, Period: 60}); err != nil {
		t.Fatal(err)
	}
	for range pastDays {
		var b tsdb.Batch
		for at := now.Unix(); at < now.Unix()+86400; at += 300 {
			addPast(&b, at)
		}
		now = now.Add(24 * time.Hour)
		if err := errors.Join(e.Write(ctx, 1, &b), e.Maintain(ctx)); err != nil {
			t.Fatal(err)
		}
	}
}

func addPast(b *tsdb.Batch, at int64) {
	for i, host := range []string{"a", "b", "c"} {
		tags := tidemark.Tags{{Name: "host", Value: host}}
		b.Add("past.cpu", tags, at, math.Sin(float64(at))*float64(i+1))
		b.Add("past.hits", tags, at, 1)
		b.Add("past.hits", tags, at+1, 0.1)
	}
	var k sketch.Sketch
	sum := tsdb.Summary{}
	for i := range 4 {
		v := tsdb.Single(float64(at%1000) * float64(i+1))
		sum.Merge(&v)
		k.Add(v.Sum, 1)
	}
	b.AddDistribution(tsdb.AppendKey(nil, "past.latency", nil), at, sum, k.AppendBinary(nil))
}

// remembered is what a client of a server sees: everything that fill made, the
// past by the hour, and the streams with the times they were seen last.
func remembered(t *testing.T, s *server) string {
	t.Helper()
	now := time.Now().Unix() / 3600 * 3600
	all := fewAnswers(t, s)
	c := client.New(s.URL, client.Token(s.Secret))
	for _, metric := range []string{"past.cpu", "past.hits", "past.latency"} {
		for _, summary := range []string{"mean", "sum", "count", "min", "max", "p95"} {
			if summary == "p95" && metric != "past.latency" {
				continue
			}
			series, err := c.Measurements(t.Context(), metric, url.Values{
				"resolution": {"86400"}, "start_time": {fmt.Sprint(now - (pastDays+1)*86400)}, "end_time": {fmt.Sprint(now - 3601)}, "summary_function": {summary},
			})
			if err != nil || len(series) == 0 {
				t.Errorf("%s of %s: %+v, %v", summary, metric, series, err)
			}
			for _, one := range series {
				all += fmt.Sprintf("%s %s %v:", metric, summary, one.Tags)
				for _, m := range one.Measurements {
					all += fmt.Sprintf(" %d=%.9g", m.Time, m.Value)
				}
				all += "\n"
			}
		}
	}
	return all
}

// recorder sends measurements to a server until it is told to stop, and knows
// how many were acknowledged.
type recorder struct {
	stop  context.CancelFunc
	done  chan struct{}
	acked atomic.Int64
}

func record(t *testing.T, s *server, metric string) *recorder {
	ctx, cancel := context.WithCancel(t.Context())
	r := &recorder{stop: cancel, done: make(chan struct{})}
	from := time.Now().Unix() - 1800
	c := client.New(s.URL, client.Token(s.Secret))
	go func() {
		defer close(r.done)
		for i := int64(0); ctx.Err() == nil && i < 1800; i++ {
			// One that was begun is ended: whether it was acknowledged must be known.
			if err := c.Record(context.WithoutCancel(ctx), client.Measurement{Name: metric, Value: 1, Time: from + i}); err != nil {
				t.Errorf("record: %v", err)
				return
			}
			r.acked.Add(1)
		}
	}()
	return r
}

func (r *recorder) end() int64 {
	r.stop()
	<-r.done
	return r.acked.Load()
}

// counted returns how many measurements a server has of a metric.
func counted(t *testing.T, s *server, metric string) int64 {
	t.Helper()
	series, err := client.New(s.URL, client.Token(s.Secret)).Measurements(t.Context(), metric, url.Values{"resolution": {"1"}, "duration": {"7200"}})
	if err != nil || len(series) != 1 {
		t.Fatalf("%s: %d series, %v", metric, len(series), err)
	}
	return int64(len(series[0].Measurements))
}

func noProgress(migrate.Progress) {}

// moved runs a pass that must succeed.
func moved(t *testing.T, from, to *config.Config) *Migrated {
	t.Helper()
	done, err := (&Migration{From: from, To: to, Progress: noProgress}).Run(t.Context())
	if err != nil {
		t.Fatalf("migrate: %v %+v", err, done)
	}
	return done
}

// notMoved runs a pass that must be refused.
func notMoved(t *testing.T, from, to *config.Config, want string) {
	t.Helper()
	m := &Migration{From: from, To: to, Progress: noProgress}
	if _, err := m.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("migrate: %v, want %q", err, want)
	}
	if _, err := m.Estimate(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("dry run: %v, want %q", err, want)
	}
}

// TestMigrateRefuses: nothing is overwritten.
func TestMigrateRefuses(t *testing.T) {
	t.Parallel()
	cfg, _ := filled(t, nil)
	notMoved(t, cfg, cfg, "name the same place")
	other, _ := filled(t, nil)
	notMoved(t, cfg, other, "is not empty")
	notMoved(t, settings(t, nil), settings(t, nil), "there is no data in")
	half := settings(t, nil)
	if err := os.MkdirAll(filepath.Join(half.Data, measurementsDir), 0o700); err != nil {
		t.Fatal(err)
	}
	notMoved(t, cfg, half, "it has measurements")

	to := settings(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := (&Migration{From: cfg, To: to, Progress: func(p migrate.Progress) { cancel() }}).Run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if why := refused(t, to); !strings.Contains(why, "tidemark migrate has not copied all data here yet") {
		t.Errorf("a server on half of it: %s", why)
	}
	notMoved(t, other, to, "is being filled with the data of another place")
	if done := moved(t, cfg, to); !done.Complete || !done.Compared {
		t.Errorf("%+v", done)
	}
	notMoved(t, cfg, to, "is complete")
}

// TestMigrateControlStore moves the control store alone, to PostgreSQL and
// back, while the measurements stay where they are.
func TestMigrateControlStore(t *testing.T) {
	t.Parallel()
	small := settings(t, map[string]string{"bootstrap_token": bootstrap})
	large := settings(t, map[string]string{"data": small.Data, "database": storetest.Postgres(t)})
	s := start(t, small)
	s.Secret = bootstrap
	fill(t, s)
	fillWide(t, s)
	before := answers(t, s)
	first := moved(t, small, large)
	if first.Complete || !first.Running || first.Written != 0 || len(first.Tables) < 40 || first.Keys != "" {
		t.Errorf("while the server runs: %+v", first)
	}
	if why := refused(t, settings(t, map[string]string{"database": large.Database})); !strings.Contains(why, "has not copied all data") {
		t.Errorf("a server on the new database: %s", why)
	}
	c := client.New(s.URL, client.Token(bootstrap))
	if _, err := c.Spaces().Create(t.Context(), map[string]any{"name": "Later"}); err != nil {
		t.Fatal(err)
	}
	s.end(t)
	if second := moved(t, small, large); !second.Complete {
		t.Errorf("%+v", second)
	}
	up := start(t, large)
	up.Secret = bootstrap
	spaces, err := client.New(up.URL, client.Token(bootstrap)).Spaces().List(t.Context())
	if err != nil || len(spaces) != 7 {
		t.Errorf("spaces %+v, %v", spaces, err)
	}
	sameAnswers(t, up, before)
	up.end(t)
	if err := os.Remove(filepath.Join(small.Data, databaseFile)); err != nil { // it would be in the way
		t.Fatal(err)
	}
	if back := moved(t, large, small); !back.Complete {
		t.Errorf("back: %+v", back)
	}
	again := start(t, small)
	again.Secret = bootstrap
	sameAnswers(t, again, before)
	again.end(t)
}

// onCluster are the settings of a server on an empty PostgreSQL and ClickHouse.
func onCluster(t *testing.T) map[string]string {
	t.Helper()
	address, database := clickhousetest.Database(t)
	return map[string]string{"database": storetest.Postgres(t), "engine": "clickhouse", "clickhouse.urls": address, "clickhouse.database": database, "clickhouse.cluster": clickhousetest.Cluster()}
}

// TestServersMigrateUpAndBack moves a server that records to PostgreSQL and
// ClickHouse and from there to a new directory. On the way up the command is
// killed, and the copy tampered with.
func TestServersMigrateUpAndBack(t *testing.T) {
	if os.Getenv("TEST_MIGRATE_KILL_AT") != "" {
		migrateUntilKilled(t)
		return
	}
	t.Parallel()
	cluster := onCluster(t)
	small, large := settings(t, map[string]string{"bootstrap_token": bootstrap}), settings(t, cluster)
	start(t, small).end(t)
	past(t, small)
	s := start(t, small)
	s.Secret = bootstrap
	fill(t, s)
	before := remembered(t, s)
	live := record(t, s, "live.up")

	estimate, err := (&Migration{From: small, To: large, Progress: noProgress}).Estimate(t.Context())
	if err != nil || estimate.Records < 5000 || estimate.Metrics < 4 {
		t.Errorf("%+v, %v", estimate, err)
	}
	for _, at := range []int{3, 6, 9} {
		killMigration(t, at, map[string]string{"data": small.Data}, cluster)
	}
	first := moved(t, small, large)
	if first.Complete || !first.Running || !first.Compared || !strings.Contains(first.Keys, small.KeyFile()) {
		t.Errorf("while the server records: %+v", first)
	}
	if why := refused(t, settings(t, cluster)); !strings.Contains(why, "has not copied all data") {
		t.Errorf("a server on the new place: %s", why)
	}
	if err := os.MkdirAll(large.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	copyFile(t, small.KeyFile(), large.KeyFile())
	up := live.end()
	s.end(t)

	tamper(t, cluster)
	tampered, err := (&Migration{From: small, To: large, Progress: noProgress}).Run(t.Context())
	if !errors.Is(err, ErrDiffers) || tampered.Complete || tampered.Differing == 0 || tampered.Differences[0].Metric != "past.cpu" {
		t.Errorf("after it was tampered with: %v %+v", err, tampered)
	}
	last := moved(t, small, large)
	if !last.Complete || last.Running || last.Keys != "" {
		t.Errorf("the last pass: %+v", last)
	}
	s = start(t, large)
	s.Secret = bootstrap
	if diff := cmp.Diff(before, remembered(t, s)); diff != "" {
		t.Errorf("on ClickHouse (-before +after):\n%s", diff)
	}
	if n := counted(t, s, "live.up"); n != up {
		t.Errorf("%d measurements were acknowledged while it was copied, %d are there", up, n)
	}
	foldsOnce(t, s, "up")
	back(t, s, large, before)
}

// foldsOnce: a metric that folds goes on to do so.
func foldsOnce(t *testing.T, s *server, host string) {
	t.Helper()
	c := client.New(s.URL, client.Token(s.Secret))
	at := time.Now().Unix() / 60 * 60
	for range 3 {
		if err := c.Record(t.Context(), client.Measurement{Name: "past.hits", Value: 2, Time: at, Tags: map[string]string{"host": host}}); err != nil {
			t.Fatal(err)
		}
	}
	series, err := c.Measurements(t.Context(), "past.hits", url.Values{"resolution": {"60"}, "duration": {"600"}, "tags[host]": {host}, "summary_function": {"sum"}})
	if err != nil || len(series) != 1 || series[0].Measurements[0].Value != 6 {
		t.Errorf("a metric that folds: %+v, %v", series, err)
	}
}

// back moves from ClickHouse to a new directory while s records.
func back(t *testing.T, s *server, large *config.Config, before string) {
	t.Helper()
	again := settings(t, nil)
	live := record(t, s, "live.back")
	first := moved(t, large, again)
	if first.Complete || !first.Running || first.Compared {
		t.Errorf("back, while the server records: %+v", first)
	}
	recorded := live.end()
	s.end(t)
	last := moved(t, large, again)
	if !last.Complete || !last.Compared || last.Written > first.Written/2 {
		t.Errorf("back, the last pass: %+v", last)
	}
	copyFile(t, large.KeyFile(), again.KeyFile())
	s = start(t, again)
	s.Secret = bootstrap
	if diff := cmp.Diff(before, remembered(t, s)); diff != "" {
		t.Errorf("back on one machine (-before +after):\n%s", diff)
	}
	if n := counted(t, s, "live.back"); n != recorded {
		t.Errorf("%d measurements were acknowledged, %d are there", recorded, n)
	}
	foldsOnce(t, s, "back")
	s.end(t)
}

// tamper removes records from ClickHouse.
func tamper(t *testing.T, cluster map[string]string) {
	t.Helper()
	address, _, _ := strings.Cut(cluster["clickhouse.urls"], ",")
	db := cluster["clickhouse.database"]
	sql := "ALTER TABLE " + db + ".records DELETE WHERE id IN (SELECT id FROM " + db + ".streams WHERE metric = 'past.cpu') AND t % 7200 = 0 SETTINGS mutations_sync = 1"
	if err := clickhousetest.Exec(t.Context(), address, sql); err != nil {
		t.Fatal(err)
	}
}

// killMigration runs a migration in a process of its own, which kills itself
// at a step.
func killMigration(t *testing.T, at int, from, to map[string]string) {
	t.Helper()
	places, err := json.Marshal([]map[string]string{from, to})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServersMigrateUpAndBack$", "-test.v")
	cmd.Env = append(os.Environ(), "TEST_MIGRATE_KILL_AT="+fmt.Sprint(at), "TEST_MIGRATE_PLACES="+string(places))
	out, err := cmd.CombinedOutput()
	died, ok := errors.AsType[*exec.ExitError](err)
	if !ok || died.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("step %d: %v\n%s", at, err, out)
	}
}

// migrateUntilKilled is what that process does.
func migrateUntilKilled(t *testing.T) {
	var places []map[string]string
	if err := json.Unmarshal([]byte(os.Getenv("TEST_MIGRATE_PLACES")), &places); err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err := (&Migration{From: settings(t, places[0]), To: settings(t, places[1]), Progress: func(p migrate.Progress) {
		if p.Doing != "copy" {
			return
		}
		if steps++; fmt.Sprint(steps) == os.Getenv("TEST_MIGRATE_KILL_AT") {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}}).Run(t.Context())
	t.Fatalf("it lives, %v", err)
}
