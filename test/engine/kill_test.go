package engine_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	childDir   = "TIDEMARK_TEST_ENGINE_DIR"   // makes the test binary a child that writes there
	childSteps = "TIDEMARK_TEST_ENGINE_STEPS" // where its writers go on: base and a number for each
	writers    = 4
)

// runChild is the process that gets killed: it writes to the engine in dir
// for as long as it lives, and prints "writer step" for each that was
// acknowledged.
func runChild(dir string) error {
	ctx := context.Background()
	e, err := embedded.Open(ctx, workOptions(dir))
	if err != nil {
		return err
	}
	fields := strings.Fields(os.Getenv(childSteps))
	numbers := make([]int64, len(fields))
	for i, f := range fields {
		if numbers[i], err = strconv.ParseInt(f, 10, 64); err != nil {
			return err
		}
	}
	failed := make(chan error, writers+1)
	go func() { failed <- e.Run(ctx) }()
	for i, k := range numbers[1:] {
		w := workload{writer: i, base: numbers[0]}
		if err := w.prepare(ctx, e); err != nil {
			return err
		}
		go func() {
			for ; ; k++ {
				if err := w.step(ctx, e, k); err != nil {
					failed <- fmt.Errorf("writer %d, step %d: %w", i, k, err)
					return
				}
				fmt.Printf("%d %d\n", i, k+1) // one write to the pipe: it survives us
			}
		}()
	}
	return <-failed
}

// TestKill kills a process that writes, seals, merges and builds tiers, again
// and again on the same directory, and checks after each time what is there.
func TestKill(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	n := testdeps.Amount("TIDEMARK_KILLS", 5, 1000)
	r := draws(t, 1)
	var dir string
	var base int64
	acked := make([]int64, writers)
	total := int64(0)
	for round := range n {
		if round%25 == 0 {
			dir, base = t.TempDir(), weekAgo()
			clear(acked)
		}
		before := acked[0]
		killOne(t, self, dir, base, acked, time.Duration(20+r.IntN(300))*time.Millisecond)
		checkKilled(t, dir, base, acked)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		total += acked[0] - before
	}
	t.Logf("%d kills, %d steps of the first writer", n, total)
	if total == 0 {
		t.Error("nothing was written before the kills")
	}
}

// killOne runs a child and kills it a while after its first word. acked has
// for each writer the number of steps acknowledged, before and after.
func killOne(t *testing.T, self, dir string, base int64, acked []int64, after time.Duration) {
	cmd := exec.CommandContext(t.Context(), self)
	steps := strconv.FormatInt(base, 10)
	for _, k := range acked {
		steps += " " + strconv.FormatInt(k, 10)
	}
	var complaints strings.Builder
	cmd.Env = append(os.Environ(), childDir+"="+dir, childSteps+"="+steps)
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	readAcks(t, out, acked, func() {
		once.Do(func() { time.AfterFunc(after, func() { cmd.Process.Kill() }) })
	})
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("child ended by itself: %v\n%s", err, complaints.String())
	}
}

// readAcks reads what a child prints until its end, calling started at every
// line.
func readAcks(t *testing.T, out io.Reader, acked []int64, started func()) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var i int
		var k int64
		if n, _ := fmt.Sscan(lines.Text(), &i, &k); n != 2 || i >= len(acked) {
			t.Errorf("child printed %q", lines.Text())
			continue
		}
		acked[i] = k
		started()
	}
}

// checkKilled opens the engine of a killed process and sets acked to what it
// holds, which may be one step more than was acknowledged.
func checkKilled(t *testing.T, dir string, base int64, acked []int64) {
	e, err := embedded.Open(t.Context(), workOptions(dir))
	if err != nil {
		t.Errorf("open after kill: %v", err)
		return
	}
	defer e.Close()
	for i := range acked {
		w := workload{writer: i, base: base}
		m, err := w.verify(t.Context(), e, acked[i], acked[i]+1)
		if err != nil {
			t.Errorf("after kill: %v", err)
			return
		}
		acked[i] = m
	}
}
