package v1

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// record answers POST /v1/measurements.
func (s *API) record(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if !saysJSON(r) {
		return rest.Reply{}, listError(http.StatusUnsupportedMediaType, "Content-Type must be application/json")
	}
	b := s.newBody()
	defer s.done(b)
	if err := b.read(r, tidemark.MaxBatchBytes); err != nil {
		return rest.Reply{}, recordError(s.Now(), err)
	}
	summary, problems, err := s.Recorder.RecordFrom(r.Context(), who.Org, rest.WithoutMark(b.text), ingest.From(who, r.UserAgent()))
	if err != nil {
		return rest.Reply{}, recordError(s.Now(), err)
	}
	rep := rest.Reply{Status: http.StatusAccepted, Recorded: int64(summary.Accepted), Sample: usage.SampleOf(b.text), Body: RecordedBody{Measurements: &recordedSummary{summary}, Errors: problems}}
	if len(problems) > 0 {
		// Any value counts as a failure, so that it must not be there without one.
		rep.Header = map[string]string{"X-Partial-Failure": "true"}
	}
	return rep, nil
}

// RecordedBody is the answer. Clients take errors for a failure even when it is
// empty, and one looks for the text "failed":0.
type RecordedBody struct {
	Measurements *recordedSummary `json:"measurements,omitempty"`
	Errors       []ingest.Problem `json:"errors,omitempty"`
}

type recordedSummary struct {
	Summary ingest.Summary `json:"summary"`
}

func saysJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "" || kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}

// recordError gives an error the shape that it has on this route, which once
// was a service of its own.
func recordError(now time.Time, err error) error {
	if limit, ok := errors.AsType[*ingest.LimitError](err); ok {
		return shared.LimitError(now, limit)
	}
	e, ok := errors.AsType[*tidemark.Error](err)
	if !ok || e.Kind == tidemark.Unavailable || e.Kind == tidemark.Internal {
		return err
	}
	status := rest.StatusOf(rest.Reply{}, e)
	if rejected, ok := errors.AsType[*ingest.Rejected](err); ok {
		return &rest.WireError{Status: status, Body: RecordedBody{&recordedSummary{rejected.Summary}, rejected.Problems}, Says: inWords(rejected.Problems)}
	}
	if errors.Is(err, ingest.ErrNotJSON) {
		return &rest.WireError{Status: status, Body: map[string]any{"code": status, "message": e.Msg}, Says: e.Msg}
	}
	return listError(status, e.Msg)
}

// inWords says which measurement is to blame, and why: the first of them.
func inWords(problems []ingest.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	p := problems[0]
	return fmt.Sprintf("measurement %d failed: %s %s", p.Index+1, p.Param, p.Reason)
}

func listError(status int, msg string) error {
	return &rest.WireError{Status: status, Body: map[string]any{"errors": []string{msg}}, Says: msg}
}

// How many bodies are kept for those that come, and how long they may be.
const (
	maxKept      = 16
	maxKeptBytes = 2 << 20 // as long as 10,000 measurements with five tags
)

// newBody returns one, with the memory of one before where there is some.
func (s *API) newBody() *body {
	if b := s.bodies.Get(); b != nil {
		return b
	}
	return &body{}
}

// done keeps the memory of a body that is no longer needed.
func (s *API) done(b *body) {
	if cap(b.text) <= maxKeptBytes {
		s.bodies.Put(b)
	}
}

// body is the body of one request.
type body struct {
	text []byte
	z    *gzip.Reader
}

// read is rest.ReadBody into memory that is there already.
func (b *body) read(r *http.Request, limit int64) error {
	b.text = b.text[:0]
	switch strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return b.fill(r, r.Body, limit)
	case "gzip":
		return b.unzip(r, limit)
	}
	return tidemark.Errorf(tidemark.Unsupported, "Content-Encoding must be gzip or left out")
}

func (b *body) unzip(r *http.Request, limit int64) (err error) {
	packed := io.LimitReader(r.Body, limit)
	if b.z == nil {
		b.z, err = gzip.NewReader(packed)
	} else {
		err = b.z.Reset(packed)
	}
	if errors.Is(err, io.EOF) {
		return nil // no body at all
	}
	if err != nil {
		b.z = nil
		return rest.BadGzip(err)
	}
	if err = b.fill(r, b.z, limit); err != nil && tidemark.KindOf(err) == tidemark.Internal {
		return rest.BadGzip(err)
	}
	return err
}

// fill reads all of from, of r's body or made of it.
func (b *body) fill(r *http.Request, from io.Reader, limit int64) (err error) {
	if cap(b.text) == 0 {
		b.text = make([]byte, 0, 64<<10)
	}
	b.text, err = rest.ReadGrowing(r, b.text, from, limit)
	switch {
	case int64(len(b.text)) > limit:
		return tidemark.Errorf(tidemark.TooLarge, "the body is longer than %d bytes", limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &tidemark.Error{Kind: tidemark.Invalid, Msg: "the body ends before it should", Err: err}
	}
	return err
}
