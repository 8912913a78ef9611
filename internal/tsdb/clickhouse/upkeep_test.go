package clickhouse_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// aged is an engine on a fake whose clock can be set.
func aged(t *testing.T) (*clickhouse.Engine, *fake, *ledger, *time.Time) {
	t.Helper()
	f := newFake(t)
	o, l := fakeOptions(f)
	now := time.Unix(1000*day+10*hour, 0)
	o.Now = func() time.Time { return now }
	o.RawRetention, o.HourRetention = 8*24*time.Hour, 100*24*time.Hour
	e := open(t, o)
	f.take("")
	return e, f, l, &now
}

// numbers answers with a column x.
func (f *fake) numbers(part string, all ...uint32) {
	var x proto.ColUInt32
	for _, n := range all {
		x.Append(n)
	}
	f.rows(part, len(all), proto.InputColumn{Name: "x", Data: x})
}

func marks(l *ledger) map[string]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.marks)
}

// TestUpkeepHours: every hour with new rows is made, oldest first, and only
// when all of them are there do readers hear of it.
func TestUpkeepHours(t *testing.T) {
	t.Parallel()
	e, f, l, _ := aged(t)
	f.numbers("SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x FROM records WHERE", 1000*day+8*hour, 1000*day+9*hour)
	f.fail(fmt.Sprintf("toUInt32(%d), toUInt64(0)", 1000*day+9*hour), 243, "full")
	err := e.Upkeep(t.Context())
	if want := "make the hour of 1972-09-27 09:00:00: Code: 243. DB::Exception: full"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := marks(l); len(got) > 0 {
		t.Errorf("marks %v although an hour is missing", got)
	}
	f.answers = f.answers[:len(f.answers)-1]
	f.take("")
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	made := f.take("INSERT INTO hours (")
	if len(made) != 2 || !strings.Contains(made[0].sql, fmt.Sprint(1000*day+8*hour)) || !strings.Contains(made[1].sql, fmt.Sprint(1000*day+9*hour)) {
		t.Errorf("made %d hours: %q", len(made), made)
	}
	if got := marks(l); got["hours"] != 2 || got["hours_until"] != 1000*day+10*hour {
		t.Errorf("marks %v", got)
	}
}

