package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestListen has one process listen and another change tokens.
func TestListen(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := freshURL(t, kind)
			here, there := openStore(t, url), openStore(t, url)
			org := addOrg(t, here, "test")
			heard := listen(t, here.Listen)
			heard("the start")
			v, _ := addToken(t, there, org, "edge")
			heard("a new token")
			change := tidemark.TokenUpdate{Active: tidemark.Some(false)}
			must(there.UpdateToken(t.Context(), org, operator, v.ID, change.Apply))(t)
			heard("an update")
			must(there.RotateToken(t.Context(), org, operator, v.ID, tidemark.NewSecret(), 0))(t)
			heard("a rotation")
			ok(t, there.DeleteToken(t.Context(), org, operator, v.ID))
			heard("a deletion")
		})
	}
}

// Each listener hears of its own.
func TestListenOthers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		heard := listen(t, s.ListenMetrics)
		heard("the start")
		addMetrics(t, s, org, "cpu") // a new metric is no news
		_, _, err := s.PutMetric(ctx, org, operator, "cpu", func(m *tidemark.Metric) { m.Period = new(int64(5)) })
		ok(t, err)
		heard("an update")
		must(s.UpdateMetrics(ctx, org, operator, []string{"*"}, nil, func(*tidemark.Metric) {}))(t)
		heard("an update of many")
		ok(t, s.DeleteMetrics(ctx, org, operator, []string{"cpu"}))
		heard("a deletion")

		heard = listen(t, s.ListenAlerts)
		heard("the start")
		v := addAlert(t, s, org, "high")
		heard("a new alert")
		service := addService(t, s, org, "ops") // no alert has it
		ok(t, s.AttachService(ctx, org, operator, tidemark.AttachmentKey{Alert: v.ID, Service: service.ID}))
		heard("a service")
		must(s.UpdateService(ctx, org, operator, service.ID, func(*tidemark.Service) {}))(t)
		heard("a change of the service")
		ok(t, s.DeleteAlert(ctx, org, operator, v.ID))
		heard("a deletion")
	})
}

// listen starts a listener and returns a function that waits until it has
// heard of something: a test that hears nothing runs into its time limit.
func listen(t *testing.T, hear func(context.Context, func()) error) (heard func(of string)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	notices, done := make(chan struct{}, 100), make(chan error, 1)
	go func() { done <- hear(ctx, func() { notices <- struct{}{} }) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Listen = %v", err)
		}
		if n := len(notices); n > 0 {
			t.Errorf("%d notices of nothing", n)
		}
	})
	return func(of string) {
		t.Helper()
		t.Log("waiting to hear of", of)
		<-notices
	}
}

func TestTokenVersion(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		last := must(s.TokenVersion(t.Context()))(t)
		changed := func(what string) {
			t.Helper()
			v := must(s.TokenVersion(t.Context()))(t)
			if v == last {
				t.Errorf("%s left the version as it was", what)
			}
			last = v
		}
		edge, _ := addToken(t, s, org, "edge")
		changed("CreateToken")
		must(s.UpdateToken(t.Context(), org, operator, edge.ID, func(*tidemark.Token) {}))(t)
		changed("UpdateToken")
		must(s.RotateToken(t.Context(), org, operator, edge.ID, tidemark.NewSecret(), 0))(t)
		changed("RotateToken")
		ok(t, s.DeleteToken(t.Context(), org, operator, edge.ID))
		changed("DeleteToken")
		_ = s.DeleteToken(t.Context(), org, operator, edge.ID) // NotFound
		if v := must(s.TokenVersion(t.Context()))(t); v != last {
			t.Error("what failed changed the version")
		}
	})
}
