package api

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
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
		s := sampleOf([]byte(tt.body))
		if got := s.sender(); got != tt.sender {
			t.Errorf("sender of %.60s = %q, want %q", tt.body, got, tt.sender)
		}
		if got := string(s.sends()); got != tt.sends {
			t.Errorf("sends of %.60s = %s, want %s", tt.body, got, tt.sends)
		}
	}
}

func TestNouns(t *testing.T) {
	for pattern, want := range map[string]string{
		"GET    /v1/spaces": "spaces", "PUT /v1/spaces/{space}/charts/{chart}": "charts", "GET /v1/api_tokens/{id}": "tokens",
		"POST /v1/measurements": "measurements", "POST /v1/annotations/{name}": "annotations", "GET /v1/chart_types": "chart types",
	} {
		if got := nounOf(pattern); got != want {
			t.Errorf("%s is about %q, want %q", pattern, got, want)
		}
	}
}

// TestUses: every role but Full Access is told what it would refuse.
func TestUses(t *testing.T) {
	got := viewUses([]*tidemark.TokenUse{{Action: tidemark.View, Noun: "spaces", Requests: 312}, {Action: tidemark.Record, Noun: "measurements", Requests: 1}})
	want := "[{read spaces 312 [recorder]} {sent measurements 1 [viewer]}]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestManySenders: who sends under ever new names is counted as one after the
// first thousand, and starts anew the next day.
func TestManySenders(t *testing.T) {
	tr := newTraffic()
	for i := range maxNamed + 500 {
		tr.addSender(senderKey{1, "agent", fmt.Sprintf("pod-%d", i), 0}, seen{}, 10)
	}
	tr.addSender(senderKey{2, "agent", "web-01", 0}, seen{}, 10)
	others := tr.senders[senderKey{1, "", otherSenders, 0}]
	if len(tr.senders) != maxNamed+2 || others == nil || others.Requests != 500 {
		t.Fatalf("%d senders, others %+v", len(tr.senders), others)
	}
	tr.addSender(senderKey{1, "agent", "pod-2000", daySeconds}, seen{}, daySeconds)
	if tr.senders[senderKey{1, "agent", "pod-2000", daySeconds}] == nil {
		t.Error("the next day a new sender has no name")
	}
}
