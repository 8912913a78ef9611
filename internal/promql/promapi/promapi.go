// Package promapi is the part of Prometheus' HTTP API that Grafana and other
// readers of Prometheus use: queries, series, labels and metadata, in the
// shapes and with the errors that Prometheus has.
package promapi

import (
	"context"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/promql"
)

// Speaks is the version of Prometheus whose language and answers these are. It
// is what clients go by when they decide what they may ask for.
const Speaks = "3.15.0"

const (
	maxBody   = 1 << 20 // bytes of a form
	maxPoints = 11_000  // of a series, as with Prometheus
)

// Metadata is what is known of a metric, in the words of Prometheus.
type Metadata struct {
	Type string `json:"type"`
	Help string `json:"help"`
	Unit string `json:"unit"`
}

// Options are what a handler works with. Metadata and OnError may be nil.
type Options struct {
	Engine *promql.Engine
	// Org returns the organization that a request is about, or an error that
	// says why it may not ask.
	Org func(*http.Request) (tidemark.OrgID, error)
	// Metadata returns what is known of one metric, or where name is empty of
	// at most limit metrics; of all where that is 0.
	Metadata func(ctx context.Context, org tidemark.OrgID, name string, limit int) (map[string][]Metadata, error)
	// OnError is called with internal errors, of which the client learns little.
	OnError func(*http.Request, error)
	Version string           // of Tidemark
	Now     func() time.Time // time.Now
}

// handler answers requests.
type handler struct {
	Options
}

// endpoint answers one kind of request.
type endpoint func(*request) (*result, error)

// New returns a handler for paths such as /query and /label/job/values: what
// follows /api/v1 in those of Prometheus.
func New(o Options) http.Handler {
	h := &handler{o}
	if h.Now == nil {
		h.Now = time.Now
	}
	if h.OnError == nil {
		h.OnError = func(*http.Request, error) {}
	}
	mux := http.NewServeMux()
	for path, e := range map[string]endpoint{
		"/query": h.query, "/query_range": h.queryRange, "/query_exemplars": h.exemplars,
		"/series": h.series, "/labels": h.labels, "/format_query": h.format,
	} {
		mux.Handle("GET "+path, h.serve(e))
		mux.Handle("POST "+path, h.serve(e))
	}
	for path, e := range map[string]endpoint{
		"/label/{name}/values": h.labelValues, "/metadata": h.metadata, "/rules": h.rules, "/status/buildinfo": h.buildInfo,
	} {
		mux.Handle("GET "+path, h.serve(e))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, &failure{kind: notFound, msg: "there is no " + r.URL.Path + " here"})
	})
	return mux
}

// serve makes a handler of an endpoint.
func (h *handler) serve(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		res, err := h.answer(e, r)
		if err != nil {
			f := failureOf(err)
			if f.kind == internal {
				h.OnError(r, err)
			}
			writeError(w, f)
			return
		}
		res.write(w)
	})
}

func (h *handler) answer(e endpoint, r *http.Request) (*result, error) {
	if err := r.ParseForm(); err != nil {
		return nil, badData("error parsing form values: %v", err)
	}
	org, err := h.Org(r)
	if err != nil {
		return nil, err
	}
	return e(&request{Request: r, org: org, now: h.Now()})
}
