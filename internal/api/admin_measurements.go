package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/exchange"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// exportPoints is about how many points one answer of an export has.
	exportPoints = 200_000
	// exportBytes is about how long one is.
	exportBytes = 16 << 20
	// maxImport bounds the body of an import, decompressed.
	maxImport = 32 << 20
)

// exportSeries answers GET /admin/measurements?metric=&start=&end=: the lines
// of one metric from start on, as many as one answer should have, each point as
// fine as it is kept. The last line says where to go on: {"next":TIME}, or 0.
func (s *Server) exportSeries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	metric := r.URL.Query().Get("metric")
	if !tidemark.IsMetricName(metric) {
		return rest.Reply{}, tidemark.InvalidField("metric", "is no name of a metric")
	}
	start, err := exportTime(r, "start")
	if err != nil {
		return rest.Reply{}, err
	}
	end, err := exportTime(r, "end")
	if err != nil {
		return rest.Reply{}, err
	}
	x := exporter{engine: s.Engine, ctx: r.Context(), org: who.Org, metric: tidemark.MetricKey(metric), name: metric, now: s.Now().Unix()}
	if m, err := s.Recorder.Metric(r.Context(), who.Org, metric); err == nil {
		x.name = m.Name
	}
	body, next, err := x.page(start, end)
	if err != nil {
		return rest.Reply{}, err
	}
	if next >= end {
		next = 0
	}
	return rest.Text(http.StatusOK, "application/x-ndjson", fmt.Appendf(body, "{\"next\":%d}\n", next), nil), nil
}

func exportTime(r *http.Request, name string) (int64, error) {
	t, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil || t < 0 || t > tsdb.MaxTime+1 {
		return 0, tidemark.InvalidField(name, "is not a time in seconds since 1970")
	}
	return t, nil
}

// exporter reads one metric.
type exporter struct {
	engine tsdb.Reader
	ctx    context.Context
	org    tidemark.OrgID
	metric string
	name   string // that it was first called
	now    int64
}

// page returns lines from start on, and where the next page starts.
func (x *exporter) page(start, end int64) (body []byte, next int64, err error) {
	streams := int64(0)
	for _, err := range x.engine.Streams(x.ctx, x.org, x.metric, tsdb.Filter{}) {
		if err != nil {
			return nil, 0, err
		}
		streams++
	}
	if streams == 0 {
		return nil, end, nil
	}
	for points := int64(0); start < end && points < exportPoints && len(body) < exportBytes; {
		step, to := x.stretch(start, end, streams)
		n, err := x.read(&body, start, to, step)
		if err != nil {
			return nil, 0, err
		}
		points, start = points+n, to
	}
	return body, start, nil
}

// stretch returns the finest step that is kept of start, and how far to read
// at a time: where all streams had a point every ten seconds, or one in each
// step where those are longer, that is an answer's worth of them.
func (x *exporter) stretch(start, end, streams int64) (step, to int64) {
	tiers := x.engine.Tiers()
	step = tiers[len(tiers)-1].Window
	for i := len(tiers) - 1; i >= 0; i-- {
		coarser := tiers[min(i+1, len(tiers)-1)].Window
		from := (x.now - tiers[i].Retention + coarser - 1) / coarser * coarser
		if start < from {
			break
		}
		step, to = tiers[i].Window, end
		if i > 0 { // up to where the finer one begins
			finer := (x.now - tiers[i-1].Retention + step - 1) / step * step
			to = min(end, max(finer, start+step))
		}
	}
	if to == 0 { // older than anything that is kept
		last := tiers[len(tiers)-1]
		return step, min(end, max(start+1, (x.now-last.Retention+step-1)/step*step))
	}
	most := max(step, exportPoints/streams*max(step, 10)/step*step)
	return step, min(to, start/step*step+max(most, step))
}

// read appends the lines of [start, end) and returns how many points they
// have.
func (x *exporter) read(body *[]byte, start, end, step int64) (points int64, err error) {
	q := &tsdb.Query{Metric: x.metric, Start: start / step * step, End: end, Step: step, Function: tsdb.All}
	for series, err := range x.engine.Select(x.ctx, x.org, q) {
		if err != nil {
			return 0, err
		}
		if slices.ContainsFunc(series.Summaries, func(s tsdb.Summary) bool { return !s.IsSingle() }) {
			series = series.Clone()
			if err := x.addSketches(series, q); err != nil {
				return 0, err
			}
		}
		named := *series
		named.Metric = x.name
		*body = exchange.Append(*body, &named)
		points += int64(len(series.Times))
	}
	return points, nil
}

// addSketches gives series what is known of the distributions of its summaries.
func (x *exporter) addSketches(series *tsdb.Series, q *tsdb.Query) error {
	dq := *q
	dq.Function = tsdb.Distributions
	for _, t := range series.Tags {
		dq.Filter.Args = append(dq.Filter.Args, tsdb.TagIs(t.Name, t.Value))
	}
	if len(dq.Filter.Args) > 0 {
		dq.Filter.Op = tsdb.And
	}
	series.Sketches = make([]*sketch.Sketch, len(series.Times))
	for d, err := range x.engine.Select(x.ctx, x.org, &dq) {
		if err != nil {
			return err
		}
		if d.Tags.Compare(series.Tags) != 0 {
			continue // it has more tags
		}
		for i, t := range d.Times {
			at, ok := slices.BinarySearch(series.Times, t)
			// What is known of a part only could not be told from the whole.
			if ok && !series.Summaries[at].IsSingle() && d.Summaries[i].Counts(d.Sketches[i]) {
				series.Sketches[at] = d.Sketches[i].Clone()
			}
		}
	}
	return nil
}

// importSeries answers POST /admin/measurements: lines of measurements.
func (s *Server) importSeries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	body, err := rest.ReadBody(r, maxImport)
	if err != nil {
		return rest.Reply{}, err
	}
	var series []*tsdb.Series
	for i, line := range bytes.Split(body, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		one, err := exchange.Parse(line)
		if err != nil {
			return rest.Reply{}, tidemark.Errorf(tidemark.Invalid, "line %d: %v", i+1, err)
		}
		series = append(series, one)
	}
	if len(series) == 0 {
		return rest.Reply{}, tidemark.Errorf(tidemark.Invalid, "there are no lines of measurements in the body")
	}
	res, err := s.Recorder.Restore(r.Context(), who.Org, series)
	return rest.OK(res), err
}

// settle answers POST /admin/settle: lines that say that it goes on, and in
// the end how it went.
func (s *Server) settle(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	return rest.Reply{Status: http.StatusOK, Kind: "application/x-ndjson", Events: func(w http.ResponseWriter) {
		say, done := lines(w), make(chan error, 1)
		go func() {
			if s.Settle == nil {
				done <- nil
				return
			}
			done <- s.Settle(r.Context())
		}()
		for t := time.NewTicker(2 * time.Second); ; {
			select {
			case <-t.C:
				say(progressLine{Doing: "Making summaries"})
				continue
			case err := <-done:
				t.Stop()
				if err != nil {
					say(progressLine{Error: err.Error()})
					return
				}
				say(progressLine{Done: 1, Total: 1})
				return
			}
		}
	}}, nil
}
