package embedded

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/wal"
	"pgregory.net/rapid"
)

// TestRefusals: what is wrong with a disk is said in words, without the names
// of files, and is to be tried later.
func TestRefusals(t *testing.T) {
	t.Parallel()
	path := func(err error) error { return fmt.Errorf("write /var/lib/secret: %w", err) }
	for want, err := range map[string]error{
		"measurements cannot be stored at present: the disk is full":          path(syscall.ENOSPC),
		"measurements cannot be stored at present: the disk is read-only":     path(syscall.EROFS),
		"measurements cannot be stored at present: the disk reports an error": path(syscall.EIO),
		"storage is shutting down":                                            fmt.Errorf("append: %w", wal.ErrClosed),
	} {
		got, ok := errors.AsType[*tidemark.Error](refusal(err))
		if !ok || got.Kind != tidemark.Unavailable || got.Msg != want {
			t.Errorf("%v: got %v, want %s", err, got, want)
		}
	}
	if got := refusal(path(syscall.EDQUOT)); !strings.Contains(got.Error(), "the disk is full") {
		t.Errorf("over quota: %v", got)
	}
	if err := refusal(nil); err != nil {
		t.Errorf("got %v", err)
	}
}

// fullLog is a file system whose logs cannot be written while it is full.
type fullLog struct {
	vfs.FS
	full atomic.Bool
}

func (f *fullLog) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, c)
	if err != nil || !strings.Contains(name, "wal-") {
		return file, err
	}
	return &fullFile{file, f}, nil
}

type fullFile struct {
	vfs.File
	fs *fullLog
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.fs.full.Load() {
		return 0, syscall.ENOSPC
	}
	return f.File.Write(p)
}

// TestFullDisk: while the disk is full writes are refused with that reason,
// which statistics and events say once; nothing of them can be read, then or
// after a restart, and new streams among them can be written later.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	fs := &fullLog{FS: vfs.NewMem()}
	var events []string
	b := newBench(t, Options{FS: fs, Hooks: Hooks{
		WriteRefused: func(reason string) { events = append(events, reason) }, WriteResumed: func() { events = append(events, "resumed") },
	}})
	write := func(metric string) error {
		var batch tsdb.Batch
		batch.Add(metric, tidemark.Tags{{Name: "s", Value: "0"}}, b.now, 1)
		return b.Write(t.Context(), 1, &batch)
	}
	b.check(write("cpu"))
	fs.full.Store(true)
	for range 3 {
		if err := write("mem"); tidemark.KindOf(err) != tidemark.Unavailable || !strings.HasPrefix(err.Error(), "measurements cannot be stored at present: the disk is full") {
			t.Fatalf("got %v", err)
		}
	}
	if st, err := b.Stats(t.Context()); err != nil || st.Refusing != "the disk is full" || st.Samples != 1 {
		t.Errorf("statistics %+v, %v", st, err)
	}
	if got := b.points("mem", 1); got != 0 {
		t.Errorf("%d records can be read that were refused", got)
	}
	fs.full.Store(false)
	for write("mem") != nil { // the log waits a while between two tries
		runtime.Gosched()
	}
	if st, err := b.Stats(t.Context()); err != nil || st.Refusing != "" || st.Samples != 2 {
		t.Errorf("statistics %+v, %v", st, err)
	}
	if got := strings.Join(events, ", "); got != "the disk is full, resumed" {
		t.Errorf("events: %s", got)
	}
	b.check(b.Close())
	c := b.reopen(fs)
	if mem, cpu := c.points("mem", 1), c.points("cpu", 1); mem != 1 || cpu != 1 {
		t.Errorf("%d and %d records after a restart, want 1 and 1", mem, cpu)
	}
}

