package clickhouse_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// TestShardsMissing: addresses of some shards only are refused, and nothing is
// made: the hours of the others would never be.
func TestShardsMissing(t *testing.T) {
	t.Parallel()
	const want = `clickhouse.urls: has servers of 1 of the 2 shards of "c": name at least one of each`
	for shape, shards := range map[string][]string{"2 1": {"1"}, "2 2": {"1", "1"}} {
		o, fakes := onShards(t, shape, shards...)
		if _, err := clickhouse.Open(t.Context(), o); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", shape, err, want)
		}
		for _, f := range fakes {
			f.texts("now()", strconv.FormatInt(time.Now().Unix(), 10))
		}
		if err := clickhouse.Check(t.Context(), o); err == nil || err.Error() != want {
			t.Errorf("%s: the check says %v, want %s", shape, err, want)
		}
		if made := fakes[0].take("CREATE"); len(made) > 0 {
			t.Errorf("%s: it was refused, but %s", shape, made[0].sql)
		}
	}
}

// TestUpkeepOnShards: the hours are made, and what is gone is dropped, once in
// every shard: by a replica that works and has caught up.
func TestUpkeepOnShards(t *testing.T) {
	t.Parallel()
	o, fakes := onShards(t, "2 2", "1", "1", "2", "2")
	e := open(t, o)
	for _, f := range fakes {
		f.numbers("SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x FROM records WHERE", 8*hour)
		f.texts("FROM tidemark.records_local WHERE t < ", "990")
	}
	upkeep := func(want ...string) { // of each address
		t.Helper()
		for _, f := range fakes {
			f.take("")
		}
		if err := e.Upkeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, f := range fakes {
			if got := done(f); got != want[i] {
				t.Errorf("address %d did %q, want %q", i, got, want[i])
			}
		}
	}
	const all = "sync make drop"
	upkeep(all, "", all, "")
	fakes[0].answer(fakeAnswer{do: func() { panic(http.ErrAbortHandler) }})
	fakes[2].fail("SYSTEM SYNC REPLICA", 225, "no keeper")
	upkeep("", all, "sync", all)
	fakes[1].answer(fakeAnswer{do: func() { panic(http.ErrAbortHandler) }})
	if err := e.Upkeep(t.Context()); err == nil || !strings.Contains(err.Error(), "ClickHouse cannot be reached") {
		t.Errorf("a shard is away: %v", err)
	}
}

// done is what a server did for the tables of its shard, in the order in which
// it first did.
func done(f *fake) string {
	var all []string
	for _, q := range f.take("") {
		for sql, what := range map[string]string{"SYSTEM SYNC": "sync", "INSERT INTO hours_local": "make", "records_local DROP": "drop"} {
			if strings.Contains(q.sql, sql) && !slices.Contains(all, what) {
				all = append(all, what)
			}
		}
	}
	return strings.Join(all, " ")
}

// TestShardsSettings: where shards have replicas every question says which are
// read from.
func TestShardsSettings(t *testing.T) {
	t.Parallel()
	for shape, want := range map[string]string{"1 2": "", "2 1": "", "2 2": "3"} {
		o, fakes := onShards(t, shape, "1", "2")
		e := open(t, o)
		fakes[0].take("")
		if _, err := total(t, e, "cpu"); err != nil {
			t.Fatal(err)
		}
		for _, q := range fakes[0].take("FROM streams") {
			if got := q.settings.Get("max_replica_delay_for_distributed_queries"); got != want {
				t.Errorf("%s: %s may be %q behind, want %q", shape, q.sql, got, want)
			}
		}
	}
}
