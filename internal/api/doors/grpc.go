package doors

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
)

// exportPath is the one call of gRPC that there is.
const exportPath = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"

// The codes of gRPC that are not in rpcCodes.
const (
	rpcOK            = 0
	rpcCanceled      = 1
	rpcUnimplemented = 12
	rpcInternal      = 13
)

// frameHeader is what a message of gRPC starts with: whether it is packed, and
// its length.
const frameHeader = 5

// exporter answers that call. A call of gRPC that has one request and one
// answer is a request of HTTP/2 with a frame around each body and the outcome
// in the trailer: that little is not worth a library.
type exporter struct {
	*API
	route    rest.Route
	identify func(*http.Request, rest.Route) (rest.Caller, error)
	answered func(*http.Request, rest.Route, rest.Caller, rest.Reply, error)
}

// GRPC returns a handler for exporters that speak gRPC. Who sends, and what is
// counted, is found out as for everybody else.
func (s *API) GRPC(identify func(*http.Request, rest.Route) (rest.Caller, error),
	answered func(*http.Request, rest.Route, rest.Caller, rest.Reply, error)) http.Handler {
	rt := rest.On("POST "+exportPath, tidemark.Record, nil)
	rt.Protocol = "OpenTelemetry"
	return &exporter{API: s, route: rt, identify: identify, answered: answered}
}

// ServeHTTP answers one call.
func (e *exporter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 2 || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") {
		http.Error(w, "this port speaks gRPC", http.StatusUnsupportedMediaType)
		return
	}
	w.Header().Set("Content-Type", "application/grpc")
	w.Header().Set("Grpc-Accept-Encoding", "gzip")
	if r.URL.Path != exportPath {
		finish(w, rpcUnimplemented, "there is no "+r.URL.Path+" here")
		return
	}
	who, err := e.identify(r, e.route)
	var t *taken
	if err == nil {
		t, err = e.export(r, who)
	}
	rep := rest.Reply{Status: http.StatusOK}
	if err == nil {
		rep = t.reply(rep)
	}
	e.answered(r, e.route, who, rep, err)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	_, _ = w.Write(frame(otlp.Response(t.partial(silentOTLP))))
	finish(w, rpcOK, "")
}

func (e *exporter) export(r *http.Request, who rest.Caller) (*taken, error) {
	if !who.Role.Allows(e.route.Action) {
		return nil, tidemark.Errorf(tidemark.Forbidden, "This token is not permitted to perform this action on this resource")
	}
	if err := e.Site.Hold(r, who.Org); err != nil {
		return nil, err
	}
	defer rest.Done(r)
	packed, encoding, err := readFrame(r)
	if err != nil {
		return nil, err
	}
	return e.takeBody(r, who.Identity, packed, encoding, ingest.Origin{}, func(b *bench) error { return b.otlp.Decode(b.text, b.batch) })
}

// readFrame reads the one message of a call, and how it is packed.
func readFrame(r *http.Request) (message []byte, encoding string, err error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(r.Body, header[:]); err != nil {
		return nil, "", short(err)
	}
	length := binary.BigEndian.Uint32(header[1:])
	if int64(length) > int64(protocol.DefaultLimits.Bytes) {
		return nil, "", tidemark.Errorf(tidemark.TooLarge, "the message has more than %d bytes", protocol.DefaultLimits.Bytes)
	}
	message, err = rest.ReadGrowing(r, nil, io.LimitReader(r.Body, int64(length)), int64(length))
	if err != nil || len(message) < int(length) {
		return nil, "", short(err)
	}
	switch header[0] {
	case 0:
		return message, "", nil
	case 1:
		return message, r.Header.Get("Grpc-Encoding"), nil
	}
	return nil, "", tidemark.Errorf(tidemark.Invalid, "the message starts with %d, which is neither 0 nor 1", header[0])
}

func short(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return tidemark.Errorf(tidemark.Invalid, "the message ends before it should")
}

func frame(message []byte) []byte {
	out := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	return append(out, message...)
}

// fail answers with an error. An internal one is logged, and the client learns
// no more.
func (e *exporter) fail(w http.ResponseWriter, r *http.Request, err error) {
	shaped, ok := refusal(r, err)
	switch {
	case ok:
		if after := shaped.Header["Retry-After"]; after != "" {
			w.Header().Set("Retry-After", after)
		}
		finish(w, rpcCodes[shaped.Status], shaped.Says)
	case errors.Is(err, context.Canceled):
		finish(w, rpcCanceled, "canceled")
	default:
		e.logFailure(r, err)
		finish(w, rpcInternal, "internal error")
	}
}

// finish says how a call went. The message is in ASCII, as gRPC wants it.
func finish(w http.ResponseWriter, code int, message string) {
	w.Header().Set(http.TrailerPrefix+"Grpc-Status", strconv.Itoa(code))
	if message != "" {
		w.Header().Set(http.TrailerPrefix+"Grpc-Message", strings.ReplaceAll(url.PathEscape(message), "%20", " "))
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
