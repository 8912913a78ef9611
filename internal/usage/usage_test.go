package usage

import (
	"fmt"
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	long := strings.Repeat(`{"name":"disk.used","value":1},`, 500)
	tests := []struct{ body, sender, sends string }{
		{`{"tags":{"host":"web-01"},"measurements":[{"name":"cpu.user","value":1},{"name":"cpu.idle"},{"name":"load"}]}`, "web-01", `["cpu.*","load"]`},
		{`{"measurements": [` + long + `{}], "tags" : { "region":"eu", "host" : "db-01" } }`, "db-01", `["disk.*"]`},
		{`{"source":"old-box","gauges":{"load":{"value":1}}}`, "old-box", `[]`},
		{`{"tags":{"host":"a\"b"},"measurements":[{"name":5}]}`, "", `[]`},
		{`{"tags":{"host":""}}`, "", `[]`},
		{`"host"`, "", `[]`},
		{`{"host":"cut of`, "", `[]`},
		{`{"host":"` + strings.Repeat("x", 1000) + `"}`, "", `[]`},
		{"measurements[0][name]=cpu", "", `[]`},
		{"", "", `[]`},
	}
	for _, tt := range tests {
		s := SampleOf([]byte(tt.body))
		if got := s.sender(); got != tt.sender {
			t.Errorf("sender of %.60s = %q, want %q", tt.body, got, tt.sender)
		}
		if got := string(s.sends()); got != tt.sends {
			t.Errorf("sends of %.60s = %s, want %s", tt.body, got, tt.sends)
		}
	}
}

// TestManySenders: beyond a thousand names of senders a day, a token's senders
// count as one; the next day starts again.
func TestManySenders(t *testing.T) {
	tr := newSenders()
	for i := range maxNamed + 500 {
		tr.addSender(senderKey{1, "agent", fmt.Sprintf("pod-%d", i), 0}, &Request{}, 10)
	}
	tr.addSender(senderKey{2, "agent", "web-01", 0}, &Request{}, 10)
	others := tr.found[senderKey{1, "", otherSenders, 0}]
	if len(tr.found) != maxNamed+2 || others == nil || others.Requests != 500 {
		t.Fatalf("%d senders, others %+v", len(tr.found), others)
	}
	tr.addSender(senderKey{1, "agent", "pod-2000", daySeconds}, &Request{}, daySeconds)
	if tr.found[senderKey{1, "agent", "pod-2000", daySeconds}] == nil {
		t.Error("the next day a new sender has no name")
	}
}

// TestArrivalsMakeRoom: a thousand kinds of sender that were heard of long ago
// do not keep new ones from being counted.
func TestArrivalsMakeRoom(t *testing.T) {
	const now = 1_000_000
	a := make(arrivals)
	for i := range maxArrivals {
		a.add(1, arrivalKey{"measurements", fmt.Sprint(i)}, 1, now)
	}
	a.add(1, arrivalKey{"measurements", "too many"}, 1, now+60)
	if got := len(a.lastHour(1, now+60)); got != maxArrivals {
		t.Errorf("%d kinds of sender, want %d", got, maxArrivals)
	}
	a.add(1, arrivalKey{"measurements", "new"}, 5, now+2*3600)
	if got := a.lastHour(1, now+2*3600); len(got) != 1 || got[0].UserAgent != "new" || got[0].Measurements != 5 {
		t.Errorf("%+v", got)
	}
}

// TestListen: listeners receive what is theirs, and one that does not read
// holds nobody up.
func TestListen(t *testing.T) {
	tr := New(Options{})
	ours, stop := tr.Listen(Filter{Org: 1})
	token, _ := tr.Listen(Filter{Org: 1, Token: 7})
	theirs, _ := tr.Listen(Filter{Org: 2})
	names := func(yield func(string) bool) { yield("cpu") }
	for range 2 * activityBuffer {
		tr.Wrote(1, names)
	}
	if len(ours) != activityBuffer || len(token) != 0 || len(theirs) != 0 {
		t.Errorf("%d, %d and %d published", len(ours), len(token), len(theirs))
	}
	stop()
	tr.Wrote(1, func(func(string) bool) { t.Error("names are read although nobody listens") })
}

// TestUnowned: what is sent with a token that nobody has reaches only those
// who asked for it.
func TestUnowned(t *testing.T) {
	tr := New(Options{})
	ours, _ := tr.Listen(Filter{Org: 1})
	all, _ := tr.Listen(Filter{Org: 2, Unowned: true})
	tr.Note(Request{Status: 401, Path: "/v1/metrics/secret.project", Reason: "Authorization Required"})
	if len(ours) != 0 || len(all) != 1 {
		t.Errorf("%d and %d published", len(ours), len(all))
	}
	if _, refused := tr.Arrivals(1, false); len(refused) != 0 {
		t.Errorf("%+v", refused)
	}
	if _, refused := tr.Arrivals(2, true); len(refused) != 1 {
		t.Errorf("%+v", refused)
	}
}
