package alerting

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestGaps draws what was measured as a strip, one character a quarter of an
// hour, and expects the strip of what there was to evaluate: # is a gap.
func TestGaps(t *testing.T) {
	t.Parallel()
	host := tidemark.TagFilter{Name: "host", Values: []string{"*"}, Grouped: new(true)}
	tests := []struct {
		name       string
		cpu, mem   string // of hosts a and b, of two metrics
		conditions []tidemark.Condition
		late       int64 // seconds into the quarter that has just begun
		want       string
	}{
		{name: "all there", cpu: "aaaaaaaa", conditions: []tidemark.Condition{cpuAbove(5)}, want: "........"},
		{name: "nothing at all", cpu: "        ", conditions: []tidemark.Condition{cpuAbove(5)}, want: "########"},
		{name: "in between", cpu: "aaa  aaa", conditions: []tidemark.Condition{cpuAbove(5)}, want: "...##..."},
		{name: "since a while", cpu: "aaaaa   ", conditions: []tidemark.Condition{cpuAbove(5)}, want: ".....###"},
		{name: "one host is enough", cpu: "aaabbbaa", conditions: []tidemark.Condition{cpuAbove(5)}, want: "........"},
		{name: "groups too", cpu: "aab  bba", conditions: []tidemark.Condition{with(cpuAbove(5), host)}, want: "...##..."},
		{name: "only the hosts that are meant", cpu: "aaabbbaa", conditions: []tidemark.Condition{with(cpuAbove(5), tidemark.TagFilter{Name: "host", Values: []string{"a"}})}, want: "...###.."},
		{name: "rare is not silent", cpu: "a   a   a   a   ", conditions: []tidemark.Condition{cpuAbove(5)}, want: "................"},
		{name: "rare, and one is missing", cpu: "a   a       a   a   ", conditions: []tidemark.Condition{cpuAbove(5)}, want: ".....#######........"},
		{name: "a quarter that has just begun", cpu: "aaaaaaa ", late: 600, conditions: []tidemark.Condition{cpuAbove(5)}, want: "........"},
		{name: "silence is what absence judges", cpu: "aaa  aaa", conditions: []tidemark.Condition{absentFor("cpu", 600)}, want: "........"},
		{name: "either has none", cpu: "aaa aaaa", mem: "aaaaaa  ", conditions: []tidemark.Condition{cpuAbove(5), {Type: tidemark.Below, MetricName: "mem", Threshold: new(1.0)}}, want: "...#..##"},
	}
	const start = 400_000 * gapStep
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			fillStrip(t, b.engine, "cpu", start, tt.cpu)
			fillStrip(t, b.engine, "mem", start, tt.mem)
			end := int64(start + len(tt.want)*gapStep)
			if tt.late > 0 {
				end -= gapStep - tt.late
			}
			reader := b.reader()
			got, err := reader.Gaps(t.Context(), 1, &tidemark.Alert{Conditions: tt.conditions}, start, end)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, strip(got, start, len(tt.want))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestGapsOfTooMany: what would take the reading of too many streams is left.
func TestGapsOfTooMany(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var batch tsdb.Batch
	for i := range maxGapStreams {
		batch.Add("cpu", tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}, 10*gapStep, 1)
	}
	if err := b.engine.Write(t.Context(), 1, &batch); err != nil {
		t.Fatal(err)
	}
	reader := b.reader()
	_, err := reader.Gaps(t.Context(), 1, &tidemark.Alert{Conditions: []tidemark.Condition{cpuAbove(5)}}, 0, 100*gapStep)
	if !errors.Is(err, errTooMany) {
		t.Errorf("got %v", err)
	}
}

func with(c tidemark.Condition, tags ...tidemark.TagFilter) tidemark.Condition {
	c.Tags = tags
	return c
}

func fillStrip(t *testing.T, e tsdb.Engine, metric string, start int64, hosts string) {
	t.Helper()
	var b tsdb.Batch
	for i, host := range hosts {
		if host != ' ' {
			b.Add(metric, tidemark.Tags{{Name: "host", Value: string(host)}}, start+int64(i)*gapStep+60, 1)
		}
	}
	if err := e.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
}

func strip(gaps []tidemark.Interval, start int64, n int) string {
	out := []byte{}
	for i := range n {
		mark := byte('.')
		for _, g := range gaps {
			if at := start + int64(i)*gapStep; g[0] <= at && at < g[1] {
				mark = '#'
			}
		}
		out = append(out, mark)
	}
	return string(out)
}

// TestHeard: nothing is missing when every whole step has a measurement; one in
// the step that has just begun does not make up for another.
func TestHeard(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		times   []int64
		missing int
		gaps    string
	}{
		{"none", nil, 2, "[[100 125]]"},
		{"outside", []int64{99, 125, 200}, 2, "[[100 125]]"},
		{"the whole steps", []int64{100, 119}, 0, "[]"},
		{"one of them twice", []int64{100, 109}, 1, "[[110 125]]"},
		{"the last step does not count", []int64{109, 124}, 1, "[]"},
		{"the last step alone", []int64{120}, 2, "[[100 120]]"},
	}
	for _, tt := range tests {
		h := newCoverage(103, 125, 10) // starts at a whole step
		h.note(tt.times)
		if got := fmt.Sprint(h.gaps()); h.missing != tt.missing || got != tt.gaps {
			t.Errorf("%s: %d missing, gaps %s, want %d and %s", tt.name, h.missing, got, tt.missing, tt.gaps)
		}
	}
}
