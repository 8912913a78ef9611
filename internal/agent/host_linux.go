package agent

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// host reads what the kernel knows of the machine. It keeps what rates are
// computed from, and its buffers.
type host struct {
	cfg    Config
	buf    []byte
	system string // such as "Debian GNU/Linux 12"

	before  time.Time
	elapsed float64 // seconds since then
	cpu     cpuTimes
	disks   map[string]diskTotals
	nets    map[string]netTotals
	ticks   map[string]uint64 // of processes that are watched, by number and start
}

func newHost(cfg Config) *host {
	return &host{cfg: cfg, system: systemName(cfg.etc), disks: make(map[string]diskTotals), nets: make(map[string]netTotals), ticks: make(map[string]uint64)}
}

// systemName is what /etc/os-release calls the system.
func systemName(etc string) string {
	text, _ := os.ReadFile(filepath.Join(etc, "os-release"))
	var name, pretty string
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch value = strings.Trim(value, `"'`); key {
		case "PRETTY_NAME":
			pretty = value
		case "NAME":
			name = value
		}
	}
	if pretty, _, _ = strings.Cut(pretty, " ("); pretty != "" {
		return pretty
	}
	return name
}

// collect adds what the machine does. What cannot be read is left out.
func (h *host) collect(now time.Time, b *body) error {
	if h.cfg.HostOff {
		return nil
	}
	b.at(now)
	// Rates are of the time that passed, not of the time that should have.
	read := time.Now()
	h.elapsed, h.before = read.Sub(h.before).Seconds(), read
	return errors.Join(h.processor(b), h.load(b), h.memory(b), h.uptime(b), h.filesystems(b), h.diskIO(b), h.network(b), h.processes(b))
}

// file reads a file of /proc into the buffer, which is valid until the next.
func (h *host) file(name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(h.cfg.proc, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if h.buf == nil {
		h.buf = make([]byte, 8<<10)
	}
	n := 0
	for {
		m, err := f.Read(h.buf[n:])
		if n += m; err != nil || m == 0 {
			return h.buf[:n], nil //nolint:nilerr // the end of the file, as a rule
		}
		if n == len(h.buf) {
			h.buf = append(h.buf, make([]byte, len(h.buf))...)
		}
	}
}

// cpuTimes are ticks of the processors, of all together.
type cpuTimes struct{ user, system, idle, iowait, steal, total uint64 }

func (h *host) processor(b *body) error {
	text, err := h.file("stat")
	if err != nil {
		return err
	}
	var now cpuTimes
	var running, blocked uint64
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		switch {
		case len(f) > 8 && string(f[0]) == "cpu":
			now = parseCPU(f[1:])
		case len(f) == 2 && string(f[0]) == "procs_running":
			running = number(f[1])
		case len(f) == 2 && string(f[0]) == "procs_blocked":
			blocked = number(f[1])
		}
	}
	d := now.since(h.cpu)
	h.cpu = now
	if d.total > 0 {
		part := func(n uint64) float64 { return 100 * float64(n) / float64(d.total) }
		b.value("host.cpu.percent", unitPercent, 100-part(d.idle+d.iowait))
		b.value("host.cpu.user", unitPercent, part(d.user))
		b.value("host.cpu.system", unitPercent, part(d.system))
		b.value("host.cpu.iowait", unitPercent, part(d.iowait))
		b.value("host.cpu.steal", unitPercent, part(d.steal))
	}
	b.value("host.processes.running", unitNone, float64(running))
	b.value("host.processes.blocked", unitNone, float64(blocked))
	return nil
}

// parseCPU reads user nice system idle iowait irq softirq steal. Time of
// guests is part of that of users.
func parseCPU(f [][]byte) (t cpuTimes) {
	for _, n := range f[:8] {
		t.total += number(n)
	}
	t.user, t.system = number(f[0])+number(f[1]), number(f[2])+number(f[5])+number(f[6])
	t.idle, t.iowait, t.steal = number(f[3]), number(f[4]), number(f[7])
	return t
}

// since is what was added; the kernel may take back some of iowait.
func (t cpuTimes) since(o cpuTimes) cpuTimes {
	return cpuTimes{
		user: more(t.user, o.user), system: more(t.system, o.system), idle: more(t.idle, o.idle),
		iowait: more(t.iowait, o.iowait), steal: more(t.steal, o.steal), total: more(t.total, o.total),
	}
}

// more is a - b, or 0 where a counter went back.
func more(a, b uint64) uint64 {
	if a < b {
		return 0
	}
	return a - b
}

func number(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 10, 64)
	return n
}

func float(b []byte) float64 {
	v, _ := strconv.ParseFloat(string(b), 64)
	return v
}

func (h *host) load(b *body) error {
	text, err := h.file("loadavg")
	if err != nil {
		return err
	}
	f := bytes.Fields(text)
	if len(f) < 4 {
		return errors.New("loadavg: has fewer fields than expected")
	}
	b.value("host.load.1", unitNone, float(f[0]))
	b.value("host.load.5", unitNone, float(f[1]))
	b.value("host.load.15", unitNone, float(f[2]))
	if _, threads, ok := bytes.Cut(f[3], []byte("/")); ok {
		b.value("host.threads", unitNone, float(threads))
	}
	return nil
}

func (h *host) memory(b *body) error {
	text, err := h.file("meminfo")
	if err != nil {
		return err
	}
	var total, available, swap, swapFree float64
	for line := range bytes.Lines(text) {
		key, rest, _ := bytes.Cut(line, []byte(":"))
		var into *float64
		switch string(key) {
		case "MemTotal":
			into = &total
		case "MemAvailable":
			into = &available
		case "SwapTotal":
			into = &swap
		case "SwapFree":
			into = &swapFree
		}
		if f := bytes.Fields(rest); into != nil && len(f) > 0 {
			*into = 1024 * float(f[0])
		}
	}
	if total > 0 {
		b.value("host.memory.percent", unitPercent, 100*(total-available)/total)
		b.value("host.memory.used", unitBytes, total-available)
		b.value("host.memory.available", unitBytes, available)
		b.value("host.memory.total", unitBytes, total)
	}
	if swap > 0 {
		b.value("host.swap.percent", unitPercent, 100*(swap-swapFree)/swap)
		b.value("host.swap.used", unitBytes, swap-swapFree)
	}
	return nil
}

// uptime also says which system it is: as a tag of this one stream, so that
// an upgrade does not give every stream another name.
func (h *host) uptime(b *body) error {
	text, err := h.file("uptime")
	if err != nil {
		return err
	}
	if f := bytes.Fields(text); len(f) > 0 {
		b.value("host.uptime", unitSeconds, float(f[0]), "os", h.system)
	}
	return nil
}
