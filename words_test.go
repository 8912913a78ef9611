package tidemark

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestErrorSaysEverything: message, fields in order, cause; and its kind is
// found through whatever wraps it.
func TestErrorSaysEverything(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("saving: %w", &Error{Kind: Conflict, Msg: "invalid parameters", Err: io.EOF,
		Fields: map[string][]string{"b": {"is taken"}, "a": {"is long", "is wrong"}}})
	if want := "saving: invalid parameters; a is long, is wrong; b is taken: EOF"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if KindOf(err) != Conflict || !errors.Is(err, io.EOF) || KindOf(io.EOF) != Internal || KindOf(nil) != Internal {
		t.Error("kind or cause is lost")
	}
	if err := InvalidField("name", "is %d", 5); KindOf(err) != Invalid || err.Error() != "invalid parameters; name is 5" {
		t.Errorf("got %v", err)
	}
}

// TestProblems: each is said once, under its prefix; what is no list of fields
// is not taken over.
func TestProblems(t *testing.T) {
	t.Parallel()
	var p Problems
	if p.Err() != nil {
		t.Error("without problems there is an error")
	}
	for range 2 {
		p.Check(false, "a", "is wrong")
	}
	if !p.Add("x.", InvalidField("b", "100%% wrong")) || p.Add("", io.EOF) || p.Add("", Errorf(NotFound, "no")) || p.Add("", nil) {
		t.Error("takes over what it should not, or not what it should")
	}
	p.Text("short", "ab", 3, 5)
	p.Text("good", "äöü", 3, 3)
	e, _ := errors.AsType[*Error](p.Err())
	if len(e.Fields) != 3 || len(e.Fields["a"]) != 1 || e.Fields["x.b"][0] != "100% wrong" || e.Fields["short"][0] != "is shorter than 3 characters" {
		t.Errorf("problems %v", e.Fields)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	tags := MakeTags(map[string]string{"zone": "b", "host": "a", "App": "c"})
	if tags.String() != "App=c,host=a,zone=b" || StreamName(tags) != tags.String() || StreamName(nil) != "unassigned" {
		t.Errorf("tags are written %q", tags)
	}
	if v, ok := tags.Get("host"); v != "a" || !ok {
		t.Errorf("host is %q, %v", v, ok)
	}
	if _, ok := tags.Get("Host"); ok {
		t.Error("names of tags do not differ by case")
	}
	if m := tags.Map(); len(m) != 3 || MakeTags(m).Compare(tags) != 0 || Tags(nil).Map() == nil {
		t.Errorf("as a map %v", m)
	}
	order := []Tags{nil, {{"a", "1"}}, {{"a", "1"}, {"b", "1"}}, {{"a", "2"}}, {{"b", "0"}}}
	if !slices.IsSortedFunc(order, Tags.Compare) {
		t.Error("tags are not ordered by names, then values, then length")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text               string
		metric, tag, value bool
	}{
		{"", false, false, false}, {"cpu.user-1:a_B", true, true, true}, {"@host", false, true, false}, {"@", false, false, false},
		{"@@host", false, false, false}, {"a b", false, false, true}, {`a/b\c?`, false, false, true}, {"ä", false, false, false},
		{"a*", false, false, false}, {"a,b", false, false, false}, {"a=b", false, false, false}, {"a\x00", false, false, false},
		{long(64), true, true, true}, {long(65), true, false, true}, {"@" + long(64), false, false, false},
		{long(255), true, false, true}, {long(256), false, false, false},
	} {
		if IsMetricName(c.text) != c.metric || IsTagName(c.text) != c.tag || IsTagValue(c.text) != c.value {
			t.Errorf("%q: metric %v, tag %v, value %v", c.text, IsMetricName(c.text), IsTagName(c.text), IsTagValue(c.text))
		}
	}
	if MetricKey("CPU.User") != "cpu.user" || !IsOwnMetric("tidemark.alerting.rounds") || IsOwnMetric("tidemark.alertings") ||
		!IsOwnMetric("tidemark.server.uptime") || IsOwnMetric("tidemark.servers") ||
		!IsOwnMetric(MetricCheckUp) || !IsOwnMetric(MetricCheckDuration) || !IsOwnMetric(MetricCheckDays) || IsOwnMetric("check.ups") {
		t.Error("metrics are found by other keys, or others are the server's own")
	}
}

// TestSigning: the header has the time and a signature that whoever has the
// secret can compute; after a rotation both secrets sign until the old one ends.
func TestSigning(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000
	body := []byte(`{"a":1}`)
	sign := func(secret string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%d.%s", now, body)
		return hex.EncodeToString(mac.Sum(nil))
	}
	s := NewSigning(now)
	if got, want := s.Sign(body, time.Unix(now, 0)), "t=1700000000,v1="+sign(s.Secret); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	next := s.Rotated(now-10, now+1)
	if got, want := next.Sign(body, time.Unix(now, 0)), "t=1700000000,v1="+sign(next.Secret)+",v1="+sign(s.Secret); got != want {
		t.Errorf("after a rotation: got %s, want %s", got, want)
	}
	if next.OldAt(now+1) || !next.OldAt(now) || next.Secret == s.Secret {
		t.Error("the old secret signs too long, or not long enough")
	}
	if now := s.Rotated(now, now); now.Old != "" || (*Signing)(nil).Rotated(5, 10).Old != "" {
		t.Error("a secret that was replaced at once still signs")
	}
	if shown := fmt.Sprintf("%v %+v %#v %s", *s, s, *s, s); strings.Contains(shown, s.Secret) {
		t.Errorf("%s shows the secret", shown)
	}
	if got := next.Secrets(); len(got) != 2 || got[1] != s.Secret || (*Signing)(nil).Secrets() != nil {
		t.Error("not all secrets are listed")
	}
}

// TestActors: the audit log names people and tokens, and says of others what
// they are.
func TestActors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		actor Actor
		want  string
	}{
		{Identity{User: 3, Name: "ann@example.org", Address: "10.0.0.1"}.Actor(), "user:ann@example.org"},
		{Identity{Token: 3, Name: "agents"}.Actor(), "token:agents"},
		{Identity{Name: "server"}.Actor(), "server"}, {Identity{Name: "root"}.Actor(), "cli"},
		{ServerActor(), "server"}, {VisitorActor("10.0.0.1"), "visitor"}, {LinkActor("10.0.0.1"), "link in notification"},
		{PersonActor("ann@example.org", "10.0.0.1"), "user:ann@example.org"},
	} {
		if c.actor.String() != c.want {
			t.Errorf("%+v is named %q, want %q", c.actor, c.actor, c.want)
		}
	}
	if a := (Identity{User: 3, Address: "10.0.0.1"}).Actor(); a.Address != "10.0.0.1" {
		t.Errorf("the address of %+v is lost", a)
	}
}

