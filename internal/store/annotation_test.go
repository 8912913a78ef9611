package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func addEvent(t testing.TB, s *store.Store, org tidemark.OrgID, stream, title, source string, start int64) *tidemark.AnnotationEvent {
	t.Helper()
	v := &tidemark.AnnotationEvent{Title: title, StartTime: start}
	if source != "" {
		v.Source = &source
	}
	ok(t, s.CreateEvent(t.Context(), org, stream, v))
	return v
}

func TestStreams(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		addEvent(t, s, org, "Releases", "1", "", 100)
		addEvent(t, s, org, "releases", "2", "", 200) // the same stream
		addEvent(t, s, org, "deploys", "3", "", 100)
		addEvent(t, s, other, "releases", "4", "", 100)
		name := func(v *tidemark.AnnotationStream) string { return v.Name }
		checkList(t, name, 2, 2, "deploys", "Releases")(s.AnnotationStreams(ctx, org, tidemark.Page{}))
		checkList(t, name, 1, 2, "Releases")(s.AnnotationStreams(ctx, org, tidemark.Page{Name: "EASE"}))

		u := tidemark.AnnotationStreamUpdate{DisplayName: tidemark.Some("All releases")}
		got := must(s.UpdateStream(ctx, org, operator, "RELEASES", u.Apply))(t)
		want := &tidemark.AnnotationStream{Name: "Releases", DisplayName: new("All releases")}
		same(t, "UpdateStream", want, got)
		must(s.UpdateStream(ctx, org, operator, "releases", func(v *tidemark.AnnotationStream) { v.Name = "other" }))(t)
		same(t, "AnnotationStream", want, must(s.AnnotationStream(ctx, org, "releases"))(t))

		checkKinds(t, []wrong{
			{"no such stream", func() error { return errOf(s.AnnotationStream(ctx, org, "x")) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.AnnotationStream(ctx, other, "deploys")) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateStream(ctx, other, operator, "deploys", u.Apply)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteStream(ctx, other, operator, "deploys") }, tidemark.NotFound},
			{"events of another org", func() error { return errOf(s.Events(ctx, other, "deploys", tidemark.AnnotationEventQuery{})) }, tidemark.NotFound},
			{"events of too many sources", func() error {
				return errOf(s.Events(ctx, org, "deploys", tidemark.AnnotationEventQuery{Sources: make([]string, 501)}))
			}, tidemark.Invalid},
			{"events of no stream", func() error { return errOf(s.Events(ctx, org, "x", tidemark.AnnotationEventQuery{})) }, tidemark.NotFound},
			{"order by start", func() error { return listErr(s.AnnotationStreams(ctx, org, tidemark.Page{OrderBy: "start"})) }, tidemark.Invalid},
		})

		ok(t, s.DeleteStream(ctx, org, operator, "RELEASES"))
		checkList(t, name, 1, 1, "deploys")(s.AnnotationStreams(ctx, org, tidemark.Page{}))
		addEvent(t, s, org, "releases", "5", "", 100)
		if events := must(s.Events(ctx, org, "releases", tidemark.AnnotationEventQuery{}))(t); len(events) != 1 {
			t.Errorf("%d events outlived their stream", len(events)-1)
		}
	})
}

