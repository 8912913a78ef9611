package app

import (
	"net/http"
	"net/http/pprof"
)

// operator answers what comes in by the operator's socket: the API without
// tokens, readiness, metrics, and profiles of the running program.
func (rm *rooms) operator() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", rm.ready)
	mux.HandleFunc("GET /metrics", rm.metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	admin := rm.api.Admin()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		admin.ServeHTTP(w, r)
	})
}
