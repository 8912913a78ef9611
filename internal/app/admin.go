package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// adminFile holds the path of the socket of the operator's door.
	adminFile = "admin.path"
	// maxSocketPath is what the kernel takes as the path of a socket.
	maxSocketPath = 100
)

// listenAdmin opens the operator's door: a socket that only the owner of the
// data directory can reach.
func listenAdmin(dir string) (net.Listener, error) {
	path, err := filepath.Abs(filepath.Join(dir, "admin.sock"))
	if err != nil {
		return nil, err
	}
	if len(path) > maxSocketPath {
		short, err := os.MkdirTemp("", "tidemark-") // made for us alone
		if err != nil {
			return nil, fmt.Errorf("make directory for the admin socket: %w", err)
		}
		path = filepath.Join(short, "admin.sock")
	}
	_ = os.Remove(path) // left by a crash; the lock says that nobody uses it
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on the admin socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, os.WriteFile(filepath.Join(dir, adminFile), []byte(path+"\n"), 0o600)
}

// DialAdmin returns a transport to the server that runs on dir.
func DialAdmin(dir string) (http.RoundTripper, error) {
	text, err := os.ReadFile(filepath.Join(dir, adminFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("no server is running on %s (%w)", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("find the running server: %w", err)
	}
	path := strings.TrimSpace(string(text))
	dialer := net.Dialer{Timeout: 5 * time.Second}
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "unix", path)
	}}, nil
}
