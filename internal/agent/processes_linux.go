package agent

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
)

// Ticks of a processor in a second, as every Linux has them in /proc, and the
// size of a page.
const userHertz = 100

var pageSize = float64(os.Getpagesize())

// processTotals are what the processes of one name use together.
type processTotals struct {
	count, threads, memory float64
	ticks                  uint64 // since the last round
}

// processes counts all processes, and adds what those with the given names
// use. Others are not even opened.
func (h *host) processes(b *body) error {
	d, err := os.Open(h.cfg.proc)
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	_ = d.Close()
	if err != nil {
		return err
	}
	all, sums, ticks := 0, make(map[string]*processTotals), make(map[string]uint64)
	for _, pattern := range h.cfg.Processes {
		sums[pattern] = &processTotals{}
	}
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if all++; len(sums) > 0 {
			h.process(name, sums, ticks)
		}
	}
	h.ticks = ticks
	b.value("host.processes", unitNone, float64(all))
	for _, pattern := range h.cfg.Processes {
		s := sums[pattern]
		b.value("process.count", unitNone, s.count, "process", pattern)
		b.value("process.threads", unitNone, s.threads, "process", pattern)
		b.value("process.memory", unitBytes, s.memory, "process", pattern)
		if h.elapsed > 0 {
			b.value("process.cpu.percent", unitPercent, 100*float64(s.ticks)/userHertz/h.elapsed, "process", pattern)
		}
	}
	return nil
}

// process adds one process to the sums of its name. One that ended meanwhile
// is none.
func (h *host) process(pid string, sums map[string]*processTotals, ticks map[string]uint64) {
	text, err := h.file(pid + "/stat")
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if err != nil || open < 0 || end < open {
		return
	}
	name := string(text[open+1 : end])
	f := bytes.Fields(text[end+1:]) // from the state on, which is field 3
	if len(f) < 22 {
		return
	}
	key := pid + "/" + string(f[19]) // numbers of processes are used again
	used := number(f[11]) + number(f[12])
	for pattern, s := range sums {
		if ok, _ := path.Match(pattern, name); !ok && !strings.EqualFold(pattern, name) {
			continue
		}
		before, known := h.ticks[key]
		if ticks[key] = used; known {
			s.ticks += more(used, before)
		}
		s.count++
		s.threads += float(f[17])
		pages, _ := strconv.ParseFloat(string(f[21]), 64)
		s.memory += pages * pageSize
	}
}
