package api

import (
	"fmt"
	"testing"
)

// TestExpiryUnchanged: the end of a token that is over may be sent back as it
// is, with whatever else is changed; it cannot be moved within the past.
func TestExpiryUnchanged(t *testing.T) {
	w := newWorld(t)
	over, err := w.Store.Token(t.Context(), w.ours, 5)
	if err != nil || over.Name != "expired" {
		t.Fatalf("%+v, %v", over, err)
	}
	same := fmt.Sprintf(`{"name":"over","expires_at":%d}`, over.ExpiresAt)
	w.must(t, 200, "PUT", "/v1/api_tokens/5", same)
	w.must(t, 400, "PUT", "/v1/api_tokens/5", fmt.Sprintf(`{"expires_at":%d}`, over.ExpiresAt-1))
	w.must(t, 200, "PUT", "/v1/api_tokens/5", `{"expires_at":null}`)
	w.must(t, 400, "PUT", "/v1/api_tokens/5", same)
}
