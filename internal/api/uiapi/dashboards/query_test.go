package dashboards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
)

// TestQueriesOfPages: what a page asks for at once is answered in its order, each
// query for itself; what is wrong with the request is said of its fields.
func TestQueriesOfPages(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", nil, apitest.Now-120, 1, 2)
	const span = `"start":4000060680,"end":4000060800,"resolution":60`
	line := func(id string) string {
		return `{"id":"` + id + `","series":[{"metric":"cpu","tags":{"host":"a"},"times":[4000060680,4000060740],"values":[1,2]}],"streams":1}`
	}
	var many []string
	for i := range maxQueries {
		many = append(many, fmt.Sprintf(`{"id":"%d","metric":"cpu"}`, i))
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{` + span + `,"queries":[]}`, Want: `200 {"resolution":60,"results":[` + "\n]}"},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{` + span + `,"queries":[{"id":"b","metric":"cpu"},{"id":"a","metric":"cpu"}]}`, Want: `200 {"resolution":60,"results":[` + "\n" + line("b") + "\n," + line("a") + "\n]}"},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{` + span + `,"queries":[{"id":"x","composite":"s("},{"id":"a","metric":"cpu"}]}`, Want: `200 {"resolution":60,"results":[` + "\n" + `{"id":"x","series":[],"streams":0,"error":{"message":...`},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{` + span + `,"queries":[` + strings.Join(many, ",") + `,{"id":"z","metric":"cpu"}]}`, Want: `400 {"errors":{"params":{"queries":["has more than 200 entries"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{"start":5,"end":5,"resolution":0}`, Want: `400 {"errors":{"params":{"resolution":["must be 1 to 604800 seconds"],"start":["must be before end"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{"start":-1,"end":1099511627776,"resolution":604801}`, Want: `400 {"errors":{"params":{"resolution":["must be 1 to 604800 seconds"],"start":["must be before end"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/query", Body: `{` + span + `,"dynamic":[{"name":""}]}`, Want: `400 {"errors":{"params":{"dynamic":...`},
	)
	var all queryAnswer
	if err := json.Unmarshal(c.Ask("POST /ui/api/query", `{`+span+`,"queries":[`+strings.Join(many, ",")+`]}`).Body.Bytes(), &all); err != nil || len(all.Results) != maxQueries {
		t.Fatalf("%d results, %v", len(all.Results), err)
	}
	for i, r := range all.Results {
		if r.ID != fmt.Sprint(i) || len(r.Series) != 1 {
			t.Fatalf("result %d is %+v", i, r)
		}
	}
	if l := w.Querier.Load(); l.Queries != 0 || l.Points != 0 {
		t.Errorf("after all answers %+v are held", l)
	}
}

// TestAnswersAreBounded: an answer as long as an organization may have ends in
// errors of the queries that would make it longer; those before are whole.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	most := int64(2*seriesBytes + 4*pointBytes)
	limits := tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueryBytes: most})
	a := &answers{api: New(shared.New(shared.Options{Limits: limits})), org: 1}
	result := shared.OneResult{ID: "q", Series: []shared.OneSeries{{Times: []int64{1, 2}, Values: []float64{1, 2}}}}
	for i, want := range []bool{true, true, false, false} {
		got := a.bounded(result)
		if (got.Error == nil) != want || got.ID != "q" || len(got.Series) == 0 == want || got.Series == nil {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

// TestResultsAsJSON: a result that is written piece by piece is what
// encoding/json would make of it, but for times that the line before has too.
func TestResultsAsJSON(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[a-z"\\<é\n]{0,5}`)
	rapid.Check(t, func(t *rapid.T) {
		r := shared.OneResult{ID: text.Draw(t, "id"), Series: []shared.OneSeries{}, Streams: rapid.IntRange(0, 5).Draw(t, "streams"), Period: rapid.Int64Range(0, 2).Draw(t, "period")}
		for range rapid.IntRange(0, 3).Draw(t, "series") {
			s := shared.OneSeries{Metric: text.Draw(t, "metric"), Tags: rapid.MapOfN(text, text, 0, 2).Draw(t, "tags"), Times: []int64{}, Values: []float64{}, Summary: text.Draw(t, "summary")}
			for i := range rapid.IntRange(0, 3).Draw(t, "points") {
				s.Times, s.Values = append(s.Times, int64(i)), append(s.Values, rapid.Float64Range(-1e30, 1e30).Draw(t, "value"))
			}
			if rapid.Bool().Draw(t, "range") {
				low := rapid.Float64Range(-1e30, 1e30).Draw(t, "low")
				high := low + 1
				s.Low, s.High = &low, &high
			}
			r.Series = append(r.Series, s)
		}
		if rapid.Bool().Draw(t, "failed") {
			r.Error = &shared.QueryError{Message: text.Draw(t, "message"), Offset: 3}
		}
		var b strings.Builder
		out := jsonout.New(&b)
		(&answers{}).writeOne(out, r)
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		var got shared.OneResult
		err := json.Unmarshal([]byte(b.String()), &got)
		for i := range got.Series {
			if i > 0 && got.Series[i].Times == nil {
				got.Series[i].Times = got.Series[i-1].Times
			}
		}
		if err != nil || !cmp.Equal(r, got) {
			t.Fatalf("%v in %s: %s", err, b.String(), cmp.Diff(r, got))
		}
	})
}

// TestExpressionsOnPages: an expression that somebody writes is formatted, or
// what is wrong with it is said with where that is; that is no failure.
func TestExpressionsOnPages(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/compose/check", Body: `{"composite":"sum( s('cpu','*') )"}`, Want: `200 {"formatted":"sum(s(\"cpu\", \"*\"))","ok":true}`},
		apitest.Exchange{Request: "POST /ui/api/compose/check", Body: `{"composite":"summ(s(\"cpu\",\"*\"))"}`, Want: `200 {"error":{"message":...`},
		apitest.Exchange{Request: "POST /ui/api/compose/check", Body: `{"composite":[]}`, Want: `400 {"errors":{"params":{"composite":["must be a text"]}}}`},
	)
	if got := c.Says("GET /ui/api/compose/functions", ""); !strings.HasPrefix(got, `200 {"functions":[{"name":`) {
		t.Errorf("functions: %s", got)
	}
}

// TestRefusedQueries: a query that is refused is answered with why, beside the
// others; what is our fault, or of a client that left, ends the answer.
func TestRefusedQueries(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	a := &answers{ctx: ctx, q: &shared.ManyQueries{Queries: []shared.OneQuery{{ID: "a"}}}, made: []chan answered{make(chan answered, 1)}}
	a.made[0] <- answered{err: tidemark.Errorf(tidemark.TooMany, "too many queries")}
	if got, err := a.next(func() {}); err != nil || got.result.ID != "a" || got.result.Error == nil || got.result.Error.Message != "too many queries" || got.result.Series == nil {
		t.Errorf("%+v, %v", got, err)
	}
	a.made[0] <- answered{err: io.ErrClosedPipe}
	if _, err := a.next(func() {}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("our fault: %v", err)
	}
	leave()
	if _, err := a.next(func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("the client left: %v", err)
	}
	a.at = 1
	if got, err := a.next(func() {}); err != nil || got.result.ID != "" {
		t.Errorf("after the last: %+v, %v", got, err)
	}
}

// sentOn is where an answer is written, and tells what of it was sent before it
// was whole.
type sentOn struct {
	strings.Builder
	sent chan string
}

func (s *sentOn) Flush() error {
	s.sent <- s.String()
	return nil
}

// TestFirstAnswersAreSent: answers that are there are sent while another one is
// still being made.
func TestFirstAnswersAreSent(t *testing.T) {
	t.Parallel()
	a := &answers{api: New(shared.New(shared.Options{})), ctx: t.Context(), q: &shared.ManyQueries{Resolution: 60}, slots: make(chan struct{}, 3)}
	of := func(id string) answered {
		return answered{result: shared.OneResult{ID: id, Series: []shared.OneSeries{}}}
	}
	for range 3 {
		a.made = append(a.made, make(chan answered, 1))
		a.slots <- struct{}{}
	}
	a.made[1] <- of("b")
	to := &sentOn{sent: make(chan string)}
	ended := make(chan error)
	go func() {
		out := jsonout.New(to)
		err := a.write(out, of("a"))
		ended <- errors.Join(err, out.Flush())
	}()
	const both = `{"resolution":60,"results":[` + "\n" + `{"id":"a","series":[],"streams":0}` + "\n" + `,{"id":"b","series":[],"streams":0}` + "\n"
	if got := <-to.sent; got != both {
		t.Errorf("sent before the third is there: %s", got)
	}
	a.made[2] <- of("c")
	if err := <-ended; err != nil || to.String() != both+`,{"id":"c","series":[],"streams":0}`+"\n]}\n" {
		t.Errorf("%v, %s", err, to.String())
	}
}
