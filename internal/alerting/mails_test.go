package alerting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// mailed is a server's Mails with a Send that counts recipients, and fails
// where it is told to.
type mailed struct {
	*Mails
	send  Send
	log   bytes.Buffer
	sent  int
	fails bool
}

func newMailed(limits map[tidemark.LimitName]int64) *mailed {
	m := &mailed{}
	m.Mails = NewMails(tidemark.NewLimits(limits), slog.New(slog.NewTextHandler(&m.log, nil)))
	m.send = m.Limited(func(_ context.Context, s *tidemark.Service, _ *tidemark.Delivery) Answer {
		if m.fails {
			return Answer{Text: "no connection"}
		}
		m.sent += 1 + strings.Count(s.Settings["addresses"], ",")
		return Answer{OK: true}
	})
	return m
}

func mailService(id int64, n int) *tidemark.Service {
	to := make([]string, n)
	for i := range to {
		to[i] = fmt.Sprintf("a%d@example.org", i)
	}
	return &tidemark.Service{ID: id, Type: "mail", Title: fmt.Sprint("mail", id), Settings: tidemark.Settings{"addresses": strings.Join(to, ",")}}
}

func (m *mailed) page(t *testing.T, org tidemark.OrgID, s *tidemark.Service) Answer {
	t.Helper()
	return m.send(t.Context(), s, &tidemark.Delivery{Org: org})
}

// TestMailsOfAnHour: what is over the limit of an organization or of a service
// fails with a reason, for no longer than the hour; others are as they were.
func TestMailsOfAnHour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMailed(map[tidemark.LimitName]int64{tidemark.LimitMails: 10, tidemark.LimitServiceMails: 6})
		for range 2 {
			if a := m.page(t, 1, mailService(1, 3)); !a.OK {
				t.Fatalf("%+v", a)
			}
		}
		time.Sleep(20 * time.Minute)
		want := "the limit service_mails is reached: 6 mails of a service an hour, five times as many a day; the operator raises it with tidemark org limits ORGANIZATION service_mails=NUMBER; mails leave again in 40 minutes"
		if a := m.page(t, 1, mailService(1, 1)); a.OK || a.Permanent || a.Text != want || a.RetryAfter != 40*time.Minute {
			t.Errorf("a service: %+v", a)
		}
		if a := m.page(t, 1, mailService(2, 4)); !a.OK {
			t.Errorf("another service: %+v", a)
		}
		if a := m.page(t, 1, mailService(3, 1)); a.OK || !strings.HasPrefix(a.Text, "the limit mails is reached: 10 ") {
			t.Errorf("an organization: %+v", a)
		}
		if a := m.page(t, 1, &tidemark.Service{ID: 4, Type: "webhook"}); !a.OK {
			t.Errorf("no mail: %+v", a)
		}
		if a := m.page(t, 2, mailService(5, 6)); !a.OK {
			t.Errorf("another organization: %+v", a)
		}
		time.Sleep(40 * time.Minute)
		if a := m.page(t, 1, mailService(1, 6)); !a.OK {
			t.Errorf("an hour later: %+v", a)
		}
		if m.sent != 6+4+1+6+6 || m.Held() != 2 {
			t.Errorf("%d were sent, %d times none", m.sent, m.Held())
		}
	})
}

// TestMailsOfADay: five full hours are a day's.
func TestMailsOfADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMailed(map[tidemark.LimitName]int64{tidemark.LimitMails: 3, tidemark.LimitServiceMails: 0})
		for i := range 5 {
			if a := m.page(t, 1, mailService(1, 3)); !a.OK {
				t.Fatalf("hour %d: %+v", i, a)
			}
			time.Sleep(time.Hour)
		}
		if a := m.page(t, 1, mailService(1, 1)); a.OK || a.RetryAfter != 19*time.Hour {
			t.Errorf("%+v", a)
		}
		time.Sleep(19 * time.Hour)
		if a := m.page(t, 1, mailService(1, 3)); !a.OK {
			t.Errorf("a day later: %+v", a)
		}
	})
}

