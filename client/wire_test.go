package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// wire is a server without a network: it answers each request in turn and
// remembers what it was asked.
type wire struct {
	answers []answer
	asked   []string // method and URI
	bodies  []string
	at      []time.Time
}

type answer struct {
	status int
	body   string
	after  string // Retry-After
}

// RoundTrip implements http.RoundTripper. The last answer is given again, but
// not for ever.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(w.asked) == 100 {
		return nil, errors.New("asked too often")
	}
	a := w.answers[min(len(w.asked), len(w.answers)-1)]
	body, err := io.ReadAll(r.Body)
	w.asked, w.bodies, w.at = append(w.asked, r.Method+" "+r.URL.String()), append(w.bodies, string(body)), append(w.at, time.Now())
	header := http.Header{}
	if a.after != "" {
		header.Set("Retry-After", a.after)
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, err
}

// onWire returns a client of a server that answers so.
func onWire(base string, answers ...answer) (*client.Client, *wire) {
	w := &wire{answers: answers}
	return client.New(base, client.HTTP(&http.Client{Transport: w}), client.Retry(len(answers), time.Second)), w
}

// TestWaits: the client waits for as long as the server says, else twice as long
// each time, and never for more than a minute nor for less than it should.
func TestWaits(t *testing.T) {
	doubling := func(i int) time.Duration { return min(time.Second<<min(i, 10), time.Minute) }
	always := func(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }
	for after, want := range map[string]func(try int) time.Duration{
		"7": always(7 * time.Second), "0": always(0), "3600": always(time.Minute), "9300000000": always(time.Minute),
		"": doubling, "Mon, 16 Nov 2026 12:00:00 GMT": doubling, "-5": doubling,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &wire{answers: []answer{{http.StatusServiceUnavailable, "", after}}}
			c := client.New("http://x", client.HTTP(&http.Client{Transport: w}), client.Retry(100, time.Second))
			if err := c.Do(t.Context(), "GET", "/", nil, nil); tidemark.KindOf(err) != tidemark.Unavailable || len(w.at) != 100 {
				t.Errorf("%q: %v after %d tries", after, err, len(w.at))
			}
			for i := range len(w.at) - 1 {
				if got := w.at[i+1].Sub(w.at[i]); got != want(i) {
					t.Errorf("%q: wait %d is %s, want %s", after, i+1, got, want(i))
				}
			}
		})
	}
}

// TestMeasurementsBelowAPath: a long answer is read whole, also from a server
// that is below a path, or calls itself by another address than the client does.
func TestMeasurementsBelowAPath(t *testing.T) {
	t.Parallel()
	pages := []answer{
		{200, `{"series":[{"tags":{"host":"a"},"measurements":[{"time":1,"value":1}]},{"tags":{"host":"b"},"measurements":[{"time":1,"value":2}]}],
			"links":[{"rel":"next","href":"https://example.org/tidemark/v1/measurements/cpu%20x?start_time=2&resolution=1"}]}`, ""},
		{200, `{"series":[{"tags":{"host":"b"},"measurements":[{"time":2,"value":3}]},{"tags":{},"measurements":[]}],"links":[{"rel":"self","href":"https://example.org/?start_time=9"}]}`, ""},
	}
	want := []client.Series{{Tags: map[string]string{"host": "a"}, Measurements: []client.Point{{Time: 1, Value: 1}}},
		{Tags: map[string]string{"host": "b"}, Measurements: []client.Point{{Time: 1, Value: 2}, {Time: 2, Value: 3}}}, {Tags: map[string]string{}}}
	for _, base := range []string{"https://example.org/tidemark", "https://example.org/tidemark/", "http://10.0.0.5:8433"} {
		c, w := onWire(base, pages...)
		got, err := c.Measurements(t.Context(), "cpu x", url.Values{"resolution": {"1"}})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", base, err, diff)
		}
		root := strings.TrimSuffix(base, "/") + "/v1/measurements/cpu%20x?"
		if diff := cmp.Diff([]string{"GET " + root + "resolution=1", "GET " + root + "start_time=2&resolution=1"}, w.asked); diff != "" {
			t.Errorf("%s: %s", base, diff)
		}
	}
	c, _ := onWire("http://x", answer{200, `{"series":[],"links":[{"rel":"next","href":"http://%zz"}]}`, ""})
	if _, err := c.Measurements(t.Context(), "cpu", nil); err == nil || !strings.HasPrefix(err.Error(), "read the link to the rest: ") {
		t.Errorf("a link that is none: %v", err)
	}
}

