package tidemark

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRefusalsInWords: something in which everything is wrong is refused with
// all of it at once, field by field, in words that say what would be right.
func TestRefusalsInWords(t *testing.T) {
	t.Parallel()
	control := "a\x00b"
	for name, tt := range map[string]struct {
		validate func() error
		want     map[string][]string
	}{
		"alert": {(&Alert{Name: "a/b", Description: new(control), RearmSeconds: -61, Version: 1, Severity: "bad", Labels: map[string]string{"a b": ""},
			Attributes: map[string]any{"runbook_url": 5.0}, Escalation: []EscalationStep{{After: 30}, {After: 30, Services: ServiceRefs{1}}}}).Validate, map[string][]string{
			"name":                     {"must be 1 to 255 letters, digits, blanks and . : - _"},
			"description":              {"has characters that cannot be stored"},
			"rearm_seconds":            {"must be 0 to 2592000", "must be a multiple of 60"},
			"version":                  {"must be 2"},
			"severity":                 {"must be critical, warning or info"},
			"labels":                   {`"a b" is not a name: it may have 1 to 64 letters, digits and . : - _`, "is not present"},
			"attributes.runbook_url":   {"must be a text"},
			"escalation.after_seconds": {"must be 60 to 604800", "must be a multiple of 60", "must be more than that of the step before"},
			"escalation.services":      {"is not present"},
		}},
		"condition": {(&Condition{Type: "between", MetricName: "a b", Duration: new(Seconds(59)), SummaryFunction: new("median"), Tags: []TagFilter{{Name: "", Values: []string{control}}}}).Validate, map[string][]string{
			"type":             {"must be above, below or absent"},
			"metric_name":      {"is invalid"},
			"duration":         {"must be 60 to 3600 seconds"},
			"summary_function": {"must be min, max, average, sum, count or derivative"},
			"tags":             {"is not present", "has characters that cannot be stored"},
		}},
		"absent condition": {(&Condition{Type: Absent}).Validate, map[string][]string{"duration": {"must be set"}, "metric_name": {"is not present"}}},
		"budget": {(&Condition{Type: Below, MetricName: "m", Threshold: new(0.0), SummaryFunction: new("derivative"), Against: &Against{Kind: AgainstBudget, Period: 601, Objective: new(100.0)}}).Validate, map[string][]string{
			"type":             {"must be above: the threshold is a burn rate"},
			"period":           {"must be whole minutes, 600 to 259200 seconds"},
			"objective":        {"must be a percentage between 0 and 100"},
			"good_metric":      {"is not present"},
			"threshold":        {"must be more than 0"},
			"summary_function": {"cannot be derivative here"},
		}},
		"band": {(&Condition{Type: Absent, MetricName: "m", Duration: new(Seconds(60)), Against: &Against{Kind: AgainstBand, Weeks: 9, By: "month", Least: new(-1.0)}}).Validate, map[string][]string{
			"weeks": {"must be 2 to 8"}, "by": {"must be hour_of_week or hour_of_day"}, "least": {"must be 0 or more"}, "against": {"goes with above and below only"},
		}},
		"maintenance": {(&Maintenance{StartsAt: -1, EndsAt: new(int64(-2)), Repeat: &Repeat{Days: []string{"day"}, From: "2:00", To: "25:00", Zone: "Local", Skip: []string{"x"}, Weeks: 53},
			Covers: Covers{Alerts: times(maxCovered+1, int64(1)), Tags: map[string]string{"": ""}}}).Validate, map[string][]string{
			"name": {"is not present"}, "starts_at": {"is not a time in seconds since 1970"}, "ends_at": {"must be after starts_at"},
			"repeat.days": {"must be mon, tue, wed, thu, fri, sat or sun"}, "repeat.start_time": {"must be a time of day, such as 02:30"}, "repeat.end_time": {"must be a time of day, such as 02:30"},
			"repeat.zone": {"must be the name of a time zone, such as Europe/Berlin"}, "repeat.skip": {"must be days, such as 2026-12-24"}, "repeat.weeks": {"must be between 1 and 52"},
			"covers.alerts": {"has more than 1000 entries"}, "covers.tags": {"is not present"},
		}},
		"check": {(&Check{Name: "a/b", Kind: CheckTCP, Target: "host", Every: 29, Grace: -1, Timeout: 21, Days: 366, Expect: control}).Validate, map[string][]string{
			"name": {"must be 1 to 100 letters, digits, blanks and . : - _"}, "every": {"must be 30 to 2678400 seconds"}, "grace": {"must be 0 to 2678400 seconds"}, "timeout": {"must be 1 to 20 seconds"},
			"places": {"must be 1 to 20"}, "days": {"must be 0 to 365"}, "expect": {"has characters that cannot be stored"}, "target": {"must be a host and a port, such as example.org:443"},
		}},
		"objective": {(&Objective{Good: "a b", Target: math.NaN(), Days: 1}).Validate, map[string][]string{
			"name": {"is not present"}, "good_metric": {"is invalid"}, "total_metric": {"is not present"}, "target": {"must be a percentage between 0 and 100"}, "days": {"must be 7, 28, 30 or 90"},
		}},
		"token": {(&Token{Role: Member, ExpiresAt: -1, Networks: []string{"10.0.0.0/33"}, Scope: TokenScope{Metrics: []string{"a b"}, Tags: []ScopeTag{{Name: "T", Values: []string{"x"}}, {Name: "t"}}}}).Validate, map[string][]string{
			"name": {"is not present"}, "role": {"must be admin, recorder or viewer"}, "expires_at": {"is not a time in seconds since 1970"},
			"networks": {`"10.0.0.0/33" is neither an address nor a network such as 10.20.0.0/16`},
			"scope": {"is for Record Only and View Only tokens. Leave it out, or choose the role recorder or viewer; networks narrow every role", `"a b" must be 1 to 255 letters, digits and . : - _ or * for anything`,
				"has the tag t twice", "the tag t must have 1 to 100 values"},
		}},
		"service": {(&Service{Settings: Settings{"": "x", "a": control}}).Validate, map[string][]string{
			"type": {"is not present"}, "title": {"is not present"}, "settings": {"is not present"}, "a": {"has characters that cannot be stored"},
		}},
		"snooze": {(&Snooze{StartsAt: -5, EndsAt: new(int64(-5)), Note: long(256)}).Validate, map[string][]string{
			"start": {"is not a time in seconds since 1970"}, "until": {"is not after the start"}, "note": {"is longer than 255 characters"},
		}},
		"comment": {(&IncidentNote{Text: " \n\t "}).ValidateComment, map[string][]string{"text": {"is not present"}}},
		"user":    {(&User{Email: "Ann <ann@example.org>"}).Validate, map[string][]string{"email": {"is not an e-mail address", "must be in lower case"}}},
	} {
		var e *Error
		if err := tt.validate(); !errors.As(err, &e) || e.Kind != Invalid || e.Msg != "invalid parameters" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, e.Fields); diff != "" {
			t.Errorf("%s (-want +got): %s", name, diff)
		}
	}
}

