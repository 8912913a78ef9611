package promapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	prom "github.com/prometheus/prometheus/promql"

	"github.com/tidemark-metrics/tidemark"
)

// kind is a kind of error: Prometheus' word for it, and its status.
type kind struct {
	name   string
	status int
}

var (
	badDataKind  = kind{"bad_data", http.StatusBadRequest}
	execution    = kind{"execution", http.StatusUnprocessableEntity}
	canceled     = kind{"canceled", 499} // the client has gone
	timeout      = kind{"timeout", http.StatusServiceUnavailable}
	internal     = kind{"internal", http.StatusInternalServerError}
	unavailable  = kind{"unavailable", http.StatusServiceUnavailable}
	notFound     = kind{"not_found", http.StatusNotFound}
	unauthorized = kind{"unauthorized", http.StatusUnauthorized}
	forbidden    = kind{"forbidden", http.StatusForbidden}
	tooMany      = kind{"too_many_requests", http.StatusTooManyRequests}
)

// failure is an error as a client sees it.
type failure struct {
	kind kind
	msg  string
}

func (f *failure) Error() string { return f.msg }

func badData(format string, args ...any) error {
	return &failure{badDataKind, fmt.Sprintf(format, args...)}
}

func invalidParameter(name string, err error) error {
	return badData("invalid parameter %q: %v", name, err)
}

// failureOf says what a client learns of an error.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if f := contextFailure(err); f != nil {
		return f
	}
	if _, ok := errors.AsType[prom.ErrStorage](err); ok {
		return &failure{internal, "internal error"}
	}
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		return &failure{kindOf(e), e.Msg}
	}
	return &failure{execution, err.Error()}
}

// contextFailure is failureOf for whatever ended before its time.
func contextFailure(err error) *failure {
	_, gone := errors.AsType[prom.ErrQueryCanceled](err)
	_, late := errors.AsType[prom.ErrQueryTimeout](err)
	switch {
	case gone || errors.Is(err, context.Canceled):
		return &failure{canceled, err.Error()}
	case late || errors.Is(err, context.DeadlineExceeded):
		return &failure{timeout, err.Error()}
	}
	return nil
}

func kindOf(e *tidemark.Error) kind {
	switch e.Kind {
	case tidemark.Internal:
		return internal
	case tidemark.Unauthenticated:
		return unauthorized
	case tidemark.Forbidden:
		return forbidden
	case tidemark.NotFound:
		return notFound
	case tidemark.TooMany:
		return tooMany
	case tidemark.Unavailable:
		return unavailable
	}
	return execution
}

func writeError(w http.ResponseWriter, f *failure) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.kind.status)
	_ = json.NewEncoder(w).Encode(struct { // a client that has gone misses nothing
		Status    string `json:"status"`
		ErrorType string `json:"errorType"`
		Error     string `json:"error"`
	}{"error", f.kind.name, f.msg})
}
