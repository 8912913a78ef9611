package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// readingAlone is a world with tokens that read a part: reader edge.* of sites
// ams and fra, named all of edge.*, sited all of site ams. There is nothing that
// reader must not see.
func readingAlone(t *testing.T) *world {
	t.Helper()
	w := scoped(t)
	edge, site := []string{"Edge.*"}, []tidemark.ScopeTag{{Name: "Site", Values: []string{"AMS", "fra"}}}
	for name, scope := range map[string]tidemark.TokenScope{"reader": {Metrics: edge, Tags: site}, "named": {Metrics: edge}, "sited": {Tags: site}} {
		w.token(t, w.ours, name, tidemark.Token{Role: tidemark.ViewOnly, Active: true, Scope: scope})
	}
	w.must(t, 202, "POST", "/v1/measurements", fmt.Sprintf(`{"measurements":[{"name":"edge.load","time":%d,"value":42,"tags":{"site":"ams","host":"a"}}]}`, w.minute))
	w.must(t, 201, "PUT", "/v1/metrics/edge.total", `{"type":"composite","composite":"sum(s(\"edge.load\"))"}`)
	return w
}

// reading is the same world with more, all of which has secret in a name or is
// 98765.
func reading(t *testing.T) *world {
	t.Helper()
	w := readingAlone(t)
	measurement := func(name, tags string, value float64) string {
		return fmt.Sprintf(`{"name":%q,"time":%d,"value":%v,"tags":{%s}}`, name, w.minute, value, tags)
	}
	w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[`+strings.Join([]string{
		measurement("edge.load", `"site":"lon","host":"secret-b"`, 98765),
		measurement("edge.load", `"host":"secret-c","secret-tag":"x"`, 98765),
		measurement("edge.secret", `"site":"lon"`, 98765),
		measurement("secret.sum", `"site":"ams","host":"secret-d"`, 98765),
		measurement("xedge.secret", `"site":"ams"`, 98765),
	}, ",")+"]}")
	for name, text := range map[string]string{"edge.secret.bill": `sum(s("secret.sum"))`, "edge.secret.all": `sum(s("*"))`, "secret.total": `s("edge.load")`} {
		w.must(t, 201, "PUT", "/v1/metrics/"+name, fmt.Sprintf(`{"type":"composite","composite":%q}`, text))
	}
	w.must(t, 201, "POST", "/v1/annotations/edge.secret", `{"title":"secret"}`)
	w.must(t, 201, "POST", "/v1/spaces", `{"name":"secret space"}`)
	w.must(t, 201, "POST", "/v1/alerts", `{"name":"secret.alert","conditions":[{"type":"above","metric_name":"secret.sum","threshold":1}]}`)
	w.must(t, 201, "PUT", "/v1/sources/secret-b", `{"display_name":"secret source"}`)
	return w
}

// attempt is what a token with a scope asks for, and what it must be told. An
// answer that is not a refusal never has what is secret.
type attempt struct {
	path   string // with & for the parameters of time
	status int
	want   string // in the answer
}

const noneFound = `"found":0`

// attempts are, by route, the ways to read, and to read more than one may.
var attempts = map[string][]attempt{
	"GET /v1/metrics": {
		{"/v1/metrics", 200, `"total":2`},
		{"/v1/metrics?name=*", 200, `"found":2`},
		{"/v1/metrics?name=load", 200, `"name":"edge.load"`},
		{"/v1/metrics?name=secret", 200, noneFound},
		{"/v1/metrics?orderby=type&sort=desc&offset=1&length=1", 200, `"total":2`},
		{"/v1/metrics?compose=" + url.QueryEscape(`s("edge.load","*")`) + "&", 200, `"value":42`},
		{"/v1/metrics?compose=" + url.QueryEscape(`s("secret.sum")`) + "&", 403, "secret.sum is outside the scope of token reader"},
	},
	"GET /v1/metrics/{name}": {
		{"/v1/metrics/Edge.Load", 200, `"name":"edge.load"`},
		{"/v1/metrics/edge.total", 200, `"composite"`},
		{"/v1/metrics/secret.sum", 403, "secret.sum is outside the scope of token reader"},
		{"/v1/metrics/secret.nowhere", 403, "secret.nowhere is outside the scope of token reader"},
		{"/v1/metrics/edge.secret", 403, "edge.secret is outside the scope of token reader"},
		{"/v1/metrics/edge.nowhere", 403, "edge.nowhere is outside the scope of token reader"}, // as edge.secret is
		{"/v1/metrics/edge.secret.bill", 403, "some of what the composite edge.secret.bill reads is outside the scope of token reader"},
		{"/v1/metrics/secret.total", 403, "outside the scope of token reader"},
		{"/v1/metrics/edge.load?&", 200, `"value":42`},
		{"/v1/metrics/edge.load?group_by=sum&", 200, `"sum":42`},
		{"/v1/metrics/edge.load?source=*&", 200, `"value":42`},
		{"/v1/metrics/edge.secret?&", 403, "outside the scope of token reader"},
		{"/v1/metrics/secret.sum?&", 403, "outside the scope of token reader"},
	},
	"GET /v1/metrics/{name}/streams": {
		{"/v1/metrics/edge.load/streams", 200, `"total":1`},
		{"/v1/metrics/edge.load/streams?tags[site]=lon", 200, noneFound},
		{"/v1/metrics/edge.load/streams?tags[!site]=x", 200, noneFound},
		{"/v1/metrics/edge.load/streams?tags_search=" + url.QueryEscape("!(site=ams)"), 200, noneFound},
		{"/v1/metrics/secret.sum/streams", 403, "outside the scope of token reader"},
		{"/v1/metrics/edge.secret/streams", 403, "outside the scope of token reader"},
	},
	"GET /v1/metrics/{name}/tags": {
		{"/v1/metrics/edge.load/tags", 200, `"value":"ams"`},
		{"/v1/metrics/edge.load/tags?name=secret-tag", 200, `"tags":[]`},
		{"/v1/metrics/secret.sum/tags", 403, "outside the scope of token reader"},
	},
	"GET /v1/measurements/{name}": {
		{"/v1/measurements/edge.load?&", 200, `"value":42`},
		{"/v1/measurements/edge.load?group_by=*&group_by_function=sum&", 200, `"value":42`},
		{"/v1/measurements/edge.load?tags[site]=*&", 200, `"value":42`},
		{"/v1/measurements/edge.load?tags[site]=lon&", 200, `"series":[]`},
		{"/v1/measurements/edge.load?tags_search=" + url.QueryEscape("site=lon or host=*") + "&", 200, `"value":42`},
		{"/v1/measurements/edge.load?tags_search=" + url.QueryEscape("!site") + "&", 200, `"series":[]`},
		{"/v1/measurements/edge.total?&", 200, `"value":42`},
		{"/v1/measurements/edge.secret?&", 403, "outside the scope of token reader"},
		{"/v1/measurements/secret.sum?&", 403, "secret.sum is outside the scope of token reader"},
		{"/v1/measurements/edge.secret.bill?&", 403, "outside the scope of token reader"},
		{"/v1/measurements/edge.secret.all?&", 403, "outside the scope of token reader"},
		{"/v1/measurements/*?&", 404, "Not Found"},
	},
	"GET /v1/measurements": {
		{"/v1/measurements?compose=" + url.QueryEscape(`s("edge.secret")`) + "&", 200, `"series":[]`},
		{"/v1/measurements?compose=" + url.QueryEscape(`s("edge.nowhere")`) + "&", 200, `"series":[]`}, // as edge.secret is
		{"/v1/measurements?compose=" + url.QueryEscape(`s("edge.secret.bill")`) + "&", 400, "edge.secret.bill is a composite"},
		{"/v1/measurements?compose=" + url.QueryEscape(`s("secret.total")`) + "&", 403, "secret.total is outside the scope of token reader"},
		{"/v1/measurements?compose=" + url.QueryEscape(`filter(s("edge.*"), {gt: "0"})`) + "&", 200, `"value":42`},
		{"/v1/measurements?compose=" + url.QueryEscape(`s("edge.load")`) + "&", 200, `"value":42`},
		{"/v1/measurements?compose=" + url.QueryEscape(`sum(s("edge.*", "*"))`) + "&", 200, `"value":42`},
		{"/v1/measurements?compose=" + url.QueryEscape(`s("edge.load", {"site": "lon"})`) + "&", 200, `"series":[]`},
		{"/v1/measurements?compose=" + url.QueryEscape(`map({metric: "*"}, s("&"))`) + "&", 200, `"value":42`},
		{"/v1/measurements?compose=" + url.QueryEscape(`group_by("host", s("edge.load"))`) + "&", 200, `"host":"a"`},
		{"/v1/measurements?compose=" + url.QueryEscape(`s("*")`) + "&", 403, "* is outside the scope of token reader"},
		{"/v1/measurements?compose=" + url.QueryEscape(`sum([s("edge.load"), s("secret.sum")])`) + "&", 403, "secret.sum is outside the scope of token reader"},
	},
}

// promAttempts are those of PromQL, where a path has GET and POST.
var promAttempts = map[string][]attempt{
	"query": {
		{`query?query={__name__="edge.load"}`, 200, `"42"`},
		{`query?query={__name__=~".%2B"}`, 200, `"42"`},
		{`query?query={__name__!=""}`, 200, `"42"`},
		{`query?query={host=~".%2B"}`, 200, `"42"`},
		{`query?query=sum({__name__=~".%2Bload",site!="ams"})`, 200, `"result":[]`},
		{`query?query=sum({__name__=~"edge.*|secret.*"})`, 200, `"42"`},
		{`query?query=sum(sum_over_time({__name__=~".%2B"}[10m]))`, 200, `"42"`},
		{`query?query={__name__="secret.sum"}`, 200, `"result":[]`},
		{`query?query={__name__="edge.load",site="lon"}`, 200, `"result":[]`},
		{`query?query={__name__="edge.load",site=""}`, 200, `"result":[]`},
		{`query?stats=all&query=sum({__name__=~".%2B"})`, 200, `"42"`},
		{`query?query=rate({__name__=~".%2B"}[10m])`, 200, `"success"`},
		{`query?query=absent({__name__="secret.sum"})`, 200, `"1"`},
		{`query?query={__name__=~".%2B"}+*+on(site)+{__name__=~".%2B"}`, 200, `"1764"`},
		{`query?query=no(such`, 400, `parse error`},
		{`query?query=count(count+by+(__name__)({__name__=~".%2B"}))`, 200, `"1"`},
		{`query?query={__name__="edge.load"}+or+{__name__=~"s.*"}`, 200, `"42"`},
	},
	"query_range": {
		{`query_range?step=60&query=sum({__name__=~".%2B"})`, 200, `"42"`},
		{`query_range?step=60&query={__name__="secret.sum"}`, 200, `"result":[]`},
	},
	"query_exemplars": {{`query_exemplars?query={__name__=~".%2B"}`, 200, `"data":[]`}},
	"series": {
		{`series?match[]={__name__=~".%2B"}`, 200, `"edge.load"`},
		{`series?match[]={__name__="secret.sum"}&match[]={site="lon"}`, 200, `"data":[]`},
	},
	"labels": {
		{`labels`, 200, `["__name__","host","site"]`},
		{`labels?match[]={host=~"s.*"}`, 200, `"data":[]`},
	},
	"format_query": {{`format_query?query=up`, 200, `"up"`}},
	"label/{name}/values": {
		{`label/__name__/values`, 200, `["edge.load"]`},
		{`label/host/values?match[]={site=~".%2B"}`, 200, `["a"]`},
		{`label/secret-tag/values`, 200, `"data":[]`},
	},
	"metadata": {
		{`metadata`, 200, `"edge.load":[{`},
		{`metadata?metric=edge.load`, 200, `"edge.load":[{`},
		{`metadata?metric=secret.sum`, 403, "secret.sum is outside the scope of token reader"},
		{`metadata?metric=edge.secret`, 403, "edge.secret is outside the scope of token reader"},
	},
	"rules":            {{`rules`, 200, `"groups":[]`}},
	"status/buildinfo": {{`status/buildinfo`, 200, `"version"`}},
}

// attemptsOf are those of a route.
func attemptsOf(rt rest.Route) []attempt {
	_, path, _ := strings.Cut(rt.Name(), " ")
	if call, ok := strings.CutPrefix(path, "/prometheus/api/v1/"); ok {
		var list []attempt
		for _, a := range promAttempts[call] {
			a.path = "/prometheus/api/v1/" + a.path
			list = append(list, a)
		}
		return list
	}
	return attempts[rt.Name()]
}

// attempt asks for what a says, with parameters for the time of all there is.
func (w *world) attempt(who string, rt rest.Route, a attempt) *httptest.ResponseRecorder {
	method, _, _ := strings.Cut(rt.Name(), " ")
	path, query, _ := strings.Cut(a.path, "?")
	switch {
	case strings.HasPrefix(path, "/prometheus"):
		query += fmt.Sprintf("&time=%d&start=%d&end=%d", w.minute, w.minute, w.minute)
	case strings.HasSuffix(query, "&") || strings.HasSuffix(a.path, "?&"):
		query += fmt.Sprintf("start_time=%d&end_time=%d&resolution=60", w.minute, w.minute)
	}
	query = strings.NewReplacer("{", "%7B", "}", "%7D", `"`, "%22", "|", "%7C", " ", "+").Replace(query)
	if method == http.MethodPost {
		return w.ask(who, method, path, query, "Content-Type", "application/x-www-form-urlencoded")
	}
	return w.ask(who, method, path+"?"+query, "")
}

// TestScopedTokensRead tries to read at every route that a token with a scope
// may use, what is in the scope and what is not. A route that says that it
// keeps to scopes and is not tried fails.
func TestScopedTokensRead(t *testing.T) {
	t.Parallel()
	w := reading(t)
	routes := 0
	for _, rt := range w.Table {
		if !rt.Reads {
			continue
		}
		routes++
		list := attemptsOf(rt)
		if len(list) == 0 {
			t.Errorf("%s reads for tokens with a scope and is not tried", rt.Name())
		}
		for _, a := range list {
			rec := w.attempt("reader", rt, a)
			body := times.ReplaceAllString(rec.Body.String(), "TIME") // whose digits are by chance what they are
			if rec.Code != a.status || !strings.Contains(body, a.want) {
				t.Errorf("%s %s: %d %s, want %d with %s", rt.Name(), a.path, rec.Code, body, a.status, a.want)
			}
			named := strings.Contains(body, "secret") && !strings.Contains(a.path, "secret") // what was asked for is repeated
			if rec.Code == 200 && (named || strings.Contains(body, "987") || strings.Contains(body, "988")) {
				t.Errorf("%s %s tells what is outside: %s", rt.Name(), a.path, body)
			}
		}
	}
	if routes < 20 {
		t.Errorf("only %d routes were tried", routes)
	}
}

// times are when things happened and how long they took, which differ from
// world to world.
var times = regexp.MustCompile(`[0-9]{10}(\.[0-9]+)?|Time":[-+.e0-9]+`)

// told is all that an answer tells but times.
func told(rec *httptest.ResponseRecorder) string {
	headers := rec.Header().Clone()
	headers.Del("X-Request-Id")
	return times.ReplaceAllString(fmt.Sprint(rec.Code, headers, rec.Body), "TIME")
}

// TestScopeHidesTheRest: to a token with a scope every answer, with its headers,
// is the one that it would get if there were nothing outside of its scope. Only
// a composite whose name is in the scope, and what it reads is not, is refused
// as one.
func TestScopeHidesTheRest(t *testing.T) {
	t.Parallel()
	w, alone := reading(t), readingAlone(t)
	compared := 0
	for _, rt := range w.Table {
		for _, a := range attemptsOf(rt) {
			if strings.Contains(a.path, "edge.secret.bill") || strings.Contains(a.path, "edge.secret.all") {
				continue
			}
			compared++
			if diff := cmp.Diff(told(alone.attempt("reader", rt, a)), told(w.attempt("reader", rt, a))); diff != "" {
				t.Errorf("%s %s (-without the rest +with it):\n%s", rt.Name(), a.path, diff)
			}
		}
	}
	if compared < 80 {
		t.Errorf("only %d answers were compared", compared)
	}
}

// TestScopesOfOnePart: a scope may have names alone, or tags alone.
func TestScopesOfOnePart(t *testing.T) {
	t.Parallel()
	w := reading(t)
	for _, c := range []struct {
		who, path string
		want      string
	}{
		{"named", "/v1/metrics", `"total":3`}, // edge.load, edge.secret and edge.total
		{"named", "/v1/metrics/edge.load/streams", `"total":3`},
		{"named", "/v1/metrics/edge.nowhere", `Not Found`},
		{"named", "/v1/metrics/secret.sum", `outside the scope of token named`},
		{"named", "/prometheus/api/v1/label/__name__/values", `["edge.load","edge.secret"]`},
		{"sited", "/v1/metrics/secret.sum", `"name":"secret.sum"`},
		{"sited", "/v1/metrics/edge.secret", `outside the scope of token sited`},
		{"sited", "/v1/metrics/nowhere", `outside the scope of token sited`},
		{"sited", "/v1/metrics?name=edge.secret*", `"found":2`}, // the composites
		{"sited", "/prometheus/api/v1/label/__name__/values", `["edge.load","secret.sum","xedge.secret"]`},
	} {
		if rec := w.ask(c.who, "GET", c.path, ""); !strings.Contains(rec.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s, want %s", c.who, c.path, rec.Code, rec.Body, c.want)
		}
	}
}

// TestScopedTokensDoNothingElse: a token with a scope is refused, with a word of
// the scope, at every route that neither takes measurements nor keeps to scopes:
// annotations, spaces, alerts, snapshots and whatever else there is.
func TestScopedTokensDoNothingElse(t *testing.T) {
	t.Parallel()
	w := reading(t)
	for _, who := range []struct {
		name string
		role tidemark.Role
		may  func(rest.Route) bool
		says string
	}{
		{"edge", tidemark.RecordOnly, func(rt rest.Route) bool { return rt.Sends }, "This token has a scope: it can send measurements and do nothing else"},
		{"reader", tidemark.ViewOnly, func(rt rest.Route) bool { return rt.Reads }, "This token has a scope: it can read the metrics and measurements in it and do nothing else"},
	} {
		tried := 0
		for _, rt := range w.Table {
			if rt.People || rt.Action == rest.Anyone || who.may(rt) || !who.role.Allows(rt.Action) {
				continue
			}
			method, path, _ := strings.Cut(rt.Name(), " ")
			path = strings.NewReplacer("{name}", "edge.load", "{id}", "1", "{rel}", "x", "{source}", "x", "{label}", "x", "{space}", "1").Replace(path)
			if rec := w.ask(who.name, method, path, ""); rec.Code != http.StatusForbidden || !strings.Contains(rec.Body.String(), who.says) || strings.Contains(told(rec), "secret") {
				t.Errorf("%s as %s: %d %s", rt.Name(), who.name, rec.Code, rec.Body)
			}
			tried++
		}
		if tried < 15 {
			t.Errorf("only %d routes were tried as %s", tried, who.name)
		}
	}
}

// TestReadingRoutesOnlyRead: a route that keeps to scopes changes nothing, and
// is for tokens.
func TestReadingRoutesOnlyRead(t *testing.T) {
	t.Parallel()
	for _, rt := range newWorld(t).Table {
		if rt.Reads && (rt.People || rt.Sends || rt.Action != tidemark.View && rt.Action != tidemark.ViewMetrics) {
			t.Errorf("%s says that it reads within scopes", rt.Name())
		}
	}
}