// TestComments: the space around what somebody says goes, and as much can be
// said as is shown.
func TestComments(t *testing.T) {
	t.Parallel()
	n := &IncidentNote{Text: "\n " + strings.Repeat("ä", MaxComment) + " \t"}
	if err := n.ValidateComment(); err != nil || n.Text != strings.Repeat("ä", MaxComment) {
		t.Errorf("%v, %d bytes", err, len(n.Text))
	}
	n.Text += "x"
	if err := n.ValidateComment(); message(err) != "invalid parameters; text is longer than 4000 characters" {
		t.Errorf("%v", err)
	}
}

// TestScopes: a narrowed token sends what its patterns name, in whichever case
// they were written; one without patterns sends everything.
func TestScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		patterns []string
		metric   string
		want     bool
	}{
		{nil, "cpu", true}, {[]string{"CPU.*"}, "cpu.user", true}, {[]string{"cpu"}, "cpu.user", false}, {[]string{"mem", "*.user"}, "cpu.user", true}, {[]string{"*"}, "", true},
	} {
		if s := (&TokenScope{Metrics: tt.patterns}); s.AllowsMetric(tt.metric) != tt.want || s.IsWhole() != (tt.patterns == nil) {
			t.Errorf("%v allows %q: %v", tt.patterns, tt.metric, !tt.want)
		}
	}
	tag := &ScopeTag{Name: "host", Values: []string{"Web-1", "web-2"}}
	for value, want := range map[string]bool{"web-1": true, "web-2": true, "web-3": false, "": false, "web-*": false} {
		if tag.Allows(value) != want {
			t.Errorf("%q is allowed: %v", value, !want)
		}
	}
}

// TestSplitSettings: every setting of a service is kept in one place, and none
// that may be secret among those that are kept as they are.
func TestSplitSettings(t *testing.T) {
	t.Parallel()
	for _, st := range ServiceTypes() {
		s := &Service{Type: st.Type, Settings: Settings{"made_up": "x", "empty": ""}}
		for _, f := range st.Fields {
			s.Settings[f.Name] = "value of " + f.Name
		}
		public, secret := s.SplitSettings()
		if len(public)+len(secret) != len(s.Settings) || secret["made_up"] == "" {
			t.Errorf("%s: %v and %v", st.Type, public, secret)
		}
		masked := s.Masked()
		for name := range secret {
			if _, both := public[name]; both || masked[name] != MaskedSetting {
				t.Errorf("%s: %s is secret, and shown as %q", st.Type, name, masked[name])
			}
		}
		for name, v := range public {
			if masked[name] != v {
				t.Errorf("%s: %s is public, and shown as %q", st.Type, name, masked[name])
			}
		}
	}
}
