package alerting

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// TestMerge: an incident keeps the worst reading of each stream and when it
// began to violate; its peak is of the first condition that looks at values.
func TestMerge(t *testing.T) {
	t.Parallel()
	w := &watch{conditions: []*condition{
		{rule: rule{id: 1, kind: tidemark.Absent}},
		{rule: rule{id: 2, kind: tidemark.Above}},
		{rule: rule{id: 3, kind: tidemark.Below}},
	}}
	in := &tidemark.Incident{}
	add := func(condition int64, stream string, value float64, since int64) {
		w.merge(in, &tidemark.Violation{Condition: condition, Stream: stream, Value: value, Since: since})
	}
	expect := func(peak *float64, want ...tidemark.Violation) {
		t.Helper()
		if diff := gocmp.Diff(peak, in.Peak); diff != "" {
			t.Errorf("peak (-want +got):\n%s", diff)
		}
		if diff := gocmp.Diff(want, in.Violations); diff != "" {
			t.Errorf("violations (-want +got):\n%s", diff)
		}
	}
	add(1, "a", 100, 10) // of silence: no value to speak of
	silent := tidemark.Violation{Condition: 1, Stream: "a", Value: 100, Since: 10}
	expect(nil, silent)
	add(3, "a", -50, 11) // of another condition than the peak's
	low := tidemark.Violation{Condition: 3, Stream: "a", Value: -50, Since: 11}
	expect(nil, silent, low)
	add(2, "a", 7, 12)
	expect(new(7.0), silent, low, tidemark.Violation{Condition: 2, Stream: "a", Value: 7, Since: 12})
	add(2, "a", 9, 13)
	add(2, "a", 8, 14)
	worst := tidemark.Violation{Condition: 2, Stream: "a", Value: 9, Since: 12}
	expect(new(9.0), silent, low, worst)
	add(9, "a", 1000, 15) // of a condition that was removed
	expect(new(9.0), silent, low, worst)
}

// TestMergeFirst: the first violation of an incident can become worse, too.
func TestMergeFirst(t *testing.T) {
	t.Parallel()
	w := &watch{conditions: []*condition{{rule: rule{id: 1, kind: tidemark.Below}}}}
	in := &tidemark.Incident{}
	for i, value := range []float64{3, 1, 2} {
		w.merge(in, &tidemark.Violation{Condition: 1, Stream: "a", Value: value, Since: int64(10 + i)})
	}
	if diff := gocmp.Diff([]tidemark.Violation{{Condition: 1, Stream: "a", Value: 1, Since: 10}}, in.Violations); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

// TestMergeLimit: of more streams than an incident keeps, those that came
// first go on becoming worse, and the peak is of all.
func TestMergeLimit(t *testing.T) {
	t.Parallel()
	w := &watch{conditions: []*condition{{rule: rule{id: 1, kind: tidemark.Above}}}}
	in := &tidemark.Incident{}
	name := func(i int) string { return string(rune('a'+i%26)) + string(rune('a'+i/26)) }
	for i := range tidemark.MaxViolations + 5 {
		w.merge(in, &tidemark.Violation{Condition: 1, Stream: name(i), Value: float64(i)})
	}
	w.merge(in, &tidemark.Violation{Condition: 1, Stream: name(0), Value: 5000})
	if len(in.Violations) != tidemark.MaxViolations || in.Violations[0].Value != 5000 || *in.Peak != 5000 {
		t.Errorf("%d violations, the first %v, peak %v", len(in.Violations), in.Violations[0].Value, *in.Peak)
	}
}
