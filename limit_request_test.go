package tidemark

import (
	"testing"
)

// message is what err says, "" if there is none.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestLimitRequests: more can be asked for of what has a limit and can be set
// for one organization.
func TestLimitRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		request LimitRequest
		want    string
	}{
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: 11}, ""},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: 11, Note: long(maxRequestNote)}, ""},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: MaxLimit}, ""},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: MaxLimit + 1}, "invalid parameters; wanted must be at most 9007199254740992"},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: 10}, "invalid parameters; wanted must be more than 10, which is allowed now"},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: -1}, "invalid parameters; wanted must be more than 10, which is allowed now"},
		{LimitRequest{Name: LimitAlerts, Wanted: 11}, "invalid parameters; name has no limit now"},
		{LimitRequest{Name: LimitAlerts, Allowed: 10, Wanted: 11, Note: long(maxRequestNote + 1)}, "invalid parameters; note is longer than 500 characters"},
		{LimitRequest{Name: "patience", Allowed: 10, Wanted: 11}, "invalid parameters; name is not a limit"},
		{LimitRequest{Name: LimitConditions, Allowed: 10, Wanted: 11}, "invalid parameters; name cannot be set for an organization"},
		{LimitRequest{Name: LimitQueryMemory, Allowed: 10, Wanted: 11}, "invalid parameters; name cannot be set for an organization"},
	} {
		if got := message(tt.request.Validate()); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.request, got, tt.want)
		}
	}
	for _, tt := range []struct {
		answer LimitAnswer
		want   string
	}{
		{LimitAnswer{}, ""},
		{LimitAnswer{Accept: true, Value: MaxLimit, Text: long(maxRequestNote)}, ""},
		{LimitAnswer{Accept: true, Value: MaxLimit + 1}, "invalid parameters; value must be at most 9007199254740992"},
		{LimitAnswer{Accept: true, Value: -1, Text: "\x00"}, "invalid parameters; answer has characters that cannot be stored; value must not be negative"},
		{LimitAnswer{Text: long(maxRequestNote + 1)}, "invalid parameters; answer is longer than 500 characters"},
	} {
		if got := message(tt.answer.Validate()); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.answer, got, tt.want)
		}
	}
}

// TestLimitShare: what is not counted or not limited has no share, so that lists
// of the nearest to their limits do not begin with it.
func TestLimitShare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		use   *int64
		limit int64
		want  float64
	}{
		{new(int64(5)), 10, 50}, {new(int64(0)), 10, 0}, {new(int64(15)), 10, 150}, {nil, 10, -1}, {new(int64(5)), 0, -1}, {new(int64(5)), -1, -1},
	} {
		u := LimitUse{Use: tt.use, Limit: tt.limit}
		if got := u.Share(); got != tt.want {
			t.Errorf("share of %v of %d is %v, want %v", tt.use, tt.limit, got, tt.want)
		}
	}
}

// TestLimitRefusalsInWords: a refusal names the limit, its value, and whoever
// can raise it, if anybody can.
func TestLimitRefusalsInWords(t *testing.T) {
	t.Parallel()
	l := NewLimits(map[LimitName]int64{LimitQueryMemory: 50})
	l.SetOrgs(map[OrgID]map[LimitName]int64{4: {LimitAlerts: 3}})
	for name, want := range map[LimitName]string{
		LimitAlerts:      "the limit alerts is reached: 3 alerts; the operator raises it with tidemark org limits ORGANIZATION alerts=NUMBER",
		LimitQueryMemory: "the limit query_memory is reached: 50 points in memory of all queries; the operator raises it with the setting limits.query_memory",
		LimitTags:        "the limit tags is reached: 50 tags of a stream; it is the same on every server",
	} {
		if got := message(l.Refuse(4, name)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
