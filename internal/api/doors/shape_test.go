package doors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/spare"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestShapesOfRefusals: each protocol hears of errors as it expects them, with
// the same status and words; what is our fault stays as it is.
func TestShapesOfRefusals(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/write", nil)
	shapes := map[string]func(error) error{
		"text":    func(err error) error { return asText(r, err) },
		"datadog": func(err error) error { return asDatadog(r, err) },
		"influx":  func(err error) error { return asInflux(r, err) },
	}
	for name, shape := range shapes {
		for _, kind := range tidemark.Kinds {
			err := shape(fmt.Errorf("write: %w", &tidemark.Error{Kind: kind, Msg: "no room", Err: errors.New("secret cause")}))
			w, shaped := errors.AsType[*rest.WireError](err)
			if kind == tidemark.Internal {
				if shaped {
					t.Errorf("%s: our own fault is told as %+v", name, w)
				}
				continue
			}
			if !shaped || w.Status != rest.StatusOf(rest.Reply{}, err) || w.Status < 400 || w.Says != "no room" {
				t.Errorf("%s, kind %d: %+v", name, kind, w)
			}
			if text := fmt.Sprint(string(w.Text), w.Body); !strings.Contains(text, "no room") || strings.Contains(text, "secret") {
				t.Errorf("%s, kind %d says %s", name, kind, text)
			}
			if name == "influx" && w.Body.(map[string]any)["code"] == "" && kind != tidemark.Conflict {
				t.Errorf("kind %d has no word for InfluxDB", kind)
			}
		}
	}
	own := &rest.WireError{Status: 418}
	if got := asText(r, own); !errors.Is(got, own) {
		t.Errorf("an answer with a shape of its own became %v", got)
	}
}

// TestRefusalsOfWrites: when to try again is in bounds, and what was refused is
// said.
func TestRefusalsOfWrites(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/write", nil)
	limit := tidemark.Errorf(tidemark.TooMany, "too many")
	for after, want := range map[time.Duration]string{0: "1", time.Millisecond: "1", 1500 * time.Millisecond: "2", 1000 * time.Hour: "3600"} {
		w, ok := refusal(r, &ingest.LimitError{RetryAfter: after, Err: limit})
		if !ok || w.Status != 429 || w.Header["Retry-After"] != want {
			t.Errorf("after %s: %v, %v", after, w.Header, ok)
		}
	}
	w, ok := refusal(r, &ingest.Rejected{Err: tidemark.Errorf(tidemark.Invalid, "nothing was recorded"), Summary: ingest.Summary{Total: 3, Failed: 3},
		Problems: []ingest.Problem{{Name: "cpu", Param: "time", Reason: "is too old"}}})
	if want := "nothing was recorded: 3 of 3 points were refused; the first, cpu: time is too old"; !ok || w.Says != want {
		t.Errorf("says %q, want %q", w.Says, want)
	}
}

// TestPartial: points that were refused and such that were left out count; what
// loses no point does not.
func TestPartial(t *testing.T) {
	t.Parallel()
	none := &taken{skipped: []protocol.Skip{{Reason: protocol.Stale, Count: 5}, {Reason: protocol.Exemplar, Count: 1}, {Reason: protocol.DuplicateLabel, Count: 2}}}
	if n, text := none.partial(silentOTLP); n != 0 || text != "" {
		t.Errorf("nothing is missing: %d, %q", n, text)
	}
	some := &taken{Summary: ingest.Summary{Total: 5, Accepted: 3, Failed: 2}, problems: []ingest.Problem{{Name: "cpu", Param: "value", Reason: "is no number"}},
		skipped: []protocol.Skip{{Reason: protocol.NotFinite, Count: 4, Example: "mem"}}}
	n, text := some.partial(silentOTLP)
	if n != 6 || !strings.HasPrefix(text, "2 of 5 points were refused; the first, cpu: value is no number; 4 left out, the first of them mem: ") {
		t.Errorf("%d, %q", n, text)
	}
	some.skipped = nil
	if n, text = some.partial(silentOTLP); n != 2 || strings.HasSuffix(text, "; ") {
		t.Errorf("%d, %q", n, text)
	}
	if rep := some.reply(rest.Reply{Status: 204}); rep.Recorded != 3 || rep.Status != 204 {
		t.Errorf("%+v", rep)
	}
}

