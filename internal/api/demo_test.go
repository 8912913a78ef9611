package api

import (
	"context"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// fakeDemo is a demo that is never filled.
type fakeDemo struct {
	store *store.Store
	state demo.State
}

func (d *fakeDemo) State() demo.State { return d.state }

func (d *fakeDemo) Start(ctx context.Context, _ tidemark.Actor, user int64) (demo.State, error) {
	if d.state.Org != 0 {
		return d.state, nil
	}
	o, err := d.store.CreateOrg(ctx, tidemark.ServerActor(), "Demo")
	if err != nil {
		return d.state, err
	}
	d.state = demo.State{Org: o.ID, Stage: demo.Filling, Done: 0.25}
	_, err = d.store.AddMember(ctx, o.ID, tidemark.ServerActor(), user, tidemark.FullAccess)
	return d.state, err
}

func (d *fakeDemo) Remove(ctx context.Context, _ tidemark.Actor) error {
	org := d.state.Org
	d.state = demo.State{Stage: demo.None}
	if org == 0 {
		return nil
	}
	return d.store.DeleteOrg(ctx, org, tidemark.ServerActor())
}

// TestNoDemo: a server that is itself a demo offers none, and says so where
// pages ask.
func TestNoDemo(t *testing.T) {
	w := newWorld(t).withPeople(t)
	w.Demo = nil
	rec := w.ask("Admin", "GET", "/ui/api/demo", "")
	equal(t, `{"done":0,"error":"","org":null,"state":"elsewhere"}`, rec.Body.String())
	equal(t, 200, rec.Code)
	equal(t, 422, w.ask("Admin", "POST", "/ui/api/demo", "").Code)
	equal(t, 403, w.ask("Admin", "DELETE", "/ui/api/demo", "").Code)
}
