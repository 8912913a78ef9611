package wal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FrameHeader is the room to leave before the payload of a frame.
const FrameHeader = 8

// MaxFrame bounds the payload of one frame.
const MaxFrame = 256 << 20

// Frame completes a frame: FrameHeader bytes, then the payload.
//
//	length(4) crc32c(4) payload
func Frame(frame []byte) {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-FrameHeader))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(frame[FrameHeader:], castagnoli))
}

// Cut is a place at which a file stopped making sense.
type Cut struct {
	Segment string
	At      int64 // bytes that were good
	Bytes   int64 // bytes behind them that were not used
	Torn    bool  // the end of the log, as a crash leaves it, rather than damage
}

// Replay gives fn every record of the generations from the given one on, in
// order, and returns the last generation there is and the places where a file
// was cut. What fn is given is valid during the call. It makes what it reads
// durable, so that what was seen once stays.
func (l *Log) Replay(from uint64, fn func(gen uint64, payload []byte) error) (last uint64, cuts []Cut, err error) {
	segments, err := list(l.o.FS, l.o.Dir)
	if err != nil {
		return 0, nil, err
	}
	limits, err := l.limits(segments)
	if err != nil {
		return 0, nil, err
	}
	for i, s := range segments {
		last = s.gen
		if s.gen < from {
			continue
		}
		end, limited := limits[s.segment]
		good, err := l.scan(s, end, limited, fn)
		if err != nil {
			return 0, nil, fmt.Errorf("replay %s: %w", s.name(), err)
		}
		want := s.size
		if limited {
			want = min(end, s.size)
		}
		if good < want {
			torn := !limited && i == len(segments)-1
			cuts = append(cuts, Cut{Segment: s.name(), At: good, Bytes: want - good, Torn: torn})
		}
		l.segment, l.valid, l.judged = s.segment, good, true
	}
	return last, cuts, nil
}

// limits reads all headers, and returns how much of each file counts,
// according to a later one.
func (l *Log) limits(segments []sized) (map[segment]int64, error) {
	limits := make(map[segment]int64)
	for _, s := range segments {
		b := make([]byte, headerLen)
		file, err := l.o.FS.Open(l.o.FS.PathJoin(l.o.Dir, s.name()))
		if err != nil {
			return nil, fmt.Errorf("open log: %w", err)
		}
		_, err = io.ReadFull(file, b)
		if err := errors.Join(short(err), file.Close()); err != nil {
			return nil, fmt.Errorf("read log: %w", err)
		}
		if h, ok := parseHeader(b); ok && h.self == s.segment {
			limits[h.prev] = h.valid
		}
	}
	return limits, nil
}

// short lets a file end early; that is not an error of reading it.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// scan reads one file up to end, or to where it stops making sense, and
// returns how many bytes were good.
func (l *Log) scan(s sized, end int64, limited bool, fn func(gen uint64, payload []byte) error) (int64, error) {
	if !limited {
		end = s.size
	}
	path := l.o.FS.PathJoin(l.o.Dir, s.name())
	file, err := l.o.FS.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if err := file.Sync(); err != nil {
		return 0, err
	}
	return ReadFrames(file, min(end, s.size), func(payload []byte) error { return fn(s.gen, payload) })
}

// ReadFrames gives fn the payload of each frame of a file of size bytes, up
// to where the file stops making sense, and returns how many bytes were good.
// Whatever the bytes are, only an error of reading or of fn is an error.
func ReadFrames(file io.Reader, size int64, fn func(payload []byte) error) (good int64, err error) {
	r := bufio.NewReaderSize(file, 1<<20)
	head := make([]byte, headerLen)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, short(err)
	}
	if _, ok := parseHeader(head); !ok {
		return 0, nil
	}
	good = headerLen
	var payload []byte
	for {
		if _, err := io.ReadFull(r, head[:FrameHeader]); err != nil {
			return good, short(err)
		}
		n := int64(binary.LittleEndian.Uint32(head))
		if n == 0 || n > MaxFrame || n > size-good-FrameHeader {
			return good, nil
		}
		if int64(cap(payload)) < n {
			payload = make([]byte, n+n/4)
		}
		payload = payload[:n]
		if _, err := io.ReadFull(r, payload); err != nil {
			return good, short(err)
		}
		if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
			return good, nil
		}
		if err := fn(payload); err != nil {
			return good, err
		}
		good += FrameHeader + n
	}
}
