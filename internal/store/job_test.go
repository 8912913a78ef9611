package store_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestSnapshots(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		other := addOrg(t, s, "other")
		v := &tidemark.Snapshot{Subject: json.RawMessage(`{"chart":{"id":1,"sources":["*"]}}`), Duration: 3600, EndTime: 77, ImageKey: "KEY"}
		ok(t, s.CreateSnapshot(ctx, org, operator, v))
		same(t, "Snapshot", v, must(s.Snapshot(ctx, org, v.ID))(t))
		same(t, "Job", &tidemark.Job{ID: v.Job, State: tidemark.JobQueued}, must(s.Job(ctx, org, v.Job))(t))

		now++
		v.Image, v.UpdatedAt = []byte("\x89PNG\r\n\x00\xff"), now
		ok(t, s.SaveSnapshotImage(ctx, org, v.ID, v.Image))
		got := must(s.Snapshot(ctx, org, v.ID))(t)
		same(t, "drawn", v, got)
		if !bytes.Equal(got.Image, v.Image) {
			t.Errorf("image %q", got.Image)
		}
		same(t, "Job of what is drawn", &tidemark.Job{ID: v.Job, State: tidemark.JobComplete, Progress: new(100.0)}, must(s.Job(ctx, org, v.Job))(t))
		checkKinds(t, []wrong{
			{"no such snapshot", func() error { return errOf(s.Snapshot(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Snapshot(ctx, other, v.ID)) }, tidemark.NotFound},
			{"draw nothing", func() error { return s.SaveSnapshotImage(ctx, org, 999, nil) }, tidemark.NotFound},
			{"draw another org's", func() error { return s.SaveSnapshotImage(ctx, other, v.ID, nil) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateSnapshot(ctx, 999, operator, &tidemark.Snapshot{}) }, tidemark.NotFound},
		})
		same(t, "untouched", v, must(s.Snapshot(ctx, org, v.ID))(t))

		same(t, "SnapshotByKey", v, must(s.SnapshotByKey(ctx, "KEY", v.CreatedAt))(t))
		closed := &tidemark.Snapshot{Subject: json.RawMessage(`{}`)}
		ok(t, s.CreateSnapshot(ctx, org, operator, closed))
		ok(t, s.CreateSnapshot(ctx, org, operator, &tidemark.Snapshot{Subject: json.RawMessage(`{}`)})) // nor has this one a key
		ok(t, s.DeleteSnapshot(ctx, org, operator, closed.ID))
		checkKinds(t, []wrong{
			{"another key", func() error { return errOf(s.SnapshotByKey(ctx, "key", 0)) }, tidemark.NotFound},
			{"no key", func() error { return errOf(s.SnapshotByKey(ctx, "", 0)) }, tidemark.NotFound},
			{"too old", func() error { return errOf(s.SnapshotByKey(ctx, "KEY", v.CreatedAt+1)) }, tidemark.NotFound},
			{"delete another org's", func() error { return s.DeleteSnapshot(ctx, other, operator, v.ID) }, tidemark.NotFound},
			{"delete it twice", func() error { return s.DeleteSnapshot(ctx, org, operator, closed.ID) }, tidemark.NotFound},
		})
		ok(t, s.DeleteSnapshot(ctx, org, operator, v.ID))
		checkKinds(t, []wrong{{"deleted", func() error { return errOf(s.SnapshotByKey(ctx, "KEY", 0)) }, tidemark.NotFound}})
	})
}

func TestJobs(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		v := &tidemark.Job{State: tidemark.JobWorking, Progress: new(31.56), Output: "half way"}
		ok(t, s.CreateJob(ctx, org, v))
		same(t, "Job", v, must(s.Job(ctx, org, v.ID))(t))
		fail := func(v *tidemark.Job) {
			v.State, v.Progress, v.Errors = tidemark.JobFailed, nil, map[string][]string{"name": {"is invalid"}}
		}
		got := must(s.UpdateJob(ctx, org, v.ID, fail))(t)
		fail(v)
		same(t, "UpdateJob", v, got)
		same(t, "Job after the update", v, must(s.Job(ctx, org, v.ID))(t))
		lose := func(v *tidemark.Job) { v.State = "lost" }
		checkKinds(t, []wrong{
			{"no such job", func() error { return errOf(s.Job(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Job(ctx, other, v.ID)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateJob(ctx, other, v.ID, fail)) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateJob(ctx, 999, &tidemark.Job{State: tidemark.JobQueued}) }, tidemark.NotFound},
			{"an unknown state", func() error { return s.CreateJob(ctx, org, &tidemark.Job{State: "lost"}) }, tidemark.Invalid},
			{"to an unknown state", func() error { return errOf(s.UpdateJob(ctx, org, v.ID, lose)) }, tidemark.Invalid},
		})
	})
}

func TestSettings(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		ctx := t.Context()
		checkKinds(t, []wrong{{"never set", func() error { return errOf(s.Setting(ctx, "key")) }, tidemark.NotFound}})
		key := []byte("\x00\xff binary")
		same(t, "the first", key, must(s.SetSettingOnce(ctx, "key", key))(t))
		same(t, "the second", key, must(s.SetSettingOnce(ctx, "key", []byte("other")))(t))
		same(t, "Setting", key, must(s.Setting(ctx, "key"))(t))
		same(t, "another", []byte("x"), must(s.SetSettingOnce(ctx, "other", []byte("x")))(t))
		ok(t, s.SetSetting(ctx, "other", []byte("y")))
		ok(t, s.SetSetting(ctx, "third", []byte("z")))
		same(t, "set anew", []byte("yz"), append(must(s.Setting(ctx, "other"))(t), must(s.Setting(ctx, "third"))(t)...))
		ok(t, s.DeleteSetting(ctx, "other"))
		ok(t, s.DeleteSetting(ctx, "other"))
		checkKinds(t, []wrong{{"removed", func() error { return errOf(s.Setting(ctx, "other")) }, tidemark.NotFound}})
	})
}
