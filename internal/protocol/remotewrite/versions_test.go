package remotewrite_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
	"pgregory.net/rapid"
)

// table numbers the texts of a request of version 2.
type table struct {
	refs    map[string]int
	symbols []any
}

func newTable() *table { return &table{refs: map[string]int{"": 0}, symbols: []any{4, ""}} }

func (s *table) ref(text string) int {
	if _, ok := s.refs[text]; !ok {
		s.refs[text] = len(s.refs)
		s.symbols = append(s.symbols, 4, text)
	}
	return s.refs[text]
}

// labels are references to pairs of texts, packed.
func (s *table) labels(pairs ...string) (packed []byte) {
	for _, text := range pairs {
		packed = binary.AppendUvarint(packed, uint64(s.ref(text)))
	}
	return packed
}

// TestTypesOfVersion2: the type that a series says decides whether its values
// are totals; without one its name does.
func TestTypesOfVersion2(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, labels string
		typ          int
		want, meta   string
	}{
		{"a", "", 1, "counter", "counter"}, {"a_total", "", 2, "gauge", "gauge"}, {"a_total", "", 0, "counter", ""}, {"a", "", 0, "gauge", ""},
		{"a_bucket", "le", 0, "counter", ""}, {"a_bucket", "", 0, "gauge", ""}, {"a_bucket", "le", 3, "counter", "histogram"}, {"a_count", "", 3, "counter", "histogram"},
		{"a", "", 3, "gauge", "histogram"}, {"a_sum", "", 5, "counter", "summary"}, {"a", "quantile", 5, "gauge", "summary"}, {"a_total", "", 6, "gauge", "info"},
		{"a_total", "", 7, "gauge", "stateset"}, {"a_count", "", 4, "gauge", "gaugehistogram"}, {"a_total", "", 99, "gauge", ""},
	} {
		s := newTable()
		pairs := []string{"__name__", c.name}
		if c.labels != "" {
			pairs = append(pairs, c.labels, "1")
		}
		series := Message(5, Message(1, s.labels(pairs...), 2, sample(1, 1000), 5, Message(1, c.typ, 3, s.ref("help"), 4, s.ref("s"))))
		b := protocol.NewBatch(protocol.DefaultLimits)
		stats, err := new(remotewrite.Decoder).Decode(remotewrite.V2, append(Message(s.symbols...), series...), b)
		if err != nil || stats.Samples != 1 {
			t.Fatal(stats, err)
		}
		if p := b.Points[0]; p.Kind.String() != c.want {
			t.Errorf("%s of type %d is a %s, want %s", c.name, c.typ, p.Kind, c.want)
		}
		if want := (protocol.Metadata{Name: c.name, Help: "help", Unit: "s", Type: c.meta}); len(b.Metadata) != 1 || b.Metadata[0] != want {
			t.Errorf("%s of type %d: %+v, want %+v", c.name, c.typ, b.Metadata, want)
		}
	}
}

// TestOddRequestsOfVersion2: symbols may come last, a metric is described once
// for all its series, and what cannot be kept is counted.
func TestOddRequestsOfVersion2(t *testing.T) {
	t.Parallel()
	s := newTable()
	up := s.labels("__name__", "up", "", "nameless", "empty", "", "größe", "1")
	described := Message(1, 2, 3, s.ref("help"))
	body := append(Message(
		5, Message(1, up, 2, sample(1, 1000), 5, described),
		5, Message(1, up, 2, sample(2, 2000), 5, described, 4, Message(2, 1.0), 4, Message(2, 1.0)),
		5, Message(1, s.labels("job", "nobody"), 2, sample(3, 3000), 3, Message(15, 3000)),
		5, Message(1, s.labels("__name__", "ends"), 2, sample(1, 0), 5, Message(1, 99)),
		5, Message(1, s.labels("__name__", "started"), 2, Message(1, 5.0, 2, 9000, 3, 8000)),
	), Message(s.symbols...)...)
	b := protocol.NewBatch(protocol.DefaultLimits)
	stats, err := new(remotewrite.Decoder).Decode(remotewrite.V2, body, b)
	if err != nil {
		t.Fatal(err)
	}
	Check(t, b)
	want := "up{gr_xf6__xdf_e=1} gauge @1000 1\nup{gr_xf6__xdf_e=1} gauge @2000 2\nstarted{} gauge @9000 from 8000 5\n# up: gauge \"help\" \"\"\n# ends:  \"\" \"\"\n" +
		"- 2 exemplars are not kept: \n- 2 has no name: \n- 1 the time is out of range: ends\n"
	if got := Text(b); got != want || stats.Samples != 3 {
		t.Errorf("%+v, got %s want %s", stats, got, want)
	}
}

