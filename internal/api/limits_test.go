package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// limitsOf returns what a door says of the limits, by name.
func (w *world) limitsOf(t *testing.T, who, path string, headers ...string) map[tidemark.LimitName]tidemark.LimitUse {
	t.Helper()
	var answer struct{ Limits []tidemark.LimitUse }
	rec := w.ask(who, "GET", path, "", headers...)
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", path, rec.Code, rec.Body, err)
	}
	found := make(map[tidemark.LimitName]tidemark.LimitUse)
	for _, l := range answer.Limits {
		found[l.Name] = l
	}
	return found
}

// TestLimitsAnswered: people see what they use beside what they may, the
// operator sets it, and it counts from the next request on.
func TestLimitsAnswered(t *testing.T) {
	w := newWorld(t)
	w.Limits = tidemark.NewLimits(nil)
	w.Store.SetLimits(w.Limits)
	w.person(t, "Viewer", w.ours, tidemark.ViewOnly)
	w.ask("recorder", "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1,"tags":{"host":"web-1"}}]}`)
	w.ask("admin", "POST", "/v1/spaces", `{"name":"one"}`)
	got := w.limitsOf(t, "Viewer", "/ui/api/limits")
	for _, l := range tidemark.LimitTable {
		if got[l.Name].Title != l.Title || got[l.Name].Limit != l.Default {
			t.Errorf("%s: %+v", l.Name, got[l.Name])
		}
	}
	for name, want := range map[tidemark.LimitName]int64{tidemark.LimitStreams: 1, tidemark.LimitSpaces: 1, tidemark.LimitAlerts: 0} {
		if use := got[name].Use; use == nil || *use < want {
			t.Errorf("use of %s is %v", name, use)
		}
	}
	rec := w.ask("operator", "PUT", "/admin/limits", `{"spaces":1}`, orgHeader, "1")
	equal(t, http.StatusNoContent, rec.Code)
	if l := w.limitsOf(t, "operator", "/admin/limits", orgHeader, "1")[tidemark.LimitSpaces]; l.Limit != 1 || !l.Own || l.Default != 1000 {
		t.Errorf("after it was set: %+v", l)
	}
	rec = w.ask("admin", "POST", "/v1/spaces", `{"name":"two"}`)
	if rec.Code != http.StatusForbidden || !strings.Contains(rec.Body.String(), "the limit spaces is reached: 1 spaces") {
		t.Errorf("over the limit: %d %s", rec.Code, rec.Body)
	}
	equal(t, http.StatusNoContent, w.ask("operator", "PUT", "/admin/limits", `{"spaces":null}`, orgHeader, "1").Code)
	equal(t, http.StatusCreated, w.ask("admin", "POST", "/v1/spaces", `{"name":"two"}`).Code)
}

// TestRequestLimit: an organization that makes too many requests is told so,
// and no other is.
func TestRequestLimit(t *testing.T) {
	w := newWorld(t)
	w.Limits = tidemark.NewLimits(nil)
	w.Limits.SetOrgs(map[tidemark.OrgID]map[tidemark.LimitName]int64{1: {tidemark.LimitRequests: 1}})
	refused := 0
	for range 30 {
		rec := w.ask("viewer", "GET", "/v1/spaces", "")
		if rec.Code == http.StatusTooManyRequests && rec.Header().Get("Retry-After") != "" && strings.Contains(rec.Body.String(), "the limit requests is reached") {
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("%d of 30 requests were refused", refused)
	}
	equal(t, http.StatusOK, w.ask("theirs", "GET", "/v1/spaces", "").Code)
}

// growing are the routes by which something grows or much work is done, each
// with the limit that bounds it; unbounded are those that need none.
var growing = map[string]tidemark.LimitName{
	"POST /v1/alerts":                        tidemark.LimitAlerts,
	"POST /v1/annotations/{name}":            tidemark.LimitAnnotations,
	"PUT /v1/annotations/{name}/{id}":        tidemark.LimitAnnotationBytes,
	"POST /v1/annotations/{name}/{id}/links": tidemark.LimitLinks,
	"POST /v1/api_tokens":                    tidemark.LimitTokens,
	"POST /v1/measurements":                  tidemark.LimitStreams,
	"POST /v1/metrics":                       tidemark.LimitStreams,
	"POST /prometheus/api/v1/write":          tidemark.LimitStreams,
	"POST /otlp/v1/metrics":                  tidemark.LimitStreams,
	"POST /write":                            tidemark.LimitStreams,
	"POST /api/v2/write":                     tidemark.LimitStreams,
	"POST /api/v1/series":                    tidemark.LimitStreams,
	"POST /api/v2/series":                    tidemark.LimitStreams,
	"POST /prometheus/api/v1/query":          tidemark.LimitQueryPoints,
	"POST /prometheus/api/v1/query_range":    tidemark.LimitQueryPoints,
	"PUT /v1/metrics/{name}":                 tidemark.LimitMetrics,
	"POST /v1/services":                      tidemark.LimitServices,
	"POST /v1/objectives":                    tidemark.LimitObjectives,
	"POST /ui/api/playlists":                 tidemark.LimitPlaylists,
	"POST /ui/api/spaces/{space}/reports":    tidemark.LimitReports,
	"POST /ui/api/playlists/{id}/shares":     tidemark.LimitShares,
	"POST /ui/api/queries":                   tidemark.LimitSavedQueries,
	"POST /ui/api/tag_drops":                 tidemark.LimitTagDrops,
	"POST /ui/api/devices":                   tidemark.LimitDevices,
	"POST /v1/maintenance":                   tidemark.LimitMaintenance,
	"POST /ui/api/alerts/{id}/duplicate":     tidemark.LimitAlerts,
	"POST /v1/services/preview":              tidemark.LimitTemplateSteps,
	"POST /v1/services/{id}/preview":         tidemark.LimitTemplateSteps,
	"POST /v1/snapshots":                     tidemark.LimitSnapshots,
	"POST /v1/spaces":                        tidemark.LimitSpaces,
	"POST /v1/spaces/{space}/charts":         tidemark.LimitCharts,
	"POST /ui/api/invitations":               tidemark.LimitMembers,
	"POST /ui/api/query":                     tidemark.LimitQueryBytes,
	"POST /ui/api/shared/{key}/query":        tidemark.LimitQueryBytes,
	"POST /ui/api/spaces/{space}/duplicate":  tidemark.LimitSpaces,
	"POST /ui/api/spaces/import":             tidemark.LimitSpaces,
	"POST /ui/api/spaces/{space}/shares":     tidemark.LimitShares,
	"POST /ui/api/checks":                    tidemark.LimitChecks,
	"POST /ui/api/templates/{template}":      tidemark.LimitSpaces,
	"POST /v1/alerts/preview":                tidemark.LimitQueryPoints,
	"POST /v1/places":                        tidemark.LimitPlaces,
}

// TestEveryRouteIsLimited: a route that makes something names the limit of
// what it makes, or is one of those that change what is there already. All of
// them are bounded by requests a second and by the length of a body.
func TestEveryRouteIsLimited(t *testing.T) {
	w := newWorld(t)
	for _, rt := range w.table() {
		method, path, _ := strings.Cut(rt.Name(), " ")
		limit, has := growing[rt.Name()]
		if has {
			if _, known := tidemark.LimitCalled(limit); !known {
				t.Errorf("%s: there is no limit %s", rt.Name(), limit)
			}
			delete(growing, rt.Name())
			continue
		}
		if method == "POST" && unboundedRoutes[path] == "" {
			t.Errorf("%s: name its limit in growing, or why it needs none in unboundedRoutes", rt.Name())
		}
	}
	for name := range growing {
		t.Errorf("there is no route %s any longer", name)
	}
}

// unboundedRoutes are the routes that make nothing that stays, or that
// something else bounds.
var unboundedRoutes = map[string]string{
	"/ui/api/session/second":                   "signing in is limited by address and account",
	"/ui/api/session/second/passkey":           "signing in is limited by address and account",
	"/ui/api/session/passkey":                  "signing in is limited by address and account",
	"/ui/api/operator/orgs":                    "operators alone make organizations",
	"/ui/api/proof":                            "limited by account",
	"/ui/api/proof/passkey":                    "a person has ten challenges at a time",
	"/ui/api/second_factor/totp":               "a person has one",
	"/ui/api/second_factor/codes":              "a person has ten",
	"/ui/api/second_factor/passkeys/challenge": "a person has ten challenges at a time",
	"/ui/api/second_factor/passkeys":           "a person has 20",
	"/v1/alerts/{id}/clear":                    "changes the alert's state",
	"/v1/alerts/{id}/test":                     "sends what the alert's services allow, once a request",
	"/v1/alerts/{id}/acknowledge":              "keeps the latest 1000 notes of an incident",
	"/v1/alerts/{id}/snooze":                   "one at a time for an alert",
	"/v1/alerts/{id}/services":                 "at most 100 for an alert",
	"/ui/api/reports/{id}/send":                "one at a time for a report",
	"/v1/api_tokens/{id}/rotate":               "two secrets at most for a token",
	"/v1/deliveries/{id}/retry":                "changes a delivery",
	"/v1/spaces/{space}/charts/{id}":           "changes a chart",
	"/prometheus/api/v1/query_exemplars":       "there are none",
	"/prometheus/api/v1/series":                "reads the catalogue, with a bound of its own",
	"/prometheus/api/v1/labels":                "reads the catalogue, with a bound of its own",
	"/prometheus/api/v1/format_query":          "reads a text of bounded length",
	"/query":                                   "answers that databases are there",
	"/ui/api/session":                          "limited by address and account before anything is done",
	"/ui/api/setup/{key}":                      "works once",
	"/ui/api/reset":                            "limited by address",
	"/ui/api/reset/{key}":                      "works once",
	"/ui/api/invite/{key}":                     "works once",
	"/ui/api/demo":                             "one for the server",
	"/ui/api/invitations/{id}/link":            "replaces the link of an invitation; mails are limited",
	"/ui/api/compose/check":                    "reads a text of bounded length",
	"/ui/api/alerts/test":                      "sends once a request",
	"/ui/api/services/{id}/signing":            "two secrets at most for a service",
	"/ui/api/services/test":                    "sends once a request",
	"/ui/api/services/{id}/test":               "sends once a request",
	"/ui/api/devices/{id}/test":                "sends once a request",
	"/v1/places/results":                       "keeps the latest of a check and a place; what is recorded is limited as measurements are",
	"/ui/api/checks/try":                       "asks once a request, four at a time",
	"/ui/api/alert_views":                      "a person has 50",
	"/ui/api/changes":                          "keeps nothing; as a query it is bounded: internal/query: TestChangesAreBounded",
	"/ui/api/alert_views/shared":               "an organization has 50",
	"/ui/api/alerts/bulk":                      "changes at most 2000 alerts that are there",
	"/ui/api/limits/requests":                  "one of each limit",
	"/ui/api/acknowledge/{key}":                "limited by link and address, and keeps the latest 1000 notes of an incident",
	"/ui/api/incidents/{id}/comments":          "500 comments on an incident",
	"/ui/api/objectives/preview":               "reads two metrics over a bounded time, as queries do",
	"/ui/api/tokens/preview":                   "looks at 50,000 streams for four seconds at most, two at a time",
	"/ui/api/maintenance/{id}/split":           "adds a window, whose number is limited",
	"/ui/api/maintenance/preview":              "reads the alerts, whose number is limited",

	"/ui/api/history/{kind}/{id}/versions/{number}/restore": "makes again what was there, within its limit, and keeps limits.versions of it",
}

// TestQueryPageIsBounded: a page of queries is answered up to a number of
// bytes, what is over it is refused by name, and nothing stays in memory.
func TestQueryPageIsBounded(t *testing.T) {
	w := newWorld(t)
	w.Limits = tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueryBytes: 3000})
	w.Querier = query.New(query.Options{Engine: w.engine, Organizations: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 6})})
	w.person(t, "Viewer", w.ours, tidemark.ViewOnly)
	now := time.Now().Unix()
	var list []string
	for i := range 50 {
		list = append(list, fmt.Sprintf(`{"name":"a","value":1,"time":%d}`, now-100+int64(i)))
	}
	w.ask("recorder", "POST", "/v1/measurements", `{"measurements":[`+strings.Join(list, ",")+`]}`)
	queries := strings.TrimSuffix(strings.Repeat(`{"id":"q","metric":"a"},`, 20), ",")
	body := fmt.Sprintf(`{"start":%d,"end":%d,"resolution":1,"queries":[%s]}`, now-200, now, queries)
	for range 5 { // more often than queries are allowed at once
		rec := w.ask("Viewer", "POST", "/ui/api/query", body)
		var answer struct {
			Results []struct {
				Series []struct{ Times []int64 }
				Error  *struct{ Message string }
			}
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusOK || len(answer.Results) != 20 {
			t.Fatalf("%d %v %s", rec.Code, err, rec.Body)
		}
		for i, r := range answer.Results {
			switch whole := r.Error == nil && len(r.Series) == 1 && len(r.Series[0].Times) == 50; {
			case i < 2 && !whole:
				t.Errorf("result %d: %+v", i, r)
			case i >= 2 && (r.Error == nil || len(r.Series) != 0 || !strings.Contains(r.Error.Message, "the limit query_bytes is reached: 3000")):
				t.Errorf("result %d: %+v %+v", i, r, r.Error)
			}
		}
	}
}

