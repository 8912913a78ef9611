package notify

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// signedRequest is what a receiver is given.
type signedRequest struct {
	Header string  `json:"header"`
	Body   string  `json:"body"`
	Secret string  `json:"secret"`
	Now    float64 `json:"now"`
	Want   bool    `json:"want"`
}

// capture sends a notification to a service and returns what arrives.
func capture(t *testing.T, s *tidemark.Service, at time.Time) (header string, body []byte) {
	t.Helper()
	doer := exchangeFunc(func(r *http.Request) (*http.Response, error) {
		header = r.Header.Get("Tidemark-Signature")
		body, _ = io.ReadAll(r.Body)
		return respond(r, 200, nil, "thanks for "+s.Signing.Secrets()[0]), nil
	})
	notifier, err := New(s, Options{Client: &http.Client{Transport: doer}, BaseURL: "https://tidemark.example.org", Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	result, err := notifier.Send(t.Context(), stories()["1 trigger"])
	if err != nil || strings.Contains(result.Status, s.Signing.Secret) {
		t.Errorf("%s: %q, %v", s.Type, result.Status, err)
	}
	return header, body
}

// TestSigned: every type that is signed, and no other, carries a signature
// which the verifier in the documentation takes: with either secret while one
// replaces the other, for five minutes, for that body.
func TestSigned(t *testing.T) {
	t.Parallel()
	at := clock()
	first := tidemark.NewSigning(at.Unix())
	second := first.Rotated(at.Unix(), at.Unix()+3600)
	var asked []signedRequest
	for _, e := range examined {
		kind, _ := tidemark.LookupServiceType(e.kind)
		if !kind.Signed {
			continue
		}
		s := &tidemark.Service{Type: e.kind, Title: "x", Settings: e.settings, Signing: second}
		header, raw := capture(t, s, at)
		body, now := string(raw), float64(at.Unix())
		asked = append(asked,
			signedRequest{header, body, second.Secret, now, true}, signedRequest{header, body, first.Secret, now + 300, true},
			signedRequest{header, body, second.Secret, now + 301, false}, signedRequest{header, body, second.Secret, now - 301, false},
			signedRequest{header, body + " ", second.Secret, now, false}, signedRequest{header, body, "tms_other", now, false},
			signedRequest{"", body, second.Secret, now, false}, signedRequest{"t=" + header, body, second.Secret, now, false},
		)
		late, raw := capture(t, s, at.Add(time.Hour))
		asked = append(asked, signedRequest{late, string(raw), first.Secret, now + 3600, false}, signedRequest{late, string(raw), second.Secret, now + 3600, true})
	}
	if len(asked) < 30 {
		t.Fatalf("only %d requests were made", len(asked))
	}
	verifyByDocs(t, asked)
}

// verifyByDocs asks the program in the documentation about each.
func verifyByDocs(t *testing.T, asked []signedRequest) {
	t.Helper()
	node := testdeps.Program(t, "node")
	page, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```js\n(.*?)```").FindSubmatch(page)
	if code == nil {
		t.Fatal("there is no verifier in the documentation")
	}
	program := string(code[1]) + `
const asked = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(asked.map((a) => verify(a.header, Buffer.from(a.body), a.secret, a.now))));
`
	file := filepath.Join(t.TempDir(), "verify.mjs")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	input, _ := json.Marshal(asked)
	cmd := exec.CommandContext(t.Context(), node, file)
	cmd.Stdin = bytes.NewReader(input)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &problems)
	}
	var got []bool
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(asked) {
		t.Fatalf("%s: %v", out, err)
	}
	for i, a := range asked {
		if got[i] != a.Want {
			t.Errorf("%d: %+v is taken: %v", i, a, got[i])
		}
	}
}