func TestEvents(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		full := &tidemark.AnnotationEvent{
			Title: "shop 4.12 out", Description: new("blue/green"), Source: new("Web-07"), StartTime: 300, EndTime: new(int64(310)),
			Links: []tidemark.Link{{Rel: "build", Label: new("CI run 77"), Href: "https://ci.example/77?a=1&b=<2>"}, {Rel: "x", Href: "/x"}},
		}
		ok(t, s.CreateEvent(ctx, org, "releases", full))
		k := tidemark.EventKey{Stream: "releases", ID: full.ID}
		same(t, "Event", full, must(s.Event(ctx, org, k))(t))
		bare := addEvent(t, s, org, "releases", "bare", "", 100)
		same(t, "a bare event", &tidemark.AnnotationEvent{ID: bare.ID, Title: "bare", StartTime: 100, Links: []tidemark.Link{}},
			must(s.Event(ctx, org, tidemark.EventKey{Stream: "RELEASES", ID: bare.ID}))(t))

		addEvent(t, s, org, "releases", "web-08", "web-08", 200)
		addEvent(t, s, org, "releases", "again", "", 300) // at the same time as another
		addEvent(t, s, org, "deploys", "elsewhere", "", 200)
		f := func(q tidemark.AnnotationEventQuery, want ...string) {
			t.Helper()
			got := []string{}
			for _, e := range must(s.Events(ctx, org, "Releases", q))(t) {
				got = append(got, e.Title)
			}
			same(t, fmt.Sprintf("%+v", q), append([]string{}, want...), got)
		}
		f(tidemark.AnnotationEventQuery{}, "bare", "web-08", "shop 4.12 out", "again")
		f(tidemark.AnnotationEventQuery{Count: 2}, "shop 4.12 out", "again")
		f(tidemark.AnnotationEventQuery{Count: 100_000_000}, "bare", "web-08", "shop 4.12 out", "again")
		f(tidemark.AnnotationEventQuery{Start: 100, End: 200}, "bare", "web-08")
		f(tidemark.AnnotationEventQuery{Start: 101}, "web-08", "shop 4.12 out", "again")
		f(tidemark.AnnotationEventQuery{Start: 101, Count: 1, End: 299}, "web-08")
		f(tidemark.AnnotationEventQuery{Start: 301})
		f(tidemark.AnnotationEventQuery{Start: 301, Overlapping: true}, "shop 4.12 out")
		f(tidemark.AnnotationEventQuery{Start: 310, Overlapping: true}) // it was over
		f(tidemark.AnnotationEventQuery{Sources: []string{"web-0*"}}, "web-08", "shop 4.12 out")
		f(tidemark.AnnotationEventQuery{Sources: []string{"WEB-07", "unassigned"}}, "bare", "shop 4.12 out", "again")
		f(tidemark.AnnotationEventQuery{Sources: []string{"none"}})

		u := tidemark.AnnotationEventUpdate{Title: tidemark.Some("out"), EndTime: tidemark.Some(int64(400)), Source: tidemark.Opt[string]{Set: true, Null: true}}
		got := must(s.UpdateEvent(ctx, org, operator, k, u.Apply))(t)
		full.Title, full.EndTime, full.Source = "out", new(int64(400)), nil
		same(t, "UpdateEvent", full, got)
		same(t, "Event after the update", full, must(s.Event(ctx, org, k))(t))
		f(tidemark.AnnotationEventQuery{Sources: []string{"unassigned"}}, "bare", "out", "again")

		ok(t, s.DeleteEvent(ctx, org, operator, k))
		f(tidemark.AnnotationEventQuery{}, "bare", "web-08", "again")
	})
}

func TestEventErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		v := addEvent(t, s, org, "releases", "one", "", 100)
		addEvent(t, s, org, "deploys", "two", "", 100)
		addEvent(t, s, other, "releases", "three", "", 100)
		k := tidemark.EventKey{Stream: "releases", ID: v.ID}
		build := func() *tidemark.Link { return &tidemark.Link{Rel: "build", Href: "https://ci.example/1"} }
		ok(t, s.CreateLink(ctx, org, operator, k, build()))
		untitle := func(v *tidemark.AnnotationEvent) { v.Title = "" }
		create := func(org tidemark.OrgID, stream string, v *tidemark.AnnotationEvent) func() error {
			return func() error { return s.CreateEvent(ctx, org, stream, v) }
		}
		fine := &tidemark.AnnotationEvent{Title: "x"}
		twice := []tidemark.Link{*build(), *build()}
		checkKinds(t, []wrong{
			{"no such event", func() error { return errOf(s.Event(ctx, org, tidemark.EventKey{Stream: "releases", ID: 999})) }, tidemark.NotFound},
			{"of another stream", func() error { return errOf(s.Event(ctx, org, tidemark.EventKey{Stream: "deploys", ID: v.ID})) }, tidemark.NotFound},
			{"of no stream", func() error { return errOf(s.Event(ctx, org, tidemark.EventKey{Stream: "x", ID: v.ID})) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Event(ctx, other, k)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateEvent(ctx, other, operator, k, untitle)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteEvent(ctx, other, operator, k) }, tidemark.NotFound},
			{"link in another org", func() error { return s.CreateLink(ctx, other, operator, k, build()) }, tidemark.NotFound},
			{"unlink in another org", func() error { return s.DeleteLink(ctx, other, operator, tidemark.LinkKey{Event: k, Rel: "build"}) }, tidemark.NotFound},
			{"in no org", create(999, "releases", fine), tidemark.NotFound},
			{"without title", create(org, "new", &tidemark.AnnotationEvent{}), tidemark.Invalid},
			{"in a stream with a blank", create(org, "a b", fine), tidemark.Invalid},
			{"ends before it starts", create(org, "new", &tidemark.AnnotationEvent{Title: "x", StartTime: 5, EndTime: new(int64(4))}), tidemark.Invalid},
			{"a rel twice at once", create(org, "new", &tidemark.AnnotationEvent{Title: "x", Links: twice}), tidemark.Invalid},
			{"update to no title", func() error { return errOf(s.UpdateEvent(ctx, org, operator, k, untitle)) }, tidemark.Invalid},
			{"delete nothing", func() error { return s.DeleteEvent(ctx, org, operator, tidemark.EventKey{Stream: "releases", ID: 999}) }, tidemark.NotFound},
			{"link without href", func() error { return s.CreateLink(ctx, org, operator, k, &tidemark.Link{Rel: "x"}) }, tidemark.Invalid},
			{"link to a script", func() error {
				return s.CreateLink(ctx, org, operator, k, &tidemark.Link{Rel: "x", Href: "javascript:alert(1)"})
			}, tidemark.Invalid},
			{"a rel twice", func() error { return s.CreateLink(ctx, org, operator, k, build()) }, tidemark.Conflict},
			{"no such rel", func() error { return s.DeleteLink(ctx, org, operator, tidemark.LinkKey{Event: k, Rel: "x"}) }, tidemark.NotFound},
		})
		// What was refused left nothing behind, not even a stream.
		if _, err := s.AnnotationStream(ctx, org, "new"); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("a stream without an event: %v", err)
		}
		v.Links = []tidemark.Link{*build()}
		same(t, "untouched", v, must(s.Event(ctx, org, k))(t))
		checkFields(t, s.CreateLink(ctx, org, operator, k, build()), "rel", "is already taken")
	})
}

func TestLinks(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v := addEvent(t, s, org, "releases", "one", "", 100)
		k := tidemark.EventKey{Stream: "releases", ID: v.ID}
		a := tidemark.Link{Rel: "a", Label: new("A"), Href: "https://a.example"}
		b := tidemark.Link{Rel: "b/%41 ü", Href: "https://b.example"}
		ok(t, s.CreateLink(ctx, org, operator, k, &a))
		ok(t, s.CreateLink(ctx, org, operator, k, &b))
		same(t, "links", []tidemark.Link{a, b}, must(s.Event(ctx, org, k))(t).Links)
		ok(t, s.DeleteLink(ctx, org, operator, tidemark.LinkKey{Event: k, Rel: "a"}))
		same(t, "links", []tidemark.Link{b}, must(s.Event(ctx, org, k))(t).Links)
		ok(t, s.DeleteLink(ctx, org, operator, tidemark.LinkKey{Event: k, Rel: b.Rel}))
		same(t, "links", []tidemark.Link{}, must(s.Event(ctx, org, k))(t).Links)
	})
}
