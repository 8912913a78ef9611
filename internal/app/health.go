package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	protocols "github.com/tidemark-metrics/tidemark/internal/api/doors"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/docsite"
	"github.com/tidemark-metrics/tidemark/internal/mcp"
	"github.com/tidemark-metrics/tidemark/ui"
)

// outerRoute is an address outside of the API, with what bounds the work that
// those who ask can make of it; the API's own routes have limits of theirs.
type outerRoute struct {
	pattern string
	handler http.HandlerFunc
	bound   string
}

func (rm *rooms) outerRoutes(pages http.Handler) []outerRoute {
	return []outerRoute{
		{"GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }, "says two letters"},
		{"GET /readyz", rm.ready, "asks the storage and the database, with a deadline"},
		{"GET /docs/", docsite.Handler("/docs/").ServeHTTP, "files of the binary"},
		{"/heartbeat/{key}", rm.heartbeatCalled, "120 calls a minute of each heartbeat"},
		{"/heartbeat/{key}/{what}", rm.heartbeatCalled, "120 calls a minute of each heartbeat"},
		{"/mcp", mcp.New(rm.api, Version(), rm.api.HoldAnswer).ServeHTTP, "what it asks the API counts there, and its answer, of 1 MiB at most, as memory of queries"},
		{"GET /agent.sh", rm.giveAgentScript, "a text of bounded length"},
		{"GET /agent/{os}/{arch}", rm.giveAgent, "a file, at the pace of who reads it"},
		{"GET /metrics", rm.metricsOr(pages), "a fixed number of series"},
		{"/", pages.ServeHTTP, "files of the binary"},
	}
}

// metricsOr answers /metrics. Scrapers know this address by custom; the
// interface has its page of metrics there. Only a browser that opens a page
// asks for HTML.
func (rm *rooms) metricsOr(pages http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			pages.ServeHTTP(w, r)
			return
		}
		rm.metrics(w, r)
	}
}

// handler answers everything that comes in from outside.
func (rm *rooms) handler(_ *config.Config) http.Handler {
	mux := http.NewServeMux()
	for _, rt := range rm.outerRoutes(ui.Handler(rm.api, rm.site.Prefix())) {
		mux.HandleFunc(rt.pattern, rt.handler)
	}
	return rest.DefaultPace.Handler(rm.site.BelowPrefix(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		r = rest.OneSlash(r)
		if isAPI(r.URL.Path) {
			rm.api.ServeHTTP(w, r) // not through the mux, which redirects paths that are not clean
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

// isAPI reports whether a path is the API's to answer.
func isAPI(path string) bool {
	if _, _, ok := rest.CutOrg(path); ok {
		return true
	}
	for _, root := range append([]string{"/v1", "/ui/api", rest.OldRoot + "/v1"}, protocols.Roots...) {
		if path == root || strings.HasPrefix(path, root+"/") {
			return true
		}
	}
	return false
}

// ready says whether this server is the one to ask. Of several, one that
// cannot do all leaves requests to the others. One that has the measurements
// itself is the only one there is: without it nobody could sign in, read, or
// delete to make room, so that it is ready and says what it cannot do.
func (rm *rooms) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	wrong, works := rm.troubles(ctx)
	if _, several := rm.engine.(arriving); !works || several && len(wrong) > 0 {
		http.Error(w, wrong[0], http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
	for _, line := range append(wrong, ailing(ctx, rm.engine)...) {
		fmt.Fprintln(w, line)
	}
	if late := rm.watch.health().Behind(time.Now().Unix()); late > 0 {
		fmt.Fprintf(w, "alerting is behind: alerts were last evaluated %d seconds ago\n", late)
	}
}

// troubles says in words what this server cannot do, and whether it can do
// anything at all. The engine is asked first: a control store that hangs takes
// all the time there is.
func (rm *rooms) troubles(ctx context.Context) (wrong []string, works bool) {
	trouble, works := engineTrouble(ctx, rm.engine)
	if trouble != "" {
		wrong = append(wrong, trouble)
	}
	if err := rm.space.Refusing(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if err := rm.store.Ping(ctx); err != nil {
		return append(wrong, "the control store does not answer: only measurements of known metrics are taken"), works
	}
	if err := rm.store.ProbeWrite(ctx); err != nil {
		wrong = append(wrong, "the control store cannot be written")
	}
	return wrong, works
}
