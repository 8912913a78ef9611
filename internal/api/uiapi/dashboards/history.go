package dashboards

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// historyPage is versions of a thing, the newest first.
type historyPage struct {
	Versions []*tidemark.Version `json:"versions"`
	// Earlier is the version before the last of them, to compare that with;
	// it has the number to go on before.
	Earlier *tidemark.Version `json:"earlier,omitempty"`
	Kept    int64             `json:"kept"` // how many are kept; 0 for all
}

// savedVersion is the number of a version.
type savedVersion struct {
	Version int64 `json:"version"`
}

// restoreBody asks for a version to be brought back.
type restoreBody struct {
	Seen int64 `json:"seen,omitempty"` // the latest version that the person saw; a later one is not overwritten
}

// deletedList is what can be restored, the last deleted first.
type deletedList struct {
	Deleted []*tidemark.DeletedThing `json:"deleted"`
}

// historyLength is how many versions one answer has.
const historyLength = 20

// byVersions finds what a request wants the versions of.
func byVersions(r *http.Request) (tidemark.VersionKey, error) {
	k := tidemark.VersionKey{Kind: tidemark.VersionKind(r.PathValue("kind")), ID: r.PathValue("id")}
	if !k.IsValid() {
		return k, rest.ErrNotFound
	}
	if k.Kind == tidemark.MetricVersions {
		k = tidemark.VersionsOfMetric(k.ID)
	}
	return k, nil
}

// byVersion finds the one version that a request is about.
func byVersion(r *http.Request) (k tidemark.VersionKey, number int64, err error) {
	if k, err = byVersions(r); err == nil {
		number, err = rest.PathID(r, "number")
	}
	return k, number, err
}

// history answers GET /ui/api/history/:kind/:id.
func (s *API) history(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, err := byVersions(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var p tidemark.Problems
	before := rest.IntOf(&p, r.URL.Query(), "before", 0)
	p.Check(before >= 0, "before", "must not be negative")
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Store.Versions(r.Context(), who.Org, k, before, historyLength+1)
	if err != nil {
		return rest.Reply{}, err
	}
	page := historyPage{Versions: found, Kept: s.Limits.Of(who.Org, tidemark.LimitVersions)}
	if len(found) > historyLength {
		page.Versions, page.Earlier = found[:historyLength], found[historyLength]
	}
	return rest.OK(page), nil
}

// latestVersion answers GET /ui/api/history/:kind/:id/latest. Editors ask
// for it before they read the thing, so that what they read is not older.
func (s *API) latestVersion(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, err := byVersions(r)
	if err != nil {
		return rest.Reply{}, err
	}
	n, err := s.Store.LatestVersion(r.Context(), who.Org, k)
	return rest.OK(savedVersion{n}), err
}

// version answers GET /ui/api/history/:kind/:id/versions/:number.
func (s *API) version(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, number, err := byVersion(r)
	if err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.Version(r.Context(), who.Org, k, number)
	return rest.OK(v), err
}

// nameVersion answers PUT /ui/api/history/:kind/:id/versions/:number/name.
func (s *API) nameVersion(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, number, err := byVersion(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body shared.NameBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.NameVersion(r.Context(), who.Org, who.Actor(), k, number, strings.TrimSpace(body.Name))
}

// restoreVersion answers POST /ui/api/history/:kind/:id/versions/:number/restore.
func (s *API) restoreVersion(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, number, err := byVersion(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body restoreBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if body.Seen < 0 {
		return rest.Reply{}, tidemark.InvalidField("seen", "must not be negative")
	}
	by := who.Actor()
	by.Seen = body.Seen
	if err := s.restore(r.Context(), who, by, k, number); err != nil {
		return rest.Reply{}, err
	}
	n, err := s.Store.LatestVersion(r.Context(), who.Org, k)
	return rest.OK(savedVersion{n}), err
}

// restore makes a thing what it was, checked as any save is.
func (s *API) restore(ctx context.Context, who tidemark.Identity, by tidemark.Actor, k tidemark.VersionKey, number int64) error {
	switch k.Kind {
	case tidemark.AlertVersions:
		_, err := s.Store.RestoreAlert(ctx, who.Org, by, k.Number(), number)
		return err
	case tidemark.ChartVersions:
		return s.restoreChart(ctx, who.Org, by, k.Number(), number)
	case tidemark.SpaceVersions:
		return s.restoreSpace(ctx, who.Org, by, k.Number(), number)
	default:
		return s.restoreMetric(ctx, who, by, k.ID, number)
	}
}

func (s *API) restoreChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, number int64) error {
	is, err := s.Store.ChartVersion(ctx, org, id, number)
	if err != nil {
		return err
	}
	had, err := s.Store.ChartByID(ctx, org, id)
	if err != nil {
		return err
	}
	if err := s.CheckStreams(ctx, org, had.Streams, is); err != nil {
		return err
	}
	_, err = s.Store.RestoreChart(ctx, org, by, id, number)
	return err
}

func (s *API) restoreSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, number int64) error {
	charts, err := s.Store.SpaceVersionCharts(ctx, org, id, number)
	if err != nil {
		return err
	}
	for _, c := range charts {
		var had []tidemark.ChartStream
		if there, err := s.Store.ChartByID(ctx, org, c.ID); err == nil {
			had = there.Streams
		}
		if err := s.CheckStreams(ctx, org, had, c); err != nil {
			return err
		}
	}
	_, err = s.Store.RestoreSpace(ctx, org, by, id, number)
	return err
}

func (s *API) restoreMetric(ctx context.Context, who tidemark.Identity, by tidemark.Actor, name string, number int64) error {
	is, err := s.Store.MetricVersion(ctx, who.Org, name, number)
	if err != nil {
		return err
	}
	u := tidemark.MetricUpdate{Type: tidemark.Some(is.Type), Composite: tidemark.Some(is.Composite)}
	_, _, err = s.SaveMetric(ctx, who, is.Name, u, func() (*tidemark.Metric, bool, error) {
		return s.Store.RestoreMetric(ctx, who.Org, by, is.Name, number)
	})
	return err
}

// deleted answers GET /ui/api/deleted.
func (s *API) deleted(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.DeletedThings(r.Context(), who.Org)
	return rest.OK(deletedList{found}), err
}
