package wal

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

// put writes a file as a crash may leave it.
func put(t testing.TB, fs vfs.FS, name string, content []byte) {
	t.Helper()
	file, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCrashInHeader: a crash while a file is made leaves part of its header, or
// zeros. That is the end of the log, not damage, and is reported once.
func TestCrashInHeader(t *testing.T) {
	t.Parallel()
	h := header{self: segment{gen: 2}, prev: segment{gen: 1}, valid: headerLen}
	for name, content := range map[string][]byte{
		"empty": {}, "a byte": h.encode()[:1], "all but one": h.encode()[:headerLen-1], "zeros": make([]byte, headerLen),
	} {
		o := Options{FS: vfs.NewMem()}
		l, _, _ := open(t, o)
		if err := write(t, l, "kept"); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		put(t, o.FS, segment{gen: 2}.name(), content)
		want := []string{"1:kept"}
		for round := range 3 {
			l, held, cuts := open(t, o)
			if diff := cmp.Diff(want, held); diff != "" {
				t.Errorf("%s, round %d (-want +got):\n%s", name, round, diff)
			}
			if len(cuts) > 0 && (round > 0 || !cuts[0].Torn || len(content) == 0) {
				t.Errorf("%s, round %d: cuts %+v", name, round, cuts)
			}
			if err := write(t, l, "more"); err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("%d:more", round+3))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSkippedStays: what a replay was told to skip is not judged by it, and is
// there for one that does not skip it.
func TestSkippedStays(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem()}
	l, _, _ := open(t, o)
	if err := write(t, l, "first"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	last, cuts, err := l.Replay(2, func(gen uint64, payload []byte) error { return fmt.Errorf("%d:%s was to be skipped", gen, payload) })
	if err != nil || last != 1 || len(cuts) > 0 {
		t.Fatalf("last %d, cuts %v, %v", last, cuts, err)
	}
	read := 0
	if _, _, err := l.Replay(1, func(uint64, []byte) error { read++; return nil }); err != nil || read != 1 {
		t.Fatalf("%d records from generation 1 on, %v", read, err)
	}
	if l, err = Open(o); err != nil { // which has read nothing
		t.Fatal(err)
	}
	if err := l.Start(last + 1); err != nil {
		t.Fatal(err)
	}
	if err := write(t, l, "second"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, held, _ := open(t, o)
	if diff := cmp.Diff([]string{"1:first", "2:second"}, held); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEveryBitCounts: whichever bit of a file is wrong, the records before it
// are read, none after it, and never one that was not written.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	h := header{self: segment{gen: 1}}
	file, ends := h.encode(), []int{headerLen}
	texts := []string{"one", "twenty-two", "3"}
	for _, text := range texts {
		file = append(file, frame(text)...)
		ends = append(ends, len(file))
	}
	for bit := range 8 * len(file) {
		spoiled := bytes.Clone(file)
		spoiled[bit/8] ^= 1 << (bit % 8)
		whole := 0
		for whole < len(texts) && ends[whole+1] <= bit/8 {
			whole++
		}
		wantGood := int64(ends[whole])
		if bit/8 < headerLen {
			wantGood = 0
		}
		var held []string
		good, err := ReadFrames(bytes.NewReader(spoiled), int64(len(spoiled)), func(p []byte) error { held = append(held, string(p)); return nil })
		if err != nil || good != wantGood || !slices.Equal(held, texts[:whole]) {
			t.Fatalf("bit %d: %d bytes, %q, %v, want %d and %q", bit, good, held, err, wantGood, texts[:whole])
		}
	}
}

// TestReplayErrors: an error of reading, or of whom the records are for, ends a
// replay with the name of the file.
func TestReplayErrors(t *testing.T) {
	t.Parallel()
	o := Options{FS: vfs.NewMem()}
	l, _, _ := open(t, o)
	if err := write(t, l, "a"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	refuse := errors.New("no such stream")
	_, _, err := l.Replay(0, func(uint64, []byte) error { return refuse })
	if !errors.Is(err, refuse) || err.Error() != "replay wal-0000000001-0000.log: no such stream" {
		t.Errorf("got %v", err)
	}
	if _, err := ReadFrames(broken{}, 100, nil); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(Options{FS: o.FS, Dir: "nowhere"}); err == nil || !strings.HasPrefix(err.Error(), "list logs: ") {
		t.Errorf("without a directory: %v", err)
	}
}

// broken cannot be read.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errDisk }
