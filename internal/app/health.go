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

// handler answers everything that comes in from outside.
func (rm *rooms) handler(_ *config.Config) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", rm.ready)
	mux.Handle("GET /docs/", docsite.Handler("/docs/"))
	mux.HandleFunc("/heartbeat/{key}", rm.heartbeatCalled)
	mux.HandleFunc("/heartbeat/{key}/{what}", rm.heartbeatCalled)
	mux.Handle("/mcp", mcp.New(rm.api, Version()))
	mux.HandleFunc("GET /agent.sh", rm.giveAgentScript)
	mux.HandleFunc("GET /agent/{os}/{arch}", rm.giveAgent)
	pages := ui.Handler(rm.api, rm.site.Prefix())
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		// Scrapers know this address by custom; the interface has its page of metrics here.
		// Only a browser that opens a page asks for HTML.
		w.Header().Add("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			pages.ServeHTTP(w, r)
			return
		}
		rm.metrics(w, r)
	})
	mux.Handle("/", pages)
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

// ready says whether requests would succeed now.
func (rm *rooms) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := rm.store.Ping(ctx); err != nil {
		http.Error(w, "the control store does not answer", http.StatusServiceUnavailable)
		return
	}
	if err := rm.space.Refusing(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	if err := rm.store.ProbeWrite(ctx); err != nil {
		http.Error(w, "the control store cannot be written", http.StatusServiceUnavailable)
		return
	}
	if trouble := troubles(ctx, rm.engine); trouble != "" {
		http.Error(w, trouble, http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
	if late := rm.watch.health().Behind(time.Now().Unix()); late > 0 {
		fmt.Fprintf(w, "alerting is behind: alerts were last evaluated %d seconds ago\n", late)
	}
}
