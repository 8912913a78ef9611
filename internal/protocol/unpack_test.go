package protocol

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/tidemark-metrics/tidemark"
)

func pack(t testing.TB, encoding string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "zstd":
		z, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	case "snappy":
		return s2.EncodeSnappy(nil, b)
	default:
		return b
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestUnpack(t *testing.T) {
	const limit = 1 << 20
	u := NewUnpacker(limit)
	text := []byte(strings.Repeat("measurement ", 1000))
	for _, encoding := range []string{"", "identity", "gzip", "deflate", "zstd", "snappy", " GZIP "} {
		name := strings.ToLower(strings.TrimSpace(encoding))
		for range 2 { // memory is used again
			got, err := u.Unpack([]byte("before "), encoding, pack(t, name, text))
			if err != nil || string(got) != "before "+string(text) {
				t.Errorf("%q: %d bytes, %v", encoding, len(got), err)
			}
		}
		bomb := pack(t, name, make([]byte, limit+1))
		if _, err := u.Unpack(nil, encoding, bomb); tidemark.KindOf(err) != tidemark.TooLarge {
			t.Errorf("%q: a bomb of %d bytes: %v", encoding, len(bomb), err)
		}
		if got, err := u.Unpack(nil, encoding, pack(t, name, make([]byte, limit))); err != nil || len(got) != limit {
			t.Errorf("%q: what is just allowed: %d, %v", encoding, len(got), err)
		}
		if name == "" || name == "identity" {
			continue
		}
		packed := pack(t, name, text)
		for _, bad := range [][]byte{packed[:len(packed)/2], packed[:len(packed)-1], []byte("no such thing"), {0xff, 0xff, 0xff}} {
			if _, err := u.Unpack(nil, encoding, bad); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), name) {
				t.Errorf("%q: %.10q: %v", encoding, bad, err)
			}
		}
	}
	if _, err := u.Unpack(nil, "br", text); tidemark.KindOf(err) != tidemark.Unsupported {
		t.Errorf("br: %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	for _, encoding := range []string{"gzip", "deflate", "zstd", "snappy"} {
		f.Add(encoding, pack(f, encoding, []byte("measurement measurement")))
	}
	u := NewUnpacker(1 << 16)
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		if got, err := u.Unpack(nil, encoding, body); err == nil && len(got) > 1<<16 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
