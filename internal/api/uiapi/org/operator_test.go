package org

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// TestNearestLimits: an organization is listed by the limits that it is nearest
// to, of which some are near; what has no limit, or is not counted, is not.
func TestNearestLimits(t *testing.T) {
	t.Parallel()
	use := func(name string, used, limit int64, own bool) tidemark.LimitUse {
		return tidemark.LimitUse{Name: tidemark.LimitName(name), Use: &used, Limit: limit, Own: own}
	}
	v := operatorOrgOf(&tidemark.Org{ID: 7, Name: "Shop"}, []tidemark.LimitUse{
		use("a", 79, 100, false), use("b", 80, 100, true), use("c", 150, 100, false), use("d", 5, 0, true), {Name: "e", Limit: 100}, use("f", 1, 100, false),
	})
	var names []string
	for _, l := range v.Nearest {
		names = append(names, string(l.Name))
	}
	if strings.Join(names, " ") != "c b a" || v.Near != 2 || v.Own != 2 || nearest(v) != 150 {
		t.Errorf("%v, %+v", names, v)
	}
	if none := operatorOrgOf(&tidemark.Org{}, nil); none.Nearest == nil || nearest(none) != -1 {
		t.Errorf("%+v", none)
	}
}

// TestOperators: operators see names and numbers of every organization, those
// nearest to a limit first, and set limits; what is wrong is said below limits.
func TestOperators(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	c.Who.Operator = true
	for i := range 3 {
		if _, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), fmt.Sprint("Other ", i)); err != nil {
			t.Fatal(err)
		}
	}
	w.Record(t, "cpu", nil, apitest.Now, 1)
	list := func(q string) (v operatorLimits) {
		t.Helper()
		rec := c.Ask("GET /ui/api/operator/limits?q="+q, "")
		if err := json.Unmarshal(rec.Body.Bytes(), &v); rec.Code != 200 || err != nil {
			t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
		}
		return v
	}
	const at = "PUT /ui/api/operator/orgs/1/limits"
	c.Check(t,
		apitest.Exchange{Request: at, Body: `{"limits":{"streams":1,"spaces":"7"}}`, Want: "204"},
		apitest.Exchange{Request: at, Body: `{"limits":{"spaces":null}}`, Want: "204"},
		apitest.Exchange{Request: at, Body: `{"limits":5}`, Want: `400 {"errors":{"params":{"limits":["must be an object"]}}}`},
		apitest.Exchange{Request: at, Body: `{"limits":{"spaces":1.5,"alerts":"x"}}`, Want: `400 {"errors":{"params":{"limits":{"alerts":["is not an integer"],"spaces":["is not an integer"]}}}}`},
		apitest.Exchange{Request: at, Body: `{"limits":{"nonsense":1}}`, Want: `400 {"errors":{"params":{"limits":{"nonsense":[...`},
		apitest.Exchange{Request: at, Body: `{"limits":{"spaces":-1}}`, Want: `400 {"errors":{"params":{"limits":{"spaces":[...`},
		apitest.Exchange{Request: "PUT /ui/api/operator/orgs/99/limits", Body: `{"limits":{}}`, Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/operator/orgs/x/limits", Want: apitest.NotFound},
	)
	v := list("")
	if v.Found != 4 || v.Total != 4 || v.Orgs[0].Name != "Shop" || v.Orgs[0].Near != 1 || v.Orgs[0].Own != 1 || v.Orgs[0].Nearest[0].Name != tidemark.LimitStreams || len(v.Server) == 0 {
		t.Errorf("%+v", v)
	}
	if v := list("%20oTHER%201"); v.Found != 1 || v.Total != 4 || v.Orgs[0].Name != "Other 1" {
		t.Errorf("%+v", v)
	}
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/operator/limits?q=" + strings.Repeat("x", 256), Want: `400 {"errors":{"params":{"q":[...`})
	c.Who.Operator = false
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/operator/limits", Want: apitest.NotFound}, apitest.Exchange{Request: at, Body: `{"limits":{}}`, Want: apitest.NotFound})
}

// TestAskingForLimits: what somebody asks for carries the server's own numbers,
// and the answer counts at once.
func TestAskingForLimits(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", nil, apitest.Now, 1)
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/limits/requests", Body: `{"name":"streams","wanted":9000000,"note":"we grow"}`, Want: "204"},
		apitest.Exchange{Request: "POST /ui/api/limits/requests", Body: `{"name":"nonsense","wanted":5}`, Want: `400 {"errors":{"params":{"name":[...`},
		apitest.Exchange{Request: "POST /ui/api/limits/requests", Body: `{"name":"spaces","wanted":"x"}`, Want: `400 {"errors":{"params":{"wanted":["is not a number"]}}}`},
	)
	found, err := w.Store.OpenLimitRequests(t.Context())
	if err != nil || len(found) != 1 || found[0].Wanted != 9_000_000 || found[0].Use == nil || *found[0].Use != 1 || found[0].Allowed == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	c.Who.Operator = true
	c.Check(t,
		apitest.Exchange{Request: "PUT /ui/api/operator/orgs/1/requests/streams", Body: `{"accept":true}`, Want: "204"},
		apitest.Exchange{Request: "PUT /ui/api/operator/orgs/1/requests/streams", Body: `{"accept":true,"value":1}`, Want: `404 {...`},
	)
	if err := w.Limits.Check(w.Org, tidemark.LimitStreams, 9_000_000); err != nil {
		t.Errorf("it does not count: %v", err)
	}
}
