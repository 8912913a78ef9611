// Package protocoltest helps to test decoders.
package protocoltest

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// Text writes out a batch, one line for each point and for each reason why
// something was left out.
func Text(b *protocol.Batch) string {
	var out strings.Builder
	for _, p := range b.Points {
		fmt.Fprintf(&out, "%s{%s} %s @%d", p.Name, p.Labels, p.Kind, p.Time)
		if p.Start != 0 {
			fmt.Fprintf(&out, " from %d", p.Start)
		}
		if p.Dist == nil {
			fmt.Fprintf(&out, " %v\n", p.Value)
			continue
		}
		fmt.Fprintf(&out, " count %v sum %v min %v max %v%s\n", p.Dist.Count, p.Dist.Sum, p.Dist.Min, p.Dist.Max, buckets(p.Dist))
	}
	for _, m := range b.Metadata {
		fmt.Fprintf(&out, "# %s: %s %q %q\n", m.Name, m.Type, m.Help, m.Unit)
	}
	for _, s := range b.Skipped {
		fmt.Fprintf(&out, "- %d %s: %s\n", s.Count, s.Reason, s.Example)
	}
	return out.String()
}

func buckets(d *protocol.Dist) string {
	var out strings.Builder
	for _, b := range d.Buckets {
		fmt.Fprintf(&out, " (%.4g,%.4g]=%v", b.Lower, b.Upper, b.Count)
	}
	if s, err := sketch.Decode(d.Sketch); err == nil && len(d.Sketch) > 0 {
		fmt.Fprintf(&out, " median %.3g", s.QuantileWithin(0.5, d.Min, d.Max))
	}
	return out.String()
}

// Check fails where a batch has what no decoder may let through.
func Check(t *testing.T, b *protocol.Batch) {
	t.Helper()
	if len(b.Points) > b.Limits.Points {
		t.Errorf("%d points", len(b.Points))
	}
	for _, p := range b.Points {
		if !tidemark.IsMetricName(p.Name) {
			t.Errorf("the name %q", p.Name)
		}
		if p.Time < 0 || p.Value-p.Value != 0 {
			t.Errorf("%s: time %d, value %v", p.Name, p.Time, p.Value)
		}
		checkLabels(t, p.Labels)
		checkDist(t, &p)
	}
	for _, s := range b.Skipped {
		if s.Count <= 0 || !utf8.ValidString(s.Example) && len(s.Example) > 100 {
			t.Errorf("left out: %+v", s)
		}
	}
}

// CheckKnown fails where decoding depends on whether the streams are known
// already: with a memory that is empty, with one that is not, and without one, the
// same must come of a body.
func CheckKnown(t *testing.T, l protocol.Limits, decode func(*protocol.Batch) error) {
	t.Helper()
	outcome := func(b *protocol.Batch) string {
		b.Reset()
		err := decode(b)
		return fmt.Sprintf("%s%v", Text(b), err)
	}
	want := outcome(protocol.NewBatch(l))
	b := protocol.NewKnown(tidemark.Tags.String).NewBatch(l)
	streams := make(map[*streamref.Ref]string)
	for _, memory := range []string{"empty", "full"} {
		if diff := cmp.Diff(want, outcome(b)); diff != "" {
			t.Errorf("with a memory that is %s (-want +got):\n%s", memory, diff)
		}
		for _, p := range b.Points {
			if p.Key != "" && p.Key != p.Labels.String() {
				t.Errorf("%v has the key of %s", p.Labels, p.Key)
			}
			if p.Ref == nil {
				continue
			}
			stream := p.Name + " " + p.Labels.String()
			if had, ok := streams[p.Ref]; ok && had != stream {
				t.Errorf("%s and %s have the same Ref", had, stream)
			}
			streams[p.Ref] = stream
		}
	}
}

func checkLabels(t *testing.T, labels tidemark.Tags) {
	t.Helper()
	if len(labels) > tidemark.MaxTags {
		t.Errorf("%d labels", len(labels))
	}
	for i, l := range labels {
		if !tidemark.IsTagName(l.Name) || !tidemark.IsTagValue(l.Value) || i > 0 && labels[i-1].Name >= l.Name {
			t.Errorf("the labels %v", labels)
		}
	}
}

func checkDist(t *testing.T, p *protocol.Point) {
	t.Helper()
	if (p.Dist != nil) != (p.Kind == protocol.Distribution || p.Kind == protocol.CumulativeDistribution) {
		t.Fatalf("%s: %s with the distribution %v", p.Name, p.Kind, p.Dist)
	}
	if p.Dist == nil {
		return
	}
	d := p.Dist
	if !(d.Count >= 0) || math.IsInf(d.Count, 0) || d.Sum-d.Sum != 0 {
		t.Errorf("%s: %+v", p.Name, d)
	}
	if p.Kind == protocol.CumulativeDistribution {
		if _, ok := d.Since(d); !ok {
			t.Errorf("%s: %+v is not the same as itself", p.Name, d)
		}
		return
	}
	s, err := sketch.Decode(d.Sketch)
	if err != nil || !(d.Min <= d.Max) || math.Abs(s.Count()-d.Count) > 1e-3*d.Count+1e-3 && d.Count < 1e12 {
		t.Errorf("%s: %+v with a sketch of %v: %v", p.Name, d, s.Count(), err)
	}
}

// Message appends fields to a protocol buffers message: numbers as varints,
// float64 as doubles, texts and bytes as they are. It is enough to make
// requests for tests.
func Message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		field := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, field), uint64(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, field|1), math.Float64bits(v))
		case uint64:
			b = binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, field|1), v)
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, field|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, field|2), uint64(len(v))), v...)
		}
	}
	return b
}

// Zigzag is a number of type sint as a varint has it.
func Zigzag(n int) int { return n<<1 ^ n>>63 }

// Golden compares a batch with the file of the given name, or writes that
// where update is set.
func Golden(t *testing.T, file string, b *protocol.Batch, update bool) {
	t.Helper()
	got := Text(b)
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// Read returns the content of a file.
func Read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Allocated returns how many bytes do allocates.
func Allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
