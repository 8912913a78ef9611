package checks

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// seenEvery is how many seconds apart it is noted that an agent is there.
const seenEvery = 60

// Ask returns the checks that an agent is to run, and notes that it is there.
func Ask(ctx context.Context, st *store.Store, org tidemark.OrgID, p *tidemark.Place, now int64) ([]tidemark.PlaceCheck, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	known, err := st.Place(ctx, org, p.Name)
	if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return nil, err
	}
	if known == nil || known.SeenAt <= now-seenEvery || !maps.Equal(known.Tags, p.Tags) {
		if err := st.SeePlace(ctx, org, p); err != nil {
			return nil, err
		}
	}
	all, err := st.Checks(ctx, org)
	list := []tidemark.PlaceCheck{}
	for _, c := range all {
		if c.Active && c.RunsAt(p) {
			list = append(list, c.ForPlace())
		}
	}
	return list, err
}

// Refusal is a finding that was not recorded, and why.
type Refusal struct {
	Check  int64  `json:"check"`
	Reason string `json:"reason"`
}

// Record records what an agent found, as what it is: the server knows what the
// checks are called, so that an agent cannot speak of those of other places.
func Record(ctx context.Context, st *store.Store, rec *ingest.Recorder, org tidemark.OrgID, place string, found []tidemark.Finding) ([]Refusal, error) {
	var wrong tidemark.Problems
	for i := range found {
		wrong.Add("results.", found[i].Validate())
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	p, err := st.Place(ctx, org, place)
	if err != nil {
		return nil, err
	}
	all, err := st.Checks(ctx, org)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*tidemark.Check, len(all))
	for _, c := range all {
		byID[c.ID] = c
	}
	refused := []Refusal{}
	for i := range found {
		f := &found[i]
		reason, err := recordOne(ctx, st, rec, org, p, byID[f.Check], f)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			refused = append(refused, Refusal{f.Check, reason})
		}
	}
	return refused, nil
}

// recordOne records a finding, or says why not.
func recordOne(ctx context.Context, st *store.Store, rec *ingest.Recorder, org tidemark.OrgID, p *tidemark.Place, c *tidemark.Check, f *tidemark.Finding) (string, error) {
	switch {
	case c == nil:
		return "there is no such check", nil
	case !c.RunsAt(p):
		return fmt.Sprintf("it is not run from %s", p.Name), nil
	}
	err := record(ctx, rec, org, points(c, p.Name, f))
	if rejected, ok := errors.AsType[*ingest.Rejected](err); ok && tidemark.KindOf(err) == tidemark.Invalid {
		return rejected.Problems[0].Param + " " + rejected.Problems[0].Reason, nil
	}
	if err != nil {
		return "", err
	}
	err = st.SaveCheckResult(ctx, org, c.ID, tidemark.CheckResult{
		Place: p.Name, RanAt: f.Time, Up: f.Up, Duration: f.Duration, Said: tidemark.ClipSaid(f.Said),
	})
	if tidemark.KindOf(err) == tidemark.NotFound {
		return "", nil // it was deleted, or this comes late
	}
	return "", err
}
