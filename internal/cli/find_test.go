package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// askedOf returns a client of a server that answers as told, and what it was
// asked.
func askedOf(t *testing.T, answer func(r *http.Request) any) (*client.Client, *[]string) {
	t.Helper()
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.RequestURI())
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(answer(r)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return client.New(s.URL, client.HTTP(s.Client())), &asked
}

// message is what err says, "" if there is none.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestFindOrg: an organization is found by its name, and by its id also where
// another one is called so.
func TestFindOrg(t *testing.T) {
	t.Parallel()
	orgs := []tidemark.Org{{ID: 1, Name: "3"}, {ID: 2, Name: "7"}, {ID: 3, Name: "Shop"}}
	api, _ := askedOf(t, func(*http.Request) any { return map[string]any{"orgs": orgs} })
	for _, tt := range []struct {
		text string
		want tidemark.OrgID
		err  string
	}{
		{"Shop", 3, ""}, {"3", 3, ""}, {"1", 1, ""}, {"7", 2, ""},
		{"shop", 0, `there is no organization "shop"`}, {"5", 0, `there is no organization "5"`}, {"03", 0, `there is no organization "03"`},
	} {
		o, err := findOrg(context.Background(), api, tt.text)
		if message(err) != tt.err || err == nil && o.ID != tt.want {
			t.Errorf("%q: %+v, %v; want %d, %q", tt.text, o, err, tt.want, tt.err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := findOrg(ctx, api, "Shop"); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interruption: %v", err)
	}
}

// auditLog answers as the audit log of a server with that many entries does.
func auditLog(entries int) func(*http.Request) any {
	return func(r *http.Request) any {
		q := r.URL.Query()
		length, _ := strconv.Atoi(q.Get("length"))
		before, _ := strconv.ParseInt(q.Get("before"), 10, 64)
		if before == 0 {
			before = int64(entries) + 1
		}
		page := []tidemark.OrgAuditEntry{}
		for id := before - 1; id > 0 && len(page) < length; id-- {
			page = append(page, tidemark.OrgAuditEntry{AuditEntry: tidemark.AuditEntry{ID: id}})
		}
		return map[string]any{"audit": page}
	}
}

// TestReadAudit: as many of the newest entries as wanted, a page at a time, each
// once, with no page asked for in vain.
func TestReadAudit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ entries, most, want, pages int }{
		{0, 100, 0, 1}, {5, 100, 5, 1}, {5, 3, 3, 1}, {500, 100, 100, 1}, {500, 101, 101, 2}, {250, 1000, 250, 3}, {200, 1000, 200, 3}, {5, 0, 0, 0}, {5, -1, 0, 0},
	} {
		api, asked := askedOf(t, auditLog(tt.entries))
		got, err := readAudit(context.Background(), api, url.Values{"actor": {"ann"}}, tt.most)
		if err != nil || got == nil || len(got) != tt.want || len(*asked) != tt.pages {
			t.Errorf("%d of %d: %d entries, %v, in %v", tt.most, tt.entries, len(got), err, *asked)
		}
		for i, e := range got {
			if e.ID != int64(tt.entries-i) {
				t.Fatalf("%d of %d: entry %d has the id %d", tt.most, tt.entries, i, e.ID)
			}
		}
		for _, path := range *asked {
			if u, _ := url.Parse(path[len("GET "):]); u.Query().Get("actor") != "ann" {
				t.Errorf("%s lost what was asked for", path)
			}
		}
	}
}

// TestAuditParams: flags become the parameters of the audit log; what is left
// out selects everything.
func TestAuditParams(t *testing.T) {
	t.Parallel()
	api, _ := askedOf(t, func(*http.Request) any { return map[string]any{"orgs": []tidemark.Org{{ID: 7, Name: "Shop"}}} })
	for _, tt := range []struct {
		flags auditCmd
		want  url.Values
	}{
		{auditCmd{}, url.Values{}},
		{auditCmd{Who: "ann", Did: "token.*", What: "edge"}, url.Values{"actor": {"ann"}, "action": {"token.*"}, "thing": {"edge"}}},
		{auditCmd{Server: true}, url.Values{"org": {"0"}}},
		{auditCmd{Org: "Shop"}, url.Values{"org": {"7"}}},
	} {
		got, err := tt.flags.params(context.Background(), api)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%+v: %v %s", tt.flags, err, diff)
		}
	}
	if _, err := (&auditCmd{Org: "Other"}).params(context.Background(), api); message(err) != `there is no organization "Other"` {
		t.Errorf("an organization that is none: %v", err)
	}
	if err := (&auditCmd{Org: "Shop", Server: true}).Run(nil); message(err) != "--org and --server exclude each other" {
		t.Errorf("of an organization and of the server: %v", err)
	}
}

// TestAuditNames: an entry is about an organization by its name, about one that
// is gone by its number, or about the server.
func TestAuditNames(t *testing.T) {
	t.Parallel()
	names := map[tidemark.OrgID]string{1: "Shop"}
	got := []string{orgName(names, 0), orgName(names, 1), orgName(names, 9)}
	if want := []string{"-", "Shop", "9"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
