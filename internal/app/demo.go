package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// firstOrgID is the organization of a new server: the one that --demo fills.
const firstOrgID tidemark.OrgID = 1

// demo keeps a believable organization alive, and calls filled once it is
// there.
func (rm *rooms) demo(ctx context.Context, log *slog.Logger, filled func()) error {
	o := rm.demoOptions(firstOrgID, log)
	o.Filled = filled
	return demo.Run(ctx, o)
}

// welcome pins the spaces of a demo for the user who sets up the server.
func (rm *rooms) welcome(log *slog.Logger) func(context.Context, *tidemark.Session) {
	return func(ctx context.Context, s *tidemark.Session) {
		if err := demo.Welcome(ctx, rm.store, s.Org, s.User); err != nil {
			log.Warn("demo", slog.Any("err", err))
		}
	}
}

// demoOptions are those of a demo in org, which speaks to this server without
// a network.
func (rm *rooms) demoOptions(org tidemark.OrgID, log *slog.Logger) demo.Options {
	const base = "http://tidemark"
	operator := &http.Client{Transport: outbound.Inside{Handler: rm.api.Inside()}}
	return demo.Options{
		Client: client.New(base, client.HTTP(operator), client.Header("User-Agent", "tidemark-demo"),
			client.Header("X-Tidemark-Org", strconv.FormatInt(int64(org), 10)), client.Retry(30, time.Second)),
		As: func(secret tidemark.Secret, agent, address string) *client.Client {
			return client.New(base, client.HTTP(&http.Client{Transport: from{outbound.Inside{Handler: rm.api}, address}}),
				client.Token(secret), client.Header("User-Agent", agent), client.Retry(1, 0))
		},
		Logger: log, Now: time.Now, Org: org, Store: rm.store,
	}
}

// from sends requests as if they came from an address.
type from struct {
	next    http.RoundTripper
	address string
}

func (f from) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RemoteAddr = net.JoinHostPort(f.address, "0")
	return f.next.RoundTrip(r)
}

// newDemos returns what makes the demo that people ask for.
func (rm *rooms) newDemos(log *slog.Logger) *demo.Manager {
	return demo.NewManager(demo.ManagerOptions{
		Store: rm.store, Logger: log, ForgetAll: rm.recorder.ForgetAll,
		Options: func(org tidemark.OrgID) demo.Options { return rm.demoOptions(org, log) },
	})
}
