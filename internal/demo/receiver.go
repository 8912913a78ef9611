package demo

import (
	"io"
	"net/http"
)

// Host is where the notifications of a demo go: a host that does not exist, so
// that a demo notifies nobody. Anyone who runs a demo lets Receiver answer for it.
const Host = "receiver.demo.invalid"

// refusing is the path of the service that is down.
const refusing = "gate"

// Receiver takes notifications, but for the one that is down.
func Receiver() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<20))
		if r.URL.Path == "/"+refusing {
			http.Error(w, "under repair until tomorrow", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok")
	})
}
