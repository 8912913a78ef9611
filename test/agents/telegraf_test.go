package agents

import (
	"testing"
)

func TestTelegraf(t *testing.T) {
	s := serve(t)
	bin := build(t, "telegraf", "telegraf")
	config := write(t, t.TempDir(), "telegraf.conf", `
[[outputs.librato]]
  api_user = "ops@example.org"
  api_token = %q
  api_url = %q
  timeout = "10s"
`, token, s.url+"/v1/metrics")
	run(t, t.TempDir(), nil, bin, "-config", config)
	for metric, want := range map[string]float64{
		"agents.telegraf.cpu": 42.5, "agents.telegraf.cpu.count": 7, "agents.telegraf.cpu.up": 1, "agents.telegraf.mem.free": 1 << 40,
	} {
		one := s.wait(t, metric)[0]
		if one.Tags["source"] != "web-1" || one.Measurements[0].Value != want {
			t.Errorf("%s is %+v, want %v from web-1", metric, one, want)
		}
	}
}
