package doors

import (
	"bytes"
	"encoding/binary"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func call(body []byte) *http.Request {
	r := httptest.NewRequest("POST", exportPath, bytes.NewReader(body))
	r.ProtoMajor = 2
	r.Header.Set("Content-Type", "application/grpc+proto")
	return r
}

// TestFrames: a message comes back as it was, packed as the header says; one
// that was cut off, is too long or packed otherwise is refused.
func TestFrames(t *testing.T) {
	t.Parallel()
	whole := frame([]byte("hello"))
	if got, encoding, err := readFrame(call(whole)); string(got) != "hello" || encoding != "" || err != nil {
		t.Errorf("%q, %q, %v", got, encoding, err)
	}
	packed := bytes.Clone(whole)
	packed[0] = 1
	r := call(packed)
	r.Header.Set("Grpc-Encoding", "gzip")
	if _, encoding, err := readFrame(r); encoding != "gzip" || err != nil {
		t.Errorf("%q, %v", encoding, err)
	}
	for n := range len(whole) {
		if _, _, err := readFrame(call(whole[:n])); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	packed[0] = 2
	if _, _, err := readFrame(call(packed)); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "starts with 2") {
		t.Errorf("got %v", err)
	}
	huge := binary.BigEndian.AppendUint32([]byte{0}, uint32(protocol.DefaultLimits.Bytes+1))
	if _, _, err := readFrame(call(huge)); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("a message of more than may be: %v", err)
	}
}

// TestGRPCRefusals: whoever is refused learns the code of gRPC and why, in
// ASCII; what is our fault is logged and not said.
func TestGRPCRefusals(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	for name, c := range map[string]struct {
		request *http.Request
		err     error // of finding out who sends
		status  int
		code    string
		says    string
	}{
		"unknown token": {call(nil), tidemark.Errorf(tidemark.Unauthenticated, "who are you?"), 200, "16", "who are you?"},
		"too many":      {call(nil), tidemark.Errorf(tidemark.TooMany, "später"), 200, "8", "sp%C3%A4ter"},
		"our fault":     {call(nil), io.ErrClosedPipe, 200, "13", "internal error"},
		"another call":  {withPath(call(nil), "/other/Call"), nil, 200, "12", "there is no"},
		"not gRPC":      {httptest.NewRequest("POST", exportPath, nil), nil, 415, "", ""},
		"a viewer":      {call(nil), nil, 200, "7", "not permitted"},
	} {
		answered := 0
		s := &API{Base: &shared.Base{Options: shared.Options{Site: &rest.Site{Logger: slog.New(slog.NewTextHandler(&log, nil))}}}}
		h := s.GRPC(
			func(*http.Request, rest.Route) (rest.Caller, error) {
				return rest.Caller{Identity: tidemark.Identity{Role: tidemark.ViewOnly}}, c.err
			},
			func(*http.Request, rest.Route, rest.Caller, rest.Reply, error) { answered++ })
		w := httptest.NewRecorder()
		h.ServeHTTP(w, c.request)
		header := w.Header()
		code, says := header.Get(http.TrailerPrefix+"Grpc-Status"), header.Get(http.TrailerPrefix+"Grpc-Message")
		if w.Code != c.status || code != c.code || !strings.Contains(says, strings.ReplaceAll(c.says, "?", "%3F")) {
			t.Errorf("%s: %d, code %s, %q", name, w.Code, code, says)
		}
		if counted := c.request.URL.Path == exportPath && c.status == 200; (answered == 1) != counted {
			t.Errorf("%s was counted %d times", name, answered)
		}
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, io.ErrClosedPipe.Error()) {
		t.Errorf("the log says %q", text)
	}
}

func withPath(r *http.Request, path string) *http.Request {
	r.URL.Path = path
	return r
}

// TestGRPCAddsTags: what comes by gRPC has the tags that its token adds,
// whatever the sender says of them.
func TestGRPCAddsTags(t *testing.T) {
	t.Parallel()
	w, s, _ := newClient(t)
	who := w.Token(tidemark.RecordOnly)
	who.Scope = &tidemark.TokenScope{Add: []tidemark.AddedTag{{Name: "site", Value: "ams"}, {Name: "team", Value: "edge"}}}
	m := protocoltest.Message
	point := m(3, uint64(w.Now().UnixNano()), 4, 1.5, 7, m(1, "site", 2, m(1, "lon")), 7, m(1, "host", 2, m(1, "a")))
	h := s.GRPC(
		func(*http.Request, rest.Route) (rest.Caller, error) { return rest.Caller{Identity: who}, nil },
		func(*http.Request, rest.Route, rest.Caller, rest.Reply, error) {})
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, call(frame(m(1, m(2, m(2, m(1, "edge_load", 5, m(1, point))))))))
	if code := rec.Header().Get(http.TrailerPrefix + "Grpc-Status"); code != "0" {
		t.Fatalf("code %s, %v", code, rec.Header())
	}
	var got []string
	for s, err := range w.Engine.Streams(t.Context(), w.Org, "edge_load", tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tidemark.StreamName(s.Tags))
	}
	if want := "host=a,site=ams,team=edge"; len(got) != 1 || got[0] != want {
		t.Errorf("recorded %q, want %q", got, want)
	}
}
