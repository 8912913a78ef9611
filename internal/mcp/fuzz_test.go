package mcp

import (
	"encoding/json"
	"net/http"
	"testing"
)

// FuzzRequest: whatever an assistant sends, it gets an answer of JSON-RPC, or
// none where it wants none; the API is asked to read and nothing else.
func FuzzRequest(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"compose":"s(\"a\",\"*\")","start":-5}}}`)
	f.Add(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"backtest_alert","arguments":{"conditions":[],"start":5}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"incident","arguments":{"alert":7}}}`)
	f.Fuzz(func(t *testing.T, body string) {
		a := &api{}
		rec := post(t, a, "good", body)
		if rec.Code == http.StatusOK && !json.Valid(rec.Body.Bytes()) {
			t.Errorf("%s: %s", body, rec.Body)
		}
		for _, asked := range a.asked {
			if asked[:4] != "GET " && asked != "POST /v1/alerts/preview" {
				t.Errorf("%s asks %s", body, asked)
			}
		}
	})
}