// TestAnnotationsAnswerIsBounded: however much is stored, an answer holds a
// few MiB of the latest annotations and says where the older ones are.
func TestAnnotationsAnswerIsBounded(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 32_000)
	for i := range 300 {
		e := &tidemark.AnnotationEvent{Title: "t", Description: &long, StartTime: int64(1000 + i)}
		if err := w.Store.CreateEvent(t.Context(), w.ours, "deploys", e); err != nil {
			t.Fatal(err)
		}
	}
	path, seen := "/v1/annotations/deploys?start_time=0", 0
	for pages := 0; path != ""; pages++ {
		rec := w.ask("viewer", "GET", path, "")
		if rec.Code != http.StatusOK || rec.Body.Len() > 9<<20 || pages > 5 {
			t.Fatalf("%s: %d, %d bytes", path, rec.Code, rec.Body.Len())
		}
		var answer struct {
			Events map[string][]struct {
				ID        int64
				StartTime int64 `json:"start_time"`
			}
			Links []struct{ Rel, Href string }
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		seen += len(answer.Events["unassigned"])
		path = ""
		for _, l := range answer.Links {
			if l.Rel == "next" {
				path = l.Href[strings.Index(l.Href, "/v1/"):]
			}
		}
		if pages == 0 && path == "" {
			t.Fatal("all of it was in one answer")
		}
	}
	if seen != 300 {
		t.Errorf("%d annotations on all pages, want 300", seen)
	}
}
