package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

var engines = []string{"tidemark", "prometheus"}

// parent runs the children and prints what they found.
type parent struct {
	sizes
	only  []string
	alone bool // without the peer
	rows  []row
}

// row is one line of the table. A goal of 0 is none.
type row struct {
	what       string
	ours, peer float64
	goal       float64
	atLeast    bool // the goal is a least, not a most
}

func (p *parent) wants(name string) bool { return len(p.only) == 0 || slices.Contains(p.only, name) }

func (p *parent) run() error {
	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"ingest", p.ingest}, {"speed", p.speed}, {"acks", p.acks}, {"month", p.month},
		{"week", p.week}, {"reopen", p.reopen}, {"many", p.many},
	} {
		if !p.wants(part.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		if err := part.do(); err != nil {
			return err
		}
	}
	p.print()
	return nil
}

// child runs one measurement of one engine in a process of its own.
func (p *parent) child(name, engine string, late bool, env ...string) (result, error) {
	if p.alone && engine != engines[0] {
		return result{}, nil
	}
	cmd, err := p.command(name, engine, late)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w: %s", name, engine, err, stderr(err))
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "  %s %s %v\n", name, engine, short(r))
	return r, nil
}

// short rounds what is shown while measuring.
func short(r result) map[string]string {
	m := make(map[string]string)
	for k, v := range r {
		m[k] = fmt.Sprintf("%.3g", v)
	}
	return m
}

func stderr(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(bytes.TrimSpace(exit.Stderr))
	}
	return ""
}

func (p *parent) command(name, engine string, late bool) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(job{Name: name, Engine: engine, Late: late, sizes: p.sizes})
	if err != nil {
		return nil, err
	}
	return exec.Command(self, "-child", string(text)), nil
}

// both runs one measurement of both engines.
func (p *parent) both(name string, late bool) (ours, peer result, err error) {
	if ours, err = p.child(name, engines[0], late); err != nil {
		return nil, nil, err
	}
	peer, err = p.child(name, engines[1], late)
	return ours, peer, err
}

func (p *parent) add(what string, ours, peer, goal float64) {
	p.rows = append(p.rows, row{what: what, ours: ours, peer: peer, goal: goal})
}

func (p *parent) ingest() error {
	a, b, err := p.both("ingest", false)
	if err != nil {
		return err
	}
	p.add("ingest, CPU s/M: writing", a["write cpu"], b["write cpu"], 0)
	p.add("ingest, CPU s/M: with merge and hours", a["raw cpu"], b["raw cpu"], 0)
	p.add("ingest, CPU s/M: with everything", a["cpu"], b["cpu"], 0.30)
	p.add("ingest, M/s, writers at full speed", a["M/s"], b["M/s"], 0)
	p.add("ack ms at full speed: p50", a["ack p50"], b["ack p50"], 0)
	p.add("ack ms at full speed: p99", a["ack p99"], b["ack p99"], 0)
	p.add("ack ms at full speed: max", a["ack max"], b["ack max"], 0)
	p.add("bytes/sample: raw and hours", a["raw bytes"], b["raw bytes"], 1.2+0.065)
	p.add("bytes/sample: all tiers, no lag", a["tier bytes"], b["tier bytes"], 0)
	for _, q := range []struct {
		key, what string
		goal      float64
	}{{"thousand", "1000 streams, 6 h by 60 s, grouped", 10}, {"one", "one stream, 6 h by 60 s", 0.1}} {
		p.add(q.what+": ms, just written", a["hot "+q.key], b["hot "+q.key], 0)
		p.add(q.what+": ms, from raw", a["raw "+q.key], b["raw "+q.key], q.goal)
		p.add(q.what+": ms CPU, from raw", a["raw "+q.key+" cpu"], b["raw "+q.key+" cpu"], 0)
		p.add(q.what+": ms, from the tier", a["tier "+q.key], b["tier "+q.key], 0)
	}
	return p.lateAgainst(a, b)
}