// TestLimitsOfVersion2: symbols are bounded, and so is how often a series may
// refer to them.
func TestLimitsOfVersion2(t *testing.T) {
	t.Parallel()
	b := protocol.NewBatch(protocol.DefaultLimits)
	_, err := new(remotewrite.Decoder).Decode(remotewrite.V2, []byte(strings.Repeat("\x22\x00", 1<<20+1)), b)
	if tidemark.KindOf(err) != tidemark.TooLarge || err.Error() != "more than 1048576 symbols in one request" {
		t.Errorf("symbols: %v", err)
	}
	s := newTable()
	pairs := []string{"__name__", "crowd"}
	for i := range 600 {
		pairs = append(pairs, fmt.Sprint("l", i), "v")
	}
	body := append(Message(5, Message(1, s.labels(pairs...), 2, sample(1, 1000), 2, sample(2, 2000))), Message(s.symbols...)...)
	if _, err := new(remotewrite.Decoder).Decode(remotewrite.V2, body, b); err != nil {
		t.Fatal(err)
	}
	if got := Text(b); got != "- 2 has more than 50 labels: crowd\n" {
		t.Errorf("labels: %s", got)
	}
	for field, want := range map[int]string{3: "a series refers to symbol 9 of 1", 4: "a series refers to symbol 9 of 1"} {
		_, err := new(remotewrite.Decoder).Decode(remotewrite.V2, Message(4, "", 5, Message(5, Message(field, 9))), b)
		if err == nil || err.Error() != want {
			t.Errorf("field %d of metadata: %v", field, err)
		}
	}
}

// TestBothVersionsSayTheSame: a series is the same in both versions of the
// protocol, whatever its labels and values.
func TestBothVersionsSayTheSame(t *testing.T) {
	t.Parallel()
	var d remotewrite.Decoder // keeps its memory from one to the next
	rapid.Check(t, func(rt *rapid.T) {
		s := newTable()
		var first, second []byte
		for range rapid.IntRange(1, 4).Draw(rt, "series") {
			pairs := []string{"__name__", rapid.SampledFrom([]string{"up", "a_total", "größe", "a b"}).Draw(rt, "name")}
			for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"job", "le", "Zone", "é", "a"}), 0, 5).Draw(rt, "names") {
				pairs = append(pairs, name, rapid.SampledFrom([]string{"", "x", "/a/{id}", "+Inf", strings.Repeat("ü", 200)}).Draw(rt, "value"))
			}
			var one []any
			for j := 0; j < len(pairs); j += 2 {
				one = append(one, 1, label(pairs[j], pairs[j+1]))
			}
			two := []any{1, s.labels(pairs...)}
			for range rapid.IntRange(0, 3).Draw(rt, "samples") {
				v := sample(rapid.Float64().Draw(rt, "value"), rapid.IntRange(-5, 1e9).Draw(rt, "time"))
				one, two = append(one, 2, v), append(two, 2, v)
			}
			first, second = append(first, Message(1, Message(one...))...), append(second, Message(5, Message(two...))...)
		}
		a, b := protocol.NewBatch(protocol.DefaultLimits), protocol.NewBatch(protocol.DefaultLimits)
		statsA, errA := d.Decode(remotewrite.V1, first, a)
		statsB, errB := d.Decode(remotewrite.V2, append(Message(s.symbols...), second...), b)
		if errA != nil || errB != nil || statsA != statsB || Text(a) != Text(b) {
			rt.Fatalf("%v, %v, %+v, %+v\nversion 1 %s\nversion 2 %s", errA, errB, statsA, statsB, Text(a), Text(b))
		}
		Check(t, a)
	})
}
