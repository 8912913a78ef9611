package doors

import (
	"bytes"
	"net/http/httptest"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// FuzzFrame: a message of gRPC is what its header says, or refused; what
// frame makes is read back.
func FuzzFrame(f *testing.F) {
	f.Add(frame([]byte("message")))
	f.Add([]byte{1, 0, 0, 0, 2, 'x'})
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(text []byte) ([]byte, error) {
			message, _, err := readFrame(httptest.NewRequestWithContext(t.Context(), "POST", "/", bytes.NewReader(text)))
			return message, err
		}
		message, err := read(text)
		if err != nil && tidemark.KindOf(err) != tidemark.Invalid && tidemark.KindOf(err) != tidemark.TooLarge {
			t.Errorf("%v", err)
		}
		if err == nil && !bytes.Equal(message, text[frameHeader:frameHeader+len(message)]) {
			t.Errorf("%x is read as %x", text, message)
		}
		if again, err := read(frame(text)); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%x comes back as %x, %v", text, again, err)
		}
	})
}