// TestBenchesAreBounded: whoever waits for one gives up with the request, and a
// bench that grew is not kept.
func TestBenchesAreBounded(t *testing.T) {
	t.Parallel()
	s := &API{benches: make(chan *bench, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.bench(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b := new(bench)
	b.reset(protocol.NewBatch)
	batch := b.batch
	b.text = append(b.text, "text"...)
	if b.reset(protocol.NewBatch); b.batch != batch || len(b.text) != 0 || cap(b.text) == 0 {
		t.Error("a small bench is not used again, or not empty")
	}
	b.text = make([]byte, maxKeptBytes+1)
	if b.reset(protocol.NewBatch); b.batch == batch || cap(b.text) != 0 {
		t.Error("a bench that grew is kept")
	}
}

// TestKeptPacked: memory of bodies as they were sent is kept, unless they are
// long.
func TestKeptPacked(t *testing.T) {
	t.Parallel()
	errRefused := errors.New("refused")
	s := &API{
		Base:     &shared.Base{Options: shared.Options{Site: &rest.Site{}, Recorder: ingest.New(ingest.Options{Engine: memory.New()})}},
		unpacker: protocol.NewUnpacker(4 << 20), small: protocol.NewUnpacker(rest.SmallBody),
		benches: make(chan *bench, 1), packed: spare.NewList[[]byte](maxBenches),
	}
	s.benches <- &bench{}
	for _, c := range []struct{ size, want int }{{2 * maxKeptPacked, 0}, {100, 1}, {100, 1}} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/write", bytes.NewReader(make([]byte, c.size)))
		if _, err := s.take(r, tidemark.Identity{}, ingest.Origin{}, func(*bench) error { return errRefused }); !errors.Is(err, errRefused) {
			t.Fatal(err)
		}
		if n := s.packed.Len(); n != c.want {
			t.Errorf("%d are kept after one of %d bytes, want %d", n, c.size, c.want)
		}
	}
}

// TestNobodyWaitsForAPlaceAtABench: what waits because it is large leaves the
// benches to others.
func TestNobodyWaitsForAPlaceAtABench(t *testing.T) {
	t.Parallel()
	packed := protocoltest.Pack(t, "gzip", bytes.Repeat([]byte("x"), rest.SmallBody+1))
	small, large := protocol.NewUnpacker(rest.SmallBody), protocol.NewUnpacker(1<<20)
	synctest.Test(t, func(t *testing.T) {
		s := &API{Base: &shared.Base{Options: shared.Options{Site: &rest.Site{}, Recorder: ingest.New(ingest.Options{Engine: memory.New()})}}, unpacker: large, small: small, benches: make(chan *bench, 1)}
		s.benches <- &bench{}
		got := make(chan error, 9)
		send := func() *http.Request {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/write", nil)
			if err := s.Site.Hold(r, 1); err != nil {
				t.Fatal(err)
			}
			go func() {
				b, err := s.unpack(r, "gzip", packed)
				if err == nil {
					s.benches <- b
				}
				got <- err
			}()
			synctest.Wait()
			return r
		}
		var all []*http.Request
		for n := 1; len(got) == len(all) && n < cap(got); n++ {
			all = append(all, send()) // each keeps its place until it is answered
		}
		if len(got) == len(all) {
			t.Fatal("nothing ever waits for a place")
		}
		if len(s.benches) != 1 {
			t.Error("the bench is taken while a body waits for a place")
		}
		for _, r := range all {
			rest.Done(r)
			synctest.Wait()
		}
		for range all {
			if err := <-got; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBodiesThatAreTooLong(t *testing.T) {
	t.Parallel()
	limit := protocol.DefaultLimits.Bytes
	if _, err := readPacked(httptest.NewRequest("POST", "/write", strings.NewReader(strings.Repeat("x", limit+1))), nil); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("got %v", err)
	}
	for header, want := range map[string]bool{"application/json": true, "application/json; charset=utf-8": true, "text/json": false, "": false, "application/json-seq": false} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Content-Type", header)
		if isJSON(r) != want {
			t.Errorf("%q is JSON: %v", header, !want)
		}
	}
}
