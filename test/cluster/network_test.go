package cluster_test

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// between stands between the nodes and a part, and can make its answers slow.
type between struct {
	c     *cluster
	part  string // what it is called among the ports
	delay atomic.Int64
}

// standBetween returns one whose port the nodes get in an environment variable.
func standBetween(t *testing.T, c *cluster, part, variable string) *between {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, port)
	b := &between{c: c, part: part}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go b.serve(conn)
		}
	}()
	return b
}

// serve connects a node with the part, whose port is known once it is started.
func (b *between) serve(conn net.Conn) {
	defer conn.Close()
	port, err := b.c.port(b.part)
	if err != nil {
		return
	}
	part, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return
	}
	defer part.Close()
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		b.pass(to, from)
		done <- struct{}{}
	}
	go pass(part, conn)
	go pass(conn, part)
	<-done // one end is gone: so is the other
}

// pass copies what comes, each piece so much later.
func (b *between) pass(to, from net.Conn) {
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		time.Sleep(time.Duration(b.delay.Load()))
		if _, failed := to.Write(piece[:n]); failed != nil || err != nil {
			return
		}
	}
}

// slow is a fault: for a while each piece of a question and of an answer takes
// so much longer.
func (b *between) slow(delay time.Duration) fault {
	return fault{
		what:  b.part + " was slow by " + delay.String() + " each way",
		begin: func() { b.c.t.Logf("slow %s", b.part); b.delay.Store(int64(delay)) },
		end:   func() { b.delay.Store(0) },
		lasts: 5 * time.Second,
	}
}

// TestSlowAnswers has ClickHouse and PostgreSQL answer late.
func TestSlowAnswers(t *testing.T) {
	c := newCluster(t)
	clickhouse := standBetween(t, c, "ch1", "TIDEMARK_TEST_CLICKHOUSE_PORT")
	postgres := standBetween(t, c, "pg", "TIDEMARK_TEST_POSTGRES_PORT")
	a := newAlarm(t, c)
	a.spoil(t, []fault{clickhouse.slow(300 * time.Millisecond), postgres.slow(100 * time.Millisecond), clickhouse.slow(2 * time.Second), postgres.slow(time.Second)})
}

// TestNetworkCut has parts lose the network: what is sent to them and by them
// vanishes, without a word to either end. It needs a network of its own, in
// which it may set up a firewall: see scripts/test-cluster.sh.
func TestNetworkCut(t *testing.T) {
	c := newCluster(t)
	if os.Getenv("TIDEMARK_TEST_NETWORK") == "" {
		t.Skip("needs a network namespace of its own: scripts/test-cluster.sh gives it one where it may")
	}
	a := newAlarm(t, c)
	holder := c.anyHolder()
	a.spoil(t, []fault{c.cut("clickhouse1", "ch1"), c.cut("postgres", "pg"), c.cut("balancer", "lb"), c.cut(holder, holder)})
}

// groups are how the numbers of the groups begin that parts have: see
// scripts/cluster.sh.
var groups = map[string]string{"node": "4000", "clickhouse": "4001"}

// cut is a fault: a part without a network, which listens on some ports.
func (c *cluster) cut(name string, portNames ...string) fault {
	c.t.Helper()
	var rules [][]string
	for _, portName := range portNames {
		port, err := c.port(portName)
		if err != nil {
			c.t.Fatal(err)
		}
		rules = append(rules, []string{"INPUT", "-p", "tcp", "--dport", port}, []string{"INPUT", "-p", "tcp", "--sport", port})
	}
	for kind, group := range groups { // also what it asks others
		if number, ok := strings.CutPrefix(name, kind); ok {
			rules = append(rules, []string{"OUTPUT", "-m", "owner", "--gid-owner", group + number})
		}
	}
	drop := func(action string) func() {
		return func() {
			c.t.Logf("network of %s: iptables %s", name, action)
			for _, rule := range rules {
				args := append([]string{"-w", action}, append(rule, "-j", "DROP")...)
				if out, err := exec.Command("iptables", args...).CombinedOutput(); err != nil {
					c.t.Errorf("iptables %v: %v\n%s", args, err, out)
				}
			}
		}
	}
	return fault{name + " was cut off", drop("-A"), drop("-D"), 8 * time.Second}
}
