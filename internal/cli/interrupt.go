package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// stopped is the signal that asked the program to end, as the cause of its
// context.
type stopped struct{ by os.Signal }

func (s stopped) Error() string { return s.by.String() + " signal received" }

// Is has it count as what a context ends with.
func (stopped) Is(target error) bool { return target == context.Canceled }

// code is what a shell says of a program that a signal ended.
func (s stopped) code() int {
	if n, ok := s.by.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}

// NotifyContext returns a context that SIGINT and SIGTERM end. Unlike that of
// signal.NotifyContext its cause tells Run which of them it was.
func NotifyContext(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	came := make(chan os.Signal, 1)
	signal.Notify(came, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-came:
			cancel(stopped{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(came)
		cancel(nil)
	}
}

// partial is what commands implement that work for a while: unfinished says
// what an interruption left undone, and how to go on.
type partial interface{ unfinished() string }

// ended is the exit code of a command that returned err. Scripts delete the
// last good backup after a command that exits with 0: what was interrupted must
// not, unless it is done nonetheless. Being stopped is how serve and agent end.
func ended(ctx context.Context, command *kong.Node, stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	cancelled := errors.Is(err, context.Canceled)
	target := command.Target.Addr().Interface()
	switch target.(type) {
	case *serveCmd, *agentCmd:
		if cancelled {
			return 0
		}
	default:
		if ctx.Err() != nil {
			return interrupted(ctx, command, stderr, err, cancelled)
		}
	}
	fmt.Fprintf(stderr, "tidemark: %v\n", err)
	return 1
}

func interrupted(ctx context.Context, command *kong.Node, stderr io.Writer, err error, cancelled bool) int {
	left := command.FullPath() + " is not done"
	if p, ok := command.Target.Addr().Interface().(partial); ok {
		left = p.unfinished()
	}
	fmt.Fprintf(stderr, "tidemark: interrupted: %s\n", left)
	if !cancelled { // what else went wrong
		fmt.Fprintf(stderr, "tidemark: %v\n", err)
	}
	if s, ok := errors.AsType[stopped](context.Cause(ctx)); ok {
		return s.code()
	}
	return 1
}

// resumeHint says how what is written to or read from a file is gone on with.
func resumeHint(path string) string {
	if path != "" {
		if _, err := os.Stat(path + ".cursor"); err == nil {
			return "; continue with --resume"
		}
	}
	return ""
}

// input is standard input: whoever waits for somebody to type can be
// interrupted.
type input struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (in input) Read(p []byte) (int, error) {
	buf := make([]byte, len(p)) // p is the caller's again once the context ends
	n, err := until(in.ctx, func() (int, error) { return in.from.Read(buf) })
	return copy(p, buf[:n]), err
}

// until returns what do does, unless ctx ends before.
func until[T any](ctx context.Context, do func() (T, error)) (v T, err error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := do()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
}