// TestMailsThatFail: a mail server that is down uses nothing up.
func TestMailsThatFail(t *testing.T) {
	t.Parallel()
	m := newMailed(map[tidemark.LimitName]int64{tidemark.LimitMails: 3})
	m.fails = true
	for range 20 {
		if a := m.page(t, 1, mailService(1, 3)); a.Text != "no connection" {
			t.Fatalf("%+v", a)
		}
	}
	m.fails = false
	if a := m.page(t, 1, mailService(1, 3)); !a.OK {
		t.Errorf("%+v", a)
	}
}

// TestMailsAreTold: the log has each limit once in the time that it counts.
func TestMailsAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMailed(map[tidemark.LimitName]int64{tidemark.LimitMails: 1})
		for range 5 {
			m.page(t, 7, mailService(1, 1))
		}
		time.Sleep(time.Hour)
		for range 5 {
			m.page(t, 7, mailService(1, 1))
		}
		if n := strings.Count(m.log.String(), `msg="mails are held back" org=7 limit=mails value=1`); n != 2 || m.Held() != 8 {
			t.Errorf("told %d times, held %d:\n%s", n, m.Held(), &m.log)
		}
	})
}

// TestTests: a service is sent a test each ten seconds, whoever asks; one that
// is not saved each ten seconds of whoever asks; and nobody mails without end.
func TestTests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMailed(map[tidemark.LimitName]int64{tidemark.LimitTestMails: 5})
		ask := func(who tidemark.Identity, s ...*tidemark.Service) string {
			t.Helper()
			err := m.AllowTest(t.Context(), who, s)
			if err == nil {
				return ""
			}
			e, ok := errors.AsType[*tidemark.Error](err)
			if !ok || e.Kind != tidemark.TooMany {
				t.Fatalf("%v", err)
			}
			return fmt.Sprintf("%s after %s", e.Msg, e.After)
		}
		ann, bob, bot := tidemark.Identity{Org: 1, User: 1}, tidemark.Identity{Org: 1, User: 2}, tidemark.Identity{Org: 1, Token: 1}
		expect := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		expect("first", ask(ann, mailService(1, 2)), "")
		time.Sleep(3 * time.Second)
		const again = `service "mail1" was sent a test just now: one in 10 seconds, the next in 7 seconds after 7s`
		expect("again", ask(ann, mailService(1, 2)), again)
		expect("by another", ask(bob, mailService(1, 2)), again)
		expect("among others", ask(bob, mailService(2, 1), mailService(1, 2)), again)
		expect("another", ask(bob, mailService(2, 2)), "")
		expect("not saved", ask(ann, mailService(0, 1)), "")
		expect("not saved, another's", ask(bot, mailService(0, 1)), "")
		expect("not saved, of another type", ask(ann, &tidemark.Service{Type: "slack", Title: "chat"}), "")
		expect("not saved, again", ask(ann, &tidemark.Service{Type: "slack", Title: "chat"}), `service "chat" was sent a test just now: one in 10 seconds, the next in 10 seconds after 10s`)
		time.Sleep(10 * time.Second)
		expect("later", ask(ann, mailService(1, 2)), "")
		time.Sleep(10 * time.Second)
		expect("too many", ask(ann, mailService(1, 1)), "the limit test_mails is reached: 5 mails of tests of a person an hour, five times as many a day; the operator raises it with tidemark org limits ORGANIZATION test_mails=NUMBER; mails leave again in 60 minutes after 59m37s")
		time.Sleep(10 * time.Second)
		expect("no mail", ask(ann, &tidemark.Service{ID: 9, Type: "slack"}), "")
		time.Sleep(2 * time.Hour)
		expect("hours later", ask(ann, mailService(1, 5)), "")
	})
}
