package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// TestDiskSpace: below the floor measurements are refused with the reason, a
// little above it they are taken again, and the reserve is given up only when
// the disk is full.
func TestDiskSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	free := int64(10 * giga)
	d := newSpaceGuard(dir, 0, slog.New(slog.DiscardHandler), new(atomic.Int64))
	d.stat = func(string) (int64, int64, error) { return free, 100 * giga, nil }
	reserve := func() bool {
		info, err := os.Stat(filepath.Join(dir, reserveFile))
		return err == nil && info.Size() == reserveBytes
	}
	for _, step := range []struct {
		free             int64
		refused, reserve bool
	}{
		{10 * giga, false, true}, {4 * giga, true, true}, {5*giga + 1, true, true}, {6 * giga, false, true},
		{1 * mega, true, false}, {4 * giga, true, false}, {10 * giga, false, true},
	} {
		free = step.free
		d.look()
		err := d.Refusing()
		if (err != nil) != step.refused || reserve() != step.reserve {
			t.Errorf("%d MiB free: %v, reserve %v; want %+v", step.free/mega, err, reserve(), step)
		}
		if err != nil && (tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(err.Error(), "storage.free_floor of 5120 MiB")) {
			t.Errorf("%v", err)
		}
	}
	for size, want := range map[int64]int64{48 * mega: 12 * mega, 10 * giga: giga, 1000 * giga: 50 * giga} {
		if got := d.floorOf(size); got != want {
			t.Errorf("floor of %d MiB is %d MiB, want %d", size/mega, got/mega, want/mega)
		}
	}
}

// TestDiskAsDf: the percentage in use is that of df.
func TestDiskAsDf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// used and available, in blocks of a byte, which df divides the same way
	out, err := exec.Command("df", "--block-size=1", "--output=used,avail", dir).Output()
	if err != nil {
		t.Skip("there is no df of GNU:", err)
	}
	fields := strings.Fields(string(out))
	var used, available float64
	if _, err := fmt.Sscan(strings.Join(fields[len(fields)-2:], " "), &used, &available); err != nil {
		t.Fatal(err)
	}
	free, size, err := system.Disk(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Others write to the disk meanwhile: a tenth of a percent is no reserved block.
	if got, want := 1-float64(free)/float64(size), used/(used+available); math.Abs(got-want) > 0.001 {
		t.Errorf("%.4f in use, df says %.4f", got, want)
	}
}

// TestSmallDisk fills a real disk: the server stops taking measurements before
// it is full, and takes them again once there is room, without a restart.
func TestSmallDisk(t *testing.T) {
	dir := smallDisk(t, "64m")
	d := newSpaceGuard(dir, 0, slog.New(slog.DiscardHandler), new(atomic.Int64))
	d.look()
	if err := d.Refusing(); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 40*mega), 0o600); err != nil {
		t.Fatal(err)
	}
	d.look()
	if d.Refusing() == nil {
		t.Error("nothing is refused with the disk nearly full")
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	d.look()
	if err := d.Refusing(); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// smallDisk is a disk of a size that is t's alone.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a disk of its own cannot be made here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.CommandContext(context.Background(), "umount", "-l", dir).Run() })
	return dir
}

// fillUp writes a file until the disk is full, and returns its name.
func fillUp(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 64<<10))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// statusOf asks as the bootstrap token.
func statusOf(t *testing.T, s *server, method, path, body string) int {
	t.Helper()
	status, _ := answerOf(t, s, method, path, body)
	return status
}