// TestOverloaded: a write that waits for memory in vain says why sealing fails,
// or that more comes in than can be stored.
func TestOverloaded(t *testing.T) {
	t.Parallel()
	fs := &smallDisk{FS: vfs.NewMem()}
	fs.full.Store(true)
	b := newBench(t, Options{FS: fs, GenerationRecords: 10, WriteWait: time.Nanosecond})
	b.upkeep.running.Add(1) // as if somebody else sealed
	write := func() error {
		var batch tsdb.Batch
		batch.Add("m", nil, b.now, 1)
		b.now++
		return b.Write(t.Context(), 1, &batch)
	}
	var err error
	for err == nil {
		err = write()
	}
	if tidemark.KindOf(err) != tidemark.Unavailable || err.Error() != "measurements cannot be stored at present: more come in than can be stored" {
		t.Errorf("got %v", err)
	}
	if err := b.Seal(t.Context()); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("seal: %v", err)
	}
	if err := write(); tidemark.KindOf(err) != tidemark.Unavailable || !strings.HasPrefix(err.Error(), "measurements cannot be stored at present: the disk is full") {
		t.Errorf("got %v", err)
	}
	fs.full.Store(false)
	b.check(b.Seal(t.Context()))
	b.check(write())
}

// TestFitsLikeModel: what the limits on streams and on names of tags stand
// against is what the model says, step by step.
func TestFitsLikeModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b, model := newBench(t, Options{}), memory.New()
		defer b.Close()
		for range rapid.IntRange(1, 10).Draw(r, "steps") {
			batch := &tsdb.Batch{Room: tsdb.Room{Streams: rapid.Int64Range(0, 6).Draw(r, "streams"), TagNames: rapid.Int64Range(0, 3).Draw(r, "names")}}
			for range rapid.IntRange(1, 4).Draw(r, "records") {
				var tags tidemark.Tags
				for _, name := range []string{"a", "b", "c", "d"} {
					if rapid.Bool().Draw(r, name) {
						tags = append(tags, tidemark.Tag{Name: name, Value: rapid.SampledFrom([]string{"1", "2"}).Draw(r, "value")})
					}
				}
				batch.Add(rapid.SampledFrom([]string{"m", "n"}).Draw(r, "metric"), tags, b.now, 1)
			}
			got, want := b.Fits(1, batch), model.Fits(1, batch)
			if !slices.Equal(got, want) {
				r.Fatalf("got %q, want %q", got, want)
			}
			if err := model.Write(t.Context(), 1, batch); (err == nil) != (b.Write(t.Context(), 1, batch) == nil) {
				r.Fatalf("the model says %v", err)
			}
			if rapid.IntRange(0, 5).Draw(r, "delete") == 0 {
				b.check(errors.Join(b.Delete(t.Context(), 1, "m"), model.Delete(t.Context(), 1, "m")))
			}
		}
	})
}

// TestFitsIsWhatIsWritten: a write succeeds if and only if Fits has nothing
// against any of its streams, whatever was written and deleted before.
func TestFitsIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, Options{MaxStreams: 12})
		defer b.Close()
		drawBatch := rapid.Custom(func(r *rapid.T) *tsdb.Batch {
			batch := &tsdb.Batch{Room: tsdb.Room{Streams: rapid.Int64Range(0, 6).Draw(r, "streams"), TagNames: rapid.Int64Range(0, 3).Draw(r, "names"), Bytes: rapid.SampledFrom([]int64{0, 400, 1000}).Draw(r, "bytes")}}
			for range rapid.IntRange(1, 4).Draw(r, "records") {
				tag := tidemark.Tag{Name: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "tag"), Value: fmt.Sprint(rapid.IntRange(0, 5).Draw(r, "value"))}
				batch.Add(rapid.SampledFrom([]string{"m", "n"}).Draw(r, "metric"), tidemark.Tags{tag}, b.now, 1)
			}
			return batch
		})
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			org := tidemark.OrgID(rapid.IntRange(1, 2).Draw(r, "org"))
			if rapid.IntRange(0, 9).Draw(r, "delete") == 0 {
				b.check(b.Delete(t.Context(), org, "m"))
			}
			batch := drawBatch.Draw(r, "batch")
			against := tidemark.LimitName("")
			for _, limit := range b.Fits(org, batch) {
				if against == "" {
					against = limit
				}
			}
			switch err := b.Write(t.Context(), org, batch); {
			case against == "" && err != nil:
				r.Fatalf("everything fits, but: %v", err)
			case against != "" && tidemark.KindOf(err) != tidemark.TooLarge:
				r.Fatalf("%s stands against it, but: %v", against, err)
			}
		}
	})
}
