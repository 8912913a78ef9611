package ingest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// newSpeller is a bench that keeps spellings, and a way to list them.
func newSpeller() (*bench, func() []string) {
	b, kept := newBench(nil), &spelling.Memory{}
	b.Spellings = spelling.New(kept, nil)
	return b, func() (all []string) {
		list, _ := kept.Spellings(context.Background(), us, 0)
		for _, s := range list {
			all = append(all, s.Tag+"="+s.Text)
		}
		return all
	}
}

// TestFirstSpelling: a text keeps the spelling it came with first, whichever
// door it came through, and lower case is one.
func TestFirstSpelling(t *testing.T) {
	t.Parallel()
	b, kept := newSpeller()
	send := func(what, body string, want ...string) {
		t.Helper()
		if _, _, err := b.Record(t.Context(), us, []byte(body), ""); err != nil {
			t.Fatal(what, err)
		}
		if diff := cmp.Diff(want, kept()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	one := func(tags string) string { return `{"measurements":[{"name":"m","value":1,"tags":` + tags + `}]}` }
	send("lower case", one(`{"host":"web1","zone":"a"}`))
	send("what came in lower case before", one(`{"HOST":"Web1","zone":"A"}`))
	send("a new value", one(`{"host":"Web2"}`), "host=Web2")
	send("the same in another spelling", one(`{"host":"WEB2"}`), "host=Web2")
	send("again", one(`{"host":"Web2"}`), "host=Web2")
	send("one that is refused", `{"measurements":[{"name":"m","value":1,"time":1,"tags":{"host":"Late"}},{"name":"m","value":1}]}`, "host=Web2")
	send("both in one request, lower case first", `{"measurements":[{"name":"m","value":1,"tags":{"a":"xy"}},{"name":"m","value":1,"tags":{"a":"Xy"}}]}`, "host=Web2")
	send("of the whole request, escaped", `{"tags":{"Dc":"\u0041ms"},"measurements":[{"name":"m","value":1}]}`, "host=Web2", "=Dc", "dc=Ams")
	send("of collectd", `[{"values":[1],"dstypes":["gauge"],"dsnames":["value"],"time":`+fmt.Sprint(testNow)+`,"interval":10,"host":"Box","plugin":"cpu","plugin_instance":"","type":"t","type_instance":""}]`,
		"host=Web2", "=Dc", "dc=Ams", "host=Box")
	if _, err := b.Restore(t.Context(), us, []*tsdb.Series{{Metric: "Old.M", Tags: tidemark.Tags{{Name: "Rack", Value: "R1"}}, Times: []int64{testNow}, Summaries: []tsdb.Summary{tsdb.Single(1)}}}); err != nil {
		t.Fatal(err)
	}
	if all := kept(); !slices.Equal(all[4:], []string{"=Rack", "rack=R1"}) || b.metrics.stored["old.m"].Name != "Old.M" {
		t.Errorf("what is restored: %q", all)
	}
}

// TestSpellingOfPoints: points of other protocols are as measurements, also
// those whose labels are remembered from another organization.
func TestSpellingOfPoints(t *testing.T) {
	t.Parallel()
	b, kept := newSpeller()
	b.metrics.stored["m"] = &tidemark.Metric{Name: "m", Type: tidemark.Gauge}
	tags := tidemark.Tags{{Name: "Host", Value: "Web1"}}
	for _, p := range []protocol.Point{
		{Name: "m", Labels: tags, Value: 1},
		{Name: "m", Labels: tags, Key: tagKey(tags), Upper: new(protocol.Upper), Value: 1},
	} {
		batch := b.NewBatch(protocol.Limits{})
		batch.Points = append(batch.Points, p)
		if _, _, err := b.RecordPoints(t.Context(), us, batch, Origin{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"=Host", "host=Web1"}, kept()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !p.Upper.IsSettled(us) || p.Upper != nil && p.Upper.IsSettled(us+1) {
			t.Error("labels that are remembered do not know for whom they are noted")
		}
	}
}

// asked counts what an engine that keeps nothing is asked about texts. All that
// is in use is a tag env.
type asked struct {
	nowhere
	times, texts int
}

func (a *asked) TagsInUse(_ context.Context, _ tidemark.OrgID, tags []tidemark.Tag) ([]bool, error) {
	a.times, a.texts = a.times+1, a.texts+len(tags)
	used := make([]bool, len(tags))
	for i, t := range tags {
		used[i] = t.Name == "env"
	}
	return used, nil
}

func (a *asked) Streams(context.Context, tidemark.OrgID, string, tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	panic("all streams are looked through")
}

// TestNewTextsAreAskedAboutOnce: of many new streams each text costs one
// question, a request asks once for all of its own, and streams that come again
// ask nothing.
func TestNewTextsAreAskedAboutOnce(t *testing.T) {
	t.Parallel()
	const requests, streams = 20, 500
	b, _ := newSpeller()
	engine := &asked{nowhere: nowhere{b.engine}}
	b.Engine = engine
	send := func(what string, from, n, times, texts int) {
		t.Helper()
		var body strings.Builder
		for i := from; i < from+n; i++ {
			fmt.Fprintf(&body, `,{"name":"m","value":1,"tags":{"host":"WEB-%d","Env":"PROD"}}`, i)
		}
		before := *engine
		if _, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[`+body.String()[1:]+"]}"), ""); err != nil {
			t.Fatal(err)
		}
		if engine.times-before.times != times || engine.texts-before.texts != texts {
			t.Fatalf("%s: asked %d times about %d texts, want %d and %d", what, engine.times-before.times, engine.texts-before.texts, times, texts)
		}
	}
	send("the first, with the name and the value of env", 0, 1, 1, 3)
	send("the next", 1, streams-1, 1, streams-1)
	for i := 1; i < requests; i++ {
		send("new streams", i*streams, streams, 1, streams)
	}
	send("known streams", 0, streams, 0, 0)
}

// TestSpellingIsOnlyShown: whatever is sent, answers in which tags are shown as
// they came are, in lower case, those of storage, and can be asked for by what
// they show.
func TestSpellingIsOnlyShown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, _ := newSpeller()
		text := rapid.SampledFrom([]string{"a", "A", "Ab", "aB", "AB", "b"})
		for range rapid.IntRange(1, 6).Draw(t, "requests") {
			tags := rapid.MapOfN(text, text, 1, 3).Draw(t, "tags")
			var pairs []string
			for _, name := range slices.Sorted(maps.Keys(tags)) {
				pairs = append(pairs, fmt.Sprintf("%q:%q", name, tags[name]))
			}
			body := `{"measurements":[{"name":"m","value":1,"tags":{` + strings.Join(pairs, ",") + `}}]}`
			if _, _, err := b.Record(t.Context(), us, []byte(body), ""); err != nil {
				t.Fatal(err)
			}
		}
		list := func(r tsdb.Reader, f tsdb.Filter) (all []string) {
			for s, err := range r.Streams(t.Context(), us, "m", f) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, s.Tags.String())
			}
			return all
		}
		shown := spelling.Reader(b.engine, b.Spellings)
		all := list(shown, tsdb.Filter{})
		if got, want := strings.ToLower(strings.Join(all, " ")), strings.Join(list(b.engine, tsdb.Filter{}), " "); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		for s := range shown.Streams(t.Context(), us, "m", tsdb.Filter{}) {
			if found := list(shown, tsdb.TagIs(s.Tags[0].Name, s.Tags[0].Value)); !slices.Contains(found, s.Tags.String()) {
				t.Fatalf("%v is not found by what it shows: %q", s.Tags, found)
			}
		}
	})
}
