// Package doors answers what the protocols of other products ask over HTTP:
// remote write and queries of Prometheus, metrics of OpenTelemetry, lines of
// InfluxDB, series of Datadog. Each has its own addresses, its own ways to
// name a token, and its own shape of errors; what is recorded goes through the
// one recorder.
package doors

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spare"
)

// API answers other protocols.
type API struct {
	*shared.Base
	unpacker *protocol.Unpacker
	small    *protocol.Unpacker // for bodies that need not wait
	benches  chan *bench
	packed   *spare.List[[]byte] // memory of bodies as they were sent
	promql   http.Handler
}

// New returns an API.
func New(b *shared.Base) *API {
	s := &API{Base: b, unpacker: protocol.NewUnpacker(protocol.DefaultLimits.Bytes), small: protocol.NewUnpacker(rest.SmallBody), benches: make(chan *bench, maxBenches), packed: spare.NewList[[]byte](maxBenches)}
	for range maxBenches {
		s.benches <- &bench{}
	}
	s.promql = s.newPromQL()
	return s
}

// door is the part of the table that one setting opens and closes.
type door struct {
	name, protocol string
	shape          func(*http.Request, error) error
	tokens         func(*http.Request) []string
	rows           []rest.Route
}

// Routes are the rows of the doors that are open.
func (s *API) Routes() (table []rest.Route) {
	for _, d := range s.doors() {
		if s.Closed[d.name] {
			continue
		}
		for _, row := range d.rows {
			row.Tokens, row.Protocol, row.Shape = d.tokens, d.protocol, d.shape
			table = append(table, row)
		}
	}
	return table
}

func (s *API) doors() []door {
	const Record = tidemark.Record
	return []door{
		{"prometheus", "Prometheus remote write", asText, nil, []rest.Route{
			rest.On("POST   /prometheus/api/v1/write", Record, s.remoteWrite).Measures(),
		}},
		{"prometheus", "PromQL", asPrometheus, nil, s.promRows()},
		{"otlp", "OpenTelemetry", asStatus, nil, []rest.Route{
			rest.On("POST   /otlp/v1/metrics", Record, s.otlp).Measures(),
		}},
		{"influx", "InfluxDB", asInflux, influxTokens, []rest.Route{
			rest.On("POST   /write", Record, s.influx).Measures(),
			rest.On("POST   /api/v2/write", Record, s.influx).Measures(),
			rest.On("POST   /query", Record, s.influxQuery).Measures(),
			rest.On("GET    /ping", rest.Anyone, s.influxPing),
			rest.On("GET    /health", rest.Anyone, s.influxHealth),
		}},
		{"datadog", "Datadog", asDatadog, datadogTokens, []rest.Route{
			rest.On("POST   /api/v1/series", Record, s.datadogV1).Measures(),
			rest.On("POST   /api/v2/series", Record, s.datadogV2).Measures(),
			rest.On("GET    /api/v1/validate", Record, s.datadogValidate).Measures(),
		}},
	}
}

// Roots are the beginnings of the paths of all doors.
var Roots = []string{"/prometheus", "/otlp", "/write", "/query", "/ping", "/health", "/api/v1", "/api/v2"}

func influxTokens(r *http.Request) []string {
	q := r.URL.Query()
	tokens := []string{q.Get("p"), q.Get("u")}
	if scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Token") {
		user, password, _ := strings.Cut(strings.TrimSpace(value), ":") // clients of version 1.8 send both
		tokens = append(tokens, password, user)
	}
	return present(tokens)
}

func datadogTokens(r *http.Request) []string {
	return present([]string{r.Header.Get("Dd-Api-Key"), r.URL.Query().Get("api_key")})
}

func present(tokens []string) []string {
	return slices.DeleteFunc(tokens, func(t string) bool { return t == "" })
}
