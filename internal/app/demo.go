package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/demo"
)

// demoReceiver is where the demo's notifications go: on this machine, so that
// a try-out tells nobody.
const demoReceiver = "127.0.0.1:8434"

// demo keeps a believable organization alive, and calls filled once it is
// there.
func (rm *rooms) demo(ctx context.Context, log *slog.Logger, filled func()) error {
	l, err := net.Listen("tcp", demoReceiver)
	if err != nil {
		// Another demo runs on this machine.
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return fmt.Errorf("demo: take notifications: %w", err)
		}
	}
	srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(takeNotification)}
	defer srv.Close()
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("demo", slog.Any("err", err))
		}
	}()
	c := client.New("http://tidemark", client.HTTP(&http.Client{Transport: handlerTransport{rm.api.Admin()}}), client.Header("User-Agent", "tidemark-demo"))
	return demo.Run(ctx, demo.Options{
		Client: c, Logger: log, Now: time.Now, Receiver: "http://" + l.Addr().String(), Past: rm.store, Filled: filled,
	})
}

// takeNotification is the demo's service: it takes what it is told, but for
// the one that is down.
func takeNotification(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<20))
	if r.URL.Path == "/"+demo.RefusingPath {
		http.Error(w, "under repair until tomorrow", http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, "ok")
}
