package system

import (
	"errors"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/windows"
)

// Lock makes f the caller's alone until it is closed, or is ErrLocked.
func Lock(f *os.File) error {
	// A byte far behind the end: what the file holds stays readable.
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

// KeepPrivate does nothing: new files have the rights of their directory.
func KeepPrivate() {}

// Disk returns how much of the disk that dir is on is free, and its size.
func Disk(dir string) (free, size int64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	var available, total, all uint64
	err = windows.GetDiskFreeSpaceEx(name, &available, &total, &all)
	return int64(available), int64(total), err
}

// ProcessorTime is how much of it this process has taken.
func ProcessorTime() (time.Duration, error) {
	var began, ended, kernel, user windows.Filetime
	err := windows.GetProcessTimes(windows.CurrentProcess(), &began, &ended, &kernel, &user)
	ticks := func(t windows.Filetime) time.Duration { // of 100 ns
		return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
	}
	return ticks(kernel) + ticks(user), err
}

// MaxFiles is unknown here: there is no such limit.
func MaxFiles() (uint64, error) { return 0, errors.ErrUnsupported }

// EndWhole does nothing more than end cmd itself when its context does.
func EndWhole(*exec.Cmd) {}
