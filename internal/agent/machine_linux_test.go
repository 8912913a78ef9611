package agent

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// TestDevices: whole disks are told from their parts, and what containers
// bring from what the machine has.
func TestDevices(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"sda": true, "sda1": false, "vda": true, "xvda": true, "xvda1": false, "nvme0n1": true, "nvme0n1p2": false, "mmcblk0": true, "mmcblk0p1": false,
		"dm-0": true, "md127": true, "loop0": false, "ram0": false, "zram0": false, "sr0": false, "fd0": false,
	} {
		if isDisk(name) != want {
			t.Errorf("%s is a disk: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{
		"lo": true, "veth1234": true, "docker0": true, "br-12ab": true, "cni0": true, "eth0": false, "enp3s0": false, "wlan0": false, "bond0": false, "lo1": false,
	} {
		if isVirtual(name) != want {
			t.Errorf("%s is virtual: %v", name, want)
		}
	}
	for mount, want := range map[string]bool{
		"/etc/hosts": true, "/var/lib/docker/overlay2/x": true, "/run/user/1000": true, "/snap/core/1": true, "/": false, "/srv": false, "/etc": false, "/runner": false,
	} {
		if inContainer(mount) != want {
			t.Errorf("%s is of a container: %v", mount, !want)
		}
	}
	if got := unescapeMount(`/mnt/my\040disk\134x\011y`); got != "/mnt/my disk\\x\ty" {
		t.Errorf("%q", got)
	}
}

// TestFilesystems: each device is measured once, where it is mounted first, and
// the root whatever it is on; what is no disk or is gone is not.
func TestFilesystems(t *testing.T) {
	t.Parallel()
	cfg := Defaults()
	cfg.proc = t.TempDir()
	mounted := t.TempDir()
	write(t, cfg.proc, map[string]string{"self/mounts": strings.Join([]string{
		"overlay / overlay rw 0 0",
		"/dev/sda1 " + mounted + " ext4 rw 0 0",
		"/dev/sda1 " + mounted + "/again ext4 rw 0 0",
		"/dev/sdb1 /does/not/exist ext4 rw 0 0",
		"/dev/sdc1 /var/lib/docker/volumes ext4 rw 0 0",
		"tmpfs " + mounted + "/tmp tmpfs rw 0 0",
		"server:/export " + mounted + "/nfs nfs4 rw 0 0",
		"/dev/fuse " + mounted + "/fuse fuse.sshfs rw 0 0",
		"tank " + mounted + " zfs rw 0 0",
		"short line",
	}, "\n")})
	h, b := newHost(cfg), newBody(nil, cfg.Every)
	if err := h.filesystems(b); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for _, m := range unpack(t, b.take()) {
		if m.Name == "host.disk.percent" && (m.Value < 0 || m.Value > 100) {
			t.Errorf("%v %% of %s", m.Value, m.Tags["mount"])
		}
		if m.Name == "host.disk.used" {
			seen[m.Tags["mount"]]++
		}
	}
	if d := cmp.Diff(map[string]int{"/": 1, tidemark.MakeTags(map[string]string{"mount": mounted})[0].Value: 2}, seen); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestUnreadableMachine: what cannot be read is left out and said, and the rest
// is measured all the same.
func TestUnreadableMachine(t *testing.T) {
	t.Parallel()
	cfg := Defaults()
	cfg.proc, cfg.etc = t.TempDir(), t.TempDir()
	write(t, cfg.proc, map[string]string{"meminfo": "MemTotal: 1000 kB\nMemAvailable: 250 kB\nSwapTotal: 0 kB\nOdd\n", "loadavg": "0.1\n", "uptime": "\n", "net/dev": "nothing\n"})
	write(t, cfg.etc, map[string]string{"os-release": "NAME='Alpine'\n"})
	h, b := newHost(cfg), newBody(nil, cfg.Every)
	err := h.collect(time.Unix(1000, 0), b)
	for _, part := range []string{"stat: no such file", "loadavg: has fewer fields than expected", "self/mounts: no such file"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("nothing about %q in %v", part, err)
		}
	}
	got := values(unpack(t, b.take()))
	want := map[string]float64{
		"host.memory.percent ": 75, "host.memory.used ": 768000, "host.memory.available ": 256000, "host.memory.total ": 1024000, "host.processes ": 0,
	}
	if d := cmp.Diff(want, got); d != "" || h.system != "Alpine" {
		t.Errorf("%s (-want +got):\n%s", h.system, d)
	}
	cfg.HostOff = true
	if err := newHost(cfg).collect(time.Unix(1000, 0), b); err != nil || len(b.take()) > 0 {
		t.Errorf("switched off: %v", err)
	}
}

// TestCountersThatGoBack: a counter that starts again, as that of a process or
// an interface may, is no rate of a whole machine's life.
func TestCountersThatGoBack(t *testing.T) {
	t.Parallel()
	before := cpuTimes{user: 100, system: 50, idle: 800, iowait: 50, total: 1000}
	if got := (cpuTimes{user: 150, system: 60, idle: 850, iowait: 40, total: 1100}).since(before); got != (cpuTimes{user: 50, system: 10, idle: 50, total: 100}) {
		t.Errorf("%+v", got)
	}
	cfg := Defaults()
	cfg.proc, cfg.Processes = t.TempDir(), []string{"nginx", "NGINX", "none"}
	stat := func(ticks, start int) string {
		return fmt.Sprintf("7 (nginx) S 1 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 2 0 %d 1000 5 0\n", ticks, start)
	}
	h := newHost(cfg)
	percent := func(text string) float64 {
		t.Helper()
		write(t, cfg.proc, map[string]string{"7/stat": text, "8/stat": "8 (cut", "9/stat": "9 (few) S 1", "x/stat": "no process"})
		b := newBody(nil, cfg.Every)
		h.elapsed = 10
		if err := h.processes(b); err != nil {
			t.Fatal(err)
		}
		got := values(unpack(t, b.take()))
		if got["host.processes "] != 3 || got["process.count process=nginx"] != 1 || got["process.count process=NGINX"]+got["process.count process=nginx"] < 1 || got["process.count process=none"] != 0 {
			t.Errorf("%v", got)
		}
		return got["process.cpu.percent process=nginx"]
	}
	for i, c := range []struct {
		text string
		want float64
	}{{stat(500, 1), 0}, {stat(700, 1), 20}, {stat(900, 2), 0}, {stat(100, 2), 0}, {stat(200, 2), 10}} {
		if got := percent(c.text); got != c.want {
			t.Errorf("round %d: %v %%, want %v", i, got, c.want)
		}
	}
}

// TestContainersThatFail: one container that cannot be asked costs only itself,
// and a socket that is not there nothing but a warning.
func TestContainersThatFail(t *testing.T) {
	t.Parallel()
	var cpu atomic.Int64
	socket := onSocket(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/containers/json":
			fmt.Fprint(w, `[{"Id":"gone","State":"running"},{"Id":"0123456789abcdef","Image":"shop","State":"running"}]`)
		case strings.Contains(r.URL.Path, "gone"):
			http.Error(w, "no such container", http.StatusNotFound)
		default:
			fmt.Fprintf(w, `{"cpu_stats":{"cpu_usage":{"total_usage":%d}},"memory_stats":{"usage":300}}`, cpu.Add(-1))
		}
	})
	a := testAgent(t, "http://127.0.0.1:1")
	ask := a.containers("unix://" + socket)
	for range 2 { // the second time it has used less: it was started again
		ask(t.Context(), time.Now())
	}
	got := a.taken(t)
	want := map[string]float64{
		"container.running host=web-01": 2, "container.stopped host=web-01": 0, "container.memory.used container=0123456789ab,host=web-01,image=shop": 300,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	a.containers(filepath.Join(t.TempDir(), "none"))(t.Context(), time.Now())
	if got := a.taken(t); len(got) != 0 || a.warned["containers"].IsZero() {
		t.Errorf("without a socket: %v", got)
	}
}

