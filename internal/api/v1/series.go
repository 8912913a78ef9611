package v1

import (
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// answerSteps is how many steps of one series an answer holds at most: more is
// on the page that its link points to.
const answerSteps = 1_000_000

// measurements answers GET /v1/measurements/:name.
func (s *API) measurements(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name, err := rest.ByName(r)
	if err != nil {
		return rest.Reply{}, err
	}
	req, err := s.readRequest(r)
	if err != nil {
		return rest.Reply{}, err
	}
	req.Metric = name
	m, err := s.Readable(s.Recorder.Metric)(r.Context(), who.Org, name)
	if err != nil {
		return rest.Reply{}, err
	}
	page, err := readSeriesPage(r, &req, s.AnswerPoints)
	if err != nil {
		return rest.Reply{}, err
	}
	series, err := s.Querier.Select(r.Context(), who.Org, req)
	if err != nil {
		return rest.Reply{}, shared.ResolutionError(err)
	}
	next, stop := iter.Pull2(series)
	first, err, more := next()
	if err != nil {
		stop()
		return rest.Reply{}, shared.ResolutionError(err)
	}
	return s.Streamed(func(out *jsonout.Writer) error {
		defer stop()
		writeMeasurementsHead(out, m, req.Resolution)
		rest, err := page.write(out, first, more, next)
		if err != nil {
			return err
		}
		out.Text("],\"links\":[")
		if rest != nil {
			out.Text(`{"rel":"next","href":`)
			out.Quoted(s.SelfURL(r) + "?" + rest.Encode())
			out.Text("}")
		}
		out.Text("]}")
		return nil
	}), nil
}

func writeMeasurementsHead(out *jsonout.Writer, m *tidemark.Metric, resolution int64) {
	out.Text(`{"name":`)
	out.Quoted(m.Name)
	out.Text(`,"resolution":`)
	out.Integer(resolution)
	out.Text(`,"attributes":`)
	out.Value(m.Attributes)
	out.Text(`,"series":[`)
}

// seriesPage is the part of a long answer that one request gets: a slice of
// the time, and of the series in it those after the first skip.
type seriesPage struct {
	query   url.Values
	skip    int
	points  int   // at most, unless one series has more
	start   int64 // of the slice after this one; 0 if this is the last
	endTime int64
}

// readSeriesPage shortens req to one page.
func readSeriesPage(r *http.Request, req *query.Request, points int) (*seriesPage, error) {
	var p tidemark.Problems
	page := &seriesPage{query: r.URL.Query(), points: points, endTime: req.End}
	page.skip = int(rest.IntOf(&p, page.query, "series_offset", 0))
	p.Check(page.skip >= 0, "series_offset", "must not be negative")
	if err := p.Err(); err != nil {
		return nil, err
	}
	steps := min(answerSteps, int64(points))
	if req.End/req.Resolution-req.Start/req.Resolution >= steps {
		page.start = (req.Start/req.Resolution + steps) * req.Resolution
		req.End = page.start - 1
	}
	return page, nil
}

// write writes the series of the page and returns where the rest is, if any.
func (page *seriesPage) write(out *jsonout.Writer, first *tsdb.Series, more bool, next func() (*tsdb.Series, error, bool)) (url.Values, error) {
	points, n := 0, 0
	var err error
	for series := first; more; series, err, more = next() {
		if err != nil {
			return nil, err
		}
		n++
		if n <= page.skip {
			continue
		}
		if points > 0 && points+len(series.Times) > page.points {
			return page.from(0, n-1), nil
		}
		points += len(series.Times)
		if n > page.skip+1 {
			out.Text(",")
		}
		out.Series(series)
		if out.Err() != nil {
			return nil, out.Err()
		}
	}
	if page.start > 0 {
		return page.from(page.start, 0), nil
	}
	return nil, nil
}

// from returns the parameters of the page that starts there; 0 is where this
// one did.
func (page *seriesPage) from(start int64, skip int) url.Values {
	q := page.query
	q.Del("series_offset")
	if skip > 0 {
		q.Set("series_offset", strconv.Itoa(skip))
	}
	if start > 0 {
		// The end is named from now on: it must not move between pages.
		q.Set("start_time", strconv.FormatInt(start, 10))
		q.Set("end_time", strconv.FormatInt(page.endTime, 10))
		q.Del("duration")
	}
	return q
}

// readRequest reads what is asked of a metric.
func (s *API) readRequest(r *http.Request) (query.Request, error) {
	q := r.URL.Query()
	var p tidemark.Problems
	req := query.Request{
		Summary: q.Get("summary_function"), GroupFunction: q.Get("group_by_function"), Now: s.Now().Unix(),
	}
	req.Start, req.End, req.Resolution = s.ReadWindow(&p, q)
	if req.GroupBy = groupBy(q); req.GroupBy != nil {
		_, percentile := tidemark.Quantile(strings.ToLower(req.Summary))
		p.Check(req.GroupFunction != "" || percentile, "group_by_function", "is not present")
	}
	if err := p.Err(); err != nil {
		return req, err
	}
	var err error
	req.Filter, err = readFilter(r)
	return req, err
}

// groupBy reads tags to group by: one text with commas, or a list.
func groupBy(q url.Values) (tags []string) {
	for _, text := range slices.Concat(q["group_by"], q["group_by[]"]) {
		if text != "" {
			tags = append(tags, strings.Split(text, ",")...)
		}
	}
	return tags
}

// readFilter reads tags[NAME]=pattern or tags_search.
func readFilter(r *http.Request) (tsdb.Filter, error) {
	search := r.URL.Query().Get("tags_search")
	tree, err := rest.ParseForm(r.URL.RawQuery)
	if err != nil {
		return tsdb.Filter{}, err
	}
	tags, isTags := tree["tags"].(map[string]any)
	switch {
	case search != "" && isTags:
		return tsdb.Filter{}, tidemark.InvalidField("tags_search", "cannot be used with tags")
	case search != "":
		return query.ParseTagsSearch(search)
	case !isTags:
		if all, _ := tree["tags"].(string); all != "" && all != "*" {
			return tsdb.Filter{}, tidemark.InvalidField("tags", "must be given as tags[NAME]=VALUE")
		}
		return tsdb.Filter{}, nil
	}
	patterns := make(map[string][]string, len(tags))
	for name, v := range tags {
		patterns[name] = shared.TextsOf(v)
	}
	return query.TagsFilter(patterns)
}

// compose answers GET /v1/measurements?compose=...
func (s *API) compose(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.Evaluated(r, who, "series", writeComposed)
}

// writeComposed writes one series of a composite.
func writeComposed(out *jsonout.Writer, s *query.Series) {
	out.Text(`{"tags":`)
	out.Tags(s.Tags)
	out.Text(`,"measurements":`)
	out.Points(s.Times, s.Values)
	if s.Leaf != nil {
		out.Text(`,"query":`)
		out.Value(s.Leaf)
	}
	if m := s.Metric; m != nil {
		out.Text(`,"metric":`)
		out.Value(map[string]any{"name": m.Name, "type": m.Type, "period": m.Period, "attributes": m.Attributes})
	}
	if s.Period > 0 {
		out.Text(`,"period":`)
		out.Integer(s.Period)
	}
	out.Text("}")
}
