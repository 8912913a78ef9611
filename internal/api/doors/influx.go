package doors

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// influx answers POST /write and POST /api/v2/write. Database, bucket and
// organization are not looked at: the token says whose data it is.
func (s *API) influx(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	precision := r.URL.Query().Get("precision")
	t, err := s.take(r, who, ingest.Origin{}, func(b *bench) error { return b.influx.Decode(precision, b.text, b.batch) })
	if err != nil {
		return rest.Reply{}, err
	}
	if dropped, text := t.partial(silentInflux); text != "" {
		words := fmt.Sprintf("partial write: %s dropped=%d", text, dropped)
		return t.reply(rest.Reply{Status: http.StatusBadRequest, Header: map[string]string{"X-Influxdb-Error": words},
			Body: map[string]any{"error": words, "code": influxCodes[http.StatusBadRequest], "message": words}}), nil
	}
	return t.reply(rest.Reply{Status: http.StatusNoContent, Header: influxHeader()}), nil
}

// influxQuery answers POST /query as far as writers ask: they create their
// database before they write to it.
func (s *API) influxQuery(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	q := r.URL.Query().Get("q")
	if q == "" {
		r.Body = http.MaxBytesReader(nil, r.Body, rest.MaxShortBody)
		q = r.PostFormValue("q")
	}
	if !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(q)), "CREATE DATABASE") {
		return rest.Reply{}, tidemark.InvalidField("q", "is not understood: InfluxQL is not spoken here, but for CREATE DATABASE, which does nothing")
	}
	rep := rest.OK(map[string]any{"results": []any{map[string]any{"statement_id": 0}}})
	rep.Header = influxHeader()
	return rep, nil
}

// influxVersion is the version of InfluxDB whose line protocol this is.
// Clients choose by it how to write.
const influxVersion = "1.8.10"

func influxHeader() map[string]string {
	return map[string]string{"X-Influxdb-Version": influxVersion, "X-Influxdb-Build": "Tidemark"}
}

func (s *API) influxPing(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.Reply{Status: http.StatusNoContent, Header: influxHeader()}, nil
}

func (s *API) influxHealth(*http.Request, tidemark.Identity) (rest.Reply, error) {
	rep := rest.OK(map[string]any{"name": "influxdb", "message": "ready for queries and writes", "status": "pass", "checks": []any{}, "version": influxVersion})
	rep.Header = influxHeader()
	return rep, nil
}