// TestSeesSecrets: Admins do; of people only those who proved lately who they
// are.
func TestSeesSecrets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who  Identity
		want bool
	}{
		{Identity{Role: FullAccess, Token: 1}, true}, {Identity{Role: FullAccess, User: 1}, false}, {Identity{Role: FullAccess, User: 1, Recent: true}, true},
		{Identity{Role: Member, User: 1, Recent: true}, false}, {Identity{Role: ViewOnly, Token: 1}, false}, {Identity{}, false},
	} {
		if got := c.who.SeesSecrets(); got != c.want {
			t.Errorf("%+v sees secrets: %v", c.who, got)
		}
	}
}

// TestNetworks: an address is a network of itself, and forms of one address
// mean the same.
func TestNetworks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, addr string
		want       bool
	}{
		{"10.20.0.0/16", "10.20.255.1", true}, {"10.20.0.0/16", "10.21.0.1", false}, {"10.20.9.9/16", "10.20.0.1", true},
		{"10.0.0.1", "10.0.0.1", true}, {"10.0.0.1", "10.0.0.2", false}, {"2001:db8::/32", "2001:db8:1::5", true},
		{"::ffff:10.0.0.1", "10.0.0.1", true}, {"::ffff:10.0.0.0/104", "10.1.2.3", true}, {"fe80::1%eth0", "fe80::1", true}, {"0.0.0.0/0", "1.2.3.4", true},
	} {
		p, err := ParseNetwork(c.text)
		if err != nil || p.Contains(netip.MustParseAddr(c.addr)) != c.want {
			t.Errorf("%s is %v, %v; %s in it: %v", c.text, p, err, c.addr, !c.want)
		}
	}
	for _, text := range []string{"", "10.0.0.0/33", "10.0.0", "example.org", "10.0.0.1/"} {
		if p, err := ParseNetwork(text); err == nil {
			t.Errorf("%q is taken for %v", text, p)
		}
	}
}

// TestSnoozes: from the first second on until before the last.
func TestSnoozes(t *testing.T) {
	t.Parallel()
	list := []Snooze{{StartsAt: 100, EndsAt: new(int64(200))}, {StartsAt: 500}}
	for now, want := range map[int64]bool{99: false, 100: true, 199: true, 200: false, 499: false, 500: true, 1 << 40: true} {
		if got := IsSnoozed(list, now); got != want {
			t.Errorf("at %d snoozed: %v", now, got)
		}
	}
}

// TestNoticeIsFrozen: what a notice says does not change with the alert.
func TestNoticeIsFrozen(t *testing.T) {
	t.Parallel()
	a := validAlert()
	a.ID, a.Description, a.Labels = 7, new("look at the disk"), map[string]string{"team": "db"}
	a.Attributes["runbook_url"] = "https://example.org/disk"
	n := NewNotice(3, a, map[string]string{"cpu": "%"})
	a.Conditions[0].MetricName, a.Labels["team"], *a.Description = "other", "web", "changed"
	if n.Org != 3 || n.Alert != 7 || n.Conditions[0].MetricName != "cpu" || n.Labels["team"] != "db" || n.Description != "look at the disk" || n.RunbookURL != "https://example.org/disk" {
		t.Errorf("notice %+v", n)
	}
	if n.Violations == nil || !strings.Contains(n.Sentence, "cpu") {
		t.Errorf("it says %q of %v", n.Sentence, n.Violations)
	}
	keys := []string{DeliveryKey(IncidentKey(7, 1), NoticeTrigger, 5), DeliveryKey(IncidentKey(7, 1), NoticeClear, 5), DeliveryKey(IncidentKey(7, 1), NoticeTrigger, 6),
		DeliveryKey(IncidentKey(71, 1), NoticeTrigger, 5), EscalationKey(IncidentKey(7, 1), 1), EscalationKey(IncidentKey(7, 1), 2)}
	slices.Sort(keys)
	if len(slices.Compact(keys)) != 6 {
		t.Errorf("two events share a key among %v", keys)
	}
}

// TestLongSentences are cut with an ellipsis, between characters.
func TestLongSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 4, "äöüß"}, {"äöüßa", 4, "äöü…"}} {
		if got := cut(c.text, c.most); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.text, c.most, got, c.want)
		}
	}
	a := validAlert()
	a.Conditions[0].Tags = []TagFilter{{Name: "host", Values: times(500, "server.example.org")}}
	if n := len([]rune(a.Sentence(nil).Short())); n != maxSentence {
		t.Errorf("a sentence about 500 hosts has %d characters", n)
	}
}
