package cluster_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// patience is how long to wait for what must happen.
const patience = time.Minute

// receiver is a webhook that remembers its notifications.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	notified []string // "trigger" or "clear", with the incident
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		var p struct {
			IncidentKey string `json:"incident_key"`
			Clear       string `json:"clear"`
		}
		if err := json.Unmarshal([]byte(req.FormValue("payload")), &p); err != nil {
			t.Errorf("not a payload: %v", err)
		}
		kind := "trigger "
		if p.Clear != "" {
			kind = "clear "
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notified = append(r.notified, kind+p.IncidentKey)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.notified...)
}

// holder returns which of the nodes evaluates the alerts.
func (c *cluster) holder() string {
	c.t.Helper()
	out, err := exec.Command("../../scripts/cluster.sh", "cli", c.dir, "nodes", "--json").Output()
	if err != nil {
		c.t.Fatalf("tidemark nodes: %v\n%s", err, out)
	}
	var found tidemark.Machines
	if err := json.Unmarshal(out, &found); err != nil {
		c.t.Fatalf("tidemark nodes: %v\n%s", err, out)
	}
	for _, m := range found.Machines {
		if m.State == tidemark.MachineAnswers && slices.Contains(m.Does, "alerts") {
			return m.ID[strings.LastIndex(m.ID, "/")+1:]
		}
	}
	return ""
}

// TestAlertsMove kills, freezes and stops the node that evaluates alerts, again
// and again: another takes over, and each incident notifies once.
func TestAlertsMove(t *testing.T) {
	c := newCluster(t)
	a := newAlarm(t, c)
	a.next(95, "trigger")
	for _, action := range []string{"kill", "freeze", "kill"} {
		holder := c.anyHolder()
		c.do(action, holder)
		a.next(5, "clear") // by whoever comes next
		if now := c.holder(); now == holder {
			t.Errorf("%s evaluates the alerts after %s", now, action)
		}
		if action == "freeze" {
			c.do("thaw", holder)
		} else {
			c.do("start", holder)
		}
		a.next(95, "trigger")
	}
	a.once(t)
}

// anyHolder waits until a node evaluates the alerts.
func (c *cluster) anyHolder() (holder string) {
	c.t.Helper()
	wait(c.t, "a server to evaluate the alerts", func() bool { holder = c.holder(); return holder != "" })
	return holder
}

// wait waits for what must happen.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	if !until(ok) {
		t.Fatalf("waited in vain for %s", what)
	}
}

// until waits until ok, and tells whether it came to that.
func until(ok func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}
