package alerting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

const (
	// testEvery is how often one service is sent a test.
	testEvery = 10 * time.Second
	// hoursOfADay is for how many hours of a day so many mails may leave as the
	// limits let in an hour: a storm is not every hour.
	hoursOfADay = 5
)

// Mails counts the mails that leave for the addresses of services, which
// nobody confirmed and which are sent from the operator's own address: each
// recipient is one. What would be over a limit is not sent now.
//
// The counts are in memory, of each server its own. After a restart they begin at 0,
// which nobody but the operator can bring about.
type Mails struct {
	limits *tidemark.Limits
	logger *slog.Logger
	held   atomic.Int64

	mu     sync.Mutex
	sent   map[mailsOf]*mailCount
	tested map[testsOf]time.Time
	pruned time.Time
}

// mailsOf is whose mails a limit counts: those of the organization, of one of
// its services, or of the tests of a person or token.
type mailsOf struct {
	org   tidemark.OrgID
	limit tidemark.LimitName
	id    int64
}

// testsOf is a service, or whoever tries one of a type that is not saved.
type testsOf struct {
	org         tidemark.OrgID
	service, by int64
	kind        string
}

// mailCount is how many mails there were in the hour and the day that began
// with the first of them.
type mailCount struct{ hour, day mailSpan }

type mailSpan struct {
	since time.Time
	n     int64
	told  bool // that there were too many
}

// NewMails returns Mails of which there were none yet.
func NewMails(limits *tidemark.Limits, logger *slog.Logger) *Mails {
	return &Mails{limits: limits, logger: logger, sent: make(map[mailsOf]*mailCount), tested: make(map[testsOf]time.Time)}
}

// Held is how often mails were not sent since the start because of a limit.
func (m *Mails) Held() int64 { return m.held.Load() }

// Limited is send within the limits of mails. What is over them is a failure
// that says so, and is worth another try when the next may leave.
func (m *Mails) Limited(send Send) Send {
	return func(ctx context.Context, s *tidemark.Service, d *tidemark.Delivery) Answer {
		n := int64(notify.Recipients(s))
		if n == 0 {
			return send(ctx, s, d)
		}
		of := []mailsOf{{d.Org, tidemark.LimitServiceMails, s.ID}, {d.Org, tidemark.LimitMails, 0}}
		if over := m.take(ctx, of, n); over != nil {
			return Answer{Text: over.Msg, RetryAfter: over.After}
		}
		a := send(ctx, s, d)
		if !a.OK {
			m.giveBack(of, n) // or a mail server that is down would use them up
		}
		return a
	}
}

// AllowTest refuses to send services a test where one was sent a test a moment
// ago, or who sent more mails so than anybody needs.
func (m *Mails) AllowTest(ctx context.Context, who tidemark.Identity, services []*tidemark.Service) error {
	by, n := who.User, int64(0)
	if by == 0 {
		by = -who.Token
	}
	for _, s := range services {
		n += int64(notify.Recipients(s))
	}
	if err := m.takeTest(who.Org, by, services); err != nil {
		return err
	}
	if over := m.take(ctx, []mailsOf{{who.Org, tidemark.LimitTestMails, by}}, n); over != nil {
		return over
	}
	return nil
}

func (m *Mails) takeTest(org tidemark.OrgID, by int64, services []*tidemark.Service) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	all := make([]testsOf, len(services))
	for i, s := range services {
		if all[i] = (testsOf{org: org, service: s.ID}); s.ID == 0 {
			all[i].by, all[i].kind = by, s.Type
		}
		if wait := testEvery - now.Sub(m.tested[all[i]]); wait > 0 {
			return &tidemark.Error{Kind: tidemark.TooMany, After: wait, Msg: fmt.Sprintf(
				"service %q was sent a test just now: one in %d seconds, the next in %s", s.Title, int(testEvery.Seconds()), inWords(wait))}
		}
	}
	for _, one := range all {
		m.tested[one] = now
	}
	return nil
}

// take counts n mails of all these, unless they are too many for one of them.
func (m *Mails) take(ctx context.Context, of []mailsOf, n int64) *tidemark.Error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.prune(now)
	for _, one := range of {
		limit := m.limits.Of(one.org, one.limit)
		if limit <= 0 {
			continue
		}
		c := m.count(one)
		if left := c.hour.left(now, time.Hour, limit, n); left > 0 {
			return m.refuse(ctx, one, &c.hour, left)
		}
		if left := c.day.left(now, 24*time.Hour, hoursOfADay*limit, n); left > 0 {
			return m.refuse(ctx, one, &c.day, left)
		}
	}
	for _, one := range of {
		c := m.count(one)
		c.hour.n += n
		c.day.n += n
	}
	return nil
}

func (m *Mails) giveBack(of []mailsOf, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range of {
		c := m.count(one)
		c.hour.n, c.day.n = max(0, c.hour.n-n), max(0, c.day.n-n)
	}
}

func (m *Mails) count(of mailsOf) *mailCount {
	c := m.sent[of]
	if c == nil {
		c = new(mailCount)
		m.sent[of] = c
	}
	return c
}

// left is how long the span still is where n more are too many for it, or 0. It
// begins again once it is over.
func (s *mailSpan) left(now time.Time, length time.Duration, limit, n int64) time.Duration {
	if now.Sub(s.since) >= length {
		*s = mailSpan{since: now}
	}
	if s.n+n <= limit {
		return 0
	}
	return length - now.Sub(s.since)
}

// refuse is the error of mails that are too many. The log tells it once in each
// span.
func (m *Mails) refuse(ctx context.Context, of mailsOf, s *mailSpan, wait time.Duration) *tidemark.Error {
	m.held.Add(1)
	over, _ := errors.AsType[*tidemark.Error](m.limits.Refuse(of.org, of.limit))
	over.Msg += "; mails leave again in " + inWords(wait)
	over.After = wait
	if !s.told {
		s.told = true
		m.logger.WarnContext(ctx, "mails are held back", slog.Int64("org", int64(of.org)), slog.String("limit", string(of.limit)),
			slog.Int64("value", m.limits.Of(of.org, of.limit)), slog.Int64("id", of.id), slog.Duration("for", wait.Round(time.Second)))
	}
	return over
}

// prune forgets what counts no longer, now and then.
func (m *Mails) prune(now time.Time) {
	if now.Sub(m.pruned) < time.Hour {
		return
	}
	m.pruned = now
	maps.DeleteFunc(m.sent, func(_ mailsOf, c *mailCount) bool { return now.Sub(c.day.since) >= 24*time.Hour })
	maps.DeleteFunc(m.tested, func(_ testsOf, at time.Time) bool { return now.Sub(at) >= testEvery })
}

// inWords is a time to wait, rounded up.
func inWords(d time.Duration) string {
	if d > 2*time.Minute {
		return fmt.Sprintf("%d minutes", int(math.Ceil(d.Minutes())))
	}
	return fmt.Sprintf("%d seconds", int(math.Ceil(d.Seconds())))
}
