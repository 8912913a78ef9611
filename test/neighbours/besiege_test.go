package neighbours

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// answered counts answers by attack and status.
type answered map[string]map[int]int

// siege is what the process of the attackers is to do.
type siege struct {
	Addr string        `json:"addr"`
	Orgs []attacker    `json:"orgs"`
	Time time.Duration `json:"time"`
}

type attacker struct{ Name, Token, Email, Cookie string }

// besiege has all attackers do everything at once for a while. What it returns
// waits for their end and says what they were answered.
//
// They are a process of their own that gets what the server and the victim
// leave of the processors: real attackers bring their own.
func besiege(t *testing.T, hostile []*org, d time.Duration) func() answered {
	t.Helper()
	s := siege{Addr: hostile[0].server.addr, Time: d}
	for _, o := range hostile {
		s.Orgs = append(s.Orgs, attacker{o.name, o.token, o.email, o.cookie})
	}
	task, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAttackers$")
	cmd.Env = append(os.Environ(), "TIDEMARK_ATTACKERS="+string(task))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	giveWay(cmd.Process.Pid)
	return func() answered {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("the attackers: %v\n%s", err, &out)
		}
		var seen answered
		if err := json.NewDecoder(&out).Decode(&seen); err != nil {
			t.Fatal(err)
		}
		return seen
	}
}

// giveWay lowers the priority of a process; also among sessions, where the
// kernel shares the processors between these first. Either may be refused.
func giveWay(pid int) {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, 19)
	var group, nice int
	own, err := os.ReadFile("/proc/self/autogroup")
	if _, scanned := fmt.Sscanf(string(own), "/autogroup-%d nice %d", &group, &nice); err == nil && scanned == nil {
		_ = os.WriteFile(fmt.Sprintf("/proc/%d/autogroup", pid), fmt.Append(nil, min(nice+10, 19)), 0)
	}
}

// TestAttackers is the process that besiege starts. It ends the process before
// the test's own words mix with what it prints.
func TestAttackers(t *testing.T) {
	task := os.Getenv("TIDEMARK_ATTACKERS")
	if task == "" {
		return // TestHostileNeighbours does it
	}
	var s siege
	if err := json.Unmarshal([]byte(task), &s); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), s.Time)
	defer cancel()
	if err := json.NewEncoder(os.Stdout).Encode(s.attack(ctx)); err != nil {
		t.Fatal(err)
	}
	os.Exit(0)
}

// attack does everything at once until ctx is done.
func (s siege) attack(ctx context.Context) answered {
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := make(answered)
	note := func(a attack, code int) {
		mu.Lock()
		defer mu.Unlock()
		if seen[a.name] == nil {
			seen[a.name] = make(map[int]int)
		}
		seen[a.name][code]++
	}
	for _, h := range s.Orgs {
		o := &org{server: &server{addr: s.Addr}, name: h.Name, token: h.Token, email: h.Email, cookie: h.Cookie}
		for _, a := range attacks {
			for range a.atOnce {
				wg.Go(func() { again(ctx, a, func() { note(a, a.run(ctx, o)) }) })
			}
		}
	}
	wg.Wait()
	return seen
}

// again repeats an attack, with its pauses, until ctx is done.
func again(ctx context.Context, a attack, f func()) {
	for ctx.Err() == nil {
		f()
		select {
		case <-ctx.Done():
		case <-time.After(a.pause):
		}
	}
}
