package checks

import (
	"context"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// stuck is a way out on which only one target answers.
type stuck struct {
	*outbound.Client
	good string
}

func (s stuck) DialContext(ctx context.Context, _, addr string) (net.Conn, error) {
	if addr == s.good {
		here, there := net.Pipe()
		return here, there.Close()
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestChecksAreShared: while an organization has more checks that nobody
// answers than can run at once, those of others run, its heartbeats are
// looked at, and the round ends, so that the lease is kept.
func TestChecksAreShared(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Way = stuck{good: "example.org:80"}
	add := func(name, kind, target string) int64 {
		c := tidemark.NewCheck()
		c.Name, c.Kind, c.Target = name, kind, target
		hash := ""
		if kind == tidemark.CheckHeartbeat {
			hash = name
		}
		s.create(t, c, hash)
		return c.ID
	}
	for i := range 3 * atOnce {
		add(fmt.Sprintf("slow %d", i), tidemark.CheckTCP, "192.0.2.1:80")
	}
	beat := add("backup", tidemark.CheckHeartbeat, "")
	slow := s.org
	other, err := s.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "other")
	if err != nil {
		t.Fatal(err)
	}
	s.org = other.ID
	good := add("good", tidemark.CheckTCP, "example.org:80")
	s.at = s.at.Add(time.Hour) // the heartbeat is missed

	ctx, cancel := context.WithCancel(t.Context())
	defer s.Wait()
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.Round(ctx) }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(15 * time.Second):
		t.Fatal("the round waits for what does not answer")
	}
	for _, c := range []struct {
		org  tidemark.OrgID
		id   int64
		said string
	}{{other.ID, good, "it accepts connections"}, {slow, beat, "no call in time"}} {
		for try := 0; ; try++ {
			got, err := s.Store.Check(t.Context(), c.org, c.id)
			if err == nil && got.Said == c.said {
				break
			}
			if try == 1500 {
				t.Fatalf("check %d: %+v, %v", c.id, got, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// TestGoneWhileWaiting: a check that was deleted, or whose lease another
// server took, before there was a slot for it does not run.
func TestGoneWhileWaiting(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	way := &counting{}
	s.Way = way
	s.busy[7] = true
	s.runKnown(t.Context(), 7)
	if way.asked.Load() != 0 || s.busy[7] {
		t.Errorf("%d probes, busy %v", way.asked.Load(), s.busy)
	}
}

// TestSlots: one organization alone has half of the slots, each has two
// whatever the others do, and all of it runs in the end.
func TestSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newSlots(func(work func()) { go work() })
		end := make(chan struct{})
		run := func(org tidemark.OrgID, n int) {
			for range n {
				p.do(org, func() { <-end })
			}
		}
		run(1, 100)
		synctest.Wait()
		if p.total != mostOfOne {
			t.Errorf("one alone has %d", p.total)
		}
		run(2, 100)
		for org := tidemark.OrgID(3); org < 8; org++ {
			run(org, 100)
			if p.running[org] != leastOfOne {
				t.Errorf("%d has %d", org, p.running[org])
			}
		}
		close(end)
		synctest.Wait()
		if p.total != 0 || len(p.waiting) != 0 || len(p.running) != 0 || len(p.turns) != 0 {
			t.Errorf("left: %d, %v, %v, %v", p.total, p.waiting, p.running, p.turns)
		}
	})
}
