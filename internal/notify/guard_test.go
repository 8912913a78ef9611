package notify_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// TestGuardedAlike goes through every kind of service whose destination the
// user chooses: what the guard refuses is refused when it is saved and tested,
// and when something is delivered.
func TestGuardedAlike(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer srv.Close()
	port := srv.URL[strings.LastIndexByte(srv.URL, ':'):]
	guard := outbound.New(outbound.Options{})
	options := notify.Options{Client: guard, Dial: guard.DialContext}
	kinds := 0
	for _, st := range tidemark.ServiceTypes() {
		for _, host := range []string{"127.0.0.1", "0.0.0.0", "2130706433", "0177.0.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "example.org@127.0.0.1", "localhost"} {
			settings := fill(st, "http://"+host+port+"/hook", host)
			if len(st.Addresses(settings)) == 0 {
				continue
			}
			if st.Type == "opsgenie" && strings.ContainsAny(host, "[@") {
				continue // not the form of a host name, and refused as such
			}
			kinds++
			t.Run(fmt.Sprintf("%s/%s", st.Type, host), func(t *testing.T) {
				s := &tidemark.Service{Type: st.Type, Title: "x", Settings: settings}
				if err := notify.Check(t.Context(), s, guard); tidemark.KindOf(err) != tidemark.Invalid {
					t.Errorf("Check: %v", err)
				}
				notifier, err := notify.New(s, options)
				if err != nil {
					t.Fatal(err)
				}
				result, err := notifier.Send(t.Context(), notify.Sample(1, "", time.Unix(1700000000, 0)))
				if !errors.Is(err, notify.ErrPermanent) || strings.Contains(result.Status, "hook") {
					t.Errorf("Send: %q, %v", result.Status, err)
				}
			})
		}
	}
	if reached.Load() != 0 || kinds < 80 {
		t.Errorf("%d requests arrived in %d tries", reached.Load(), kinds)
	}
}

// fill returns settings of a kind in which every address is to.
func fill(st tidemark.ServiceType, to, host string) map[string]string {
	s := make(map[string]string)
	for _, f := range st.Fields {
		if f.Required {
			s[f.Name] = "value"
		}
		switch f.Name {
		case "url", "server":
			s[f.Name] = to
		case "hostname":
			s[f.Name] = host
		}
	}
	return s
}

func TestMailIsGuarded(t *testing.T) {
	t.Parallel()
	guard := outbound.New(outbound.Options{})
	s := &tidemark.Service{Type: "mail", Settings: map[string]string{"addresses": "a@example.org"}}
	notifier, err := notify.New(s, notify.Options{Dial: guard.DialContext, Mail: notify.Mail{Host: "127.0.0.1", Port: 1, From: "t@example.org"}})
	if err != nil {
		t.Fatal(err)
	}
	// The mail server is the operator's choice: to allow it mends this.
	_, err = notifier.Send(t.Context(), notify.Sample(1, "", time.Unix(1700000000, 0)))
	if err == nil || errors.Is(err, notify.ErrPermanent) || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("err = %v", err)
	}
}

// TestThroughTheGuard delivers for real, over a connection.
func TestThroughTheGuard(t *testing.T) {
	t.Parallel()
	got := make(chan url.Values, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "p w" || r.ParseForm() != nil {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		got <- r.PostForm
		_, _ = io.WriteString(w, "thank you")
	}))
	defer srv.Close()
	guard := outbound.New(outbound.Options{Allow: []outbound.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}})
	s := &tidemark.Service{Type: "webhook", Title: "x", Settings: map[string]string{"url": strings.Replace(srv.URL, "//", "//me:p%20w@", 1) + "/hook"}}
	if err := notify.Check(t.Context(), s, guard); err != nil {
		t.Fatal(err)
	}
	notifier, err := notify.New(s, notify.Options{Client: guard})
	if err != nil {
		t.Fatal(err)
	}
	result, err := notifier.Send(t.Context(), notify.Sample(1, "", time.Unix(1700000000, 0)))
	if err != nil || result.Status != "200 OK: thank you" {
		t.Fatalf("%q, %v", result.Status, err)
	}
	if form := <-got; len(form) != 1 || !strings.HasPrefix(form.Get("payload"), `{"alert":{"id":0,"name":"example.latency.high"`) {
		t.Errorf("%v", form)
	}
}
