// Command engine measures the embedded engine and Prometheus' tsdb, as
// libraries, with the same data on the same machine in one run, and prints
// both with their ratio and the engine's goals.
//
// Each measurement runs in a process of its own, so that none pays for the
// memory of another. Sizes scale with flags; run.sh has the usual ones.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
)

// sizes is how much is measured.
type sizes struct {
	Streams int     // of the ingest measurement
	Samples int     // of each
	Many    int     // streams of the catalogue measurement
	Reopen  float64 // millions of samples before the kill
	Week    int     // streams of the measurement of all tiers
	Rate    int     // samples a second of the measurement of acknowledgements
	Seconds int     // that it takes
	Tags    string  // kind of them, of the measurement of growth
	Dir     string
	Profile string // where children leave profiles of their processor time
}

// job is one measurement of one engine, as a child gets it.
type job struct {
	Name   string
	Engine string
	Late   bool
	sizes
}

// result is what a child found, by name.
type result map[string]float64

func main() {
	var s sizes
	flag.IntVar(&s.Streams, "streams", 4000, "streams to ingest")
	flag.IntVar(&s.Samples, "samples", 2160, "samples of each stream, 10 s apart")
	flag.IntVar(&s.Many, "many", 200_000, "streams of the catalogue")
	flag.Float64Var(&s.Reopen, "reopen", 4, "millions of samples before a kill")
	flag.IntVar(&s.Week, "week", 40, "streams of 8 days at 10 s")
	flag.IntVar(&s.Rate, "rate", 500_000, "samples a second while acknowledgements are timed")
	flag.IntVar(&s.Seconds, "seconds", 6, "for which they are")
	flag.StringVar(&s.Dir, "dir", "", "where to work; a temporary directory")
	flag.StringVar(&s.Profile, "profile", "", "directory for profiles of each measurement's processor time")
	growth := flag.Bool("growth", false, "measure Tidemark at growing sizes instead")
	limit := flag.Bool("limit", false, "print what a sample and a point must cost on this machine at least instead")
	alone := flag.Bool("alone", false, "measure Tidemark only")
	only := flag.String("only", "", "names of measurements, separated by commas")
	child := flag.String("child", "", "for internal use")
	flag.Parse()
	if err := run(s, *only, *child, *alone, *growth, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

func run(s sizes, only, child string, alone, growth, limit bool) error {
	if child != "" {
		var j job
		if err := json.Unmarshal([]byte(child), &j); err != nil {
			return err
		}
		r, err := j.profiled()
		if err != nil {
			return fmt.Errorf("%s of %s: %w", j.Name, j.Engine, err)
		}
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	if s.Dir == "" {
		dir, err := os.MkdirTemp("", "tidemark-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.Dir = dir
	}
	p := &parent{sizes: s, alone: alone}
	if growth {
		return p.growth()
	}
	if limit {
		return p.limit()
	}
	if only != "" {
		p.only = strings.Split(only, ",")
	}
	return p.run()
}
