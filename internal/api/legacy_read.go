package api

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// metric answers GET /v1/metrics/:name: the metric, and with parameters of
// time also its measurements by source.
func (s *Server) metric(r *http.Request, who tidemark.Identity) (reply, error) {
	q := r.URL.Query()
	if !q.Has("start_time") && !q.Has("end_time") && !q.Has("count") && !q.Has("resolution") {
		return get(byName, s.Store.Metric)(r, who)
	}
	m, err := s.namedMetric(r, who)
	if err != nil {
		return reply{}, err
	}
	ask, err := s.readLegacy(r, m)
	if err != nil {
		return reply{}, err
	}
	sources, err := s.legacySources(r, who, ask)
	if err != nil {
		return reply{}, resolutionError(err)
	}
	return s.streamed(func(out *jsonWriter) error {
		out.metricBySource(m, ask, sources)
		return nil
	}), nil
}

// legacyRequest is what the old parameters ask for.
type legacyRequest struct {
	query.Request
	count     int64 // the latest points of each source only; 0 for all
	one       bool  // all sources as one
	both      bool  // that one besides each of them
	nextTime  int64 // where what was left out begins; 0 if nothing was
	isCounter bool
}

// legacyPoints is how many points of one source an answer holds.
const legacyPoints = 5000

func (s *Server) readLegacy(r *http.Request, m *tidemark.Metric) (*legacyRequest, error) {
	q := r.URL.Query()
	var p tidemark.Problems
	ask := &legacyRequest{isCounter: m.Type == tidemark.Counter}
	ask.Metric, ask.Summary, ask.Now = m.Name, "all", s.Now().Unix()
	ask.Resolution = queryInt(&p, r, "resolution", 1)
	p.Check(ask.Resolution >= 1 && ask.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	ask.count = queryInt(&p, r, "count", 0)
	p.Check(ask.count >= 0 && ask.count <= legacyPoints, "count", "must be 0 to %d", legacyPoints)
	ask.End = queryInt(&p, r, "end_time", ask.Now)
	ask.Start = queryInt(&p, r, "start_time", -1)
	p.Check(ask.count > 0 || ask.Start >= 0, "start_time", "is not present, nor is count")
	p.Check(ask.Start <= ask.End, "start_time", "is after end_time")
	ask.one = q.Get("breakout_sources") == "false"
	ask.both = q.Get("summarize_sources") == "true"
	if err := p.Err(); err != nil {
		return nil, err
	}
	tree, err := parseForm(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	ask.Filter = sourceFilter(append(textsOf(tree["source"]), textsOf(tree["sources"])...))
	return ask, nil
}

// sourceFilter picks streams by patterns of their source.
func sourceFilter(patterns []string) tsdb.Filter {
	var any []tsdb.Filter
	for _, p := range patterns {
		p = strings.ToLower(p)
		if p == "*" || p == "" {
			return tsdb.Filter{}
		}
		any = append(any, tsdb.TagIs("source", p))
		if tsdb.Glob(p, tidemark.UnassignedName) {
			any = append(any, tsdb.TagAbsent("source"))
		}
	}
	if len(any) == 0 {
		return tsdb.Filter{}
	}
	return tsdb.AnyOf(any...)
}

// sourcePoints are the points of one source.
type sourcePoints map[int64]*tsdb.Summary

func (p sourcePoints) add(at int64, s *tsdb.Summary) {
	if p[at] == nil {
		p[at] = &tsdb.Summary{}
	}
	p[at].Merge(s)
}

func (p sourcePoints) times() []int64 { return slices.Sorted(maps.Keys(p)) }

// legacySources reads the points of each source. Where only the latest are
// asked for and no start is named, it looks further and further back.
func (s *Server) legacySources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]sourcePoints, error) {
	if ask.Start >= 0 {
		// One page is a stretch of time, the same for every source.
		if ask.count == 0 && (ask.End-ask.Start)/ask.Resolution >= legacyPoints {
			ask.nextTime = (ask.Start/ask.Resolution + legacyPoints) * ask.Resolution
			ask.End = ask.nextTime - 1
		}
		return s.readSources(r, who, ask)
	}
	var found map[string]sourcePoints
	for back := max(3600, ask.count*ask.Resolution); ; back *= 12 {
		ask.Start = max(0, ask.End-back)
		sources, err := s.readSources(r, who, ask)
		if errors.Is(err, query.ErrResolution) && found != nil {
			return found, nil // so far back it is not kept
		}
		if err != nil || ask.Start == 0 || enough(sources, int(ask.count)) {
			return sources, err
		}
		found = sources
	}
}

func enough(sources map[string]sourcePoints, count int) bool {
	for _, points := range sources {
		if len(points) < count {
			return false
		}
	}
	return len(sources) > 0
}

func (s *Server) readSources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]sourcePoints, error) {
	series, err := s.Querier.Select(r.Context(), who.Org, ask.Request)
	if err != nil {
		return nil, err
	}
	sources, points := make(map[string]sourcePoints), 0
	for one, err := range series {
		if err != nil {
			return nil, err
		}
		if points += len(one.Times); points > s.AnswerPoints {
			return nil, tidemark.Errorf(tidemark.TooLarge, "the answer has more than %d points; ask for less time or a longer resolution", s.AnswerPoints)
		}
		for _, name := range ask.names(one.Tags) {
			if sources[name] == nil {
				sources[name] = make(sourcePoints)
			}
			for i, at := range one.Times {
				sources[name].add(at, &one.Summaries[i])
			}
		}
	}
	return sources, nil
}

// names returns under which sources a stream is shown.
func (ask *legacyRequest) names(tags tidemark.Tags) []string {
	source, ok := tags.Get("source")
	if !ok {
		source = tidemark.UnassignedName
	}
	switch {
	case ask.one:
		return []string{"all"}
	case ask.both:
		return []string{source, "all"}
	}
	return []string{source}
}

// metricBySource writes the metric and its measurements.
func (out *jsonWriter) metricBySource(m *tidemark.Metric, ask *legacyRequest, sources map[string]sourcePoints) {
	out.value(m)
	out.buf = out.buf[:len(out.buf)-1] // reopens the object
	out.text(`,"resolution":`)
	out.integer(ask.Resolution)
	out.text(`,"measurements":{`)
	for i, name := range slices.Sorted(maps.Keys(sources)) {
		if i > 0 {
			out.text(",")
		}
		out.quoted(name)
		out.text(":")
		out.legacyPoints(sources[name], ask)
	}
	out.text(`},"query":{`)
	if ask.nextTime > 0 {
		out.text(`"next_time":`)
		out.integer(ask.nextTime)
	}
	out.text("}}")
}

func (out *jsonWriter) legacyPoints(points sourcePoints, ask *legacyRequest) {
	times := points.times()
	if n := len(times) - int(ask.count); ask.count > 0 && n > 0 {
		times = times[n:]
	}
	out.text("[")
	for i, at := range times {
		if i > 0 {
			out.text(",")
		}
		s := points[at]
		value := tsdb.Mean
		if ask.isCounter {
			value = tsdb.Last
		}
		out.text(`{"measure_time":`)
		out.integer(at)
		out.text(`,"value":`)
		out.float(s.Value(value))
		out.text(`,"count":`)
		out.float(s.Count)
		for _, f := range []struct {
			name string
			v    float64
		}{{`,"min":`, s.Min}, {`,"max":`, s.Max}, {`,"sum":`, s.Sum}, {`,"sum_squares":`, s.M2 + s.Sum*s.Sum/s.Count}} {
			out.text(f.name)
			out.float(f.v)
		}
		out.text("}")
	}
	out.text("]")
}
