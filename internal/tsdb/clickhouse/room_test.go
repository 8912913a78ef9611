package clickhouse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// hosts is a batch of streams, with room for so many.
func hosts(room int64, names ...string) *tsdb.Batch {
	b := &tsdb.Batch{Room: tsdb.Room{Streams: room}}
	for _, name := range names {
		b.Add("cpu", tidemark.Tags{{Name: "host", Value: name}}, 60, 1)
	}
	return b
}

// TestRoom: streams that are in the catalogue, or were written since, fit; of
// new ones as many as there is room for; a batch with one too many is refused
// whole. The catalogue is asked once.
func TestRoom(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	f.catalogue("cpu\x00host\x01a", "mem")
	fits := func(b *tsdb.Batch) string { return strings.Trim(fmt.Sprint(e.Fits(org, b)), "[]") }
	if got := fits(hosts(0, "x", "y")); got != " " || len(f.take("FROM streams")) > 0 {
		t.Errorf("without a limit: %q", got)
	}
	for _, tt := range []struct {
		room  int64
		names []string
		want  string
	}{
		{2, []string{"a"}, ""},
		{2, []string{"b"}, "streams"},
		{3, []string{"b", "a", "b", "c", "b"}, "   streams "},
		{1, []string{"a"}, ""}, // it is there, although there are too many
	} {
		if got := fits(hosts(tt.room, tt.names...)); got != tt.want {
			t.Errorf("room for %d, %v: got %q, want %q", tt.room, tt.names, got, tt.want)
		}
	}
	err := e.Write(t.Context(), org, hosts(3, "b", "c"))
	if want := "the organization has no room for the streams: the limit is streams"; tidemark.KindOf(err) != tidemark.TooLarge || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	write(t, e, hosts(3, "b"))
	if got := fits(hosts(3, "b", "c")); got != " streams" {
		t.Errorf("after a write: %q", got)
	}
	if n := len(f.take("SELECT metric, gen, id, key FROM streams")); n != 1 {
		t.Errorf("the catalogue was asked %d times", n)
	}
	if err := e.Delete(t.Context(), org, "mem"); err != nil {
		t.Fatal(err)
	}
	write(t, e, hosts(1, "b", "b"))
	if n := len(f.take("FROM streams")); n > 0 {
		t.Errorf("for streams that are known, the catalogue was asked %d times", n)
	}
	if err := e.Delete(t.Context(), org, "cpu"); err != nil {
		t.Fatal(err)
	}
	if err := e.Write(t.Context(), org, hosts(1, "b", "c")); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("two of a deleted metric, and room for one: %v", err)
	}
	if err := e.Delete(t.Context(), org, "mem"); err != nil {
		t.Fatal(err)
	}
	f.fail("FROM streams", 241, "memory")
	if got := fits(hosts(1, "x")); got != "" {
		t.Errorf("where nobody can count, all fit: %q", got)
	}
}

// TestStats: streams are counted by organization, of generations that are not
// deleted, and the disk is shared out by samples.
func TestStats(t *testing.T) {
	t.Parallel()
	e, f, l := onFake(t)
	l.samples = map[tidemark.OrgID]int64{1: 300, 2: 100}
	if err := e.Delete(t.Context(), org, "old"); err != nil {
		t.Fatal(err)
	}
	var orgs, x proto.ColUInt64
	orgs.Append(1)
	orgs.Append(3)
	x.Append(5)
	x.Append(2)
	f.rows("uniqExact(id)", 2, proto.InputColumn{Name: "org", Data: orgs}, proto.InputColumn{Name: "x", Data: x})
	var bytes proto.ColUInt64
	bytes.Append(4000)
	f.rows("bytes_on_disk", 1, proto.InputColumn{Name: "x", Data: bytes})
	f.take("")
	got, err := e.Stats(t.Context())
	want := "{7 400 4000 0 0 map[1:{5 300 3000 0} 2:{0 100 1000 0} 3:{2 0 0 0}] }"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	q := f.take("uniqExact(id)")[0]
	if row := string(q.ids); !strings.Contains(row, "old") || q.settings.Get("ids_structure") != "org UInt64, metric String, gen UInt32" {
		t.Errorf("deleted metrics came as %q", row)
	}
	f.fail("INTO records", 60, "gone")
	if err := e.Write(t.Context(), org, one("cpu", "a", 60, 1)); err == nil {
		t.Fatal("no error")
	}
	if got, err := e.Stats(t.Context()); err != nil || got.Refusing != "the tables are missing in ClickHouse" {
		t.Errorf("refusing because of %q, %v", got.Refusing, err)
	}
	f.fail("bytes_on_disk", 497, "no")
	if _, err := e.Stats(t.Context()); tidemark.KindOf(err) != tidemark.Unavailable || !strings.HasPrefix(err.Error(), "statistics are not available: clickhouse.user may not do that") {
		t.Errorf("got %v", err)
	}
}
