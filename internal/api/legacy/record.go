package legacy

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

const (
	// maxLegacyMembers is how many fields all measurements of a request may have.
	maxLegacyMembers = 50 * tidemark.MaxBatch
	// maxLegacyValues is the same as parseTree counts: a measurement with all
	// there is has 25.
	maxLegacyValues = 40 * tidemark.MaxBatch
)

// recordLegacy answers POST /v1/metrics: exactly 200, or nothing was recorded.
func (s *API) recordLegacy(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	body, err := rest.ReadBody(r, tidemark.MaxBatchBytes)
	if err != nil {
		return rest.Reply{}, err
	}
	// A tree takes many times the memory of its text, so that what has more
	// members than any real request is refused before it is made.
	if bytes.Count(body, []byte(","))+bytes.Count(body, []byte("&")) > maxLegacyMembers {
		return rest.Reply{}, tidemark.Errorf(tidemark.TooLarge, "a request may have at most %d measurements", tidemark.MaxBatch)
	}
	tree, err := rest.ParseTree(r.Header.Get("Content-Type"), body, maxLegacyValues)
	if err != nil {
		return rest.Reply{}, s.legacyError(err)
	}
	object, isObject := tree.(map[string]any)
	if !isObject {
		return rest.Reply{}, s.legacyError(tidemark.Errorf(tidemark.Invalid, "the body must be an object with gauges and counters"))
	}
	if err := rest.AddQuery(r, object); err != nil {
		return rest.Reply{}, s.legacyError(err)
	}
	if err := s.Recorder.RecordLegacyFrom(r.Context(), who.Org, object, ingest.From(who, r.UserAgent())); err != nil {
		return rest.Reply{}, s.legacyError(err)
	}
	return rest.Reply{Status: http.StatusOK, Recorded: lengthOf(object["gauges"]) + lengthOf(object["counters"]), Sample: usage.SampleOf(body)}, nil
}

// lengthOf is how many things a list, or an object that stands for one, has.
func lengthOf(v any) int64 {
	switch v := v.(type) {
	case []any:
		return int64(len(v))
	case map[string]any:
		return int64(len(v))
	}
	return 0
}

// legacyError adds the time, as the old service did.
func (s *API) legacyError(err error) error {
	if limit, ok := errors.AsType[*ingest.LimitError](err); ok {
		return shared.LimitError(s.Now(), limit)
	}
	e, ok := errors.AsType[*tidemark.Error](err)
	if !ok || e.Kind != tidemark.Invalid {
		return err
	}
	body := rest.ErrorBody(e)
	body["request_time"] = s.Now().Unix()
	return &rest.WireError{Status: http.StatusBadRequest, Body: body, Says: rest.ReasonOf(err)}
}

// metrics answers GET /v1/metrics: the list of metrics, or an expression.
func (s *API) metrics(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if r.URL.Query().Has("compose") {
		return s.composeLegacy(r, who)
	}
	return rest.List("metrics", s.ReadableMetrics)(r, who)
}

// composeLegacy answers GET /v1/metrics?compose=...
func (s *API) composeLegacy(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	put, err := s.Store.Sources(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	names := make(map[string]*tidemark.Source, len(put))
	for _, one := range put {
		names[one.Name] = one
	}
	return s.Evaluated(r, who, "measurements", func(out *jsonout.Writer, one *query.Series) { writeComposedLegacy(out, one, names) })
}

func writeComposedLegacy(out *jsonout.Writer, s *query.Series, names map[string]*tidemark.Source) {
	source, ok := s.Tags.Find("source")
	if !ok {
		source = cmp.Or(s.Tags.String(), tidemark.UnassignedName)
	}
	about := tidemark.Source{Name: source}
	if put := names[strings.ToLower(source)]; put != nil {
		about.DisplayName = put.DisplayName
	}
	out.Text(`{"metric":`)
	if m := s.Metric; m != nil {
		out.Value(m)
	} else {
		out.Text("null")
	}
	out.Text(`,"period":`)
	out.Integer(s.Period)
	out.Text(`,"query":{"metric":`)
	out.Quoted(s.Name())
	out.Text(`,"source":`)
	out.Quoted(source)
	out.Text(`},"source":`)
	out.Value(about)
	out.Text(`,"series":`)
	out.PointsAfter(`,{"measure_time":`, s.Times, s.Values)
	out.Text("}")
}
