package doors

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/promql"
	"github.com/tidemark-metrics/tidemark/internal/promql/promapi"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// promRoot is where Prometheus' HTTP API is.
const promRoot = "/prometheus/api/v1"

// promRows are the calls of it that there are.
func (s *API) promRows() (table []rest.Route) {
	row := func(pattern string) { table = append(table, rest.On(pattern, tidemark.View, s.prom).ReadsMetrics()) }
	for _, path := range []string{"query", "query_range", "query_exemplars", "series", "labels", "format_query"} {
		row("GET    " + promRoot + "/" + path)
		row("POST   " + promRoot + "/" + path)
	}
	for _, path := range []string{"label/{name}/values", "metadata", "rules", "status/buildinfo"} {
		row("GET    " + promRoot + "/" + path)
	}
	return table
}

// promErrors are the words that Prometheus' API has for errors.
var promErrors = map[int]string{
	http.StatusUnauthorized: "unauthorized", http.StatusForbidden: "forbidden", http.StatusTooManyRequests: "too_many_requests",
	http.StatusServiceUnavailable: "unavailable",
}

// asPrometheus writes errors as readers of Prometheus expect them.
func asPrometheus(r *http.Request, err error) error {
	w, ok := refusal(r, err)
	if !ok {
		return err
	}
	w.Body = map[string]any{"status": "error", "errorType": cmp.Or(promErrors[w.Status], "bad_data"), "error": w.Says}
	return &w
}

// orgKey is where a request carries the organization that it is about.
type orgKey struct{}

// prom hands a request to the handler that speaks as Prometheus does.
func (s *API) prom(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	r = r.WithContext(context.WithValue(r.Context(), orgKey{}, who.Org))
	return rest.Reply{Status: http.StatusOK, Serve: func(w http.ResponseWriter) {
		http.StripPrefix(promRoot, s.promql).ServeHTTP(w, r)
	}}, nil
}

func (s *API) newPromQL() http.Handler {
	return promapi.New(promapi.Options{
		Engine: promql.New(promql.Options{Storage: s.Stored, Periods: s.periods, Names: s.names, Spellings: s.Spellings, SubqueryStep: s.SubqueryStep, Now: s.Now}),
		Org: func(r *http.Request) (tidemark.OrgID, error) {
			org, ok := r.Context().Value(orgKey{}).(tidemark.OrgID)
			if !ok {
				return 0, rest.ErrUnauthenticated
			}
			return org, nil
		},
		Metadata: s.metadata, Version: s.Version, Now: s.Now,
		OnError: s.logFailure,
	})
}

// logFailure logs what is our fault.
func (s *API) logFailure(r *http.Request, err error) {
	s.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("path", r.URL.Path), slog.Any("err", err))
}

// periods says how far apart the measurements of metrics are meant to be.
func (s *API) periods(ctx context.Context, org tidemark.OrgID, names []string) (map[string]int64, error) {
	metrics, err := s.Recorder.MetricsByName(ctx, org, names)
	if err != nil {
		return nil, err
	}
	periods := make(map[string]int64, len(metrics))
	for key, m := range metrics {
		if m.Period != nil {
			periods[key] = *m.Period
		}
	}
	return periods, nil
}

// names says what metrics were first called.
func (s *API) names(ctx context.Context, org tidemark.OrgID, keys []string) (map[string]string, error) {
	metrics, err := s.Recorder.MetricsByName(ctx, org, keys)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(metrics))
	for key, m := range metrics {
		names[key] = m.Name
	}
	return names, nil
}

// maxMetadata is how many metrics are described by default.
const maxMetadata = 10_000

// metadata describes one metric, or many.
func (s *API) metadata(ctx context.Context, org tidemark.OrgID, name string, limit int) (map[string][]promapi.Metadata, error) {
	out := make(map[string][]promapi.Metadata)
	if name != "" {
		for _, suffix := range []string{"", "_count"} { // a histogram has no series by its own name
			m, err := s.Readable(s.Recorder.Metric)(ctx, org, protocol.MetricName(name+suffix))
			switch {
			case err == nil && m.Name == protocol.MetricName(name+suffix):
				if family, about := s.family(org, m); family == name {
					out[name] = about
				}
			case tidemark.KindOf(err) == tidemark.Forbidden && suffix != "": // nobody asked for it
			case err != nil && tidemark.KindOf(err) != tidemark.NotFound:
				return nil, err
			}
		}
		return out, nil
	}
	if limit <= 0 || limit > maxMetadata {
		limit = maxMetadata
	}
	for m, err := range s.EachReadable(ctx, org) {
		if err != nil {
			return nil, err
		}
		if len(out) == limit {
			break
		}
		family, about := s.family(org, m)
		out[family] = about
	}
	return out, nil
}

// family describes a metric, or the histogram or summary whose series it is,
// by the name that its sender has for it.
func (s *API) family(org tidemark.OrgID, m *tidemark.Metric) (string, []promapi.Metadata) {
	name, about := protocol.Unescape(m.Name), describe(m)
	sent := s.Recorder.About(org, m.Name)
	if sent.Type == "" {
		return name, about
	}
	about[0].Type = sent.Type
	return protocol.Unescape(sent.Name), about
}

func describe(m *tidemark.Metric) []promapi.Metadata {
	about := promapi.Metadata{Type: "gauge", Unit: m.Unit()}
	if m.Type == tidemark.Counter {
		about.Type = "counter"
	}
	if m.Description != nil {
		about.Help = strings.TrimSpace(*m.Description)
	}
	return []promapi.Metadata{about}
}
