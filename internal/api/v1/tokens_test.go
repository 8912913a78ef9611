package v1

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// tokenOf is the token in an answer.
func tokenOf(t *testing.T, c *apitest.Client, request, body string) (v TokenView) {
	t.Helper()
	rec := c.Ask(request, body)
	if err := json.Unmarshal(rec.Body.Bytes(), &v); rec.Code >= 300 || err != nil {
		t.Fatalf("%s %s: %d %s, %v", request, body, rec.Code, rec.Body, err)
	}
	return v
}

// TestSecretsOfTokens: the secret of a token is whole in the answer that makes
// it or replaces it, and masked ever after.
func TestSecretsOfTokens(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	made := tokenOf(t, c, "POST /v1/api_tokens", `{"name":"agent","role":"recorder","token":"ignored-by-all-means","expires_at":4000064400}`)
	if who, err := w.Auth.Identify(t.Context(), tidemark.Secret(made.Token), "192.0.2.1"); err != nil || who.Role != tidemark.RecordOnly || strings.Contains(made.Token, "ignored") {
		t.Errorf("%+v, %v", who, err)
	}
	if made.Href != "http://example.com/v1/api_tokens/1" || made.ExpiresAt == nil || *made.ExpiresAt != "2096-10-03 01:00:00 UTC" || made.OldUntil != nil || made.Scope != nil {
		t.Errorf("%+v", made)
	}
	shown := tokenOf(t, c, "GET /v1/api_tokens/1", "")
	if shown.Token == made.Token || !strings.HasSuffix(shown.Token, made.Token[len(made.Token)-4:]) {
		t.Errorf("shown as %s", shown.Token)
	}
	made.Token, made.LastUsedAt = shown.Token, shown.LastUsedAt
	if d := cmp.Diff(made, shown); d != "" {
		t.Error(d)
	}
	next := tokenOf(t, c, "POST /v1/api_tokens/1/rotate", `{"overlap":60}`)
	if next.OldUntil == nil || *next.OldUntil != "2096-10-03 00:01:00 UTC" || next.Token == made.Token {
		t.Errorf("%+v", next)
	}
	if at := tokenOf(t, c, "POST /v1/api_tokens/1/rotate", "").OldUntil; at == nil || *at != "2096-10-04 00:00:00 UTC" {
		t.Errorf("without a word the old one works until %v", at)
	}
	if at := tokenOf(t, c, "POST /v1/api_tokens/1/rotate", `{"overlap":0}`).OldUntil; at != nil {
		t.Errorf("the old one works until %s", *at)
	}
	const bounds = `400 {"errors":{"params":{"overlap":["must be 0 to 7776000 seconds"]}}}`
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/api_tokens/1/rotate", Body: `{"overlap":7776001}`, Want: bounds}, apitest.Exchange{Request: "POST /v1/api_tokens/1/rotate", Body: `{"overlap":-1}`, Want: bounds},
		apitest.Exchange{Request: "POST /v1/api_tokens/2/rotate", Want: notFound}, apitest.Exchange{Request: "POST /v1/api_tokens/x/rotate", Want: notFound},
	)
}

// TestImportedTokens: a secret of before is taken where it is asked for as such,
// and what is wrong with it is said of the field that was sent.
func TestImportedTokens(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	old := strings.Repeat("0123abcd", 8)
	if made := tokenOf(t, c, "POST /v1/api_tokens", `{"name":"old","role":"viewer","import_token":"`+old+`"}`); made.Token != old {
		t.Errorf("it is %s", made.Token)
	}
	if who, err := w.Auth.Identify(t.Context(), tidemark.Secret(old), "192.0.2.1"); err != nil || who.Role != tidemark.ViewOnly {
		t.Errorf("%+v, %v", who, err)
	}
	body := func(secret string) string {
		return fmt.Sprintf(`{"name":"n","role":"viewer","import_token":%s}`, secret)
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: body(`"short"`), Want: `400 {"errors":{"params":{"import_token":["is shorter than...`},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: body(`"` + old + `"`), Want: `422 {"errors":{"params":{"import_token":[...`},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: body(`[]`), Want: `400 {"errors":{"params":{"import_token":["must be a text"]}}}`},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: body("null"), Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":[],"role":"viewer","import_token":[]}`, Want: `400 {"errors":{"params":{"import_token":["must be a text"],"name":["must be a text"]}}}`},
	)
}

// TestEndsOfTokens: a token ends in the future; one that is over may be sent
// back as it is.
func TestEndsOfTokens(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	over := &tidemark.Token{Name: "over", Role: tidemark.ViewOnly, Active: true, ExpiresAt: apitest.Now - 10}
	if err := w.Store.CreateToken(t.Context(), w.Org, tidemark.ServerActor(), over, tidemark.NewSecret()); err != nil {
		t.Fatal(err)
	}
	const past = `400 {"errors":{"params":{"expires_at":["is in the past"]}}}`
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":"a","role":"viewer","expires_at":4000060800}`, Want: past},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":"a","role":"viewer","expires_at":4000060801}`, Want: `201 {...`},
		apitest.Exchange{Request: "PUT /v1/api_tokens/1", Body: `{"name":"still over","expires_at":4000060790}`, Want: `200 {"id":1,"name":"still over",...`},
		apitest.Exchange{Request: "PUT /v1/api_tokens/1", Body: `{"expires_at":4000060791}`, Want: past},
		apitest.Exchange{Request: "PUT /v1/api_tokens/1", Body: `{"expires_at":null}`, Want: `200 {"id":1,...`},
		apitest.Exchange{Request: "PUT /v1/api_tokens/9", Body: `{"expires_at":4000064399}`, Want: notFound},
		apitest.Exchange{Request: "PUT /v1/api_tokens/1", Body: `{"role":"owner"}`, Want: `400 {"errors":{"params":{"role":["must be admin, recorder or viewer"]}}}`},
		apitest.Exchange{Request: "DELETE /v1/api_tokens/1", Want: "204"}, apitest.Exchange{Request: "DELETE /v1/api_tokens/1", Want: notFound},
	)
}

// TestTokensByName: what is no number is a name to search for, and the answer a
// list; a number that names nothing is not found.
func TestTokensByName(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	for _, name := range []string{"web-1", "web-2", "db"} {
		c.Check(t, apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":"` + name + `","role":"viewer"}`, Want: "201 {..."})
	}
	for request, want := range map[string]string{
		"GET /v1/api_tokens/web*":          `200 {"api_tokens":[{"id":1,`,
		"GET /v1/api_tokens/db":            `200 {"api_tokens":[{"id":3,`,
		"GET /v1/api_tokens/none":          `200 {"api_tokens":[],"query":{"found":0,"length":0,"offset":0,"total":3}}`,
		"GET /v1/api_tokens/web*?length=0": `400 {"errors":{"params":{"length":["must be a number from 1"]}}}`,
		"GET /v1/api_tokens/%00":           notFound,
		"GET /v1/api_tokens/99":            notFound,
		"GET /v1/api_tokens/0":             notFound,
		"GET /v1/api_tokens?length=2":      `200 {"api_tokens":[{"id":1,`,
	} {
		if got := c.Says(request, ""); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}
