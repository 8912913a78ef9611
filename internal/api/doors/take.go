package doors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/influx"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
	"github.com/tidemark-metrics/tidemark/internal/turns"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// maxBenches is how many bodies are taken apart at once; others wait. A body
// is many times as large in memory as it was on the wire.
const maxBenches = 16

// maxKeptPacked is how long bodies as they were sent may be whose memory is kept
// for the next request: as long as 10,000 samples are, packed.
const maxKeptPacked = 1 << 20

// What a bench keeps of its memory from one request to the next.
const (
	maxKeptBytes  = 4 << 20
	maxKeptPoints = 20_000
)

// bench is where the body of one request is taken apart.
type bench struct {
	text   []byte
	batch  *protocol.Batch
	remote remotewrite.Decoder
	otlp   *otlp.Decoder
	influx influx.Decoder
}

func (b *bench) reset(newBatch func(protocol.Limits) *protocol.Batch) {
	if b.batch == nil || cap(b.text) > maxKeptBytes || cap(b.batch.Points) > maxKeptPoints {
		*b = bench{batch: newBatch(protocol.DefaultLimits), otlp: otlp.New(otlp.DefaultResource)}
	}
	b.text = b.text[:0]
	b.batch.Reset()
}

// taken is what became of a request.
type taken struct {
	ingest.Summary
	problems []ingest.Problem
	skipped  []protocol.Skip
	sample   usage.Sample
}

// take records what decode makes of the body of r.
func (s *API) take(r *http.Request, who tidemark.Identity, from ingest.Origin, decode func(*bench) error) (*taken, error) {
	kept := s.packed.Get()
	if kept == nil {
		kept = new([]byte)
	}
	packed, err := readPacked(r, (*kept)[:0])
	if cap(packed) <= maxKeptPacked {
		*kept = packed
		defer s.packed.Put(kept)
	}
	if err != nil {
		return nil, err
	}
	return s.takeBody(r, who, packed, r.Header.Get("Content-Encoding"), from, decode)
}

// takeBody is take for a body that was read already.
func (s *API) takeBody(r *http.Request, who tidemark.Identity, packed []byte, encoding string, from ingest.Origin, decode func(*bench) error) (*taken, error) {
	b, err := s.unpack(r, encoding, packed)
	if err != nil {
		return nil, err
	}
	defer func() { s.benches <- b }()
	if err := decode(b); err != nil {
		return nil, err
	}
	from.UserAgent = r.UserAgent()
	from.Scoped(who)
	t := &taken{skipped: append([]protocol.Skip(nil), b.batch.Skipped...), sample: usage.SampleOfPoints(b.batch)}
	t.Summary, t.problems, err = s.Recorder.RecordPoints(r.Context(), who.Org, b.batch, from)
	if err == nil {
		s.noteLeftOut(r.Context(), who.Org, t.skipped)
	}
	return t, err
}

// noteLeftOut counts what is not kept of a request that is not sent again.
func (s *API) noteLeftOut(ctx context.Context, org tidemark.OrgID, skipped []protocol.Skip) {
	for _, skip := range skipped {
		if s.LeftOut != nil {
			s.LeftOut(skip)
		}
		if skip.Reason == protocol.TooLarge { // the others are common
			s.Logger.LogAttrs(ctx, slog.LevelWarn, "values are left out: they are too large", slog.Int64("org", int64(org)),
				slog.String("metric", skip.Example), slog.Int("values", skip.Count))
		}
	}
}

// unpack unpacks a body on a bench, after it has waited for a place if that
// makes it large. The size is not known before, so that large ones are unpacked
// twice: what is too large takes no memory. Nobody waits for a place at a bench.
func (s *API) unpack(r *http.Request, encoding string, packed []byte) (*bench, error) {
	b, err := s.unpackAt(r, s.small, encoding, packed, 0)
	if tidemark.KindOf(err) != tidemark.TooLarge || err == nil {
		return b, err
	}
	size, err := s.unpacker.Size(encoding, packed)
	if err != nil {
		return nil, err
	}
	if err := rest.Enlarge(r); err != nil {
		return nil, err
	}
	return s.unpackAt(r, s.unpacker, encoding, packed, size+bytes.MinRead)
}

// unpackAt unpacks a body on a bench that is free, with room for size bytes.
func (s *API) unpackAt(r *http.Request, u *protocol.Unpacker, encoding string, packed []byte, size int) (*bench, error) {
	b, err := s.bench(r.Context())
	if err != nil {
		return nil, err
	}
	b.reset(s.Recorder.NewBatch)
	b.text = slices.Grow(b.text, size)
	if b.text, err = u.Unpack(b.text, encoding, packed); err != nil {
		s.benches <- b
		return nil, err
	}
	return b, nil
}

// bench waits for one that is free.
func (s *API) bench(ctx context.Context) (b *bench, err error) {
	err = turns.Of(ctx).Wait(ctx, func() error {
		select {
		case b = <-s.benches:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return b, err
}

// readPacked appends a body as it was sent to dst.
func readPacked(r *http.Request, dst []byte) ([]byte, error) {
	limit := int64(protocol.DefaultLimits.Bytes)
	body, err := rest.ReadGrowing(r, dst, r.Body, limit)
	switch {
	case int64(len(body)) > limit:
		return body, tidemark.Errorf(tidemark.TooLarge, "the body has more than %d bytes", limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return body, &tidemark.Error{Kind: tidemark.Invalid, Msg: "the body ends before it should", Err: err}
	}
	return body, err
}

// reply is an answer that counts what was recorded.
func (t *taken) reply(rep rest.Reply) rest.Reply {
	rep.Recorded, rep.Sample = int64(t.Accepted), t.sample
	return rep
}

// words says what was refused, and why the first of it was; "" if nothing was.
func (t *taken) words() string {
	if len(t.problems) == 0 {
		return ""
	}
	p := t.problems[0]
	return fmt.Sprintf("%d of %d points were refused; the first, %s: %s %s", t.Failed, t.Total, p.Name, p.Param, p.Reason)
}

// What senders of each protocol are not told of: what they send in the normal
// course of things, and can do nothing about.
var (
	silentOTLP    = []protocol.Reason{protocol.Stale, protocol.Exemplar, protocol.DuplicateLabel}
	silentRemote  = []protocol.Reason{protocol.Stale, protocol.Exemplar, protocol.NotFinite, protocol.TooLarge}
	silentInflux  = []protocol.Reason{protocol.NotFinite, protocol.Text}
	silentDatadog = []protocol.Reason{protocol.NotFinite, protocol.DuplicateLabel} // a tag may have several values there
)

// leftOut says what of the request is not kept, in words, and how many points
// that are.
func (t *taken) leftOut(silent []protocol.Reason) (words string, n int) {
	var parts []string
	for _, s := range t.skipped {
		if slices.Contains(silent, s.Reason) {
			continue
		}
		first := s.Example
		if first != "" {
			first = ", the first of them " + first
		}
		parts = append(parts, fmt.Sprintf("%d left out%s: %s", s.Count, first, s.Reason))
		if s.Reason != protocol.DuplicateLabel { // of which the point is kept
			n += s.Count
		}
	}
	return strings.Join(parts, "; "), n
}

// partial is the error of a request of which not all was taken: how many
// points were not, and why; "" if all was, but for what is silent.
func (t *taken) partial(silent []protocol.Reason) (rejected int, text string) {
	text, skipped := t.leftOut(silent)
	if words := t.words(); words != "" {
		text = strings.TrimSuffix(words+"; "+text, "; ")
	}
	return t.Failed + skipped, text
}