// lateAgainst compares data of which a tenth is late with data in order.
func (p *parent) lateAgainst(inOrder, peerInOrder result) error {
	a, b, err := p.both("late", true)
	if err != nil {
		return err
	}
	p.add("10 % late: CPU s/M, with everything", a["cpu"], b["cpu"], 0.40)
	p.add("10 % late: bytes/sample, raw and hours", a["raw bytes"], b["raw bytes"], 0)
	for _, when := range []string{"hot", "raw"} {
		key := when + " thousand"
		what := map[string]string{"hot": "just written", "raw": "merged"}[when]
		p.add("10 % late: 1000 streams: ms, "+what, a[key], b[key], 0)
		p.add("10 % late: 1000 streams: times in order, "+what, a[key+" cpu"]/inOrder[key+" cpu"], b[key+" cpu"]/peerInOrder[key+" cpu"], 2)
	}
	return nil
}

func (p *parent) speed() error {
	var rates [2][2]float64
	for i, engine := range engines {
		for procs := range 2 {
			r, err := p.child("speed", engine, false, fmt.Sprintf("GOMAXPROCS=%d", procs+1))
			if err != nil {
				return err
			}
			rates[i][procs] = r["M/s"]
		}
	}
	p.add("M/s on one core", rates[0][0], rates[1][0], 0)
	p.add("M/s on two cores", rates[0][1], rates[1][1], 0)
	p.rows = append(p.rows, row{what: "two cores over one", ours: rates[0][1] / rates[0][0], peer: rates[1][1] / rates[1][0], goal: 1.5, atLeast: true})
	return nil
}

func (p *parent) acks() error {
	a, b, err := p.both("acks", false)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("ack ms at %d samples/s: ", p.Rate)
	p.add(at+"p50", a["p50"], b["p50"], 0)
	p.add(at+"p99", a["p99"], b["p99"], 10)
	p.add(at+"max", a["max"], b["max"], 100)
	return nil
}

func (p *parent) month() error {
	a, b, err := p.both("month", false)
	if err != nil {
		return err
	}
	p.add("100 streams, 30 d by 3600 s, grouped: ms", a["hundred"], b["hundred"], 3)
	p.add("100 streams, 30 d by 3600 s, grouped: ms CPU", a["hundred cpu"], b["hundred cpu"], 0)
	return nil
}

func (p *parent) week() error {
	a, b, err := p.both("week", false)
	if err != nil {
		return err
	}
	p.add("bytes/sample: 8 d, all tiers", a["bytes"], b["bytes"], 2.2)
	return nil
}

func (p *parent) many() error {
	a, b, err := p.both("many", false)
	if err != nil {
		return err
	}
	n := fmt.Sprintf("%d streams: ", p.Many)
	p.add(n+"bytes of memory each, idle", a["idle"], b["idle"], 100)
	p.add(n+"bytes of memory each, active", a["active"], b["active"], 400)
	p.add(n+"seconds to start", a["start"], b["start"], 2)
	return nil
}

// reopen kills a process that has just written, and opens what it left.
func (p *parent) reopen() error {
	var secs [2]float64
	for i, engine := range engines {
		if p.alone && engine != engines[0] {
			continue
		}
		if err := p.killed(engine); err != nil {
			return err
		}
		r, err := p.child("reopen", engine, false)
		if err != nil {
			return err
		}
		secs[i] = r["seconds"]
		os.RemoveAll(filepath.Join(p.Dir, "reopen-"+engine))
	}
	p.add(fmt.Sprintf("reopen after kill -9, %v M samples: s", p.Reopen), secs[0], secs[1], 1)
	r, err := p.child("worst", engines[0], false)
	if err != nil {
		return err
	}
	p.add(fmt.Sprintf("reopen with %.1f M samples in the log: s", r["millions"]), r["seconds"], 0, 1)
	return nil
}

func (p *parent) killed(engine string) error {
	cmd, err := p.command("fill", engine, false)
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	cmd.Process.Kill()
	cmd.Wait()
	if strings.TrimSpace(line) != "filled" {
		return fmt.Errorf("%s was not filled: %q, %w", engine, line, err)
	}
	return nil
}

// print prints the table.
func (p *parent) print() {
	fmt.Printf("%-58s %10s %10s %7s %8s\n", "", "Tidemark", "Prometheus", "ratio", "goal")
	for _, r := range p.rows {
		goal, verdict := "", ""
		if r.goal > 0 {
			goal, verdict = fmt.Sprintf("%.4g", r.goal), "met"
			if r.ours > r.goal != r.atLeast {
				verdict = "missed"
			}
		}
		fmt.Printf("%-58s %10.4g %10.4g %7.2f %8s %s\n", r.what, r.ours, r.peer, r.ours/r.peer, goal, verdict)
	}
}
