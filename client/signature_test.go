package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// TestVerifySignature: what the server signs is taken, and nothing else. While
// a secret is replaced, both are good.
func TestVerifySignature(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	first := tidemark.NewSigning(now.Unix())
	second := first.Rotated(now.Unix(), now.Unix()+60)
	third := second.Rotated(now.Unix(), now.Unix()) // at once
	body := []byte(`{"state":"triggered"}`)
	for _, c := range []struct {
		name, header, secret, body string
		at                         time.Duration
		want                       string // part of what is wrong
	}{
		{"good", first.Sign(body, now), first.Secret, string(body), 0, ""},
		{"a little later", first.Sign(body, now), first.Secret, string(body), 5 * time.Minute, ""},
		{"replayed", first.Sign(body, now), first.Secret, string(body), 5*time.Minute + time.Second, "replay"},
		{"of the future", first.Sign(body, now), first.Secret, string(body), -6 * time.Minute, "replay"},
		{"another body", first.Sign(body, now), first.Secret, string(body) + " ", 0, "not of this body"},
		{"another time", "t=1700000001" + first.Sign(body, now)[len("t=1700000000"):], first.Secret, string(body), 0, "not of this body"},
		{"another secret", first.Sign(body, now), second.Secret, string(body), 0, "this secret"},
		{"new, while replaced", second.Sign(body, now), second.Secret, string(body), 0, ""},
		{"old, while replaced", second.Sign(body, now), first.Secret, string(body), 0, ""},
		{"old, afterwards", second.Sign(body, now.Add(time.Minute)), first.Secret, string(body), time.Minute, "this secret"},
		{"old, replaced at once", third.Sign(body, now), second.Secret, string(body), 0, "this secret"},
		{"none", "", first.Secret, string(body), 0, "not signed"},
		{"no secret", first.Sign(body, now), "", string(body), 0, "not signed"},
		{"nonsense", "t=x,v1=,v1", first.Secret, string(body), 0, "not signed"},
	} {
		err := client.VerifySignature(c.header, []byte(c.body), c.secret, now.Add(c.at))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// A receiver of webhooks that takes nothing but what its server sent.
func ExampleVerifySignature() {
	secret := "tms_example"
	receiver := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = client.VerifySignature(r.Header.Get("Tidemark-Signature"), body, secret, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "taken")
	}
	ask := func(header string) {
		r := httptest.NewRequest("POST", "/hook", strings.NewReader("{}"))
		r.Header.Set("Tidemark-Signature", header)
		w := httptest.NewRecorder()
		receiver(w, r)
		fmt.Print(w.Code, " ", w.Body)
	}
	ask((&tidemark.Signing{Secret: secret}).Sign([]byte("{}"), time.Now()))
	ask((&tidemark.Signing{Secret: "tms_other"}).Sign([]byte("{}"), time.Now()))
	ask("")
	// Output:
	// 200 taken
	// 401 the signature was not made with this secret, or not of this body
	// 401 the request is not signed
}
