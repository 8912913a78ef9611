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

// demo keeps a believable organization alive.
func (rm *rooms) demo(ctx context.Context, log *slog.Logger) error {
	l, err := net.Listen("tcp", demoReceiver)
	if err != nil {
		return fmt.Errorf("demo: take notifications on %s: %w", demoReceiver, err)
	}
	srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<20))
		_, _ = io.WriteString(w, "ok")
	})}
	defer srv.Close()
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("demo", slog.Any("err", err))
		}
	}()
	c := client.New("http://tidemark", client.HTTP(&http.Client{Transport: handlerTransport{rm.api.Admin()}}), client.Header("User-Agent", "tidemark-demo"))
	return demo.Run(ctx, demo.Options{Client: c, Logger: log, Now: time.Now, Receiver: "http://" + demoReceiver + "/"})
}
