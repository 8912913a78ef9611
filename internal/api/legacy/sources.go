package legacy

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// sources answers GET /v1/sources: the values of the tag source, and what
// else somebody has put.
func (s *API) sources(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	page, err := rest.ReadPage(r)
	if err != nil {
		return rest.Reply{}, err
	}
	list, err := s.allSources(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	counts := tidemark.Counts{Total: len(list)}
	list = slices.DeleteFunc(list, func(one *tidemark.Source) bool {
		return !nameMatches(page.Name, one.Name) && (one.DisplayName == nil || !nameMatches(page.Name, strings.ToLower(*one.DisplayName)))
	})
	counts.Found = len(list)
	if page.Desc {
		slices.Reverse(list)
	}
	list = list[min(page.Offset, len(list)):min(page.Offset+page.Length, len(list))]
	if err := s.spell(r.Context(), who.Org, list...); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"query": rest.PageOf(page, len(list), counts), "sources": list}), nil
}

// spell names sources as they were first sent.
func (s *API) spell(ctx context.Context, org tidemark.OrgID, sources ...*tidemark.Source) error {
	words, err := s.Spellings.Of(ctx, org)
	for _, one := range sources {
		one.Name = words.Value("source", one.Name)
	}
	return err
}

// nameMatches is the filter of lists: part of the name, or a pattern.
func nameMatches(filter, name string) bool {
	filter = strings.ToLower(filter)
	if tidemark.IsGlob(filter) {
		return tidemark.Glob(filter, name)
	}
	return strings.Contains(name, filter)
}

// allSources returns every source of org, by name.
func (s *API) allSources(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Source, error) {
	list, err := s.Store.Sources(ctx, org)
	if err != nil {
		return nil, err
	}
	names, err := s.sourceNames(ctx, org)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		list = append(list, &tidemark.Source{Name: name})
	}
	// What was put comes first, and stays.
	slices.SortStableFunc(list, func(a, b *tidemark.Source) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b *tidemark.Source) bool { return a.Name == b.Name }), nil
}

// sourceNames returns the values of the tag source of all metrics, in order.
func (s *API) sourceNames(ctx context.Context, org tidemark.OrgID) ([]string, error) {
	var names []string
	for series, err := range s.Stored.Streams(ctx, org, "*", tsdb.TagPresent("source")) {
		if err != nil {
			return nil, err
		}
		if name, _ := series.Tags.Get("source"); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// hasSource reports whether a stream has the source.
func (s *API) hasSource(ctx context.Context, org tidemark.OrgID, name string) (bool, error) {
	for _, err := range s.Stored.Streams(ctx, org, "*", tsdb.TagIs("source", name)) {
		return err == nil, err
	}
	return false, nil
}

// bySourceName finds a source in the path, in lower case.
func bySourceName(r *http.Request) (string, error) {
	name := strings.ToLower(r.PathValue("name"))
	if !tidemark.IsTagValue(name) {
		return "", rest.ErrNotFound
	}
	return name, nil
}

// source returns one source of org.
func (s *API) source(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Source, error) {
	one, err := s.Store.Source(ctx, org, name)
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		if there, err := s.hasSource(ctx, org, name); !there || err != nil {
			return nil, orNotFound(err)
		}
		one, err = &tidemark.Source{Name: name}, nil
	}
	if err != nil {
		return nil, err
	}
	return one, s.spell(ctx, org, one)
}

func orNotFound(err error) error {
	if err == nil {
		return rest.ErrNotFound
	}
	return err
}

// putSource answers PUT /v1/sources/:name: 204 for a change, 201 with the
// source where there was none.
func (s *API) putSource(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name := r.PathValue("name")
	if err := s.checkSourceName(r.Context(), who.Org, name); err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.SourceUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v, isNew, err := s.Store.PutSource(r.Context(), who.Org, who.Actor(), name, u.Apply)
	if err != nil {
		return rest.Reply{}, err
	}
	if isNew {
		there, err := s.hasSource(r.Context(), who.Org, v.Name)
		if err != nil {
			return rest.Reply{}, err
		}
		isNew = !there
	}
	if !isNew {
		return rest.NoContent, nil
	}
	if err := s.spell(r.Context(), who.Org, v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, r.URL.EscapedPath()), nil
}

// checkSourceName refuses names that the old API takes no measurements of. A
// tag can hold more; what it holds may be named.
func (s *API) checkSourceName(ctx context.Context, org tidemark.OrgID, name string) error {
	if err := (&tidemark.Source{Name: name}).Validate(); err != nil || tidemark.IsMetricName(name) {
		return err
	}
	if there, err := s.hasSource(ctx, org, strings.ToLower(name)); there || err != nil {
		return err
	}
	return tidemark.InvalidField("name", "must be 1 to %d letters, digits and . : - _", tidemark.MaxName)
}

// deleteSource forgets what was put about a source. One that has measurements
// stays, without a name for people.
func (s *API) deleteSource(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string) error {
	err := s.Store.DeleteSource(ctx, org, by, name)
	if tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	if there, err := s.hasSource(ctx, org, name); !there || err != nil {
		return orNotFound(err)
	}
	return nil
}
