package agent

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sentMeasurement is a measurement as a server would read it.
type sentMeasurement struct {
	Name         string
	Time         int64
	Value        float64
	Tags         map[string]string
	Distribution [][2]float64
	Attributes   map[string]string
}

// unpack reads requests as a server would.
func unpack(t *testing.T, parts []part) (all []sentMeasurement) {
	t.Helper()
	for _, p := range parts {
		z, err := gzip.NewReader(bytes.NewReader(p.data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Measurements []sentMeasurement }
		if err := json.Unmarshal(text, &body); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if len(body.Measurements) != p.count {
			t.Errorf("%d measurements, %d said", len(body.Measurements), p.count)
		}
		all = append(all, body.Measurements...)
	}
	return all
}

// machine is what /proc has of a machine at two times.
var machine = [2]map[string]string{{
	"stat":        "cpu  1000 0 500 8000 500 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\nprocs_running 3\nprocs_blocked 1\n",
	"loadavg":     "0.50 0.75 1.00 2/345 6789\n",
	"meminfo":     "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 250 kB\nSwapTotal: 100 kB\nSwapFree: 75 kB\n",
	"uptime":      "12345.67 1.0\n",
	"self/mounts": "proc /proc proc rw 0 0\n",
	"diskstats":   "   8 0 sda 10 0 100 0 20 0 200 0 0 1000 0\n   8 1 sda1 10 0 100 0 20 0 200 0 0 1000 0\n",
	"net/dev":     "Inter-| Receive\n face |bytes\n  lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n  eth0: 1000 10 0 0 0 0 0 0 2000 20 0 0 0 0 0 0\n",
	"42/stat":     "42 (ngi nx) S 1 42 42 0 -1 4194560 1 0 0 0 100 50 0 0 20 0 4 0 777 1000 5 0\n",
}, {
	"stat":      "cpu  1600 0 700 8100 600 0 0 0 0 0\nprocs_running 3\nprocs_blocked 1\n",
	"diskstats": "   8 0 sda 20 0 300 0 40 0 600 0 0 1500 0\n",
	"net/dev":   "  eth0: 6000 20 1 0 0 0 0 0 12000 40 0 0 0 0 0 0\n",
	"42/stat":   "42 (ngi nx) S 1 42 42 0 -1 4194560 1 0 0 0 150 50 0 0 20 0 4 0 777 1000 5 0\n",
}}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	cfg := Defaults()
	cfg.proc, cfg.etc, cfg.Host, cfg.Processes = t.TempDir(), t.TempDir(), "web-01", []string{"ngi*"}
	write(t, cfg.etc, map[string]string{"os-release": "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"})
	h, b := newHost(cfg), newBody(cfg.baseTags(), cfg.Every)
	write(t, cfg.proc, machine[0])
	if err := h.collect(time.Unix(1000, 0), newBody(nil, cfg.Every)); err != nil {
		t.Fatal(err)
	}
	write(t, cfg.proc, machine[1])
	h.before = time.Now().Add(-5 * time.Second)
	if err := h.collect(time.Unix(1010, 0), b); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, m := range unpack(t, b.take()) {
		if m.Tags["host"] != "web-01" || m.Time != 1010 {
			t.Errorf("%+v", m)
		}
		if m.Name == "host.uptime" && m.Tags["os"] != "Debian GNU/Linux 12" || m.Name == "host.cpu.percent" && m.Attributes["display_units_short"] != "%" {
			t.Errorf("%+v", m)
		}
		// Rates are of some 5 seconds.
		if v := m.Value; strings.Contains(m.Name, "network") || strings.HasPrefix(m.Name, "host.disk") || m.Name == "process.cpu.percent" {
			got[m.Name] = float64(int(v/10+0.5)) * 10
		} else {
			got[m.Name] = v
		}
	}
	want := map[string]float64{
		"host.cpu.percent": 80, "host.cpu.user": 60, "host.cpu.system": 20, "host.cpu.iowait": 10, "host.cpu.steal": 0,
		"host.load.1": 0.5, "host.load.5": 0.75, "host.load.15": 1, "host.threads": 345, "host.uptime": 12345.67,
		"host.memory.percent": 75, "host.memory.used": 768000, "host.memory.available": 256000, "host.memory.total": 1024000,
		"host.swap.percent": 25, "host.swap.used": 25600, "host.processes": 1, "host.processes.running": 3, "host.processes.blocked": 1,
		"host.disk.read": 20480, "host.disk.written": 40960, "host.disk.operations": 10, "host.disk.busy": 10,
		"host.network.in": 1000, "host.network.out": 2000, "host.network.packets.in": 0, "host.network.packets.out": 0, "host.network.errors": 0,
		"process.count": 1, "process.threads": 4, "process.memory": 5 * pageSize, "process.cpu.percent": 10,
	}
	near := func(a, b float64) bool { return a == b || b > 500 && a > b*0.9 && a < b*1.01 }
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return near(a, b) || near(b, a) })); d != "" {
		t.Error(d)
	}
}

// TestNothingToRead: what cannot be read is said, and costs only itself.
func TestNothingToRead(t *testing.T) {
	t.Parallel()
	cfg := Defaults()
	cfg.proc = t.TempDir()
	write(t, cfg.proc, map[string]string{"loadavg": "1 2 3 4/5 6"})
	b := newBody(nil, cfg.Every)
	if err := newHost(cfg).collect(time.Now(), b); err == nil || !strings.Contains(err.Error(), "meminfo") {
		t.Errorf("error %v", err)
	}
	if n := len(unpack(t, b.take())); n != 5 { // three loads, threads and processes
		t.Errorf("%d measurements", n)
	}
}

func TestDisks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"sda": true, "sda1": false, "nvme0n1": true, "nvme0n1p2": false, "vdb": true, "dm-0": true, "md127": true, "loop3": false, "mmcblk0": true, "mmcblk0p1": false} {
		if isDisk(name) != want {
			t.Errorf("isDisk(%s) is %v", name, !want)
		}
	}
}

// BenchmarkRound is what one round costs, on the machine as it is; a core has
// 10 s for it. 0.3 % of a core are 30 ms.
func BenchmarkRound(b *testing.B) {
	cfg := Defaults()
	cfg.Spool.Dir = b.TempDir()
	sp, err := openSpool(cfg.Spool.Dir, 1<<20)
	if err != nil {
		b.Fatal(err)
	}
	defer sp.close()
	h, body := newHost(cfg), newBody(cfg.baseTags(), cfg.Every)
	b.ReportAllocs()
	for b.Loop() {
		if err := h.collect(time.Now(), body); err != nil {
			b.Fatal(err)
		}
		for _, p := range body.take() {
			if err := sp.add(p); err != nil {
				b.Fatal(err)
			}
		}
	}
}