// answerOf is statusOf with the answer.
func answerOf(t *testing.T, s *server, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(bootstrap, "")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

type helping struct {
	method, path, body string
	want               int
}

// helpOnFullDisk is what people do to help, and what is refused meanwhile.
func helpOnFullDisk(token int) []helping {
	return []helping{
		{"PUT", "/v1/metrics/a", `{"description":"still"}`, http.StatusNoContent},
		{"DELETE", "/v1/annotations/deploys", "", http.StatusNoContent},
		{"PUT", fmt.Sprintf("/v1/api_tokens/%d", token), `{"active":false}`, http.StatusOK},
		{"POST", "/v1/annotations/deploys", `{"title":"more"}`, http.StatusServiceUnavailable},
	}
}

// withoutReserve fills the disk of a server while it runs: people are told what
// is wrong once the database has used up what it has left.
func withoutReserve(t *testing.T, s *server, dir string) {
	t.Helper()
	more := fillUp(t, dir, "more")
	status, text := http.StatusCreated, ""
	for i := 0; i < 2000 && status == http.StatusCreated; i++ {
		status, text = answerOf(t, s, "POST", "/v1/spaces", fmt.Sprintf(`{"name":"space %d"}`, i))
	}
	if want := `{"errors":{"system":["the disk of the database is full"]}}`; status != http.StatusServiceUnavailable || strings.TrimSpace(text) != want {
		t.Errorf("a space on a full disk: %d %s", status, text)
	}
	stillReady(t, s, "measurements and annotations cannot be stored at present: the disk has ")
	if err := os.Remove(more); err != nil {
		t.Fatal(err)
	}
}

// TestFullDisk runs a server on a disk that others fill: measurements are
// refused with the reason, the control store goes on, the server stops and
// starts again on the full disk, and is well once there is room. Started
// where not even the reserve is left, it says what is wrong.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "96m")
	cfg := settings(t, map[string]string{"data": filepath.Join(dir, "data"), "bootstrap_token": bootstrap})
	ask := func(s *server, method, path, body string) int { return statusOf(t, s, method, path, body) }
	record := func(s *server) int {
		return ask(s, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`)
	}
	until := func(s *server, want int) {
		t.Helper()
		for range 600 {
			if record(s) == want {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("measurements are not answered with %d", want)
	}
	reserved := func() bool {
		_, err := os.Stat(filepath.Join(cfg.Data, reserveFile))
		return err == nil
	}
	s := start(t, cfg)
	until(s, http.StatusAccepted)
	const agent = 2 // the first is the bootstrap token
	for path, body := range map[string]string{"/v1/annotations/deploys": `{"title":"one"}`, "/v1/api_tokens": `{"name":"agent","role":"recorder"}`} {
		if got := ask(s, "POST", path, body); got != http.StatusCreated {
			t.Fatalf("%s: %d", path, got)
		}
	}
	for i := 0; i < 600 && !reserved(); i++ {
		time.Sleep(50 * time.Millisecond)
	}
	s.end(t)
	filler := fillUp(t, dir, "filler")
	s = start(t, cfg) // which gives the reserve up
	until(s, http.StatusServiceUnavailable)
	stillReady(t, s, "measurements and annotations cannot be stored at present: the disk has ")
	if _, text := read(t, s.URL+"/metrics"); !strings.Contains(text, "tidemark_storage_refusing 1\n") || !strings.Contains(text, "tidemark_storage_refusals_total 1\n") {
		t.Errorf("on a full disk /metrics has %s", text)
	}
	for _, help := range helpOnFullDisk(agent) {
		if got := ask(s, help.method, help.path, help.body); got != help.want {
			t.Errorf("%s %s on a full disk: %d, want %d", help.method, help.path, got, help.want)
		}
	}
	withoutReserve(t, s, dir)
	// With room again everything goes on without a restart.
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	until(s, http.StatusAccepted)
	if _, text := read(t, s.URL+"/metrics"); !strings.Contains(text, "tidemark_storage_refusing 0\n") {
		t.Error("/metrics says that measurements are refused, with room again")
	}
	s.end(t)
	_ = os.Remove(filepath.Join(cfg.Data, reserveFile)) // it may have been made again
	filler = fillUp(t, dir, "filler")
	more := fillUp(t, dir, "more")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, cfg, slog.New(slog.DiscardHandler), func(Started) { cancel() })
	if err == nil || !strings.Contains(err.Error(), "is full (0 MiB free); make room and start again") {
		t.Errorf("started without any room: %v", err)
	}
	for _, path := range []string{filler, more} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	s = start(t, cfg)
	until(s, http.StatusAccepted)
	s.end(t)
}
