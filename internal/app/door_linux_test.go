package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// TestHasData: a command on data that is not there, or of another user, says
// what to do.
func TestHasData(t *testing.T) {
	t.Parallel()
	none := hasData(&config.Config{Data: t.TempDir()})
	if none == nil || !strings.Contains(none.Error(), "start the server once, or give the right --data") {
		t.Errorf("without data: %v", none)
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o000); err != nil {
		t.Fatal(err)
	}
	said := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: this thread ends with what it gave up
		const nobody = 65534
		_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		said <- hasData(&config.Config{Data: closed})
	}()
	if err := <-said; err == nil || !strings.Contains(err.Error(), "belongs to another user: run this command as the user that the server runs as") {
		t.Errorf("as another user: %v", err)
	}
}
