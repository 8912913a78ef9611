package wal

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

// TestFlush: what was appended is durable after a flush though nobody waits for
// it, and the generation ends where Cut says so, also without a record.
func TestFlush(t *testing.T) {
	t.Parallel()
	cut := false
	o := Options{FS: vfs.NewMem(), Cut: func(uint64) bool { return cut }}
	l, _, _ := open(t, o)
	for i := range 3 {
		if _, err := l.Append(frame(fmt.Sprint(i)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if last := l.Flush(); last != 3 {
		t.Errorf("the last record is %d, want 3", last)
	}
	cut = true
	if last := l.Flush(); last != 3 {
		t.Errorf("the last record is %d, want 3", last)
	}
	cut = false
	if err := write(t, l, "in the next"); err != nil {
		t.Fatal(err)
	}
	_, held, _ := open(t, o) // nobody closed the other
	if diff := cmp.Diff([]string{"1:0", "1:1", "1:2", "2:in the next"}, held); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSpare: memory of a large group is not kept.
func TestSpare(t *testing.T) {
	t.Parallel()
	l, _, _ := open(t, Options{FS: vfs.NewMem()})
	for _, size := range []int{100, 2 * maxSpare, 100, 100} {
		if err := write(t, l, string(make([]byte, size))); err != nil {
			t.Fatal(err)
		}
		if held := cap(l.buf) + cap(l.spare); held > 2*maxSpare || size < maxSpare && l.spare == nil {
			t.Errorf("%d bytes are held after a group of %d", held, size)
		}
	}
}

// TestUnder: frames that belong before a record are before it, in the
// generation that it is told.
func TestUnder(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem()}
	l, _, _ := open(t, o)
	for want := range uint64(2) {
		seq, err := l.Append(frame("record"), func(seq, gen uint64, buf []byte) []byte {
			if seq != want+1 || gen != 1 {
				t.Errorf("record %d of generation %d", seq, gen)
			}
			return append(buf, frame(fmt.Sprint("names of ", seq))...)
		})
		if err != nil || l.Wait(seq) != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, held, _ := open(t, o)
	if diff := cmp.Diff([]string{"1:names of 1", "1:record", "1:names of 2", "1:record"}, held); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRefusals: everyone who waits for a refused record hears why, once each,
// whoever waits first, and nothing of it is kept after that.
func TestRefusals(t *testing.T) {
	t.Parallel()
	fs := &failing{FS: vfs.NewMem()}
	var dropped [][2]uint64
	l, _, _ := open(t, Options{FS: fs, Drop: func(after, upto uint64) { dropped = append(dropped, [2]uint64{after, upto}) }})
	if err := write(t, l, "kept"); err != nil {
		t.Fatal(err)
	}
	fs.sync.Store(true)
	var seqs []uint64
	for i := range 10 {
		seq, err := l.Append(frame(fmt.Sprint(i)), nil)
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, seq)
	}
	l.Settle(seqs[0]) // which is refused: that settles it
	var wg sync.WaitGroup
	for _, seq := range seqs {
		wg.Go(func() {
			if err := l.Wait(seq); !errors.Is(err, errDisk) || err.Error() != "sync log: disk fails" {
				t.Errorf("record %d: %v", seq, err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff([][2]uint64{{1, 11}}, dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if len(l.failures) > 0 {
		t.Errorf("%d refusals are kept", len(l.failures))
	}
	if err := l.Wait(1); err != nil {
		t.Errorf("a record from before: %v", err)
	}
}

// TestRetry: after a failure records are refused at once until it is time to
// try again, after a while that doubles up to a tenth of a second; the reason
// and the end of it are told.
func TestRetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fs := &failing{FS: vfs.NewMem()}
		var told []error
		o := Options{FS: fs, Failing: func(err error) { told = append(told, err) }}
		l, _, _ := open(t, o)
		fs.write.Store(true)
		for i, wait := range []time.Duration{10, 20, 40, 80, 100, 100} {
			if err := write(t, l, "refused"); !errors.Is(err, errDisk) {
				t.Fatalf("try %d: %v", i, err)
			}
			if len(told) != i+1 {
				t.Errorf("try %d: told %d times", i, len(told))
			}
			time.Sleep(wait*time.Millisecond - 1)
			if seq, err := l.Append(frame("too early"), nil); !errors.Is(err, errDisk) || seq != 0 {
				t.Errorf("try %d: %d, %v before it is time", i, seq, err)
			}
			if err := l.Probe(); !errors.Is(err, errDisk) || len(told) != i+1 {
				t.Errorf("try %d: probed too early: %v", i, err)
			}
			time.Sleep(time.Nanosecond)
		}
		fs.write.Store(false)
		if err := l.Probe(); err != nil || told[len(told)-1] != nil {
			t.Errorf("probe: %v, told %v", err, told)
		}
		if err := write(t, l, "taken"); err != nil {
			t.Error(err)
		}
		fs.sync.Store(true)
		if err := write(t, l, "refused"); err == nil || l.retry != minRetry {
			t.Errorf("%v, and the next try is after %s", err, l.retry)
		}
		fs.sync.Store(false)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		_, held, _ := open(t, o)
		if diff := cmp.Diff([]string{"1:taken"}, held); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestClosed: a closed log has settled what it was given, and takes nothing.
func TestClosed(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem()}
	l, _, _ := open(t, o)
	seq, err := l.Append(frame("last"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Wait(seq); err != nil {
		t.Errorf("the last record: %v", err)
	}
	if _, err := l.Append(frame("late"), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if last := l.Flush(); last != seq {
		t.Errorf("the last record is %d, want %d", last, seq)
	}
	if err := l.Probe(); err != nil {
		t.Errorf("probe: %v", err)
	}
	if _, held, _ := open(t, o); len(held) != 1 {
		t.Errorf("held %q", held)
	}
	if err := (&Log{o: o}).Close(); err != nil {
		t.Errorf("one that was never started: %v", err)
	}
}

// sizeIsOfFiles: Size is what the files take, their headers too.
func sizeIsOfFiles(t *testing.T, l *Log) {
	t.Helper()
	segments, err := list(l.o.FS, l.o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	for _, s := range segments {
		want += s.size
	}
	if got := l.Size(); got != want {
		t.Errorf("size %d, the %d files have %d bytes", got, len(segments), want)
	}
}

// TestRemove: whole generations go, oldest first, and no other file of the
// directory; the size is that of what is left.
func TestRemove(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem(), Cut: func(uint64) bool { return true }}
	l, _, _ := open(t, o)
	put(t, o.FS, "wal-1.log", []byte("not ours"))
	for i := range 3 {
		if err := write(t, l, fmt.Sprint("record ", i)); err != nil {
			t.Fatal(err)
		}
	}
	sizeIsOfFiles(t, l)
	if err := l.Remove(2); err != nil {
		t.Fatal(err)
	}
	if err := l.Remove(2); err != nil {
		t.Errorf("again: %v", err)
	}
	sizeIsOfFiles(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, held, cuts := open(t, o)
	sizeIsOfFiles(t, l)
	if diff := cmp.Diff([]string{"3:record 2"}, held); diff != "" || len(cuts) > 0 {
		t.Errorf("cuts %v (-want +got):\n%s", cuts, diff)
	}
	if _, err := o.FS.Stat("wal-1.log"); err != nil {
		t.Errorf("another file was removed: %v", err)
	}
}