// TestSystemdThatFails: without systemd nothing is said of units but a warning.
func TestSystemdThatFails(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	a.cfg.systemctl = filepath.Join(t.TempDir(), "none")
	a.cfg.Units = []string{"nginx"}
	a.units(t.Context(), time.Now())
	if got := a.taken(t); len(got) != 0 || a.warned["units"].IsZero() {
		t.Errorf("%v, warned %v", got, a.warned)
	}
	for pattern, want := range map[string]string{"nginx": "nginx.service", "backup-*.timer": "backup-db.timer", "ssh.socket": "ssh.socket", "*": "x.mount"} {
		if !watches([]string{pattern}, want) || watches([]string{pattern}, "other.slice") != (pattern == "*") {
			t.Errorf("%s and %s", pattern, want)
		}
	}
}

// TestTagsOfEndpoints: tags of an endpoint may be of any alphabet, as those of
// the agent, and give way to what the endpoint says itself.
func TestTagsOfEndpoints(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a{zone=\"own\"} 5\nb 6\n") }))
	defer server.Close()
	a := testAgent(t, "http://127.0.0.1:1")
	a.scraper(Scrape{URL: server.URL, Timeout: time.Minute, Tags: map[string]string{"größe": "a,b", "zone": "set"}})(t.Context(), time.Now())
	got := a.taken(t)
	for key, want := range map[string]float64{"a gr_xf6__xdf_e=a_x2c_b,host=web-01,zone=own": 5, "b gr_xf6__xdf_e=a_x2c_b,host=web-01,zone=set": 6} {
		if got[key] != want {
			t.Errorf("%s is %v in %v", key, got[key], got)
		}
	}
}

// TestCannotStart: an agent whose spool cannot be opened, or whose port is
// taken, says so and does not run.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	file := writeText(t, "spool", "a file")
	c := Command{Server: "https://a.example.org", Token: "x", Host: "a", Spool: filepath.Join(file, "below")}
	if err := c.Do(t.Context(), os.Stdout, os.Stderr); err == nil || !strings.HasPrefix(err.Error(), "spool: ") {
		t.Errorf("a spool below a file: %v", err)
	}
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	a := testAgent(t, "http://127.0.0.1:1")
	a.cfg.Statsd = taken.LocalAddr().String()
	if err := a.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "statsd: ") {
		t.Errorf("a port that is taken: %v", err)
	}
}
