package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/checks"
	"github.com/tidemark-metrics/tidemark/internal/probe"
)

// runChecks runs checks while this server holds their lease.
func (rm *rooms) runChecks(ctx context.Context, log *slog.Logger) error {
	return checks.New(checks.Options{Store: rm.store, Recorder: rm.recorder, Way: rm.out, Logger: log, Node: rm.node}).Run(ctx)
}

// probe looks at what a check says, for people who try it.
func (rm *rooms) probe(ctx context.Context, c *tidemark.Check) tidemark.CheckState {
	res := probe.Run(ctx, rm.out, c)
	return tidemark.CheckState{RanAt: time.Now().Unix(), Up: res.Up, Duration: res.Duration.Seconds(), Said: res.Said}
}

// heartbeatCalled answers /heartbeat/{key}, /heartbeat/{key}/start and
// /heartbeat/{key}/fail, by any of GET, HEAD and POST: cron jobs have what
// they have. The key is the credential.
func (rm *rooms) heartbeatCalled(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	what := r.PathValue("what")
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		plainAnswer(w, http.StatusMethodNotAllowed, "a heartbeat is called with GET, HEAD or POST")
		return
	}
	if what != "" && what != "start" && what != "fail" && what != "success" {
		plainAnswer(w, http.StatusNotFound, "there are start, fail and success")
		return
	}
	err := rm.callHeartbeat(r, what)
	switch tidemark.KindOf(err) {
	case tidemark.NotFound:
		plainAnswer(w, http.StatusNotFound, "there is no heartbeat with this address")
	case tidemark.TooMany:
		w.Header().Set("Retry-After", "60")
		plainAnswer(w, http.StatusTooManyRequests, err.Error())
	default:
		if err != nil {
			plainAnswer(w, http.StatusServiceUnavailable, "the call could not be recorded; try again")
			return
		}
		fmt.Fprintln(w, "ok")
	}
}

// callHeartbeat records a call. Calls are counted, since whoever has the
// address needs no account, and each is a write.
func (rm *rooms) callHeartbeat(r *http.Request, what string) error {
	c, err := rm.store.CheckByHash(r.Context(), tidemark.Secret(r.PathValue("key")).Hash())
	if err != nil || !c.Active {
		return err
	}
	if err := rm.auth.MayCall(c.ID); err != nil {
		return err
	}
	return checks.Called(r.Context(), rm.store, rm.recorder, c, what, time.Now().Unix())
}

// plainAnswer answers a program that calls a heartbeat.
func plainAnswer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}
