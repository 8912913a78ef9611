package neighbours

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

const attackers = 5

// round is how long things take.
type round struct{ alone, together time.Duration }

func lengths() round {
	return round{
		time.Duration(testdeps.Amount("TIDEMARK_ALONE_SECONDS", 4, 60)) * time.Second,
		time.Duration(testdeps.Amount("TIDEMARK_ATTACK_SECONDS", 10, 600)) * time.Second,
	}
}

// TestHostileNeighbours has five organizations attack a server of 1 GiB while a
// sixth goes about its business: nothing of it is refused, everything it is to
// be alerted of is told, and the server stays within its memory. How much
// slower it is served is reported. TIDEMARK_SOAK=1 does it for ten minutes.
func TestHostileNeighbours(t *testing.T) {
	s := startServer(t)
	v := newVictim(t, s)
	hostile := make([]*org, attackers)
	for i := range hostile {
		hostile[i] = s.org(fmt.Sprint("hostile-", i))
		hostile[i].signIn()
	}
	long := lengths()

	incidents := v.during(t, long.alone)
	before := v.report()
	v.check(t, "alone", incidents)

	answers := besiege(t, hostile, long.together)
	if dir := os.Getenv("TIDEMARK_NEIGHBOURS_PROFILE"); dir != "" {
		go s.profile(dir, long.together/2)
	}
	incidents = v.during(t, long.together)
	after, slowest := v.report(), v.notice(1)
	seen := answers()
	v.check(t, "under attack", incidents)

	select {
	case <-s.done:
		t.Fatal("the server is gone")
	default:
	}
	if peak := s.peak(); peak > memoryLimit || peak == 0 {
		t.Errorf("the server used %d MiB of memory; %d are its limit", peak>>20, memoryLimit>>20)
	}
	text := fmt.Sprintf("slowest notification %v; ", ms(slowest)) + table(s, before, after, incidents, seen)
	t.Log("\n" + text)
	if path := os.Getenv("TIDEMARK_NEIGHBOURS_REPORT"); path != "" {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// profile looks what the server does after a while.
func (s *server) profile(dir string, after time.Duration) {
	time.Sleep(after)
	for _, args := range [][]string{{"goroutine"}, {"heap"}, {"cpu"}, {"mutex"}} {
		args = append([]string{"profile"}, append(args, filepath.Join(dir, args[0]), "--seconds", "5", "--data", s.data)...)
		if out, err := exec.Command(s.bin, args...).CombinedOutput(); err != nil {
			s.t.Logf("%v: %s", err, out)
		}
	}
}

// during has the victim live for a while.
func (v *victim) during(t *testing.T, d time.Duration) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	return v.live(ctx)
}

// check asserts that nothing was refused to the victim, and every notification sent.
func (v *victim) check(t *testing.T, when string, incidents int) {
	t.Helper()
	v.mu.Lock()
	refused := slices.Clone(v.refused)
	v.mu.Unlock()
	if len(refused) > 0 {
		t.Errorf("%s: %d requests of the victim failed:\n%s", when, len(refused), strings.Join(refused[:min(10, len(refused))], "\n"))
	}
	if incidents == 0 {
		t.Errorf("%s: the victim's alert was never raised", when)
	}
	v.settle(incidents)
}

// notification is the row of the table about notifications: from the
// measurement that is the reason for one until the victim's service has it.
const notification = "notification"

// latencies are p50 and p99 of each kind of request.
type latencies map[string][2]time.Duration

func (v *victim) report() latencies {
	all := latencies{"all": {v.percentile("", 0.5), v.percentile("", 0.99)}}
	for _, kind := range kinds {
		all[kind] = [2]time.Duration{v.percentile(kind, 0.5), v.percentile(kind, 0.99)}
	}
	all[notification] = [2]time.Duration{v.notice(0.5), v.notice(0.99)}
	return all
}

// table is what docs/security.md shows.
func table(s *server, before, after latencies, incidents int, seen answered) string {
	var b strings.Builder
	fmt.Fprintf(&b, "peak memory %d MiB of %d; %d incidents, all notified; log %d KiB\n\n", s.peak()>>20, memoryLimit>>20, incidents, s.log.written()>>10)
	b.WriteString("| Request | p50 alone | p50 under attack | p99 alone | p99 under attack | p99 ratio |\n|---|---|---|---|---|---|\n")
	for _, kind := range append(slices.Clone(kinds), "all", notification) {
		was, is := before[kind], after[kind]
		fmt.Fprintf(&b, "| %s | %v | %v | %v | %v | %.1f |\n", kind, ms(was[0]), ms(is[0]), ms(was[1]), ms(is[1]), float64(is[1])/float64(max(was[1], 1)))
	}
	b.WriteString("\n| Attack | Answers |\n|---|---|\n")
	for _, a := range attacks {
		var codes []string
		for _, code := range slices.Sorted(maps.Keys(seen[a.name])) {
			name := fmt.Sprint(code)
			if code == 0 {
				name = "cut off"
			}
			codes = append(codes, fmt.Sprintf("%s x %d", name, seen[a.name][code]))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", a.name, strings.Join(codes, ", "))
	}
	return b.String()
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
