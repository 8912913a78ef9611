package wal

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// segment names one file: the n-th of a generation.
type segment struct {
	gen uint64
	n   uint32
}

func (s segment) name() string { return fmt.Sprintf("wal-%010d-%04d.log", s.gen, s.n) }

func parseName(name string) (s segment, ok bool) {
	rest, ok := strings.CutPrefix(name, "wal-")
	if !ok {
		return s, false
	}
	if rest, ok = strings.CutSuffix(rest, ".log"); !ok {
		return s, false
	}
	gen, n, ok := strings.Cut(rest, "-")
	if !ok {
		return s, false
	}
	g, err1 := strconv.ParseUint(gen, 10, 64)
	i, err2 := strconv.ParseUint(n, 10, 32)
	s = segment{g, uint32(i)}
	return s, err1 == nil && err2 == nil && s.name() == name
}

type sized struct {
	segment
	size int64
}

// list returns the segments in dir, in order.
func list(fs vfs.FS, dir string) ([]sized, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, fmt.Errorf("list logs: %w", err)
	}
	var found []sized
	for _, name := range names {
		s, ok := parseName(name)
		if !ok {
			continue
		}
		info, err := fs.Stat(fs.PathJoin(dir, name))
		if err != nil {
			return nil, fmt.Errorf("list logs: %w", err)
		}
		found = append(found, sized{s, info.Size()})
	}
	slices.SortFunc(found, func(a, b sized) int {
		return cmp.Or(cmp.Compare(a.gen, b.gen), cmp.Compare(a.n, b.n))
	})
	return found, nil
}

// A file starts with a header:
//
//	magic(8) generation(8) n(4) previous generation(8) previous n(4) valid bytes of it(8) crc32c(4)
//
// Bytes of the previous file beyond the valid ones may be records that were
// refused.
const (
	headerLen = 44
	magic     = "tidewal1"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type header struct {
	self, prev segment
	valid      int64
}

func (h *header) encode() []byte {
	b := append(make([]byte, 0, headerLen), magic...)
	b = binary.LittleEndian.AppendUint64(b, h.self.gen)
	b = binary.LittleEndian.AppendUint32(b, h.self.n)
	b = binary.LittleEndian.AppendUint64(b, h.prev.gen)
	b = binary.LittleEndian.AppendUint32(b, h.prev.n)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.valid))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func parseHeader(b []byte) (h header, ok bool) {
	if len(b) < headerLen || string(b[:8]) != magic ||
		binary.LittleEndian.Uint32(b[40:]) != crc32.Checksum(b[:40], castagnoli) {
		return h, false
	}
	h.self = segment{binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint32(b[16:])}
	h.prev = segment{binary.LittleEndian.Uint64(b[20:]), binary.LittleEndian.Uint32(b[28:])}
	h.valid = int64(binary.LittleEndian.Uint64(b[32:]))
	return h, h.valid >= 0
}

// openSegment goes on in a new file of generation gen. The leader calls it,
// without the lock.
func (l *Log) openSegment(gen uint64) error {
	next := segment{gen: gen}
	if l.segment.gen == gen {
		next.n = l.segment.n + 1
	}
	h := header{self: next}
	if l.judged {
		h.prev, h.valid = l.segment, l.valid
	}
	file, err := create(l.o.FS, l.o.Dir, &h)
	if err != nil {
		return err
	}
	if l.file != nil {
		// What counts of it is durable; an error can tell nothing new.
		_ = l.file.Close()
	}
	l.file, l.segment, l.valid, l.judged = file, next, headerLen, true
	l.grow(headerLen)
	return nil
}

// create makes a file that holds h, durably. A file left over from a try that
// failed is replaced: it never held a record.
func create(fs vfs.FS, dir string, h *header) (vfs.File, error) {
	path := fs.PathJoin(dir, h.self.name())
	file, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, fmt.Errorf("create log: %w", err)
	}
	_, err = file.Write(h.encode())
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = syncDir(fs, dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create log: %w", err), file.Close(), fs.Remove(path))
	}
	return file, nil
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
