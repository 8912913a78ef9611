package ingest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// TestDocs records every request that docs/sending shows, and expects nothing
// to be wrong with it.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/sending/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := jsonBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d requests, want one for each route", len(blocks))
	}
	for _, block := range blocks {
		b := newBench(nil)
		if strings.Contains(block[1], "gauges") {
			err = b.RecordLegacy(t.Context(), us, legacyTree(t, block[1]), "agent")
		} else {
			var s Summary
			if s, _, err = b.record(t, block[1]); s.Failed > 0 || s.Filtered > 0 {
				t.Errorf("%+v of\n%s", s, block[1])
			}
		}
		if err != nil || len(b.contents(t)) != 3 {
			t.Errorf("%v, %q of\n%s", err, b.contents(t), block[1])
		}
	}
}
