package app

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestPruneClock: a server that starts with its clock a year ahead deletes
// nothing by it for an hour.
func TestPruneClock(t *testing.T) {
	st, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "tidemark.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rm := &rooms{store: st}
	off := func() time.Duration { return time.Since(rm.pruneClock(t.Context()).Now()) }
	if got := off(); got.Abs() > time.Hour {
		t.Errorf("the first start: off by %v", got)
	}
	last := time.Now().AddDate(-1, 0, 0)
	if err := st.SetSetting(t.Context(), prunedSetting, strconv.AppendInt(nil, last.Unix(), 10)); err != nil {
		t.Fatal(err)
	}
	if got := off(); got < 300*24*time.Hour {
		t.Errorf("a year after the last time: off by %v", got)
	}
}
