package clickhouse_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// TestSetUpRefuses: a ClickHouse that cannot be used is refused at the start,
// with the setting or the reason in words, and nothing is made in it.
func TestSetUpRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prepare func(f *fake, o *clickhouse.Options)
		want    string
	}{
		"too old":         {func(f *fake, _ *clickhouse.Options) { f.texts("version()", "18.14.9") }, "clickhouse: version 18.14.9 is too old: 18.16 or later is needed"},
		"no version":      {func(f *fake, _ *clickhouse.Options) { f.texts("version()", "latest") }, "clickhouse: version latest is too old: 18.16 or later is needed"},
		"odd version":     {func(f *fake, _ *clickhouse.Options) { f.texts("version()", "24.x") }, "clickhouse: version 24.x is too old: 18.16 or later is needed"},
		"newer tables":    {func(f *fake, _ *clickhouse.Options) { f.texts("max(version)", "2") }, "clickhouse: the tables in tidemark belong to a newer version of Tidemark"},
		"database":        {func(_ *fake, o *clickhouse.Options) { o.Database = "1st" }, `clickhouse.database: "1st" is not a name of letters, digits and _`},
		"unicode":         {func(_ *fake, o *clickhouse.Options) { o.Database = "maß" }, `clickhouse.database: "maß" is not a name of letters, digits and _`},
		"no such cluster": {func(f *fake, o *clickhouse.Options) { o.Cluster = "c"; f.texts("system.clusters", "0 0") }, `clickhouse.cluster: ClickHouse has no cluster "c"`},
		"no macros": {func(f *fake, o *clickhouse.Options) {
			o.Cluster = "c"
			f.texts("system.clusters", "1 2")
			f.texts("system.macros", "shard", "layer")
		}, `clickhouse.cluster: the servers of "c" have no macros shard and replica; replicated tables need both`},
		"no rights": {func(f *fake, _ *clickhouse.Options) { f.fail("max(version)", 497, "no") }, "clickhouse: clickhouse.user may not do that in ClickHouse: Code: 497. DB::Exception: no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			o, _ := fakeOptions(f)
			tt.prepare(f, &o)
			e, err := clickhouse.Open(t.Context(), o)
			if err == nil {
				e.Close()
				t.Fatal("no error")
			}
			if err.Error() != tt.want {
				t.Errorf("got %q, want %q", err, tt.want)
			}
			if made := f.take("CREATE"); len(made) > 0 {
				t.Errorf("it was refused, but %s", made[0].sql)
			}
		})
	}
}

// made opens an engine and returns the statements that make its tables, each
// without its list of columns.
func made(t *testing.T, f *fake, o clickhouse.Options) []string {
	t.Helper()
	open(t, o)
	var all []string
	for _, q := range f.take("") {
		if !strings.Contains(q.sql, "CREATE") && !strings.Contains(q.sql, "INSERT") {
			continue
		}
		head, rest, ok := strings.Cut(q.sql, " (")
		if _, engine, _ := strings.Cut(rest, ") ENGINE = "); ok && engine != "" {
			engine, _, _ = strings.Cut(engine, " SETTINGS ")
			head += ": " + engine
		}
		all = append(all, head)
	}
	return all
}

