package wal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func frame(text string) []byte {
	b := append(make([]byte, FrameHeader), text...)
	Frame(b)
	return b
}

// open opens the log in dir and returns what it held.
func open(t testing.TB, o Options) (*Log, []string, []Cut) {
	t.Helper()
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	var held []string
	last, cuts, err := l.Replay(0, func(gen uint64, payload []byte) error {
		held = append(held, fmt.Sprintf("%d:%s", gen, payload))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Start(last + 1); err != nil {
		t.Fatal(err)
	}
	return l, held, cuts
}

func write(t testing.TB, l *Log, text string) error {
	t.Helper()
	seq, err := l.Append(frame(text), nil)
	if err != nil {
		return err
	}
	return l.Wait(seq)
}

func TestReopen(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem(), Dir: ""}
	var want []string
	for round := range 4 {
		l, held, cuts := open(t, o)
		if diff := cmp.Diff(want, held); diff != "" || len(cuts) > 0 {
			t.Fatalf("round %d: cuts %v, records (-want +got):\n%s", round, cuts, diff)
		}
		for i := range 3 {
			text := fmt.Sprintf("%d/%d", round, i)
			if err := write(t, l, text); err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("%d:%s", round+1, text))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	cut := false
	o := Options{FS: vfs.NewMem(), Cut: func(uint64) bool { defer func() { cut = false }(); return cut }}
	l, _, _ := open(t, o)
	for i := range 6 {
		cut = i%2 == 1
		if err := write(t, l, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Remove(1); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, held, _ := open(t, o)
	if diff := cmp.Diff([]string{"2:2", "2:3", "3:4", "3:5"}, held); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestManyWriters(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem()}
	l, _, _ := open(t, o)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 100 {
				if err := write(t, l, fmt.Sprintf("%d.%d", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, held, _ := open(t, o)
	next := make(map[string]int) // of each writer
	for _, text := range held {
		var w, i int
		if _, err := fmt.Sscanf(text, "1:%d.%d", &w, &i); err != nil || i != next[fmt.Sprint(w)] {
			t.Fatalf("%q, want number %d", text, next[fmt.Sprint(w)])
		}
		next[fmt.Sprint(w)]++
	}
	if len(held) != 800 {
		t.Errorf("%d records, want 800", len(held))
	}
}

// failing is a file system whose files fail to be written or synced on command.
type failing struct {
	vfs.FS
	write, sync atomic.Bool
}

var errDisk = errors.New("disk fails")

func (f *failing) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, c)
	if err != nil {
		return nil, err
	}
	return &failingFile{file, f}, nil
}

type failingFile struct {
	vfs.File
	fs *failing
}

func (f *failingFile) Write(p []byte) (int, error) {
	if f.fs.write.Load() {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, errDisk
	}
	return f.File.Write(p)
}

func (f *failingFile) SyncData() error {
	if f.fs.sync.Load() {
		return errDisk
	}
	return f.File.SyncData()
}

func (f *failingFile) Sync() error {
	if f.fs.sync.Load() {
		return errDisk
	}
	return f.File.Sync()
}

// TestFailure refuses records while the disk fails, and leaves no trace of
// them: not even of those that reached the file and could not be synced.
func TestFailure(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]func(*failing) *atomic.Bool{
		"write": func(f *failing) *atomic.Bool { return &f.write },
		"sync":  func(f *failing) *atomic.Bool { return &f.sync },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := &failing{FS: vfs.NewMem()}
			var told []string
			var dropped uint64
			o := Options{
				FS: fs, Failing: func(err error) { told = append(told, fmt.Sprint(err != nil)) },
				Drop: func(after, upto uint64) { dropped += upto - after },
			}
			l, _, _ := open(t, o)
			for _, text := range []string{"a", "b"} {
				if err := write(t, l, text); err != nil {
					t.Fatal(err)
				}
			}
			flag(fs).Store(true)
			refused := 0
			for refused < 3 {
				if err := write(t, l, "refused"); !errors.Is(err, errDisk) {
					t.Fatalf("got %v, want %v", err, errDisk)
				}
				refused++
			}
			flag(fs).Store(false)
			for l.Probe() != nil {
				time.Sleep(time.Millisecond) // the log waits a while between two tries
			}
			if err := write(t, l, "c"); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if dropped == 0 || told[0] != "true" || told[len(told)-1] != "false" {
				t.Errorf("dropped %d, told %v", dropped, told)
			}
			_, held, _ := open(t, o)
			if diff := cmp.Diff([]string{"1:a", "1:b", "1:c"}, held); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRefusedBeforeCrash has a record reach the file, not be synced, and be
// refused; then the process dies. It is not there afterwards.
func TestRefusedBeforeCrash(t *testing.T) {
	t.Parallel()
	fs := &failing{FS: vfs.NewMem()}
	o := Options{FS: fs}
	l, _, _ := open(t, o)
	if err := write(t, l, "a"); err != nil {
		t.Fatal(err)
	}
	fs.sync.Store(true)
	if err := write(t, l, "refused"); !errors.Is(err, errDisk) {
		t.Fatalf("got %v, want %v", err, errDisk)
	}
	fs.sync.Store(false)
	_, held, _ := open(t, o) // nobody closed the other
	if diff := cmp.Diff([]string{"1:a"}, held); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTornEnd cuts the last file anywhere: the records before the cut are
// there, the cut is reported, and the log can be used.
func TestTornEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		fs := vfs.NewMem()
		o := Options{FS: fs}
		l, _, _ := open(t, o)
		n := rapid.IntRange(1, 20).Draw(r, "records")
		ends := []int64{headerLen}
		for i := range n {
			text := fmt.Sprintf("record %d", i)
			if err := write(t, l, text); err != nil {
				r.Fatal(err)
			}
			ends = append(ends, ends[i]+FrameHeader+int64(len(text)))
		}
		if err := l.Close(); err != nil {
			r.Fatal(err)
		}
		at := rapid.Int64Range(headerLen, ends[n]).Draw(r, "at")
		rewrite(r, fs, segment{gen: 1}.name(), func(b []byte) []byte {
			if rapid.Bool().Draw(r, "spoil") && int(at) < len(b) {
				b[at] ^= 0x55
				return b
			}
			return b[:at]
		})
		whole := 0
		for whole < n && ends[whole+1] <= at {
			whole++
		}
		for round := range 2 { // what was cut once stays cut
			l, held, _ := open(t, o)
			if len(held) != whole+round {
				r.Fatalf("round %d: %d records, want %d", round, len(held), whole+round)
			}
			if err := write(t, l, "more"); err != nil {
				r.Fatal(err)
			}
			if err := l.Close(); err != nil {
				r.Fatal(err)
			}
		}
	})
}

func rewrite(t *rapid.T, fs vfs.FS, name string, change func([]byte) []byte) {
	in, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Write(change(b)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"wal-", "wal-1-2.log", "wal-0000000001-0000.sst", "LOCK", "wal-0000000001-00x0.log", "wal-0000000001-0000.log.tmp"} {
		if s, ok := parseName(name); ok {
			t.Errorf("%s is taken for %v", name, s)
		}
	}
	want := segment{gen: 12345678901, n: 12345}
	if got, ok := parseName(want.name()); !ok || got != want {
		t.Errorf("%s gives %v, %v", want.name(), got, ok)
	}
}

// FuzzFrames feeds the reader arbitrary files: no panic, and no more bytes
// are good than there are.
func FuzzFrames(f *testing.F) {
	h := header{self: segment{gen: 1}}
	f.Add(append(h.encode(), frame("one")...))
	f.Add(append(append(h.encode(), frame("one")...), frame("two")[:5]...))
	f.Add(h.encode()[:20])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		total := int64(0)
		good, err := ReadFrames(bytes.NewReader(b), int64(len(b)), func(p []byte) error {
			total += int64(len(p)) + FrameHeader
			return nil
		})
		if err != nil || good > int64(len(b)) || good > 0 && good != headerLen+total {
			t.Fatalf("%d of %d bytes are good, of which %d in frames: %v", good, len(b), total, err)
		}
	})
}

// BenchmarkCommit has 8 writers commit records of 10 kB, as a batch of 1000
// measurements makes, to a real disk.
func BenchmarkCommit(b *testing.B) {
	l, _, _ := open(b, Options{FS: vfs.Default, Dir: b.TempDir()})
	text := frame(string(make([]byte, 10_000)))
	b.SetBytes(int64(len(text)))
	b.SetParallelism(4)
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			seq, err := l.Append(text, nil)
			if err == nil {
				err = l.Wait(seq)
			}
			if err != nil {
				b.Error(err)
			}
		}
	})
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}
