package doors

import (
	"errors"
	"math"
	"mime"
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// refusal is an error as all protocols report it: a status, a message, and the
// header. It reports false for what is our fault, which is answered and
// logged as everywhere.
func refusal(r *http.Request, err error) (w rest.WireError, ok bool) {
	if special, is := errors.AsType[*rest.WireError](err); is {
		return *special, false
	}
	kind := tidemark.KindOf(err)
	if kind == tidemark.Internal {
		return w, false
	}
	w = rest.WireError{Status: rest.StatusOf(rest.Reply{}, err), Header: rest.ErrorHeader(r, kind), Says: rest.ReasonOf(err)}
	if limit, is := errors.AsType[*ingest.LimitError](err); is {
		w.Header["Retry-After"] = strconv.Itoa(max(1, int(math.Ceil(min(limit.RetryAfter.Seconds(), maxRetryAfter)))))
	}
	if rejected, is := errors.AsType[*ingest.Rejected](err); is {
		t := taken{Summary: rejected.Summary, problems: rejected.Problems}
		w.Says += ": " + t.words()
	}
	return w, true
}

// maxRetryAfter is the longest Retry-After, in seconds.
const maxRetryAfter = 3600

// asText writes errors as Prometheus expects them.
func asText(r *http.Request, err error) error {
	w, ok := refusal(r, err)
	if !ok {
		return err
	}
	w.Kind, w.Text = "text/plain; charset=utf-8", []byte(w.Says+"\n")
	return &w
}

// asDatadog writes them as Datadog's agent expects them.
func asDatadog(r *http.Request, err error) error {
	w, ok := refusal(r, err)
	if !ok {
		return err
	}
	w.Body = map[string]any{"errors": []string{w.Says}}
	return &w
}

// influxCodes are the words that version 2 of InfluxDB has for errors.
var influxCodes = map[int]string{
	http.StatusBadRequest: "invalid", http.StatusUnauthorized: "unauthorized", http.StatusForbidden: "forbidden",
	http.StatusNotFound: "not found", http.StatusRequestEntityTooLarge: "request too large",
	http.StatusUnsupportedMediaType: "invalid", http.StatusTooManyRequests: "too many requests", http.StatusServiceUnavailable: "unavailable", http.StatusPreconditionFailed: "conflict",
}

// asInflux writes them as clients of InfluxDB expect them: those of version 1
// look for error, those of version 2 for code and message.
func asInflux(r *http.Request, err error) error {
	w, ok := refusal(r, err)
	if !ok {
		return err
	}
	w.Header["X-Influxdb-Error"] = w.Says
	w.Body = map[string]any{"error": w.Says, "code": influxCodes[w.Status], "message": w.Says}
	return &w
}

// isJSON reports whether the body of r says that it is JSON.
func isJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/json"
}
