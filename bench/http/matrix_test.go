package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A run of one shape changes the ratios of that shape and no others, and says
// what became slower than before.
func TestRatiosOfAPart(t *testing.T) {
	path := filepath.Join(t.TempDir(), kept)
	r, err := readRatios(path)
	if err != nil || len(r) > 0 {
		t.Fatalf("before the first run: %v, %v", r, err)
	}
	peers := func(shape string, ours float64) []verdict {
		f := figure{shape: shape, name: "CPU s/M"}
		return judge(map[figure]float64{f: ours}, map[figure]float64{f: 2})
	}
	for _, shape := range []string{"every 20 s", "every 60 s"} {
		if r, err = readRatios(path); err != nil {
			t.Fatal(err)
		}
		if err := r.with(peers(shape, 1)).write(path); err != nil {
			t.Fatal(err)
		}
	}
	if r, err = readRatios(path); err != nil {
		t.Fatal(err)
	}
	want := ratios{"every 20 s: CPU s/M to the peer's": {0.5}, "every 60 s: CPU s/M to the peer's": {0.5}}
	if !maps.EqualFunc(r, want, slices.Equal) {
		t.Errorf("kept %v, want %v", r, want)
	}
	if lines := r.slower(peers("every 60 s", 1.1)); len(lines) > 0 {
		t.Errorf("a tenth slower: %q", lines)
	}
	lines := r.slower(peers("every 60 s", 2))
	if len(lines) != 1 || !strings.Contains(lines[0], "every 60 s: CPU s/M to the peer's was 0.50 and is 1.00") {
		t.Errorf("twice as slow: %q", lines)
	}
}

// Of each cell the last runs are kept; the table has their median and how far
// they spread, in bold what misses its goal, and the worst row first.
func TestRatiosOfSeveralRuns(t *testing.T) {
	f := figure{shape: "every 20 s", name: "CPU s/M"}
	small := figure{shape: "every 20 s", name: "B/sample, rested"}
	r := ratios{}
	for _, ours := range []float64{9, 1, 3, 2} {
		r = r.with(judge(map[figure]float64{f: ours, small: 1}, map[figure]float64{f: 4, small: 2}))
	}
	if runs := r["every 20 s: CPU s/M to the peer's"]; !slices.Equal(runs, []float64{0.25, 0.75, 0.5}) {
		t.Fatalf("kept %v", runs)
	}
	path := filepath.Join(t.TempDir(), kept)
	if err := r.write(path); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := printRatios(&out, path); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range map[int]string{2: "**0.50** (0.25 to 0.75)", 3: "| 0.50 (0.50 to 0.50) |"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, want %q in it", i, lines[i], want)
		}
	}
	if !strings.Contains(out.String(), "1 of 2 cells meet their goal.") {
		t.Errorf("without how many goals are met: %s", out.String())
	}
}

func TestRatiosThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), kept)
	if err := (ratios{}).write(filepath.Join(path, "none", kept)); err == nil {
		t.Error("written where there is no directory")
	}
	if _, err := readRatios(t.TempDir()); err == nil {
		t.Error("a directory was read as ratios")
	}
}
