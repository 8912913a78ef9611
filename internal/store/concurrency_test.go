package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// crowd is how many do the same at once.
const crowd = 12

// eachPair runs f against two stores that have one database, as two processes
// do, with one organization in it.
func eachPair(t *testing.T, f func(t *testing.T, stores []*store.Store, org tidemark.OrgID)) {
	t.Helper()
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := freshURL(t, kind)
			stores := []*store.Store{openStore(t, url), openStore(t, url)}
			f(t, stores, addOrg(t, stores[0], "test"))
		})
	}
}

// together runs do at once in a crowd, spread over the stores, and returns the
// errors, nil or not, of all.
func together(stores []*store.Store, do func(i int, s *store.Store) error) []error {
	errs := make([]error, crowd)
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() { errs[i] = do(i, stores[i%len(stores)]) })
	}
	wg.Wait()
	return errs
}

// Writers wait for each other; none is told that the database is locked.
func TestManyWriters(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, stores[0], org, "cpu")
		err := errors.Join(together(stores, func(i int, s *store.Store) error {
			for j := range 5 {
				v := newAlert(fmt.Sprintf("%d.%d", i, j), above("cpu", 1), above("cpu", 2))
				if err := s.CreateAlert(ctx, org, operator, v); err != nil {
					return err
				}
				if _, err := s.UpdateAlert(ctx, org, operator, v.ID, keepConditions(v).Apply); err != nil {
					return err
				}
				if err := s.CreateEvent(ctx, org, "releases", &tidemark.AnnotationEvent{Title: "x"}); err != nil {
					return err
				}
				if _, _, err := s.Alerts(ctx, org, tidemark.Page{}); err != nil {
					return err
				}
			}
			return nil
		})...)
		ok(t, err)
		list, n, err := stores[0].Alerts(ctx, org, tidemark.Page{})
		if err != nil || n.Total != 5*crowd {
			t.Fatalf("%v, %v", n, err)
		}
		var ids []int64
		for _, v := range list {
			for _, c := range v.Conditions {
				ids = append(ids, c.ID)
			}
		}
		slices.Sort(ids)
		if len(ids) != 10*crowd || len(slices.Compact(ids)) != 10*crowd {
			t.Errorf("conditions share ids: %v", ids)
		}
		if events := must(stores[1].Events(ctx, org, "releases", tidemark.AnnotationEventQuery{}))(t); len(events) != 5*crowd {
			t.Errorf("%d events", len(events))
		}
	})
}

// No change is made to a state that is no longer there.
func TestNoLostUpdate(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, stores[0], org, "a", "b", "c")
		increment := func(m *tidemark.Metric) {
			n, _ := m.Attributes["n"].(int64)
			m.Attributes["n"] = n + 1
		}
		err := errors.Join(together(stores, func(i int, s *store.Store) error {
			if i%2 == 0 {
				return errOf(s.UpdateMetrics(ctx, org, operator, []string{"*"}, nil, increment))
			}
			for _, name := range []string{"c", "b", "a"} {
				if _, _, err := s.PutMetric(ctx, org, operator, name, increment); err != nil {
					return err
				}
			}
			return nil
		})...)
		ok(t, err)
		for _, name := range []string{"a", "b", "c"} {
			if n := must(stores[0].Metric(ctx, org, name))(t).Attributes["n"]; n != int64(crowd) {
				t.Errorf("%s was incremented to %v, want %d", name, n, crowd)
			}
		}
	})
}

// Of many who create the same, one does.
func TestOneWins(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		won := func(errs []error, lose tidemark.Kind) {
			t.Helper()
			n := 0
			for _, err := range errs {
				if err == nil {
					n++
				} else if tidemark.KindOf(err) != lose {
					t.Errorf("a loser got %v", err)
				}
			}
			if n != 1 {
				t.Errorf("%d won", n)
			}
		}
		won(together(stores, func(_ int, s *store.Store) error {
			return s.CreateAlert(ctx, org, operator, newAlert("same"))
		}), tidemark.Conflict)

		errExists := tidemark.Errorf(tidemark.Conflict, "was there")
		won(together(stores, func(i int, s *store.Store) error {
			m, created, err := s.PutMetric(ctx, org, operator, []string{"same", "SAME"}[i%2], func(*tidemark.Metric) {})
			if err == nil && !created {
				err = errExists
			}
			_ = m
			return err
		}), tidemark.Conflict)

		errs := together(stores, func(i int, s *store.Store) error {
			got, err := s.SetSettingOnce(ctx, "key", []byte{byte(i)})
			if err == nil && got[0] != byte(i) {
				err = errExists
			}
			return err
		})
		won(errs, tidemark.Conflict)
	})
}

// Metrics that several requests bring at once, in any order, are made once.
func TestEnsureMetricsAtOnce(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		err := errors.Join(together(stores, func(i int, s *store.Store) error {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			ms := make([]*tidemark.Metric, 100)
			for j, n := range r.Perm(len(ms)) {
				ms[j] = &tidemark.Metric{Name: fmt.Sprintf("m.%d", n), Type: tidemark.Gauge}
			}
			stored, err := s.EnsureMetrics(ctx, org, ms)
			for j, m := range stored {
				if m == nil || m.Name != ms[j].Name {
					return fmt.Errorf("%s is %v", ms[j].Name, m)
				}
			}
			return err
		})...)
		ok(t, err)
		if _, n, err := stores[0].Metrics(ctx, org, tidemark.Page{}); err != nil || n.Total != 100 {
			t.Errorf("%v, %v", n, err)
		}
	})
}

// Two admins cannot remove each other at the same time.
func TestLastAdminAtOnce(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		users := make([]int64, crowd)
		for i := range users {
			users[i] = addUser(t, stores[0], fmt.Sprintf("u%d@example.org", i)).ID
			must(stores[0].AddMember(ctx, org, operator, users[i], tidemark.FullAccess))(t)
		}
		errs := together(stores, func(i int, s *store.Store) error {
			if i%2 == 0 {
				return s.RemoveMember(ctx, org, operator, users[i])
			}
			return s.SetMemberRole(ctx, org, operator, users[i], tidemark.Member)
		})
		refused := 0
		for _, err := range errs {
			if tidemark.KindOf(err) == tidemark.Conflict && err != nil {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		if refused != 1 {
			t.Errorf("%d were refused, want the last one alone", refused)
		}
	})
}

// A deadline, a cancelled request and a closed store are distinguished.
func TestInterrupted(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		late, stop := context.WithTimeout(t.Context(), -1)
		defer stop()
		gone, leave := context.WithCancel(t.Context())
		leave()
		checkKinds(t, []wrong{
			{"read after the deadline", func() error { return errOf(s.Org(late, org)) }, tidemark.Unavailable},
			{"write after the deadline", func() error { return s.CreateService(late, org, operator, hook("x")) }, tidemark.Unavailable},
			{"read for nobody", func() error { return errOf(s.Org(gone, org)) }, tidemark.Internal},
			{"write for nobody", func() error { return s.CreateService(gone, org, operator, hook("x")) }, tidemark.Internal},
		})
		if err := errOf(s.Org(gone, org)); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want context.Canceled", err)
		}
	})
}
