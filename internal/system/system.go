// Package system has what differs between operating systems: locks on files,
// who may read new ones, how full disks are, and what a process takes.
package system

import "errors"

// ErrLocked says that another process holds the lock on a file.
var ErrLocked = errors.New("another process holds the lock")
