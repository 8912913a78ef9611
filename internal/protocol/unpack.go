package protocol

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/tidemark-metrics/tidemark"
)

// Unpacker decompresses bodies, up to a limit. It may be used by several
// goroutines.
type Unpacker struct {
	limit int
	zstd  *zstd.Decoder
}

// zstd refers back by as much as a window, which is what senders choose by
// default, and counts whole blocks, so that it may exceed the limit by some
// slack before it gives up.
const (
	window = 8 << 20
	slack  = 1 << 20
)

// NewUnpacker returns one for bodies of at most limit bytes decompressed.
func NewUnpacker(limit int) *Unpacker {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(uint64(max(limit, window)+slack)), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		panic(err) // only for options that make no sense
	}
	return &Unpacker{limit: limit, zstd: z}
}

// Unpack appends to dst what body is the compressed form of, by the name that
// HTTP has for it: "", identity, gzip, deflate, zstd or snappy.
func (u *Unpacker) Unpack(dst []byte, encoding string, body []byte) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		if len(body) > u.limit {
			return dst, u.tooLarge()
		}
		return append(dst, body...), nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		return u.read(dst, "gzip", r, err)
	case "deflate":
		r, err := zlib.NewReader(bytes.NewReader(body))
		return u.read(dst, "deflate", r, err)
	case "zstd":
		return u.unzstd(dst, body)
	case "snappy":
		return u.unsnappy(dst, body)
	}
	return dst, tidemark.Errorf(tidemark.Unsupported, "the content encoding %.40q is not understood", encoding)
}

// Size returns how long body is decompressed. It needs no memory for it.
func (u *Unpacker) Size(encoding string, body []byte) (int, error) {
	var r io.Reader
	var err error
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(body))
	case "snappy":
		return u.sizeOfSnappy(body)
	default:
		return min(len(body), u.limit), nil
	}
	if err != nil {
		return 0, broken(encoding, err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, int64(u.limit)+1))
	switch {
	case err != nil:
		return 0, broken(encoding, err)
	case n > int64(u.limit):
		return 0, u.tooLarge()
	}
	return int(n), nil
}

func (u *Unpacker) sizeOfSnappy(body []byte) (int, error) {
	n, err := s2.DecodedLen(body)
	switch {
	case err != nil:
		return 0, broken("snappy", err)
	case n > u.limit:
		return 0, u.tooLarge()
	}
	return n, nil
}

func (u *Unpacker) tooLarge() error {
	return tidemark.Errorf(tidemark.TooLarge, "the body has more than %d bytes, decompressed", u.limit)
}

func broken(encoding string, err error) error {
	return tidemark.Errorf(tidemark.Invalid, "the body is not %s: %v", encoding, err)
}

func (u *Unpacker) read(dst []byte, encoding string, r io.Reader, err error) ([]byte, error) {
	if err != nil {
		return dst, broken(encoding, err)
	}
	buf := bytes.NewBuffer(dst)
	n, err := buf.ReadFrom(io.LimitReader(r, int64(u.limit)+1))
	switch {
	case err != nil:
		return dst, broken(encoding, err)
	case n > int64(u.limit):
		return dst, u.tooLarge()
	}
	return buf.Bytes(), nil
}

func (u *Unpacker) unzstd(dst, body []byte) ([]byte, error) {
	start := len(dst)
	out, err := u.zstd.DecodeAll(body, dst)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded), len(out)-start > u.limit:
		return dst, u.tooLarge()
	case err != nil:
		return dst, broken("zstd", err)
	}
	return out, nil
}

// unsnappy reads the block format, which is what remote write calls snappy.
func (u *Unpacker) unsnappy(dst, body []byte) ([]byte, error) {
	n, err := u.sizeOfSnappy(body)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	if cap(dst)-start < n {
		dst = append(make([]byte, 0, start+n), dst...)
	}
	out, err := s2.Decode(dst[start:start+n], body)
	if err != nil {
		return dst, broken("snappy", err)
	}
	return dst[:start+len(out)], nil
}
