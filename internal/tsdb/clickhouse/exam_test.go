package clickhouse_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/tsdbtest"
)

func open(t *testing.T, o clickhouse.Options) *clickhouse.Engine {
	t.Helper()
	e, err := clickhouse.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// options are those of an engine on a database of its own.
func options(t *testing.T) clickhouse.Options {
	t.Helper()
	url, database := clickhousetest.Database(t)
	return clickhouse.Options{URLs: strings.Split(url, ","), Database: database, Cluster: clickhousetest.Cluster(), Ledger: newLedger(), Node: "a", CommitInterval: time.Millisecond}
}

func TestExam(t *testing.T) {
	t.Parallel()
	clickhousetest.Server(t)
	tsdbtest.Run(t, func(t *testing.T) tsdb.Engine { return open(t, options(t)) }, tsdbtest.Distributions)
}

// TestExamReopened opens the engine again before each read, so that nothing is
// in its memory.
func TestExamReopened(t *testing.T) {
	t.Parallel()
	clickhousetest.Whole(t)
	var mu sync.Mutex
	of := make(map[string]clickhouse.Options) // by directory
	tsdbtest.RunDurable(t, func(t *testing.T, dir string) tsdb.Engine {
		mu.Lock()
		defer mu.Unlock()
		o, ok := of[dir]
		if !ok {
			o = options(t)
			of[dir] = o
		}
		return open(t, o)
	}, tsdbtest.Distributions)
}

// TestExamOnStore has the control store for a ledger.
func TestExamOnStore(t *testing.T) {
	t.Parallel()
	clickhousetest.Whole(t)
	for kind, url := range map[string]func(testing.TB) string{"sqlite": fresh.SQLite, "postgres": fresh.Postgres} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			tsdbtest.Run(t, func(t *testing.T) tsdb.Engine {
				s, err := store.Open(t.Context(), url(t))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.Close() })
				o := options(t)
				o.Ledger = s
				return open(t, o)
			}, tsdbtest.Distributions)
		})
	}
}

// TestExamShards has two shards, each with a part of the streams.
func TestExamShards(t *testing.T) {
	t.Parallel()
	clickhousetest.Whole(t)
	tsdbtest.Run(t, func(t *testing.T) tsdb.Engine { return open(t, shardOptions(t)) }, tsdbtest.Distributions)
}

// shardOptions are those of an engine on two shards.
func shardOptions(t *testing.T) clickhouse.Options {
	t.Helper()
	urls := clickhousetest.Shards(t)
	return clickhouse.Options{URLs: strings.Split(urls, ","), Database: clickhousetest.DatabaseOn(t, urls), Cluster: "shards", Ledger: newLedger(), Node: "a", CommitInterval: time.Millisecond}
}

// secured is ClickHouse behind TLS, and what trusts it.
func secured(t *testing.T) (address string, trusted *tls.Config) {
	t.Helper()
	first, _, _ := strings.Cut(clickhousetest.Server(t), ",")
	to, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(to))
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return s.URL, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// TestExamTLS reaches ClickHouse by TLS, with a certificate that is trusted by
// name.
func TestExamTLS(t *testing.T) {
	t.Parallel()
	clickhousetest.Whole(t)
	address, trusted := secured(t)
	o := options(t)
	o.URLs, o.Cluster = []string{address}, ""
	if _, err := clickhouse.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody vouches for: %v", err)
	}
	tsdbtest.Run(t, func(t *testing.T) tsdb.Engine {
		o := options(t)
		o.URLs, o.Cluster, o.TLS = []string{address}, "", trusted
		return open(t, o)
	}, tsdbtest.Distributions)
}
