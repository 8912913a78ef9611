package protocol_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

func TestUnpack(t *testing.T) {
	const limit = 1 << 20
	u := protocol.NewUnpacker(limit)
	text := []byte(strings.Repeat("measurement ", 1000))
	for _, encoding := range []string{"", "identity", "gzip", "deflate", "zstd", "snappy", " GZIP "} {
		name := strings.ToLower(strings.TrimSpace(encoding))
		for range 2 { // memory is used again
			got, err := u.Unpack([]byte("before "), encoding, protocoltest.Pack(t, name, text))
			if err != nil || string(got) != "before "+string(text) {
				t.Errorf("%q: %d bytes, %v", encoding, len(got), err)
			}
		}
		bomb := protocoltest.Pack(t, name, make([]byte, limit+1))
		if _, err := u.Unpack(nil, encoding, bomb); tidemark.KindOf(err) != tidemark.TooLarge {
			t.Errorf("%q: a bomb of %d bytes: %v", encoding, len(bomb), err)
		}
		if n, err := u.Size(encoding, protocoltest.Pack(t, name, text)); err != nil || n != len(text) && name != "zstd" {
			t.Errorf("%q: %d bytes, %v", encoding, n, err)
		}
		if _, err := u.Size(encoding, bomb); tidemark.KindOf(err) != tidemark.TooLarge && name != "zstd" && name != "" && name != "identity" {
			t.Errorf("%q: the size of a bomb: %v", encoding, err)
		}
		if got, err := u.Unpack(nil, encoding, protocoltest.Pack(t, name, make([]byte, limit))); err != nil || len(got) != limit {
			t.Errorf("%q: what is just allowed: %d, %v", encoding, len(got), err)
		}
		if name == "" || name == "identity" {
			continue
		}
		packed := protocoltest.Pack(t, name, text)
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
		f.Add(encoding, protocoltest.Pack(f, encoding, []byte("measurement measurement")))
	}
	u := protocol.NewUnpacker(1 << 16)
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		if got, err := u.Unpack(nil, encoding, body); err == nil && len(got) > 1<<16 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
