package v1

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// newClient is a world and a client of /v1.
func newClient(t *testing.T) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w := apitest.New(t)
	s := New(w.Base)
	return w, s, w.Client(s.Routes())
}

// TestRecorded: each measurement costs only itself; the answer counts them, and
// says that some failed only where some did.
func TestRecorded(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	for _, x := range []struct {
		kind, body, want, partial string
		recorded                  int64
	}{
		{"application/json", `{"measurements":[{"name":"cpu","value":1,"tags":{"host":"a"}}]}`, `202 {"measurements":{"summary":{"total":1,"accepted":1,"failed":0,"filtered":0}}}`, "", 1},
		{"", "\xef\xbb\xbf" + `{"measurements":[{"name":"cpu","value":1,"tags":{"host":"a"}}]}`, `202 {"measurements":{"summary":{"total":1,"accepted":1,"failed":0,"filtered":0}}}`, "", 1},
		{"application/vnd.api+json; charset=utf-8", `{"measurements":[{"name":"cpu","value":1,"tags":{"host":"a"}}]}`, `202 {"measurements":{"summary":{"total":1,"accepted":1,"failed":0,"filtered":0}}}`, "", 1},
		{"application/json", `{"measurements":[{"name":"cpu","value":1,"tags":{"host":"a"}},{"name":"c pu","value":1,"tags":{"host":"a"}}]}`,
			`202 {"measurements":{"summary":{"total":2,"accepted":1,"failed":1,"filtered":0}},"errors":[{"index":1,"name":"c pu","param":"name",...`, "true", 1},
		{"application/json", `{"measurements":[{"name":"cpu","value":"x","tags":{"host":"a"}}]}`, `400 {"measurements":{"summary":{"total":1,"accepted":0,"failed":1,"filtered":0}},"errors":[{"index":0,"name":"cpu","param":"value",...`, "", 0},
		{"application/json", `{"measurements":`, `400 {"code":400,"message":...`, "", 0},
		{"text/plain", `{"measurements":[]}`, `415 {"errors":["Content-Type must be application/json"]}`, "", 0},
		{"application/x-www-form-urlencoded", `a=b`, `415 {"errors":["Content-Type must be application/json"]}`, "", 0},
	} {
		rec := c.Ask("POST /v1/measurements", x.body, "Content-Type", x.kind)
		got := fmt.Sprintf("%d %s", rec.Code, rec.Body)
		begin, cut := strings.CutSuffix(x.want, "...")
		if got != x.want && !(cut && strings.HasPrefix(got, begin)) || rec.Header().Get("X-Partial-Failure") != x.partial || c.Recorded != x.recorded {
			t.Errorf("%s %s: %s, partial %q, recorded %d, want %s", x.kind, x.body, got, rec.Header().Get("X-Partial-Failure"), c.Recorded, x.want)
		}
	}
}

// TestRecordErrors: errors of recording have the shape that this route always
// had; what is our fault, or will be over soon, stays as it is everywhere.
func TestRecordErrors(t *testing.T) {
	t.Parallel()
	now := time.Unix(apitest.Now, 0)
	for _, c := range []struct {
		err          error
		status       int
		body, reason string
	}{
		{tidemark.Errorf(tidemark.TooLarge, "too long"), 413, `map[errors:[too long]]`, "too long"},
		{&tidemark.Error{Kind: tidemark.Invalid, Msg: "no JSON", Err: ingest.ErrNotJSON}, 400, "map[code:400 message:no JSON]", "no JSON"},
		{&ingest.LimitError{RetryAfter: time.Minute, Err: tidemark.Errorf(tidemark.TooMany, "slow down")}, 429, "map[error:slow down request_time:4000060800]", "slow down"},
		{&ingest.Rejected{Err: tidemark.Errorf(tidemark.Invalid, "none"), Summary: ingest.Summary{Total: 2, Failed: 2}, Problems: []ingest.Problem{{Index: 1, Param: "value", Reason: "is not a number"}}}, 400, "{", "measurement 2 failed: value is not a number"},
		{&ingest.Rejected{Err: tidemark.Errorf(tidemark.Invalid, "none")}, 400, "{", ""},
	} {
		w, ok := errors.AsType[*rest.WireError](recordError(now, c.err))
		if !ok || w.Status != c.status || !strings.HasPrefix(fmt.Sprint(w.Body), c.body) || c.reason != "" && w.Says != c.reason {
			t.Errorf("%v: %+v", c.err, w)
		}
	}
	for _, err := range []error{io.ErrClosedPipe, tidemark.Errorf(tidemark.Unavailable, "no room"), tidemark.Errorf(tidemark.Internal, "bug")} {
		if got := recordError(now, err); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBodiesAreReused: memory that one request left holds nothing of it for the
// next, whether that was whole, broken or packed.
func TestBodiesAreReused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 101)
	var b body
	for i, c := range []struct{ encoding, body, want, refused string }{
		{"", "first and long", "first and long", ""}, {"", "second", "second", ""}, {"gzip", zipped(t, "packed"), "packed", ""}, {"gzip", zipped(t, "again"), "again", ""},
		{"gzip", "not packed", "", "400 the body says it is gzip, but is not"}, {"GZIP", zipped(t, "after that"), "after that", ""}, {"gzip", "", "", ""}, {"identity", "", "", ""},
		{"gzip", zipped(t, "cut off")[:15], "", "400 the body ends before it should"}, {"gzip", zipped(t, "whole"), "whole", ""},
		{"gzip", zipped(t, long), "", "413 the body is longer than 100 bytes"}, {"", long, "", "413 the body is longer than 100 bytes"}, {"", long[1:], long[1:], ""},
		{"br", "x", "", "415 Content-Encoding must be gzip or left out"},
	} {
		r := httptest.NewRequest("POST", "/v1/measurements", strings.NewReader(c.body))
		r.Header.Set("Content-Encoding", c.encoding)
		err := b.read(r, 100)
		if apitest.Said(err) != c.refused || err == nil && string(b.text) != c.want {
			t.Errorf("%d, %s: %q, %q, want %q, %q", i, c.encoding, b.text, apitest.Said(err), c.want, c.refused)
		}
	}
}

// TestKeptBodies: so many bodies are kept, and none that grew long.
func TestKeptBodies(t *testing.T) {
	t.Parallel()
	s := New(nil)
	long, short := &body{text: make([]byte, 0, maxKeptBytes+1)}, &body{text: make([]byte, 0, maxKeptBytes)}
	if s.done(long); s.bodies.Len() != 0 {
		t.Error("a long one is kept")
	}
	if s.done(short); s.newBody() != short || s.newBody() == short {
		t.Error("a short one is not used again, or twice")
	}
	for range maxKept + 5 {
		s.done(&body{}) // does not wait
	}
	if s.bodies.Len() != maxKept {
		t.Errorf("%d are kept", s.bodies.Len())
	}
}
