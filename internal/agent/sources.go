package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// What one endpoint or script may say at a time.
const (
	maxExposition = 8 << 20
	maxSamples    = 20_000
)

// scraper asks a Prometheus endpoint.
func (a *Agent) scraper(s Scrape) func(context.Context, time.Time) {
	client := &http.Client{Timeout: s.Timeout}
	tags := mappedTags(s.Tags)
	return func(ctx context.Context, now time.Time) {
		begin := time.Now()
		text, err := fetch(ctx, client, s)
		took, up := time.Since(begin), 1.0
		if err == nil {
			err = a.exposed(now, text, tags)
		}
		if err != nil {
			up = 0
			a.warn("scrape "+s.URL, "cannot scrape", err)
		}
		a.with(func(b *body) {
			b.at(now)
			b.value("scrape.up", unitNone, up, "endpoint", s.URL)
			b.value("scrape.duration", unitSeconds, took.Seconds(), "endpoint", s.URL)
		})
	}
}

func fetch(ctx context.Context, client *http.Client, s Scrape) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/plain;version=0.0.4")
	req.Header.Set("User-Agent", product)
	for name, value := range s.Headers {
		req.Header.Set(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxExposition+1))
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the endpoint answers %s", resp.Status)
	case len(text) > maxExposition:
		return nil, fmt.Errorf("the endpoint answers more than %d bytes", maxExposition)
	}
	return text, nil
}

// exposed records what an endpoint or a script said. What cannot be read
// costs only itself.
func (a *Agent) exposed(now time.Time, text []byte, tags tidemark.Tags) error {
	batch := protocol.NewBatch(protocol.Limits{Points: maxSamples})
	err := readExposition(text, batch)
	a.with(func(b *body) {
		b.at(now)
		for i := range batch.Points {
			b.point(&batch.Points[i], tags)
		}
	})
	for _, s := range batch.Skipped {
		if err == nil && s.Reason != protocol.NotFinite {
			err = fmt.Errorf("%d lines were left out: %s %s", s.Count, s.Example, s.Reason)
		}
	}
	return err
}

// script runs a program and records what it prints, how long it took and how
// it ended.
func (a *Agent) script(s Script) func(context.Context, time.Time) {
	return func(ctx context.Context, now time.Time) {
		begin := time.Now()
		out, code, err := runScript(ctx, s)
		if ctx.Err() != nil {
			return // the agent ends, not the script
		}
		took := time.Since(begin)
		if readErr := a.exposed(now, out, nil); readErr != nil || err != nil {
			a.warn("script "+s.Name, "a script does not work as it should", errors.Join(err, readErr))
		}
		a.with(func(b *body) {
			b.at(now)
			b.value("script.exit", unitNone, float64(code), "script", s.Name)
			b.value("script.duration", unitSeconds, took.Seconds(), "script", s.Name)
		})
	}
}

// Exit codes of scripts that did not exit: as a shell and timeout(1) have them.
const (
	exitNotRun  = 127
	exitTimeout = 124
)

// runScript runs a program in a process group of its own, all of which ends
// with it.
func runScript(ctx context.Context, s Script) (out []byte, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", s.Command)
	system.EndWhole(cmd)
	cmd.WaitDelay = time.Second
	stdout, stderr := &capped{most: maxExposition}, &capped{most: 300}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	exited, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		code, err = exitTimeout, fmt.Errorf("still running after %s, killed", s.Timeout)
	case ok && exited.ExitCode() >= 0:
		code = exited.ExitCode()
	case err != nil:
		code = exitNotRun
	}
	if err != nil && stderr.b.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.b.Bytes()))
	}
	return stdout.b.Bytes(), code, err
}

// capped keeps the beginning of what is written.
type capped struct {
	b    bytes.Buffer
	most int
}

func (c *capped) Write(p []byte) (int, error) {
	c.b.Write(p[:min(len(p), c.most-c.b.Len())])
	return len(p), nil
}