// TestOperatorsRequests: each call of the operator's door is the request that
// the server has a route for, names escaped.
func TestOperatorsRequests(t *testing.T) {
	t.Parallel()
	five := int64(5)
	for want, call := range map[string]func(context.Context, *client.Client) error{
		"GET /admin/orgs": func(ctx context.Context, c *client.Client) error { _, err := c.Orgs(ctx); return err },
		`POST /admin/orgs {"name":"a \"b\""}`: func(ctx context.Context, c *client.Client) error {
			_, err := c.CreateOrg(ctx, `a "b"`)
			return err
		},
		"GET /admin/limits": func(ctx context.Context, c *client.Client) error { _, err := c.OrgLimits(ctx); return err },
		`PUT /admin/limits {"alerts":5,"spaces":null}`: func(ctx context.Context, c *client.Client) error {
			return c.SetOrgLimits(ctx, map[tidemark.LimitName]*int64{"alerts": &five, "spaces": nil})
		},
		"GET /admin/audit?actor=a+b&length=5": func(ctx context.Context, c *client.Client) error {
			_, err := c.ServerAudit(ctx, url.Values{"actor": {"a b"}, "length": {"5"}})
			return err
		},
		"DELETE /admin/orgs/7":                                func(ctx context.Context, c *client.Client) error { return c.DeleteOrg(ctx, 7) },
		"GET /admin/users":                                    func(ctx context.Context, c *client.Client) error { _, err := c.Users(ctx); return err },
		"DELETE /admin/users/a%2Fb@x.org":                     func(ctx context.Context, c *client.Client) error { return c.DeleteUser(ctx, "a/b@x.org") },
		"DELETE /admin/users/a@x.org/second_factor":           func(ctx context.Context, c *client.Client) error { return c.ResetSecondFactor(ctx, "a@x.org") },
		`PUT /admin/users/a@x.org/operator {"operator":true}`: func(ctx context.Context, c *client.Client) error { return c.SetOperator(ctx, "a@x.org", true) },
		`PUT /admin/users/a@x.org/password {"password":"p"}`:  func(ctx context.Context, c *client.Client) error { return c.SetPassword(ctx, "a@x.org", "p") },
		`PUT /v1/annotations/a%20b {"display_name":"x"}`: func(ctx context.Context, c *client.Client) error {
			return c.PutAnnotationStream(ctx, "a b", map[string]string{"display_name": "x"})
		},
	} {
		c, w := onWire("http://x", answer{200, `{"id":1}`, ""})
		err := call(t.Context(), c)
		if got := strings.TrimSpace(strings.Replace(w.asked[0], "http://x", "", 1) + " " + w.bodies[0]); err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
		c, _ = onWire("http://x", answer{403, `{"errors":{"request":["not you"]}}`, ""})
		if err := call(t.Context(), c); tidemark.KindOf(err) != tidemark.Forbidden || err.Error() != "not you" {
			t.Errorf("%s, refused: %v", want, err)
		}
	}
}

// TestLines: lines of measurements come as they are, with where to go on; an
// answer without its last line is not taken for whole.
func TestLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body, lines string
		next        int64
		whole       bool
	}{
		{"{\"a\":1}\n{\"b\":2}\n{\"next\":60}\n", "{\"a\":1}\n{\"b\":2}\n", 60, true},
		{"{\"a\":1}\n{\"next\":0}", "{\"a\":1}\n", 0, true},
		{"{\"next\":0}\n", "", 0, true},
		{"{\"a\":1}\n{\"b\":2}\n", "", 0, false},
		{"{\"a\":1}\n{\"ne", "", 0, false},
		{"", "", 0, false},
	} {
		c, w := onWire("http://x", answer{200, tt.body, ""})
		lines, next, err := c.Lines(t.Context(), "a b", 5, 9)
		if string(lines) != tt.lines || next != tt.next || (err == nil) != tt.whole || w.asked[0] != "GET http://x/admin/measurements?end=9&metric=a+b&start=5" {
			t.Errorf("%q: %q, %d, %v; asked %s", tt.body, lines, next, err, w.asked[0])
		}
		if !tt.whole && (err == nil || err.Error() != "the server's answer was cut off") {
			t.Errorf("%q: %v", tt.body, err)
		}
	}
}

