package rest

import (
	"errors"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

var statuses = map[tidemark.Kind]int{
	tidemark.Internal:        http.StatusInternalServerError,
	tidemark.Invalid:         http.StatusBadRequest,
	tidemark.Unauthenticated: http.StatusUnauthorized,
	tidemark.Forbidden:       http.StatusForbidden,
	tidemark.NotFound:        http.StatusNotFound,
	tidemark.Conflict:        http.StatusUnprocessableEntity,
	tidemark.TooLarge:        http.StatusRequestEntityTooLarge,
	tidemark.Unsupported:     http.StatusUnsupportedMediaType,
	tidemark.TooMany:         http.StatusTooManyRequests,
	tidemark.Unavailable:     http.StatusServiceUnavailable,
	tidemark.Stale:           http.StatusPreconditionFailed,
}

// WireError is an answer in a shape of its own, where the wire has one: Body
// as JSON, or Text of the given Kind.
type WireError struct {
	Status int
	Body   any
	Text   []byte
	Kind   string // content type of Text
	Header map[string]string
	Says   string // the same in words, for people who watch what arrives
}

func (e *WireError) Error() string { return "answer " + strconv.Itoa(e.Status) }

// fail answers with an error: the only place where errors become responses,
// and where those that are our fault are logged.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if isCancelled(r, err) {
		return // the client is gone
	}
	if special, ok := errors.AsType[*WireError](err); ok {
		rep := Reply{Status: special.Status, Body: special.Body, Header: special.Header}
		if special.Kind != "" {
			rep = Text(special.Status, special.Kind, special.Text, special.Header)
		}
		s.write(w, r, rep)
		return
	}
	e, known := errors.AsType[*tidemark.Error](err)
	if !known || e.Kind == tidemark.Internal {
		id := w.Header().Get("X-Request-Id")
		s.Site.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("request", id),
			slog.String("method", r.Method), slog.String("path", loggedPath(r)), slog.Any("err", err))
		e = &tidemark.Error{Msg: "internal error (request " + id + ")"}
	}
	header := ErrorHeader(r, e.Kind)
	if e.After > 0 {
		header["Retry-After"] = strconv.Itoa(int(math.Ceil(e.After.Seconds())))
	}
	s.write(w, r, Reply{Status: statuses[e.Kind], Body: ErrorBody(e), Header: header})
}

// ErrorHeader is what the header of an answer has to say of an error.
func ErrorHeader(r *http.Request, kind tidemark.Kind) map[string]string {
	switch kind {
	case tidemark.Unauthenticated:
		return map[string]string{"WWW-Authenticate": challenge(r)}
	case tidemark.TooMany, tidemark.Unavailable:
		return map[string]string{"Retry-After": "10"}
	}
	return map[string]string{}
}

// loggedPath is the path of r without the key that a link ends in: readers of
// the log must not be able to use it.
func loggedPath(r *http.Request) string {
	if key := r.PathValue("key"); key != "" {
		return strings.ReplaceAll(r.URL.Path, key, "{key}")
	}
	return r.URL.Path
}

// challenge says how to prove who one is. A page that a browser shows asks for
// a session itself: challenged with Basic, the browser would put its own
// dialog in front of it.
func challenge(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/ui/api/") || r.Header.Get("Sec-Fetch-Mode") != "" {
		return `Session realm="Tidemark"`
	}
	return `Basic realm="Tidemark"`
}

// StatusOf is the status that an endpoint's outcome is answered with.
func StatusOf(rep Reply, err error) int {
	if err == nil {
		return rep.Status
	}
	if special, ok := errors.AsType[*WireError](err); ok {
		return special.Status
	}
	return statuses[tidemark.KindOf(err)]
}

// ReasonOf is why a request was refused, for people; "" if it was not.
func ReasonOf(err error) string {
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		plain := *e
		plain.Err = nil // the cause is for the log
		return plain.Error()
	}
	if special, ok := errors.AsType[*WireError](err); ok {
		return special.Says
	}
	return ""
}

func requestErrors(msg string) map[string]any {
	return map[string]any{"errors": map[string]any{"request": []string{msg}}}
}

// ErrorBody is the error as the wire has it: what is wrong with parameters
// under "params", what is wrong with our side under "system", the rest under
// "request".
// What the interface has to do something about has a "code" beside them.
func ErrorBody(e *tidemark.Error) map[string]any {
	switch {
	case e.Code != "":
		return map[string]any{"errors": map[string]any{"request": []string{e.Msg}}, "code": e.Code}
	case e.Fields != nil:
		return map[string]any{"errors": map[string]any{"params": nested(e.Fields)}}
	case e.Kind == tidemark.NotFound:
		return requestErrors("Not Found") // to the letter: a client recreates what it asked for on this text only
	case e.Kind == tidemark.Unavailable:
		return map[string]any{"errors": map[string]any{"system": []string{e.Msg}}}
	}
	return requestErrors(e.Msg)
}

// nested turns "a.b" into b below a. Clients can read one level of objects
// and no more, so deeper names stay as they are below the first dot.
func nested(fields map[string][]string) map[string]any {
	params := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		outer, inner, deep := strings.Cut(name, ".")
		if !deep {
			params[name] = fields[name]
			continue
		}
		below, ok := params[outer].(map[string][]string)
		if !ok {
			below = make(map[string][]string)
			if msgs, had := params[outer].([]string); had {
				below["base"] = msgs
			}
			params[outer] = below
		}
		below[inner] = fields[name]
	}
	return params
}
