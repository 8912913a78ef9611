package legacy

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// metric answers GET /v1/metrics/:name: the metric, and with parameters of
// time also its measurements by source.
func (s *API) metric(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	q := r.URL.Query()
	if !q.Has("start_time") && !q.Has("end_time") && !q.Has("count") && !q.Has("resolution") {
		return rest.Get(rest.ByName, s.Readable(s.Store.Metric))(r, who)
	}
	m, err := s.NamedMetric(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	ask, err := s.readLegacy(r, m)
	if err != nil {
		return rest.Reply{}, err
	}
	sources, err := s.legacySources(r, who, ask)
	if err != nil {
		return rest.Reply{}, shared.ResolutionError(err)
	}
	lists := ask.lists(sources)
	return s.Streamed(func(out *jsonout.Writer) error {
		writeMetricBySource(out, m, ask, lists)
		return nil
	}), nil
}

// legacyRequest is what the old parameters ask for.
type legacyRequest struct {
	query.Request
	count         int64 // points of each source; 0 for all
	first         bool  // the first of them, not the latest
	nextTime      int64 // where what was left out begins; 0 if nothing was
	isCounter     bool
	summarizeTime bool   // one point of all times
	across        string // what makes one list of all sources; "" if nothing does
	breakout      bool   // each source has a list
}

const (
	MaxPoints          = 5000      // of one source that an answer holds
	legacyAnswerPoints = 1_000_000 // of all
)

func (s *API) readLegacy(r *http.Request, m *tidemark.Metric) (*legacyRequest, error) {
	var p tidemark.Problems
	ask := &legacyRequest{isCounter: m.Type == tidemark.Counter}
	ask.Metric, ask.Summary, ask.Now = m.Name, "all", s.Now().Unix()
	ask.Resolution = rest.QueryInt(&p, r, "resolution", 1)
	p.Check(ask.Resolution >= 1 && ask.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	ask.count = rest.QueryInt(&p, r, "count", 0)
	p.Check(ask.count >= 0 && ask.count <= MaxPoints, "count", "must be 0 to %d", MaxPoints)
	ask.End = rest.QueryInt(&p, r, "end_time", ask.Now)
	ask.Start = rest.QueryInt(&p, r, "start_time", -1)
	p.Check(ask.count > 0 || ask.Start >= 0, "start_time", "is required unless count is given")
	p.Check(ask.Start <= ask.End, "start_time", "is after end_time")
	ask.first = ask.Start >= 0
	ask.readSummaries(&p, r)
	if err := p.Err(); err != nil {
		return nil, err
	}
	tree, err := rest.ParseForm(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	ask.Filter = sourceFilter(append(shared.TextsOf(tree["source"]), shared.TextsOf(tree["sources"])...))
	return ask, nil
}

// readSummaries reads what is to be summarized. group_by merges all sources
// into one list and drops the lists per source unless breakout_sources=true;
// breakout_sources=false alone implies a group_by.
func (ask *legacyRequest) readSummaries(p *tidemark.Problems, r *http.Request) {
	ask.summarizeTime = queryBool(p, r, "summarize_time", false)
	ask.across = r.URL.Query().Get("group_by")
	p.Check(ask.across == "" || groupings[ask.across] != nil, "group_by", "must be min, max, mean, sum or count")
	ask.breakout = queryBool(p, r, "breakout_sources", ask.across == "")
	if ask.across == "" && (queryBool(p, r, "summarize_sources", false) || !ask.breakout) {
		ask.across = "mean"
	}
}

func queryBool(p *tidemark.Problems, r *http.Request, name string, def bool) bool {
	text := r.URL.Query().Get(name)
	if text == "" {
		return def
	}
	v, ok := rest.Truth(text)
	p.Check(ok, name, "must be true or false")
	return v
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
		if tidemark.Glob(p, tidemark.UnassignedName) {
			any = append(any, tsdb.TagAbsent("source"))
		}
	}
	if len(any) == 0 {
		return tsdb.Filter{}
	}
	return tsdb.AnyOf(any...)
}

// legacySources reads the points of each source.
func (s *API) legacySources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]*sourcePoints, error) {
	switch {
	case ask.count > 0:
		return s.countedSources(r, who, ask)
	case ask.summarizeTime:
		return s.readSources(r, who, ask)
	}
	return s.pageOfSources(r, who, ask)
}

