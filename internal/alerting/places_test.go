package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestPlaceTakenAway: when a check is not run any more by a place that is
// silent, the incident goes on for another that is; without one it ends.
func TestPlaceTakenAway(t *testing.T) {
	t.Parallel()
	for _, dies := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			found := func(places ...string) {
				var batch tsdb.Batch
				for _, p := range places {
					batch.Add(tidemark.MetricCheckUp, tidemark.MakeTags(map[string]string{"check": "shop", "place": p}), time.Now().Unix(), 1)
				}
				if err := b.engine.Write(t.Context(), 1, &batch); err != nil {
					t.Fatal(err)
				}
				b.eval.Wrote(1, &batch)
			}
			silence := absentFor(tidemark.MetricCheckUp, 180)
			silence.Tags = []tidemark.TagFilter{{Name: "check", Values: []string{"shop"}}, {Name: "place"}}
			a := b.add(silence)
			b.pass()
			time.Sleep(time.Second)
			found("ams", "fra", "lhr")
			for range 4 {
				b.pass()
				time.Sleep(time.Minute)
				found("lhr")
			}
			if !b.firing(a) {
				t.Fatal("does not fire though two places are silent")
			}
			incident := b.store.alerts[a.ID].State.Incident
			leave := func(gone, back []string) {
				time.Sleep(time.Second)
				b.store.change(a.ID, time.Now().Unix(), func(w *tidemark.WatchedAlert) { w.Alert.LeaveOutPlaces(gone, back) })
				if dies {
					b.restart()
				}
				b.pass()
				synctest.Wait()
				time.Sleep(time.Second)
				found("lhr")
				b.pass()
				b.pass()
			}
			silent := func() (all []string) {
				for _, v := range b.store.alerts[a.ID].State.Violations {
					all = append(all, v.Stream)
				}
				return all
			}
			leave([]string{"AMS"}, nil)
			w := b.store.alerts[a.ID]
			if !w.State.Firing || w.State.Incident != incident {
				t.Fatalf("the incident of the other place ended: %+v", w.State)
			}
			time.Sleep(time.Minute)
			found("lhr")
			b.pass()
			if diff := cmp.Diff([]string{"check=shop,place=fra"}, silent()); diff != "" {
				t.Errorf("silent after ams was taken away: %s", diff)
			}
			leave([]string{"fra"}, nil)
			if w := b.store.alerts[a.ID]; w.State.Firing || *b.store.incidents[incident].Clear != tidemark.ClearNormal {
				t.Errorf("no place is silent any more, and yet %+v", w.State)
			}
			// One that is back has as long as any other.
			leave(nil, []string{"ams"})
			if b.firing(a) {
				t.Error("fires as soon as a place is back")
			}
		})
	}
}
