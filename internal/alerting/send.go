package alerting

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"golang.org/x/sync/errgroup"
)

// SendOptions are what NewSend adds to a notice.
type SendOptions struct {
	Notify notify.Options
	// Spellings is how tags are shown; nil for lower case.
	Spellings *spelling.Book
	// Account returns by what name receivers know an organization: the
	// owner's e-mail. It may be nil.
	Account func(ctx context.Context, org tidemark.OrgID) (string, error)
	// Image returns the picture of the streams that a delivery is about, or
	// nil. Whether it is uploaded says whether its bytes are wanted, or just a
	// link. It may be nil.
	Image func(ctx context.Context, d *tidemark.Delivery, uploaded bool) *notify.Image
	// Acknowledge returns the link that acknowledges what a delivery is about,
	// or "". It may be nil.
	Acknowledge func(d *tidemark.Delivery) string
	// Gone is called with a service that says it exists no longer. It may be
	// nil.
	Gone func(ctx context.Context, org tidemark.OrgID, service int64) error
}

// prepareTimeout bounds what is read before an attempt. The rest of its time,
// which is most, is the receiver's.
const prepareTimeout = 5 * time.Second

// NewSend returns the Send that notifies services by package notify.
func NewSend(o SendOptions) Send {
	return func(ctx context.Context, s *tidemark.Service, d *tidemark.Delivery) Answer {
		if s.Unreadable != "" {
			return Answer{Own: true, Text: s.Unreadable} // the key may come back
		}
		notifier, err := notify.New(s, o.Notify)
		if err != nil {
			return Answer{Permanent: true, Text: "the service's settings are not valid"}
		}
		n, problem := o.notification(ctx, d, notifier.Uploads())
		if problem != "" {
			return Answer{Own: true, Text: problem}
		}
		result, err := notifier.Send(ctx, n)
		if o.Gone != nil && errors.Is(err, notify.ErrGone) {
			if err := o.Gone(ctx, d.Org, s.ID); err != nil {
				return Answer{Own: true, Text: "a device that is gone cannot be removed"} // the next try finds it gone again
			}
		}
		after, _ := notify.RetryAfter(err)
		return Answer{
			OK: err == nil, Text: result.Status, Permanent: errors.Is(err, notify.ErrPermanent), Duration: result.Duration,
			Throttled: errors.Is(err, notify.ErrThrottled), RetryAfter: after,
		}
	}
}

// notification returns what is sent for a delivery, or what keeps it from
// being sent now. It reads nothing of the measurements but for the picture,
// which has a time of its own.
func (o *SendOptions) notification(ctx context.Context, d *tidemark.Delivery, uploaded bool) (n notify.Notification, problem string) {
	ctx, cancel := context.WithTimeout(ctx, prepareTimeout)
	defer cancel()
	words, _ := o.Spellings.Of(ctx, d.Org) // a notification in lower case is better than none
	n = notify.FromNotice(words.Notice(d.Notice), d.Notice.Units)
	n.DedupKey, n.Incident = d.Key, d.Incident
	if o.Acknowledge != nil {
		n.Acknowledge = o.Acknowledge(d)
	}
	if o.Account != nil {
		account, err := o.Account(ctx, d.Org)
		if err != nil {
			return n, "the organization cannot be read"
		}
		n.Account = account
	}
	if o.Image != nil && d.Notice.Clear == "" {
		n.Image = o.Image(ctx, d, uploaded)
	}
	if n.Report != nil && n.Image == nil {
		return n, "the picture cannot be read, or a later one took its place"
	}
	return n, ""
}

// Test sends the services of a, which need not be saved, a test notification,
// some at a time, and returns what was sent and how each
// of them went. Nothing is tried twice, and the alert's state does not change.
// An organization has no more tests under way than notifications.
func (d *Dispatcher) Test(ctx context.Context, send Send, org tidemark.OrgID, a *tidemark.Alert, units map[string]string, now time.Time) (*tidemark.Delivery, []tidemark.TestResult, error) {
	if err := d.beginTest(org); err != nil {
		return nil, nil, err
	}
	defer d.endTest(org)
	one := testDelivery(org, a, units, now)
	results := make([]tidemark.TestResult, len(a.Services))
	var g errgroup.Group
	g.SetLimit(leastShare)
	for i, s := range a.Services {
		g.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, sendTimeout)
			defer cancel()
			start := time.Now()
			answer := send(ctx, s, one)
			results[i] = tidemark.TestResult{
				Service: s.ID, Title: s.Title, OK: answer.OK, Answer: shorten(answer.Text), Duration: time.Since(start).Milliseconds(),
			}
			return nil
		})
	}
	return one, results, g.Wait()
}

func (d *Dispatcher) beginTest(org tidemark.OrgID) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.Limits.Check(org, tidemark.LimitDeliveries, d.tests[org]+1); err != nil {
		return err
	}
	d.tests[org]++
	return nil
}

func (d *Dispatcher) endTest(org tidemark.OrgID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tests[org]--; d.tests[org] == 0 {
		delete(d.tests, org)
	}
}

// testDelivery makes up a notice in which every condition is violated.
func testDelivery(org tidemark.OrgID, a *tidemark.Alert, units map[string]string, now time.Time) *tidemark.Delivery {
	draft := *a
	draft.Conditions = slices.Clone(a.Conditions)
	for i := range draft.Conditions {
		if draft.Conditions[i].ID == 0 {
			draft.Conditions[i].ID = int64(i + 1) // of a draft that was never saved
		}
	}
	n := tidemark.NewNotice(org, &draft, units)
	n.Kind, n.Time, n.TriggeredAt = tidemark.NoticeTest, now.Unix(), now.Unix()
	n.IncidentKey = tidemark.IncidentKey(a.ID, 0)
	for i := range draft.Conditions {
		n.Violations = append(n.Violations, exampleOf(&draft.Conditions[i], now.Unix()))
	}
	key := "tidemark-test-" + strconv.FormatInt(a.ID, 10) + "-" + strconv.FormatInt(now.UnixNano(), 10)
	return &tidemark.Delivery{Org: org, Alert: a.ID, Kind: tidemark.NoticeTest, Key: key, CreatedAt: now.Unix(), Notice: n}
}

// exampleOf makes up a violation of c.
func exampleOf(c *tidemark.Condition, now int64) tidemark.Violation {
	v := tidemark.Violation{Stream: "stream=example", Metric: c.MetricName, RecordedAt: now, Condition: c.ID, Since: now, SeenAt: now}
	if c.Threshold != nil {
		v.Value = *c.Threshold + map[bool]float64{true: -1, false: 1}[c.Type == tidemark.Below]
	}
	if r := newRule(c); r.isWindowed() {
		v.End = now - now%minute
		v.Begin, v.Count = v.End-r.duration, int(r.duration/minute)
	}
	return v
}