// pageOfSources reads as many points of each source as an answer holds: it
// looks further and further from the start, so that those that are far apart
// cost no answer without a point, and those that are dense no time.
func (s *API) pageOfSources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]*sourcePoints, error) {
	to, first := ask.End, ask.Start/ask.Resolution
	var found map[string]*sourcePoints
	for steps := int64(MaxPoints + 1); ; steps *= 12 {
		sofar := ask.End
		ask.End = min(to, (first+steps)*ask.Resolution-1)
		sources, err := s.readSources(r, who, ask)
		if tidemark.KindOf(err) == tidemark.TooLarge && found != nil {
			ask.nextTime = sofar + 1
			return found, nil
		}
		if err != nil || ask.cut(sources) || ask.End == to {
			return sources, err
		}
		found = sources
	}
}

// cut ends all sources where one of them has as many points as an answer
// holds, so that one page is the same stretch of time for every source, and
// reports whether it did.
func (ask *legacyRequest) cut(sources map[string]*sourcePoints) bool {
	for _, points := range sources {
		if len(points.times) > MaxPoints && (ask.nextTime == 0 || points.times[MaxPoints] < ask.nextTime) {
			ask.nextTime = points.times[MaxPoints]
		}
	}
	if ask.nextTime == 0 {
		return false
	}
	for name, points := range sources {
		n, _ := slices.BinarySearch(points.times, ask.nextTime)
		points.keep(n, true)
		if n == 0 {
			delete(sources, name)
		}
	}
	return true
}

// countedSources reads some points of each source: it looks further and
// further from where they are counted from, until there are as many.
func (s *API) countedSources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]*sourcePoints, error) {
	from, to := max(0, ask.Start), ask.End
	var found map[string]*sourcePoints
	for reach := max(3600, ask.count*ask.Resolution); ; reach *= 12 {
		if ask.first {
			ask.End = min(to, from+reach)
		} else {
			ask.Start = max(from, to-reach)
		}
		sources, err := s.readSources(r, who, ask)
		if errors.Is(err, query.ErrResolution) && found != nil {
			return found, nil // so far back it is not kept
		}
		if err != nil || ask.Start <= from && ask.End >= to || enough(sources, ask) {
			return sources, err
		}
		found = sources
	}
}

func enough(sources map[string]*sourcePoints, ask *legacyRequest) bool {
	need := int(ask.count)
	if ask.isCounter {
		need++ // differences may be made of them
	}
	for _, points := range sources {
		if len(points.times) < need {
			return false
		}
	}
	return len(sources) > 0
}

func (s *API) readSources(r *http.Request, who tidemark.Identity, ask *legacyRequest) (map[string]*sourcePoints, error) {
	series, err := s.Querier.Select(r.Context(), who.Org, ask.Request)
	if err != nil {
		return nil, err
	}
	sources, points := make(map[string]*sourcePoints), 0
	most := min(s.AnswerPoints, legacyAnswerPoints)
	for one, err := range series {
		if err != nil {
			return nil, err
		}
		if points += len(one.Times); points > most {
			return nil, tidemark.Errorf(tidemark.TooLarge, "the answer has more than %d points; ask for less time or a longer resolution", most)
		}
		name := sourceOf(one.Tags)
		if sources[name] == nil {
			sources[name] = &sourcePoints{}
		}
		sources[name].add(one.Times, one.Summaries)
	}
	return sources, nil
}

// sourceOf returns the source that a stream is shown under.
func sourceOf(tags tidemark.Tags) string {
	if source, ok := tags.Find("source"); ok {
		return source
	}
	return tidemark.UnassignedName
}
