// Command mutate asks whether the tests would notice: it changes the code in
// one place at a time (see mutations.go), chosen at random by a seed, and runs
// the tests of the package on the changed code. A mutant that no test notices
// is a missing test, or a change that makes no difference.
//
//	go run ./scripts/mutate -n 20 -seed 1 ./internal/auth
//
// Nothing is written to the tree: the changed file is an overlay of the build.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 20, "how many mutants of each package")
	seed := flag.Uint64("seed", 1, "which ones")
	only := flag.Int("only", 0, "this one alone, by its number")
	slow := flag.String("slow", "^(TestSimulation|TestModel|TestExpiredStreamsLeave|TestBacktestAgrees)$|^TestOneMeaning$/^(budget|band)$|/^postgres$", "tests that run when all others have passed")
	fast := flag.Bool("fast", false, "leave the slow tests out")
	above := flag.String("above", "", "packages, separated by commas, whose tests run when those of the package have passed")
	limit := flag.Duration("timeout", 10*time.Minute, "of the tests of one package; what takes longer is killed")
	flag.Parse()
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(dir)
	r := runner{dir: dir, slow: *slow, fast: *fast, limit: *limit}
	if *above != "" {
		r.above = strings.Split(*above, ",")
	}
	for _, pkg := range flag.Args() {
		all, err := mutantsOf(pkg)
		if err != nil {
			fail(err)
		}
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		killed, lived := r.try(pkg, all, *n, *only)
		fmt.Printf("%s: %d of %d killed, chosen of %d\n", pkg, killed, killed+lived, len(all))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "mutate:", err)
	os.Exit(1)
}

// runner runs tests on changed code.
type runner struct {
	dir, slow string
	fast      bool
	above     []string
	limit     time.Duration
}

// try runs the first n mutants that compile, or the one with a number, and
// says of each how it went.
func (r *runner) try(pkg string, all []mutant, n, only int) (killed, lived int) {
	for _, m := range all {
		if killed+lived == n {
			break
		}
		if at := killed + lived + 1; only != 0 && at != only {
			if r.compiles(pkg, m) {
				lived++
			}
			continue
		}
		began := time.Now()
		verdict, by, err := r.verdict(pkg, m)
		switch {
		case errors.Is(err, errBuild):
			continue
		case err != nil:
			fail(err)
		case verdict == survived:
			lived++
		default:
			killed++
		}
		fmt.Printf("%3d  %-9s %4.0fs  %s%s\n", killed+lived, verdict, time.Since(began).Seconds(), m, by)
		if only != 0 {
			break
		}
	}
	return killed, lived
}

const survived = "SURVIVED"

var errBuild = errors.New("does not compile")

// stage is a part of the tests, with what is said of a mutant that it kills.
type stage struct {
	name string
	args []string
}

// verdict says which tests noticed: the fast ones, the slow ones, those above;
// and by which one.
func (r *runner) verdict(pkg string, m mutant) (verdict, by string, err error) {
	overlay, err := r.overlay(m)
	if err != nil {
		return "", "", err
	}
	stages := []stage{{"killed", []string{"-skip", r.slow, pkg}}}
	if !r.fast {
		stages = append(stages, stage{"slowly", []string{pkg}})
	}
	for _, p := range r.above {
		stages = append(stages, stage{"above", []string{p}})
	}
	for _, s := range stages {
		out, err := r.test(overlay, s.args)
		if err != nil {
			return "", "", err
		}
		if out != "" {
			return s.name, failedIn(out), nil
		}
	}
	return survived, "", nil
}

// failedIn names the first test that failed; a panic or a timeout names none.
func failedIn(output string) string {
	for line := range strings.Lines(output) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return " (" + name + ")"
		}
	}
	return ""
}

// overlay writes the changed file, and where the build shall look for it.
func (r *runner) overlay(m mutant) (string, error) {
	changed := filepath.Join(r.dir, "changed.go")
	if err := os.WriteFile(changed, m.source(), 0o600); err != nil {
		return "", err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(r.dir, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}

func (r *runner) compiles(pkg string, m mutant) bool {
	overlay, err := r.overlay(m)
	return err == nil && exec.Command("go", "build", "-overlay", overlay, pkg).Run() == nil
}

// test runs tests until the first that fails, and returns what they print if
// one does. Failures are not shrunk, and nothing is written to the tree.
func (r *runner) test(overlay string, args []string) (failure string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit+time.Minute)
	defer cancel()
	args = append([]string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-timeout", r.limit.String()}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "RAPID_SEED=1", "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=1ms")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case strings.Contains(string(out), "[build failed]"), strings.Contains(string(out), "[setup failed]"):
		return "", errBuild
	case err == nil:
		return "", nil
	case errors.As(err, &exit):
		return "failed\n" + string(out), nil
	}
	return "", err
}
