package api

import (
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// writes are one good body for every route that takes one.
var writes = map[string]string{
	"POST /v1/services":                      `{"type":"mail","title":"x","settings":{"addresses":"a@example.org"}}`,
	"PUT /v1/services/{id}":                  `{"title":"y","settings":{"url":"https://example.org/y"}}`,
	"POST /v1/services/preview":              `{"type":"webhook","title":"x","settings":{"url":"https://example.org/y"}}`,
	"POST /v1/services/{id}/preview":         `{"title":"x"}`,
	"POST /v1/alerts":                        `{"name":"x","active":false,"services":[1],"attributes":{"runbook_url":"https://example.org"},"conditions":[{"type":"above","metric_name":"m1","threshold":1.5,"duration":120,"tags":[{"name":"a","values":["b","c"],"grouped":true}]}]}`,
	"POST /v1/alerts/preview":                `{"alert":{"name":"x","conditions":[{"type":"above","metric_name":"m1","threshold":1}]}}`,
	"PUT /v1/alerts/{id}":                    `{"description":"d","rearm_seconds":120,"conditions":[{"type":"below","metric_name":"m1","threshold":-1}]}`,
	"POST /v1/alerts/{id}/services":          `{"service":1}`,
	"POST /v1/alerts/{id}/acknowledge":       `{"text":"n"}`,
	"POST /v1/alerts/{id}/snooze":            `{"seconds":86400,"start":NOW,"note":"n"}`,
	"POST /v1/places":                        `{"name":"web-01","tags":{"role":"web"}}`,
	"POST /v1/places/results":                `{"place":"web-01","results":[{"check":1,"time":NOW,"up":true,"duration":0.1,"said":"200 OK","days":40.5}]}`,
	"POST /v1/objectives":                    `{"name":"Speed","description":"d","good_metric":"m1","total_metric":"m2","target":99.5,"days":7}`,
	"PUT /v1/objectives/{id}":                `{"target":99,"days":30}`,
	"POST /v1/maintenance":                   `{"name":"upgrade","note":"n","starts_at":1800000000,"ends_at":1800086400,"repeat":{"days":["mon"],"start_time":"02:00","end_time":"03:30","zone":"Europe/Berlin"},"covers":{"labels":{"team":"db"},"alerts":[1]},"suspends":true}`,
	"PUT /v1/maintenance/{id}":               `{"name":"later","covers":{"all":true}}`,
	"POST /v1/annotations/{name}":            `{"title":"t","description":"d","source":"s","start_time":1234567890,"end_time":1234567891,"links":[{"rel":"a","href":"https://example.org","label":"l"}]}`,
	"PUT /v1/annotations/{name}":             `{"display_name":"d"}`,
	"PUT /v1/annotations/{name}/{id}":        `{"title":"u","start_time":1234567890,"end_time":1334567890}`,
	"POST /v1/annotations/{name}/{id}/links": `{"rel":"new","href":"https://example.org","label":"l"}`,
	"POST /v1/api_tokens":                    `{"name":"x","role":"viewer","active":false}`,
	"PUT /v1/api_tokens/{id}":                `{"name":"y","active":true}`,
	"POST /v1/api_tokens/{id}/rotate":        `{"overlap":60}`,
	"POST /v1/measurements":                  `{"time":NOW,"tags":{"h":"a"},"measurements":[{"name":"m1","value":1.5,"time":NOW,"period":60,"tags":{"h":"b"},"attributes":{"color":"#52D74C"}},{"name":"m2","count":2,"sum":3,"min":1,"max":2,"last":2,"stddev":0.5}]}`,
	"POST /v1/metrics":                       `{"gauges":[{"name":"g","value":1.5,"source":"s"}]}`,
	"PUT /v1/metrics":                        `{"names":["m1"],"exclude":["x"],"period":60,"attributes":{"display_min":0,"aggregate":true}}`,
	"DELETE /v1/metrics":                     `{"names":["none","g"]}`,
	"PUT /v1/metrics/{name}":                 `{"display_name":"d","period":60,"attributes":{"display_max":100,"gap_detection":false,"color":"#52D74C"}}`,
	"PUT /v1/sources/{name}":                 `{"display_name":"d"}`,
	"POST /v1/snapshots":                     `{"subject":{"chart":{"id":1,"type":"stacked"}},"duration":3600}`,
	"POST /v1/spaces":                        `{"name":"x"}`,
	"PUT /v1/spaces/{id}":                    `{"name":"y"}`,
	"POST /v1/spaces/{space}/charts":         `{"name":"c","type":"line","min":0,"max":10,"streams":[{"metric":"m1","group_function":"average","tags":[{"name":"h","values":["*"],"dynamic":true}]}]}`,
	"PUT /v1/spaces/{space}/charts/{id}":     `{"name":"d","streams":[{"metric":"m1","period":60}]}`,
	"POST /v1/spaces/{space}/charts/{id}":    `{"label":"l"}`,
}

// pages are one good body for every route of the interface that takes one.
var pages = map[string]string{
	"POST /ui/api/session":                                   `{"email":"admin@example.org","password":"correct horse battery"}`,
	"PUT /ui/api/session":                                    `{"org_id":1}`,
	"POST /ui/api/session/second":                            `{"code":"123456"}`,
	"PUT /ui/api/session/second/passkey":                     `{"key":"k","credential":"{}"}`,
	"PUT /ui/api/session/passkey":                            `{"key":"k","credential":"{}"}`,
	"PUT /ui/api/second_factor/totp":                         `{"code":"123456"}`,
	"POST /ui/api/second_factor/passkeys":                    `{"name":"n","key":"k","credential":"{}"}`,
	"PUT /ui/api/second_factor/passkeys/{id}":                `{"name":"n"}`,
	"POST /ui/api/proof":                                     `{"password":"correct horse battery"}`,
	"PUT /ui/api/org/second_factor":                          `{"demanded":false}`,
	"POST /ui/api/setup/{key}":                               `{"org_name":"o","email":"owner@example.org","password":"correct horse battery"}`,
	"POST /ui/api/reset":                                     `{"email":"admin@example.org"}`,
	"POST /ui/api/reset/{key}":                               `{"password":"correct horse battery"}`,
	"PUT /ui/api/profile":                                    `{"name":"n"}`,
	"PUT /ui/api/org":                                        `{"name":"o","alerts_before_metrics":true}`,
	"POST /ui/api/invitations":                               `{"email":"new@example.org","role":"viewer"}`,
	"POST /ui/api/invite/{key}":                              `{"new":true,"name":"n","password":"correct horse battery"}`,
	"PUT /ui/api/members/{user}":                             `{"role":"viewer"}`,
	"POST /ui/api/query":                                     `{"start":1000,"end":2000,"resolution":60,"queries":[{"id":"a","metric":"m1","tags":[{"name":"h","values":["*"]}],"group_function":"sum","group_by":["h"]},{"id":"b","composite":"s(\"m1\",\"*\")"}],"dynamic":[{"name":"h","values":["a"]}]}`,
	"POST /ui/api/compose/check":                             `{"composite":"s(\"m1\",\"*\")"}`,
	"POST /ui/api/alerts/test":                               `{"name":"x","services":[1],"conditions":[{"type":"above","metric_name":"m1","threshold":1}]}`,
	"POST /ui/api/services/{id}/signing":                     `{"overlap":60}`,
	"POST /ui/api/services/test":                             `{"type":"webhook","title":"x","settings":{"url":"https://example.org/y"}}`,
	"POST /ui/api/services/{id}/test":                        `{}`,
	"PUT /ui/api/spaces/{space}/about":                       `{"tags":["a","b"],"owner":1}`,
	"PUT /ui/api/spaces/{space}/layout":                      `{"layout":[{"chart":1,"col":0,"row":0,"width":6,"height":4}],"default_tags":[{"name":"h","values":["a"]}],"annotations":["m1"]}`,
	"POST /ui/api/spaces/{space}/duplicate":                  `{"name":"copy"}`,
	"POST /ui/api/spaces/import":                             `{"tidemark_space":1,"name":"i","charts":[{"id":7,"name":"c","type":"line","streams":[{"metric":"m1"}]}],"layout":[{"chart":7,"col":0,"row":0,"width":6,"height":4}],"default_tags":[],"annotations":[]}`,
	"PUT /ui/api/history/{kind}/{id}/versions/{number}/name": `{"name":"before sale"}`,
	"PUT /ui/api/pins":                                       `{"spaces":[1]}`,
	"POST /ui/api/spaces/{space}/shares":                     `{"name":"s","expires_in":3600,"locked_tags":[{"name":"h","values":["a"]}]}`,
	"POST /ui/api/shared/{key}/query":                        `{"start":1000,"end":2000,"resolution":60,"chart":1,"dynamic":[{"name":"h","values":["a"]}]}`,
	"POST /ui/api/checks":                                    `{"name":"c1","kind":"http","target":"https://example.org/","every":60,"grace":0,"timeout":5,"slow":2.5,"expect":"w","days":7,"active":true,"places":["server","agent:web-01"],"services":[1],"after":120,"down_in":"half","silence":true}`,
	"POST /ui/api/checks/try":                                `{"name":"c1","kind":"http","target":"https://example.org/","every":60,"grace":0,"timeout":5,"slow":2.5,"expect":"w","days":7,"active":true,"places":["server"]}`,
	"PUT /ui/api/checks/{id}":                                `{"target":"https://example.org/x","every":90,"grace":0,"timeout":5,"slow":2.5,"expect":"w","days":7,"active":true,"places":["server"]}`,
	"POST /ui/api/spaces/{space}/reports":                    `{"name":"r","range":"-1d","services":[2],"paused":false,"schedule":{"every":"week","weekday":"mon","time":"09:00","zone":"UTC"},"tags":[{"name":"h","values":["a"]}]}`,
	"PUT /ui/api/reports/{id}":                               `{"name":"r","range":"-1d","services":[2],"paused":false,"schedule":{"every":"month","day":31,"time":"09:00","zone":"UTC"},"tags":[{"name":"h","values":["a"]}]}`,
	"POST /ui/api/playlists":                                 `{"name":"p","spaces":[{"space":1,"seconds":30,"range":"-6h","tags":[{"name":"h","values":["a"]}]}]}`,
	"PUT /ui/api/playlists/{id}":                             `{"name":"p","spaces":[{"space":1,"seconds":30,"range":"-6h","tags":[{"name":"h","values":["a"]}]}]}`,
	"POST /ui/api/playlists/{id}/shares":                     `{"name":"s","expires_in":3600}`,
	"POST /ui/api/queries":                                   `{"name":"v","search":"metric=cpu"}`,
	"POST /ui/api/tag_drops":                                 `{"metric":"v.*","tag":"session"}`,
	"POST /ui/api/devices":                                   `{"name":"phone","severity":"all","cleared":true,"endpoint":"https://push.example.org/v","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}`,
	"PUT /ui/api/devices/{id}":                               `{"name":"phone","severity":"critical","cleared":false}`,
	"POST /ui/api/changes":                                   `{"start":1700000000,"end":1700000600,"resolution":60,"against":"before","metric":"cpu*","tags":[{"name":"host","values":["a"]}],"without":["x"]}`,
	"POST /ui/api/alert_views":                               `{"name":"v","filter":{"q":"a","state":"firing","severity":"none","label":"team=db","service":"1"}}`,
	"POST /ui/api/alert_views/shared":                        `{"name":"v","filter":{"q":"a","state":"firing","severity":"none","label":"team=db","service":"1"}}`,
	"POST /ui/api/alerts/bulk":                               `{"ids":[1],"action":"resume"}`,
	"POST /ui/api/acknowledge/{key}":                         `{"text":"on it"}`,
	"POST /ui/api/incidents/{id}/comments":                   `{"text":"the disk is full"}`,
	"PUT /ui/api/incidents/{id}/comments/{comment}":          `{"text":"the disk is full"}`,
	"POST /ui/api/objectives/preview":                        `{"good_metric":"m1","total_metric":"m2","target":99.5,"days":7}`,
	"POST /ui/api/tokens/preview":                            `{"role":"recorder","scope":{"metrics":["m*"],"tags":[{"name":"h","values":["a"]}]},"networks":["10.0.0.0/8"]}`,
	"POST /ui/api/maintenance/preview":                       `{"starts_at":1800000000,"ends_at":1800003600,"covers":{"all":true}}`,
	"POST /ui/api/limits/requests":                           `{"name":"alerts","wanted":3000,"note":"n"}`,
	"POST /ui/api/operator/orgs":                             `{"name":"Third"}`,
	"PUT /ui/api/operator/orgs/{id}/limits":                  `{"limits":{"alerts":3000,"streams":null}}`,
	"PUT /ui/api/operator/orgs/{id}/requests/{limit}":        `{"accept":true,"value":1500,"answer":"a"}`,
	"POST /ui/api/maintenance/{id}/split":                    `{"start":1800604800,"later":false,"window":{"name":"w","starts_at":1800000000,"ends_at":1800003600,"covers":{"all":true}}}`,
}

// asks are the parameters of the routes that answer nothing without some.
var asks = map[string]string{
	"GET /v1/changes":             "?start_time=1700000000&end_time=1700001800",
	"GET /v1/measurements":        "?duration=3600&resolution=60&compose=s(%22m1%22,%22*%22)",
	"GET /v1/measurements/{name}": "?duration=3600&resolution=60",
	"GET /ui/api/streams":         "?of=/ui/api/watch",
}

// foreignRequests are good requests to the routes of other protocols: what follows the
// path, the type of the body, and the body.
var foreignRequests = map[string]struct{ query, kind, body string }{
	"POST /prometheus/api/v1/write":           {kind: "application/x-protobuf", body: "\x00"}, // nothing, packed
	"GET /prometheus/api/v1/query":            {query: "?query=m1"},
	"POST /prometheus/api/v1/query":           {kind: formType, body: "query=m1"},
	"GET /prometheus/api/v1/query_range":      {query: "?query=m1&start=0&end=60&step=60"},
	"POST /prometheus/api/v1/query_range":     {kind: formType, body: "query=m1&start=0&end=60&step=60"},
	"GET /prometheus/api/v1/query_exemplars":  {query: "?query=m1"},
	"POST /prometheus/api/v1/query_exemplars": {kind: formType, body: "query=m1"},
	"GET /prometheus/api/v1/series":           {query: "?match[]=m1"},
	"POST /prometheus/api/v1/series":          {kind: formType, body: "match[]=m1"},
	"GET /prometheus/api/v1/format_query":     {query: "?query=m1"},
	"POST /prometheus/api/v1/format_query":    {kind: formType, body: "query=m1"},
	"POST /otlp/v1/metrics":                   {kind: "application/json", body: `{"resourceMetrics":[]}`},
	"POST /write":                             {body: "cpu,host=a load=1.5"},
	"POST /api/v2/write":                      {query: "?precision=s", body: "cpu,host=a load=1.5"},
	"POST /query":                             {query: "?q=CREATE+DATABASE+x"},
	"POST /api/v1/series":                     {kind: "application/json", body: `{"series":[{"metric":"cpu","points":[[NOW,1]],"host":"a"}]}`},
	"POST /api/v2/series":                     {kind: "application/json", body: `{"series":[{"metric":"cpu","type":3,"points":[{"timestamp":NOW,"value":1}]}]}`},
}

// goodHeaders are the headers of goodRequest.
func goodHeaders(rt rest.Route) []string {
	if kind := foreignRequests[rt.Name()].kind; kind != "" {
		return []string{"Content-Type", kind}
	}
	return nil
}

// goodRequest is a request to a route that the mightiest may make: method,
// target and body.
func (w *world) goodRequest(rt rest.Route) (method, target, body string) {
	method, target = fill(rt.Pattern)
	for place, key := range w.keys {
		if rest, ok := strings.CutPrefix(target, place+"k"); ok {
			target = place + key + rest
		}
	}
	if rt.Protocol != "" {
		f := foreignRequests[rt.Name()]
		return method, target + f.query, f.body
	}
	return method, target + asks[rt.Name()], goodBody(rt)
}
