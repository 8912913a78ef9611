package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// adding is the origin of what a token sends that adds tags.
func adding(add ...tidemark.AddedTag) Origin {
	return From(tidemark.Identity{Name: "edge", Scope: &tidemark.TokenScope{Add: add}}, "agent")
}

// streamsOf lists the streams that there are, "a{b=c}".
func (b *bench) streamsOf(t *testing.T) (list []string) {
	t.Helper()
	for s, err := range b.engine.Streams(t.Context(), us, "*", tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s.Metric+"{"+s.Tags.String()+"}")
	}
	return list
}

// TestAddedTags: what a token adds is in every stream, on every way in, in place
// of what the sender says and in order of names.
func TestAddedTags(t *testing.T) {
	t.Parallel()
	from := adding(tidemark.AddedTag{Name: "Team", Value: "Edge"}, tidemark.AddedTag{Name: "site", Value: "ams"})
	record := func(body string) func(*bench) error {
		return func(b *bench) error {
			_, problems, err := b.RecordFrom(t.Context(), us, []byte(body), from)
			if len(problems) > 0 {
				t.Errorf("%s: %+v", body, problems)
			}
			return err
		}
	}
	points := func(labels ...tidemark.Tags) func(*bench) error {
		return func(b *bench) error {
			var batch protocol.Batch
			for _, l := range labels {
				batch.Points = append(batch.Points, protocol.Point{Name: "a", Labels: l, Value: 1})
			}
			_, _, err := b.RecordPoints(t.Context(), us, &batch, from)
			return err
		}
	}
	shared := tidemark.Tags{{Name: "host", Value: "x"}}
	for name, tt := range map[string]struct {
		do   func(*bench) error
		want string
	}{
		"no tags":              {record(`{"measurements":[{"name":"a","value":1}]}`), "a{site=ams,team=edge}"},
		"tags of the request":  {record(`{"tags":{"zone":"z","host":"x"},"measurements":[{"name":"a","value":1}]}`), "a{host=x,site=ams,team=edge,zone=z}"},
		"of each":              {record(`{"tags":{"host":"y"},"measurements":[{"name":"a","value":1,"tags":{"host":"x"}},{"name":"b","value":1}]}`), "a{host=x,site=ams,team=edge} b{host=y,site=ams,team=edge}"},
		"another value":        {record(`{"measurements":[{"name":"a","value":1,"tags":{"TEAM":"other","Site":"lon"}}]}`), "a{site=ams,team=edge}"},
		"collectd":             {record(`[{"values":[1],"plugin":"load","type":"load","host":"x","time":` + fmt.Sprint(testNow) + `}]`), "collectd.load.load{host=x,site=ams,team=edge}"},
		"points":               {points(shared, shared, tidemark.Tags{{Name: "site", Value: "lon"}}), "a{host=x,site=ams,team=edge} a{site=ams,team=edge}"},
		"points without a tag": {points(nil, nil), "a{site=ams,team=edge}"},
		"the old route": {func(b *bench) error {
			return b.RecordLegacyFrom(t.Context(), us, legacyTree(t, `{"source":"x","gauges":{"a":{"value":1},"b":{"value":1,"source":"y"}}}`), from)
		}, "a{site=ams,source=x,team=edge} b{site=ams,source=y,team=edge}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(nil)
			for range 2 { // the second time tags are remembered
				if err := tt.do(b); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.Join(b.streamsOf(t), " "); got != tt.want {
				t.Errorf("recorded %s, want %s", got, tt.want)
			}
		})
	}
}

// TestAddedTagsInScope: what is added counts when the scope is looked at, and
// too many tags are refused.
func TestAddedTagsInScope(t *testing.T) {
	t.Parallel()
	site := tidemark.ScopeTag{Name: "site", Values: []string{"ams"}}
	from := From(tidemark.Identity{Name: "edge", Scope: &tidemark.TokenScope{Tags: []tidemark.ScopeTag{site}, Add: []tidemark.AddedTag{{Name: "Site", Value: "AMS"}}}}, "agent")
	b := newBench(nil)
	if s, _, err := b.RecordFrom(t.Context(), us, []byte(`{"measurements":[{"name":"a","value":1,"tags":{"site":"lon"}}]}`), from); err != nil || s.Accepted != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	many := make(map[string]string)
	for i := range tidemark.MaxTags {
		many[fmt.Sprint("t", i)] = "x"
	}
	batch := &protocol.Batch{Points: []protocol.Point{{Name: "a", Labels: tidemark.MakeTags(many), Value: 1}, {Name: "b", Value: 1}}}
	s, problems, err := b.RecordPoints(t.Context(), us, batch, from)
	if err != nil || s.Accepted != 1 || len(problems) != 1 || problems[0].Reason != "has more than 50 tags" {
		t.Errorf("%+v, %+v, %v", s, problems, err)
	}
	var tags []string
	for name := range many {
		tags = append(tags, `"`+name+`":"x"`)
	}
	_, problems, _ = b.RecordFrom(t.Context(), us, []byte(`{"measurements":[{"name":"b","value":1},{"name":"a","value":1,"tags":{`+strings.Join(tags, ",")+`}}]}`), from)
	if len(problems) != 1 || problems[0].Reason != "has more than 50 tags" {
		t.Errorf("%+v", problems)
	}
}
