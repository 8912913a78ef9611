package agent

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/clock"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/probe"
)

// ChecksConfig is which checks the agent runs for the server.
type ChecksConfig struct {
	Off bool `yaml:"off"`
	// Allow are private networks that checks may reach.
	Allow []string `yaml:"allow"`
}

// networks are those that checks may reach although they are private.
func (c *ChecksConfig) networks() (list []outbound.Network, err error) {
	for _, text := range c.Allow {
		n, wrong := outbound.ParseNetwork(text)
		list, err = append(list, n), errors.Join(err, wrong)
	}
	return list, err
}

const (
	// checksAtOnce is how many checks the agent runs at a time.
	checksAtOnce = 8
	// maxChecks is how many checks the agent takes from a server, and
	// maxFindings how many findings one request has.
	maxChecks   = 500
	maxFindings = 1000
	// askLater is how long the agent waits where the server gives no checks to
	// it at all: an older one, or a token that is narrowed.
	askLater           = 10 * time.Minute
	minAskIn, maxAskIn = 5 * time.Second, 10 * time.Minute
	checksPath         = "/v1/places"
	measurementsPath   = "/v1/measurements"
	findingsPath       = "/v1/places/results"
)

// checker asks the server for checks and runs them.
type checker struct {
	*Agent
	http    *http.Client
	way     probe.Way
	slots   chan struct{}
	all     sync.WaitGroup
	running map[int64]*running
}

// running is a check that is run, and how to stop that.
type running struct {
	tidemark.PlaceCheck
	stop context.CancelFunc
}

func newChecker(a *Agent) *checker {
	allow, _ := a.cfg.Checks.networks() // checked
	return &checker{
		Agent: a, http: newForwarder(a).http, slots: make(chan struct{}, checksAtOnce), running: make(map[int64]*running),
		way: outbound.New(outbound.Options{Allow: allow, Self: "this agent (checks.allow)"}),
	}
}

// run asks and runs until ctx is done.
func (c *checker) run(ctx context.Context) {
	defer c.all.Wait()
	for {
		list, wait, err := c.ask(ctx)
		if err != nil {
			c.warn("checks", "cannot ask which checks to run", err)
		}
		if list != nil {
			c.set(ctx, list)
		}
		if !clock.Sleep(ctx, wait) {
			return
		}
	}
}

// ask returns the checks that the server gives to this agent, or nil where it
// does not say, and when to ask again.
func (c *checker) ask(ctx context.Context) ([]tidemark.PlaceCheck, time.Duration, error) {
	tags := make(map[string]string)
	for _, t := range c.base {
		tags[t.Name] = t.Value
	}
	body, err := json.Marshal(map[string]any{"name": placeOf(c.base), "tags": tags})
	if err != nil {
		return nil, maxBackoff, err
	}
	req, err := c.request(ctx, checksPath, body)
	if err != nil {
		return nil, maxBackoff, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, maxBackoff, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, maxBackoff, err
	}
	switch resp.StatusCode {
	case http.StatusOK:
		c.answered()
		return readChecks(text)
	case http.StatusNotFound, http.StatusForbidden, http.StatusBadRequest, http.StatusMethodNotAllowed:
		return []tidemark.PlaceCheck{}, askLater, fmt.Errorf("%s: %s", resp.Status, clip(text))
	}
	return nil, maxBackoff, fmt.Errorf("%s: %s", resp.Status, clip(text))
}

// readChecks takes an answer apart. A check that makes no sense is left out.
func readChecks(text []byte) (list []tidemark.PlaceCheck, wait time.Duration, err error) {
	var answer struct {
		AskIn  int64                 `json:"ask_in"`
		Checks []tidemark.PlaceCheck `json:"checks"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, maxBackoff, fmt.Errorf("the server's checks cannot be read: %w", err)
	}
	list = []tidemark.PlaceCheck{}
	for _, one := range answer.Checks[:min(len(answer.Checks), maxChecks)] {
		v := one.Check()
		v.Name, v.Places = "check", []string{tidemark.PlaceServer}
		if wrong := v.Validate(); wrong != nil {
			err = fmt.Errorf("check %d: %w", one.ID, wrong)
			continue
		}
		list = append(list, one)
	}
	seconds := min(max(answer.AskIn, int64(minAskIn/time.Second)), int64(maxAskIn/time.Second))
	return list, time.Duration(seconds) * time.Second, err
}

// placeOf is what an agent with these tags is called among the places of
// checks.
func placeOf(base tidemark.Tags) string {
	for _, t := range base {
		if t.Name == "host" {
			return t.Value
		}
	}
	return ""
}

// set runs these checks and no others.
func (c *checker) set(ctx context.Context, list []tidemark.PlaceCheck) {
	wanted := make(map[int64]bool, len(list))
	for _, one := range list {
		wanted[one.ID] = true
		old := c.running[one.ID]
		if old != nil && old.PlaceCheck == one {
			continue
		}
		if old != nil {
			old.stop()
		}
		runs, stop := context.WithCancel(ctx)
		c.running[one.ID] = &running{one, stop}
		c.all.Go(func() { c.repeat(runs, one.Check()) })
	}
	for id, r := range c.running {
		if !wanted[id] {
			r.stop()
			delete(c.running, id)
		}
	}
}

// repeat looks at once, and then at multiples of the interval.
func (c *checker) repeat(ctx context.Context, check *tidemark.Check) {
	c.look(ctx, check)
	c.every(ctx, time.Duration(check.Every)*time.Second, func(ctx context.Context, _ time.Time) { c.look(ctx, check) })
}

// look runs a check as soon as there is a slot, and keeps what it found.
func (c *checker) look(ctx context.Context, check *tidemark.Check) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return
	}
	now := time.Now()
	res := probe.Run(ctx, c.way, check)
	if ctx.Err() != nil {
		return // the agent ends, or the check does
	}
	f := tidemark.Finding{Check: check.ID, Time: now.Unix(), Up: res.Up, Duration: res.Duration.Seconds(), Said: tidemark.ClipSaid(res.Said)}
	if !math.IsNaN(res.Days) {
		f.Days = &res.Days
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.findings) < maxFindings { // they go into the spool every round
		c.findings = append(c.findings, f)
	}
}

// takeFindings returns what was found since the last round as a request, if
// anything. It is called with mu held.
func (a *Agent) takeFindings() (part, bool) {
	if len(a.findings) == 0 {
		return part{}, false
	}
	text, err := json.Marshal(map[string]any{"place": placeOf(a.base), "results": a.findings})
	count := len(a.findings)
	a.findings = nil
	if err != nil {
		a.warnLocked("checks", "cannot write what checks found", err)
		return part{}, false
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(text) // to memory
	_ = z.Close()
	return part{data: out.Bytes(), count: count, to: findingsPath}, true
}