// TestUpkeepExpires: days of records go only after the hours have them, after
// all servers know, and only if nothing newer is in them.
func TestUpkeepExpires(t *testing.T) {
	t.Parallel()
	e, f, l, now := aged(t)
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := marks(l)["raw_from"]; got != 992*day {
		t.Errorf("records are kept from day %d, want 992", got/day)
	}
	if dropped := f.take("DROP PARTITION"); len(dropped) > 0 {
		t.Errorf("dropped before others knew: %s", dropped[0].sql)
	}
	*now = now.Add(time.Hour)
	f.texts("FROM tidemark.records WHERE t < ", "990", "991")
	f.texts("FROM tidemark.hours WHERE t < ", "33")
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var asked, dropped []string
	for _, q := range f.take("") {
		if strings.Contains(q.sql, "DROP") {
			dropped = append(dropped, q.sql)
		}
		if strings.Contains(q.sql, "HAVING") || strings.Contains(q.sql, "tidemark.hours") {
			asked = append(asked, q.sql)
		}
	}
	if want := []string{"ALTER TABLE records DROP PARTITION 990", "ALTER TABLE records DROP PARTITION 991", "ALTER TABLE hours DROP PARTITION 33"}; !slices.Equal(dropped, want) {
		t.Errorf("got %q, want %q", dropped, want)
	}
	want := []string{
		fmt.Sprintf("SELECT toString(intDiv(t, 86400)) AS x FROM tidemark.records WHERE t < %d GROUP BY x HAVING max(seq) < %d FORMAT Native", 992*day, 3<<20),
		fmt.Sprintf("SELECT DISTINCT toString(intDiv(t, 2592000)) AS x FROM tidemark.hours WHERE t < %d FORMAT Native", 900*day),
	}
	if !slices.Equal(asked, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
}

// TestUpkeepRemoves: what a deleted metric left is removed from every table,
// once, and only of the generations that are gone.
func TestUpkeepRemoves(t *testing.T) {
	t.Parallel()
	e, f, l, _ := aged(t)
	write(t, e, one("it's", "a", 60, 1))
	old := inserted(t, f.take("INTO records")[0])["metric"][0]
	if err := e.Delete(t.Context(), org, "it's"); err != nil {
		t.Fatal(err)
	}
	f.fail("ALTER TABLE hours DELETE", 243, "full")
	if err := e.Upkeep(t.Context()); err == nil {
		t.Error("no error")
	}
	if m := l.metrics["\x01it's"]; m.Removed != 0 {
		t.Errorf("%+v although something is left", m)
	}
	f.answers = f.answers[:len(f.answers)-1]
	f.take("")
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range f.take("DELETE WHERE") {
		got = append(got, q.sql)
	}
	slices.Sort(got)
	want := []string{
		"ALTER TABLE hours DELETE WHERE metric IN (" + old + ")",
		"ALTER TABLE records DELETE WHERE metric IN (" + old + ")",
		`ALTER TABLE streams DELETE WHERE (org = 1 AND metric = 'it\'s' AND gen < 1)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := f.take("DELETE WHERE"); len(again) > 0 {
		t.Errorf("removed again: %q", again)
	}
}

// arrived answers with rows of the stream that has number 7.
func (f *fake) arrived(part string, seqs ...uint64) {
	var orgs, seq proto.ColUInt64
	var id proto.ColFixedStr16
	var at proto.ColUInt32
	var k proto.ColUInt8
	var v, zero proto.ColFloat64
	for _, s := range seqs {
		orgs.Append(uint64(org))
		id.Append([16]byte{7})
		at.Append(60)
		seq.Append(s)
		k.Append(0)
		v.Append(float64(s & 0xff))
		zero.Append(0)
	}
	columns := []proto.InputColumn{{Name: "org", Data: orgs}, {Name: "id", Data: id}, {Name: "t", Data: at}, {Name: "seq", Data: seq}, {Name: "k", Data: k}, {Name: "v", Data: v}}
	for _, name := range []string{"n", "s", "mi", "ma", "m2"} {
		columns = append(columns, proto.InputColumn{Name: name, Data: zero})
	}
	f.rows(part, len(seqs), columns...)
}

// TestArrivalsOnce: rows are handed over once however often they are read, and
// once more after an error, for nobody had them.
func TestArrivalsOnce(t *testing.T) {
	t.Parallel()
	e, f, _, now := aged(t)
	a, err := e.Arrivals(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var key proto.ColStr
	var id proto.ColFixedStr16
	key.Append("cpu\x00host\x01a")
	id.Append([16]byte{7})
	names := []proto.InputColumn{{Name: "id", Data: id}, {Name: "key", Data: key}}
	fetch := func(watched map[tidemark.OrgID][]string) (got []float64, err error) {
		err = a.Fetch(t.Context(), watched, func(_ tidemark.OrgID, b *tsdb.Batch) {
			for i := range b.Records {
				got = append(got, b.Records[i].Summary.Last)
			}
		})
		return got, err
	}
	cpu := map[tidemark.OrgID][]string{org: {"cpu"}}
	f.arrived("FROM records", 1<<20+1, 1<<20+2)
	f.fail("FROM streams", 241, "memory")
	if got, err := fetch(cpu); err == nil || len(got) > 0 {
		t.Errorf("without names: %v, %v", got, err)
	}
	f.rows("FROM streams", 1, names...)
	if got, err := fetch(cpu); err != nil || !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	f.arrived("FROM records", 1<<20+1, 1<<20+2, 1<<20+3)
	f.take("")
	if got, err := fetch(cpu); err != nil || !slices.Equal(got, []float64{3}) {
		t.Errorf("got %v, %v", got, err)
	}
	if asked := f.take("FROM streams"); len(asked) > 0 {
		t.Errorf("a known stream was asked for: %s", asked[0].sql)
	}
	f.arrived("FROM records")
	*now = now.Add(time.Minute)
	if _, err := fetch(nil); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(time.Minute)
	if _, err := fetch(nil); err != nil {
		t.Fatal(err)
	}
	f.take("")
	if _, err := fetch(cpu); err != nil {
		t.Fatal(err)
	}
	if sql := f.take("FROM records")[0].sql; strings.Contains(sql, "seq >= 0 ") {
		t.Errorf("all since the start is read once something is watched: %s", sql)
	}
}

// TestArrivalsWithoutLedger: without the ledger there is an error, and no rows.
func TestArrivalsWithoutLedger(t *testing.T) {
	t.Parallel()
	e, _, l, _ := aged(t)
	a, err := e.Arrivals(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	l.mu.Lock()
	l.fail = errors.New("away")
	l.mu.Unlock()
	if err := a.Fetch(t.Context(), map[tidemark.OrgID][]string{org: {"*"}}, nil); err == nil || err.Error() != "away" {
		t.Errorf("got %v", err)
	}
	if _, err := e.Arrivals(t.Context(), 0); err == nil {
		t.Error("no error")
	}
}

// TestArrivalsMark: whoever takes over begins where the one before was, within
// bounds.
func TestArrivalsMark(t *testing.T) {
	t.Parallel()
	e, f, l, _ := aged(t)
	for mark, want := range map[int64]int64{0: 499_001, 450_000: 450_000, 5: 400_001, 1 << 40: 500_001} {
		l.mu.Lock()
		l.commits = 500_000
		l.mu.Unlock()
		a, err := e.Arrivals(t.Context(), mark)
		if err != nil || a.Mark() != want {
			t.Errorf("from %d: %d, %v, want %d", mark, a.Mark(), err, want)
		}
		f.take("")
		if err := a.Fetch(t.Context(), map[tidemark.OrgID][]string{org: {"*"}}, nil); err != nil {
			t.Fatal(err)
		}
		if sql := f.take("FROM records")[0].sql; !strings.Contains(sql, fmt.Sprintf("seq >= %d ", want<<20)) {
			t.Errorf("from %d: %s", mark, sql)
		}
	}
}
