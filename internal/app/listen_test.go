package app

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

// fullListener is one of a process that has too many files open.
type fullListener struct{ net.Listener }

func (fullListener) Accept() (net.Conn, error) {
	return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
}

// TestTooManyFiles: the log says why nobody is let in, and not at each try.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	a := &acceptor{Listener: fullListener{}, log: slog.New(slog.NewTextHandler(&said, nil))}
	for range 20 {
		if _, err := a.Accept(); err == nil {
			t.Fatal("a connection")
		}
	}
	if n := strings.Count(said.String(), "cannot accept connections"); n != 1 || !strings.Contains(said.String(), "too many open files") {
		t.Errorf("%d times:\n%s", n, said.String())
	}
}
