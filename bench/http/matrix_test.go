package main

import (
	"maps"
	"path/filepath"
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
	want := ratios{"every 20 s: CPU s/M to the peer's": 0.5, "every 60 s: CPU s/M to the peer's": 0.5}
	if !maps.Equal(r, want) {
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

func TestRatiosThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), kept)
	if err := (ratios{}).write(filepath.Join(path, "none", kept)); err == nil {
		t.Error("written where there is no directory")
	}
	if _, err := readRatios(t.TempDir()); err == nil {
		t.Error("a directory was read as ratios")
	}
}
