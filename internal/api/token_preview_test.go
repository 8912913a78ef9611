package api

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// preview is the answer to POST /ui/api/tokens/preview.
type preview struct {
	Address  string
	Inside   bool
	Metrics  int
	Senders  []previewGroup
	More     int
	Streams  int
	Complete bool
}

type previewGroup struct {
	Names   []string
	Count   int
	Values  int64
	Refused int64
	Reasons []previewReason
}

type previewReason struct {
	Kind, What string
	Values     int64
}

func (w *world) preview(t *testing.T, body string, headers ...string) (v preview) {
	t.Helper()
	rec := w.ask("Admin", "POST", "/ui/api/tokens/preview", body, headers...)
	if rec.Code != 200 {
		t.Fatalf("%s: %d %s", body, rec.Code, rec.Body)
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// sending is a world to which four senders sent, of three networks.
func sending(t *testing.T) *world {
	t.Helper()
	w := newWorld(t).withPeople(t)
	w.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} // httptest's address
	send := func(address, tags string, names ...string) {
		var list []string
		for _, name := range names {
			list = append(list, fmt.Sprintf(`{"name":%q,"value":1,"time":%d}`, name, w.minute))
		}
		rec := w.ask("recorder", "POST", "/v1/measurements", `{"tags":{`+tags+`},"measurements":[`+strings.Join(list, ",")+`]}`, "X-Forwarded-For", address)
		if rec.Code != 202 {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
	}
	send("10.20.0.1", `"host":"Web-01","site":"ams"`, "checkout.count", "checkout.time")
	send("10.20.0.2", `"host":"web-02","site":"ams"`, "checkout.count", "checkout.time")
	send("10.20.0.3", `"host":"worker-01","site":"ams"`, "checkout.count", "queue.depth", "queue.age")
	send("10.20.0.4", `"host":"worker-02","site":"lon"`, "checkout.count")
	send("10.9.0.1", `"host":"bastion-01","site":"ams"`, "checkout.count")
	send("10.20.0.9", `"site":"ams"`, "checkout.count")
	return w
}

// TestTokenPreview: what arrived within a day tells to whom a new token would
// do, and why it would refuse others.
func TestTokenPreview(t *testing.T) {
	t.Parallel()
	w := sending(t)
	got := w.preview(t, `{"role":"recorder","scope":{"metrics":["checkout.*"],"tags":[{"name":"Site","values":["AMS"]}]},"networks":["10.20.0.0/16"]}`, "X-Forwarded-For", "203.0.113.17")
	want := preview{Address: "203.0.113.17", Metrics: 2, Streams: 10, Complete: true, Senders: []previewGroup{
		{Names: []string{"", "web-01", "web-02"}, Count: 3, Values: 5, Reasons: []previewReason{}},
		{Names: []string{"worker-01"}, Count: 1, Values: 3, Refused: 2, Reasons: []previewReason{{"metric", "queue.*", 2}}},
		{Names: []string{"bastion-01"}, Count: 1, Values: 1, Refused: 1, Reasons: []previewReason{{"network", "10.9.0.1", 1}}},
		{Names: []string{"worker-02"}, Count: 1, Values: 1, Refused: 1, Reasons: []previewReason{{"tag", "Site", 1}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if v := w.preview(t, `{"role":"admin","networks":["203.0.113.17"]}`, "X-Forwarded-For", "203.0.113.17"); !v.Inside || v.Metrics != 0 || len(v.Senders) != 1 || v.Senders[0].Refused != 10 {
		t.Errorf("from elsewhere: %+v", v)
	}
	if v := w.preview(t, `{"role":"viewer","scope":{"metrics":["checkout.*"]},"networks":["10.0.0.0/8"]}`, "X-Forwarded-For", "203.0.113.17"); len(v.Senders) != 0 || v.Metrics != 2 || v.Inside || !v.Complete {
		t.Errorf("View Only, which sends nothing: %+v", v)
	}
	if v := w.preview(t, `{}`); len(v.Senders) != 1 || v.Senders[0].Refused != 0 || v.Senders[0].Count != 6 || !v.Inside {
		t.Errorf("without limits: %+v", v)
	}
}

// TestTokenPreviewOfNetworks: a sender with several addresses, and one whose
// address is not known, are told apart from those that would be refused.
func TestTokenPreviewOfNetworks(t *testing.T) {
	t.Parallel()
	w := sending(t)
	body := fmt.Sprintf(`{"tags":{"host":"web-01"},"measurements":[{"name":"checkout.count","value":1,"time":%d}]}`, w.minute)
	if rec := w.ask("admin", "POST", "/v1/measurements", body, "X-Forwarded-For", "10.9.0.2"); rec.Code != 202 {
		t.Fatal(rec.Body)
	}
	body = fmt.Sprintf(`{"measurements":[{"name":"checkout.count","value":1,"time":%d,"tags":{"host":"proxied"}}]}`, w.minute)
	if _, _, err := w.Recorder.Record(t.Context(), w.ours, []byte(body), "tidemark"); err != nil { // by nobody's request
		t.Fatal(err)
	}
	kinds := make(map[string]previewGroup)
	for _, g := range w.preview(t, `{"role":"recorder","networks":["10.20.0.0/16"]}`).Senders {
		kinds[g.Names[0]] = g
	}
	if g := kinds["web-01"]; len(g.Reasons) != 1 || g.Reasons[0] != (previewReason{"some_network", "10.9.0.2", 0}) || g.Refused != 0 {
		t.Errorf("two addresses: %+v", g)
	}
	if g := kinds["proxied"]; len(g.Reasons) != 1 || g.Reasons[0].Kind != "unknown_network" || g.Refused != 0 {
		t.Errorf("an unknown address: %+v", g)
	}
}

// TestTokenPreviewLeavesOut what the server records itself, what is older than
// a day, and what other organizations send.
func TestTokenPreviewLeavesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	for _, body := range []string{`{"name":"check.up","value":1}`, `{"name":"tidemark.alerting.late.max","value":1}`, fmt.Sprintf(`{"name":"old","value":1,"time":%d}`, w.minute-26*3600)} {
		if sum, _, err := w.Recorder.Record(t.Context(), w.ours, []byte(`{"measurements":[`+body+`]}`), "tidemark"); err != nil || sum.Accepted != 1 {
			t.Fatalf("%s: %+v %v", body, sum, err)
		}
	}
	if rec := w.ask("theirs", "POST", "/v1/measurements", `{"tags":{"host":"x"},"measurements":[{"name":"a","value":1}]}`); rec.Code != 202 {
		t.Fatal(rec.Body)
	}
	if v := w.preview(t, `{"role":"recorder","scope":{"metrics":["a"]}}`); len(v.Senders) != 0 || v.Streams != 0 || v.Metrics != 0 || !v.Complete {
		t.Errorf("%+v", v)
	}
}

// TestTokenPreviewHasDeadline: where there is no time left the answer says that
// it is not complete.
func TestTokenPreviewHasDeadline(t *testing.T) {
	t.Parallel()
	w := sending(t)
	w.ui.Org.PreviewTime = time.Nanosecond
	if v := w.preview(t, `{"role":"recorder","scope":{"metrics":["queue.*"]}}`); v.Complete || v.Metrics != 2 {
		t.Errorf("%+v", v)
	}
}

// TestTokenPreviewRefuses bad input by its field.
func TestTokenPreviewRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	for body, field := range map[string]string{
		`{"role":"recorder","networks":["here"]}`:         `"networks":[`,
		`{"role":"recorder","scope":{"metrics":["a b"]}}`: `"scope":[`,
		`{"role":"admin","scope":{"metrics":["a"]}}`:      `"scope":[`,
		`{"role":"owner"}`:                                `"role":[`,
	} {
		if rec := w.ask("Admin", "POST", "/ui/api/tokens/preview", body); rec.Code != 400 || !strings.Contains(rec.Body.String(), field) {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
	for _, who := range []string{"Member", "Viewer", "admin"} {
		if rec := w.ask(who, "POST", "/ui/api/tokens/preview", `{}`); rec.Code/100 != 4 {
			t.Errorf("as %s: %d %s", who, rec.Code, rec.Body)
		}
	}
}