// TestTables: the tables are made once, as the servers are: plain on one,
// replicated on replicas, and with one over all of them on shards.
func TestTables(t *testing.T) {
	t.Parallel()
	for cluster, want := range map[string][]string{
		"": {
			"CREATE DATABASE IF NOT EXISTS tidemark",
			"CREATE TABLE IF NOT EXISTS tidemark.versions: ReplacingMergeTree() ORDER BY version",
			"CREATE TABLE IF NOT EXISTS tidemark.streams: ReplacingMergeTree() ORDER BY (org, metric, gen, key)",
			"CREATE TABLE IF NOT EXISTS tidemark.records: ReplacingMergeTree(seq) PARTITION BY intDiv(t, 86400) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.hours: ReplacingMergeTree(seq) PARTITION BY intDiv(t, 2592000) ORDER BY (org, metric, id, t, slot)",
			"INSERT INTO tidemark.versions",
		},
		"1 2": {
			"CREATE DATABASE IF NOT EXISTS tidemark ON CLUSTER 'c' ",
			"CREATE TABLE IF NOT EXISTS tidemark.versions ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/versions', '{replica}') ORDER BY version",
			"CREATE TABLE IF NOT EXISTS tidemark.streams ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/streams', '{replica}') ORDER BY (org, metric, gen, key)",
			"CREATE TABLE IF NOT EXISTS tidemark.records ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/records', '{replica}', seq) PARTITION BY intDiv(t, 86400) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.hours ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/hours', '{replica}', seq) PARTITION BY intDiv(t, 2592000) ORDER BY (org, metric, id, t, slot)",
			"INSERT INTO tidemark.versions",
		},
		"2 1": {
			"CREATE DATABASE IF NOT EXISTS tidemark ON CLUSTER 'c' ",
			"CREATE TABLE IF NOT EXISTS tidemark.versions_local ON CLUSTER 'c': ReplacingMergeTree() ORDER BY version",
			"CREATE TABLE IF NOT EXISTS tidemark.streams_local ON CLUSTER 'c': ReplacingMergeTree() ORDER BY (org, metric, gen, key)",
			"CREATE TABLE IF NOT EXISTS tidemark.streams ON CLUSTER 'c': Distributed('c', 'tidemark', 'streams_local', sipHash64(key))",
			"CREATE TABLE IF NOT EXISTS tidemark.records_local ON CLUSTER 'c': ReplacingMergeTree(seq) PARTITION BY intDiv(t, 86400) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.records ON CLUSTER 'c': Distributed('c', 'tidemark', 'records_local', sipHash64(id))",
			"CREATE TABLE IF NOT EXISTS tidemark.hours_local ON CLUSTER 'c': ReplacingMergeTree(seq) PARTITION BY intDiv(t, 2592000) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.hours ON CLUSTER 'c': Distributed('c', 'tidemark', 'hours_local', sipHash64(id))",
			"INSERT INTO tidemark.versions_local",
		},
		"2 2": {
			"CREATE DATABASE IF NOT EXISTS tidemark ON CLUSTER 'c' ",
			"CREATE TABLE IF NOT EXISTS tidemark.versions_local ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/versions', '{replica}') ORDER BY version",
			"CREATE TABLE IF NOT EXISTS tidemark.streams_local ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/streams', '{replica}') ORDER BY (org, metric, gen, key)",
			"CREATE TABLE IF NOT EXISTS tidemark.streams ON CLUSTER 'c': Distributed('c', 'tidemark', 'streams_local', sipHash64(key))",
			"CREATE TABLE IF NOT EXISTS tidemark.records_local ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/records', '{replica}', seq) PARTITION BY intDiv(t, 86400) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.records ON CLUSTER 'c': Distributed('c', 'tidemark', 'records_local', sipHash64(id))",
			"CREATE TABLE IF NOT EXISTS tidemark.hours_local ON CLUSTER 'c': ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tidemark/hours', '{replica}', seq) PARTITION BY intDiv(t, 2592000) ORDER BY (org, metric, id, t, slot)",
			"CREATE TABLE IF NOT EXISTS tidemark.hours ON CLUSTER 'c': Distributed('c', 'tidemark', 'hours_local', sipHash64(id))",
			"INSERT INTO tidemark.versions_local",
		},
	} {
		o, fakes := onShards(t, cluster, "1", "2")
		f := fakes[0]
		if cluster == "" {
			o.Cluster = ""
		}
		got := made(t, f, o)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q: got\n%s\nwant\n%s", cluster, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		f.texts("max(version)", "1")
		if again := made(t, f, o); len(again) > 0 {
			t.Errorf("%q: the tables are there, but %q", cluster, again)
		}
	}
}

// TestNoKeeper: where the cluster has no keeper to pass statements on, every
// address is told itself.
func TestNoKeeper(t *testing.T) {
	t.Parallel()
	first, second := newFake(t), newFake(t)
	for _, f := range []*fake{first, second} {
		f.texts("system.clusters", "2 1")
		f.fail("ON CLUSTER", 139, "there is no keeper")
	}
	o, _ := fakeOptions(first, second)
	o.Cluster = "c"
	open(t, o)
	for i, f := range []*fake{first, second} {
		if tables := f.take("CREATE TABLE IF NOT EXISTS tidemark.records_local ("); len(tables) != 1 {
			t.Errorf("address %d was told %d times to make the table of records", i, len(tables))
		}
	}
}

// TestOldVersions: what an older ClickHouse does not know is not asked of it.
func TestOldVersions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]map[string]bool{
		"18.16.1": {"CODEC(": false, "INDEX": false, "fsync_after_insert": false},
		"19.1.6":  {"CODEC(": true, "INDEX": false, "fsync_after_insert": false},
		"20.10.3": {"CODEC(": true, "INDEX": true, "fsync_after_insert": true},
	} {
		f := newFake(t)
		f.texts("version()", version)
		o, _ := fakeOptions(f)
		open(t, o)
		sql := f.take("tidemark.records (")[0].sql
		for word, is := range want {
			if strings.Contains(sql, word) != is {
				t.Errorf("%s: %s is in it: %v: %s", version, word, !is, sql)
			}
		}
	}
}