// TestRestore: lines are sent as they are and what became of them comes back;
// summaries are waited for, and what stopped them is said.
func TestRestore(t *testing.T) {
	t.Parallel()
	c, w := onWire("http://x", answer{200, `{"recorded":2,"refused":1,"problems":["too old"]}`, ""})
	lines := []byte("{\"a\":1}\n" + strings.Repeat(" ", 3000) + "\n")
	got, err := c.Restore(t.Context(), lines)
	if diff := cmp.Diff(client.Restored{Recorded: 2, Refused: 1, Problems: []string{"too old"}}, got); err != nil || diff != "" || w.bodies[0] != string(lines) {
		t.Errorf("%v %s, sent %d bytes of %d", err, diff, len(w.bodies[0]), len(lines))
	}
	for body, want := range map[string]string{
		"{\"doing\":\"summing\",\"done\":1,\"total\":2}\n{\"done\":2,\"total\":2}\n": "",
		"{\"doing\":\"summing\"}\n{\"error\":\"disk full\"}\n":                       "disk full",
		"{\"doing\":\"summing\"}\n":                                                  "the server stopped before the summaries were made: EOF",
	} {
		c, w := onWire("http://x", answer{200, body, ""})
		if err := c.Settle(t.Context()); (err == nil) != (want == "") || err != nil && err.Error() != want || w.asked[0] != "POST http://x/admin/settle" {
			t.Errorf("%q: %v, asked %v", body, err, w.asked)
		}
	}
}

// TestAnnotationPages: events of all sources come together, with the end of the
// page before, if there is one.
func TestAnnotationPages(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int64{
		`{"events":{"ci":[{"id":1},{"id":2}],"unassigned":[{"id":3}]},"links":[{"rel":"next","href":"https://h/p/v1/annotations/deploys?start_time=1&end_time=77"}]}`: 77,
		`{"events":{"ci":[{"id":1},{"id":2},{"id":3}]}}`:                                                          0,
		`{"events":{"ci":[{"id":1},{"id":2},{"id":3}]},"links":[{"rel":"self","href":"https://h/?end_time=77"}]}`: 0,
	} {
		c, w := onWire("http://x", answer{200, body, ""})
		events, before, err := c.Annotations(t.Context(), "deploys/x", 1, 100)
		if err != nil || len(events) != 3 || before != want || w.asked[0] != "GET http://x/v1/annotations/deploys%2Fx?start_time=1&end_time=100" {
			t.Errorf("%d events, before %d, %v; asked %v", len(events), before, err, w.asked)
		}
	}
}

// TestBrokenAnswers: what is not JSON, or not a list, is an error that says what
// was read; a body that cannot be written is one before anything is sent.
func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`<html>`:                   "invalid character '<' looking for beginning of value",
		`{"alerts":{}}`:            "read alerts: json: cannot unmarshal object into Go value of type []tidemark.Alert",
		`{"alerts":[],"query":[]}`: "read alerts: json: cannot unmarshal array into Go value of type struct { Found int }",
		`{}`:                       "read alerts: unexpected end of JSON input",
	} {
		c, _ := onWire("http://x", answer{200, body, ""})
		if _, err := c.Alerts().List(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	c, w := onWire("http://x", answer{200, "{}", ""})
	var unsupported *json.UnsupportedTypeError
	if err := c.Do(t.Context(), "POST", "/", func() {}, nil); !errors.As(err, &unsupported) || len(w.asked) != 0 {
		t.Errorf("%v, asked %v", err, w.asked)
	}
	if err := c.Do(t.Context(), "BAD METHOD", "/", nil, nil); err == nil || len(w.asked) != 0 {
		t.Errorf("a method that is none: %v", err)
	}
}
