package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// eachStore runs f against an empty store of every kind, with one
// organization in it.
func eachStore(t *testing.T, f func(t *testing.T, s *store.Store, org tidemark.OrgID)) {
	t.Helper()
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := openStore(t, freshURL(t, kind))
			store.OneConnection(s) // nothing may need a second one
			f(t, s, addOrg(t, s, "test"))
		})
	}
}

// freshURL names a database with nothing in it but its tables.
func freshURL(t testing.TB, kind string) string {
	t.Helper()
	if kind == "postgres" {
		return fresh.Postgres(t)
	}
	url := emptyURL(t, kind)
	ok(t, os.WriteFile(strings.TrimPrefix(url, "sqlite:"), must(migrated())(t), 0o600))
	return url
}

// emptyURL names a database with nothing in it at all.
func emptyURL(t testing.TB, kind string) string {
	t.Helper()
	if kind == "postgres" {
		return storetest.Postgres(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "control.db")
}

// migrated returns an SQLite file that has had all migrations. To run them for
// every test is half the time of all tests under the race detector.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "tidemark-store-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "control.db")
	s, err := store.Open(context.Background(), "sqlite:"+path)
	if err != nil {
		return nil, err
	}
	if err := s.UseKeys(context.Background(), testKeys); err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// testKeys are the keys of secrets in tests.
var testKeys = seal.New(seal.NewKey())

func openStore(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ok(t, s.UseKeys(t.Context(), testKeys))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func addOrg(t testing.TB, s *store.Store, name string) tidemark.OrgID {
	t.Helper()
	org, err := s.CreateOrg(t.Context(), operator, name)
	if err != nil {
		t.Fatal(err)
	}
	return org.ID
}

// must returns what a call returned, and ends the test if that was an error:
// must(s.Org(ctx, org))(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// errOf is for calls of which only the error matters.
func errOf[T any](_ T, err error) error { return err }

// listErr is errOf for lists.
func listErr[T any](_ []T, _ tidemark.Counts, err error) error { return err }

// same reports a difference between what was wanted and what there is. The zone
// that a window loaded is none.
func same(t testing.TB, what string, want, got any, opts ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, append(opts, cmpopts.IgnoreUnexported(tidemark.Repeat{}))...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkList compares a page of a list, by what name says of each, and its
// counts: found, total.
func checkList[T any](t testing.TB, name func(T) string, wantFound, wantTotal int, want ...string) func([]T, tidemark.Counts, error) {
	return func(list []T, n tidemark.Counts, err error) {
		t.Helper()
		ok(t, err)
		got := []string{}
		for _, v := range list {
			got = append(got, name(v))
		}
		same(t, "list", append([]string{}, want...), got)
		same(t, "counts", tidemark.Counts{Found: wantFound, Total: wantTotal}, n)
	}
}

// ok ends the test if there was an error.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wrong is a call that fails in a way its caller can act on.
type wrong struct {
	name string
	do   func() error
	want tidemark.Kind
}

func checkKinds(t *testing.T, tests []wrong) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Helper()
			err := tt.do()
			if err == nil || tidemark.KindOf(err) != tt.want {
				t.Errorf("err = %v, want kind %v", err, tt.want)
			}
		})
	}
}

// checkFields checks that err names one field and says what is wrong with it.
func checkFields(t testing.TB, err error, field, msg string) {
	t.Helper()
	e, isOurs := errors.AsType[*tidemark.Error](err)
	if !isOurs {
		t.Fatalf("err = %v", err)
	}
	same(t, "fields of the error", map[string][]string{field: {msg}}, e.Fields)
}

// operator is who changes things in tests that do not care who.
var operator = tidemark.Actor{Kind: tidemark.ByCLI}

// wantKind fails unless err is of a kind.
func wantKind(t testing.TB, what string, want tidemark.Kind, err error) {
	t.Helper()
	if err == nil || tidemark.KindOf(err) != want {
		t.Errorf("%s: %v, want an error of kind %d", what, err, want)
	}
}
