//go:build unix

package system

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Lock makes f the caller's alone until it is closed, or is ErrLocked. The
// kernel lets go of it with the process, so that a crash leaves nothing behind.
func Lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// KeepPrivate has files that this process makes be readable by its user alone.
func KeepPrivate() { unix.Umask(0o077) }

// Disk returns how much of the disk that dir is on is free, and its size. It
// counts as df does: what is reserved for root is neither, so that a disk that
// this process finds full is full.
func Disk(dir string) (free, size int64, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, 0, err
	}
	available := uint64(st.Bavail)
	return int64(available) * int64(st.Bsize), int64(st.Blocks-st.Bfree+available) * int64(st.Bsize), nil
}

// ProcessorTime is how much of it this process has taken.
func ProcessorTime() (time.Duration, error) {
	var used unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}

// MaxFiles is how many files this process may have open.
func MaxFiles() (uint64, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return uint64(limit.Cur), err
}

// EndWhole has everything that cmd starts end when its context does.
func EndWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
}