// TestPositions: a ClickHouse that has no function for many texts is asked about
// one after the other.
func TestPositions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"18.16.1": "[position(concat(key, '\\0'), ", "26.7.3": "multiSearchAllPositions(concat(key, '\\0'), ["} {
		f := newFake(t)
		f.texts("version()", version)
		o, _ := fakeOptions(f)
		e := open(t, o)
		f.take("")
		if _, err := e.TagsInUse(t.Context(), org, []tidemark.Tag{{Name: "host"}, {Name: "zone", Value: "a"}}); err != nil {
			t.Fatal(err)
		}
		if sql := f.take("FROM streams")[0].sql; !strings.Contains(sql, want) {
			t.Errorf("%s: got %s, want %s in it", version, sql, want)
		}
	}
}

// TestCheck: what is in the way of a server is said for each address, in words.
func TestCheck(t *testing.T) {
	t.Parallel()
	now := func(f *fake, ahead time.Duration) {
		f.texts("now()", strconv.FormatInt(time.Now().Add(ahead).Unix(), 10))
	}
	for name, tt := range map[string]struct {
		prepare func(f *fake)
		want    string // after the address
	}{
		"fine without tables": {func(f *fake) { now(f, 0) }, ""},
		"fine with tables":    {func(f *fake) { now(f, 0); f.texts("system.tables", "records") }, ""},
		"clock":               {func(f *fake) { now(f, time.Hour+time.Minute) }, "the clock of ClickHouse and ours are 1h"},
		"read-only": {func(f *fake) {
			now(f, 0)
			f.texts("system.tables", "records")
			f.texts("system.replicas", "1")
		}, "the replica is read-only: it has lost its keeper"},
		"no insert": {func(f *fake) {
			now(f, 0)
			f.texts("system.tables", "records")
			f.fail("INSERT INTO tidemark.streams", 164, "readonly")
		}, "ClickHouse is read-only"},
		"no answer": {func(f *fake) { f.fail("now()", 516, "no") }, "ClickHouse does not know clickhouse.user, or not with that password"},
		"no tables may be seen": {func(f *fake) {
			now(f, 0)
			f.fail("system.tables", 497, "no")
		}, "clickhouse.user may not do that in ClickHouse"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.texts("system.clusters", "1 2")
			f.texts("system.macros", "shard", "replica")
			tt.prepare(f)
			o, _ := fakeOptions(f)
			o.Cluster = "c"
			err := clickhouse.Check(t.Context(), o)
			if tt.want == "" {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			if want := "clickhouse at " + strings.TrimPrefix(f.URL, "http://") + ": " + tt.want; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// TestReady: a server is ready as long as one of its addresses works.
func TestReady(t *testing.T) {
	t.Parallel()
	first, second := newFake(t), newFake(t)
	for _, f := range []*fake{first, second} {
		f.texts("now()", strconv.FormatInt(time.Now().Unix(), 10))
	}
	o, _ := fakeOptions(first, second)
	e := open(t, o)
	if err := e.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	first.answer(fakeAnswer{do: func() { panic(http.ErrAbortHandler) }})
	if err := e.Ready(t.Context()); err != nil {
		t.Errorf("the second address works: %v", err)
	}
	second.fail("", 241, "memory")
	if err := e.Ready(t.Context()); err == nil || err.Error() != "ClickHouse has not enough memory for it: Code: 241. DB::Exception: memory" {
		t.Errorf("no address works: %v", err)
	}
	e.Close()
	if err := e.Ready(t.Context()); err == nil || err.Error() != "storage is shutting down" {
		t.Errorf("closed: %v", err)
	}
}

// TestAiling: of several servers those that do not answer are said, also one
// that hangs; a lone one is not, since nothing works without it.
func TestAiling(t *testing.T) {
	t.Parallel()
	o, fakes := onShards(t, "3 1", "1", "2", "3")
	e := open(t, o)
	if said := e.Ailing(t.Context()); len(said) > 0 {
		t.Errorf("all are well: %q", said)
	}
	release := make(chan struct{})
	defer close(release)
	fakes[1].Close()
	fakes[2].answer(fakeAnswer{part: "SELECT 1", do: func() { <-release }})
	said := e.Ailing(t.Context())
	if len(said) != 2 || !strings.HasPrefix(said[0], "server 2 of the 3 in clickhouse.urls: ") || !strings.HasPrefix(said[1], "server 3 of the 3 in clickhouse.urls: ") {
		t.Errorf("two are away: %q", said)
	}
	if strings.Contains(strings.Join(said, ""), "127.0.0.1") {
		t.Errorf("it says where they are: %q", said)
	}
	lone, f, _ := onFake(t)
	f.Close()
	if said := lone.Ailing(t.Context()); len(said) > 0 {
		t.Errorf("a lone one: %q", said)
	}
}
