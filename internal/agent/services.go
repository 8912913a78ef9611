package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"time"
)

// units asks systemd for the units in the settings, and how many failed.
func (a *Agent) units(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.cfg.systemctl, "show", "--type=service,timer,socket,mount", "--property=Id,ActiveState,NRestarts", "*")
	out, err := cmd.Output()
	if err != nil {
		a.warn("units", "cannot ask systemd", err)
		return
	}
	a.with(func(b *body) {
		b.at(now)
		failed := 0
		for _, u := range parseUnits(out) {
			if u["ActiveState"] == "failed" {
				failed++
			}
			if !watches(a.cfg.Units, u["Id"]) {
				continue
			}
			active := 0.0
			if u["ActiveState"] == "active" {
				active = 1
			}
			b.value("systemd.unit.active", unitNone, active, "unit", u["Id"])
			if n, err := strconv.ParseFloat(u["NRestarts"], 64); err == nil {
				b.value("systemd.unit.restarts", unitNone, n, "unit", u["Id"])
			}
		}
		b.value("systemd.failed", unitNone, float64(failed))
	})
}

// parseUnits reads what systemctl show prints: properties of a unit, a blank
// line, those of the next.
func parseUnits(out []byte) (list []map[string]string) {
	for block := range bytes.SplitSeq(out, []byte("\n\n")) {
		u := make(map[string]string)
		for line := range bytes.Lines(block) {
			if key, value, ok := strings.Cut(strings.TrimSpace(string(line)), "="); ok {
				u[key] = value
			}
		}
		if u["Id"] != "" {
			list = append(list, u)
		}
	}
	return list
}

// watches reports whether a unit is among those of the settings, which may
// hold *, and may lack .service.
func watches(patterns []string, id string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, id); ok || p+".service" == id {
			return true
		}
	}
	return false
}

// container is what Docker and Podman say of one.
type container struct {
	ID    string   `json:"Id"`
	Names []string `json:"Names"`
	Image string   `json:"Image"`
	State string   `json:"State"`
}

type containerStats struct {
	CPU struct {
		Usage struct {
			Total float64 `json:"total_usage"`
		} `json:"cpu_usage"`
	} `json:"cpu_stats"`
	Memory struct {
		Usage float64 `json:"usage"`
		Limit float64 `json:"limit"`
		Stats struct {
			Inactive float64 `json:"inactive_file"`
		} `json:"stats"`
	} `json:"memory_stats"`
	Networks map[string]struct {
		In  float64 `json:"rx_bytes"`
		Out float64 `json:"tx_bytes"`
	} `json:"networks"`
}

// used is what one container used until a time.
type used struct {
	at           time.Time
	cpu, in, out float64
}

// containers asks Docker or Podman through its socket.
func (a *Agent) containers(socket string) func(context.Context, time.Time) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", strings.TrimPrefix(socket, "unix://"))
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: dial, MaxIdleConns: 1, IdleConnTimeout: time.Minute}}
	before := make(map[string]used)
	return func(ctx context.Context, now time.Time) {
		var list []container
		if err := getJSON(ctx, client, "/containers/json?all=true", &list); err != nil {
			a.warn("containers", "cannot ask for containers", err)
			return
		}
		running := 0
		after := make(map[string]used)
		for _, c := range list {
			if c.State != "running" {
				continue
			}
			running++
			var s containerStats
			if err := getJSON(ctx, client, "/containers/"+url.PathEscape(c.ID)+"/stats?stream=false&one-shot=true", &s); err != nil {
				a.warn("containers", "cannot ask for a container", err)
				continue
			}
			after[c.ID] = a.container(now, &c, &s, before[c.ID])
		}
		before = after
		a.with(func(b *body) {
			b.at(now)
			b.value("container.running", unitNone, float64(running))
			b.value("container.stopped", unitNone, float64(len(list)-running))
		})
	}
}

// container adds what one container uses. Pages of files that nobody uses are
// not its memory, as docker stats has it.
func (a *Agent) container(now time.Time, c *container, s *containerStats, before used) used {
	u := used{at: time.Now(), cpu: s.CPU.Usage.Total}
	for _, n := range s.Networks {
		u.in, u.out = u.in+n.In, u.out+n.Out
	}
	tags := []string{"container", c.name(), "image", c.Image}
	a.with(func(b *body) {
		b.at(now)
		memory := s.Memory.Usage - s.Memory.Stats.Inactive
		b.value("container.memory.used", unitBytes, memory, tags...)
		if s.Memory.Limit > 0 {
			b.value("container.memory.percent", unitPercent, 100*memory/s.Memory.Limit, tags...)
		}
		seconds := u.at.Sub(before.at).Seconds()
		if before.at.IsZero() || seconds <= 0 || u.cpu < before.cpu {
			return
		}
		b.value("container.cpu.percent", unitPercent, 100*(u.cpu-before.cpu)/1e9/seconds, tags...)
		b.value("container.network.in", unitRate, max(0, u.in-before.in)/seconds, tags...)
		b.value("container.network.out", unitRate, max(0, u.out-before.out)/seconds, tags...)
	})
	return u
}

func (c *container) name() string {
	if len(c.Names) > 0 {
		return strings.TrimPrefix(c.Names[0], "/")
	}
	return c.ID[:min(12, len(c.ID))]
}

func getJSON(ctx context.Context, client *http.Client, at string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://containers"+at, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxExposition))
	if err != nil || resp.StatusCode != http.StatusOK {
		return errors.Join(err, fmt.Errorf("%s answers %s", at, resp.Status))
	}
	return json.Unmarshal(text, into)
}
