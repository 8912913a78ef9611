package store

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/tidemark-metrics/tidemark"
)

// The kinds of thing of whose changes other processes are notified.
const (
	tokensTopic  = "tokens"
	metricsTopic = "metrics"
	// allAlertsTopic is for the alerts of all organizations; those of one have
	// a topic of their own without listeners.
	allAlertsTopic = "alerts"
	orgAlertsTopic = "alerts/"
	limitsTopic    = "limits"
)

const (
	// pollEvery is how often a listener looks, also without a notification: half of
	// the second within which a revoked token must be refused everywhere.
	pollEvery = 500 * time.Millisecond
	// redialEvery is how often a lost connection for notices is tried again;
	// meanwhile there is the poll.
	redialEvery = 5 * time.Second
)

// TokenVersion returns a number that changes whenever a token does.
func (s *Store) TokenVersion(ctx context.Context) (int64, error) { return s.version(ctx, tokensTopic) }

// Listen calls changed once at the start and then after every change of a
// token by any process, within a second, until ctx is done.
func (s *Store) Listen(ctx context.Context, changed func()) error {
	return s.listen(ctx, tokensTopic, changed)
}

// ListenMetrics is Listen for metrics that were updated or deleted; new ones
// are not reported.
func (s *Store) ListenMetrics(ctx context.Context, changed func()) error {
	return s.listen(ctx, metricsTopic, changed)
}

// ListenAlerts is Listen for alerts and the services attached to them.
func (s *Store) ListenAlerts(ctx context.Context, changed func()) error {
	return s.listen(ctx, allAlertsTopic, changed)
}

// bump makes a change of topic known when the transaction commits.
func (s *Store) bump(ctx context.Context, tx conn, topic string) error {
	_, err := s.exec(ctx, tx, `
		INSERT INTO versions (topic, version) VALUES (?, 1)
		ON CONFLICT (topic) DO UPDATE SET version = versions.version + 1`, topic)
	if err == nil && s.dialect.notify != "" {
		_, err = s.exec(ctx, tx, s.dialect.notify, topic)
	}
	return err
}

// bumpAlerts notes that an alert of org, its services, snoozes or incident
// changed.
func (s *Store) bumpAlerts(ctx context.Context, tx conn, org tidemark.OrgID) error {
	_, err := s.exec(ctx, tx, `
		INSERT INTO versions (topic, version) VALUES (?, 1)
		ON CONFLICT (topic) DO UPDATE SET version = versions.version + 1`, alertsTopicOf(org))
	if err != nil {
		return err
	}
	return s.bump(ctx, tx, allAlertsTopic)
}

func alertsTopicOf(org tidemark.OrgID) string {
	return orgAlertsTopic + strconv.FormatInt(int64(org), 10)
}

func (s *Store) version(ctx context.Context, topic string) (int64, error) {
	found, err := values[int64](ctx, s, s.db, `SELECT version FROM versions WHERE topic = ?`, topic)
	if err != nil || len(found) == 0 {
		return 0, err // nothing has changed yet
	}
	return found[0], nil
}

// listen looks at the version of topic again and again. In PostgreSQL a notice
// wakes it, so that it need not wait for its next look.
func (s *Store) listen(ctx context.Context, topic string, changed func()) error {
	w := &waiter{url: s.url, deaf: s.dialect.notify == ""}
	defer w.close()
	var seen int64 = -1
	for ctx.Err() == nil {
		// A look that fails changes nothing: the next one sees all the same.
		if version, err := s.version(ctx, topic); err == nil && version != seen {
			seen = version
			changed()
		}
		w.wait(ctx)
	}
	return ctx.Err()
}

// waiter waits for pollEvery, or for a notice if that comes first.
type waiter struct {
	url    string
	deaf   bool // there are no notices
	conn   *pgx.Conn
	dialed time.Time
}

func (w *waiter) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pollEvery)
	defer cancel()
	if w.conn == nil && !w.deaf && time.Since(w.dialed) > redialEvery {
		w.dial(ctx)
	}
	if w.conn == nil {
		<-ctx.Done()
		return
	}
	if _, err := w.conn.WaitForNotification(ctx); err != nil && w.conn.IsClosed() {
		w.close()
	}
}

func (w *waiter) dial(ctx context.Context) {
	w.dialed = time.Now()
	conn, err := pgx.Connect(ctx, w.url)
	if err != nil {
		return
	}
	w.conn = conn
	if _, err := conn.Exec(ctx, `LISTEN tidemark`); err != nil {
		w.close()
	}
}

func (w *waiter) close() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.Close(ctx) // it may be gone already
	w.conn = nil
}
