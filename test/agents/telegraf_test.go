package agents

import (
	"fmt"
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

// TestTelegrafOutputs runs Telegraf's outputs for other products. What each
// sends is read by /v1 and by PromQL.
func TestTelegrafOutputs(t *testing.T) {
	graphite := freeAddr(t, "tcp")
	s := serveWith(t, "TIDEMARK_GRAPHITE_LISTEN="+graphite, "TIDEMARK_GRAPHITE_TOKEN="+token)
	bin := build(t, "telegraf", "telegraf")
	for name, c := range map[string]struct {
		config string
		values map[string]float64
	}{
		"influxdb": {
			fmt.Sprintf("[[outputs.influxdb]]\n  urls = [%q]\n  database = %q\n  username = \"token\"\n  password = %q\n", s.url, "v1", token),
			map[string]float64{"NAME.cpu": 42.5, "NAME.cpu.count": 7, "NAME.cpu.up": 1, "NAME.mem.free": 1 << 40},
		},
		"influxdb2": {
			fmt.Sprintf("[[outputs.influxdb_v2]]\n  urls = [%q]\n  organization = %q\n  bucket = \"b\"\n  token = %q\n", s.url, "o", token),
			map[string]float64{"NAME.cpu": 42.5, "NAME.cpu.count": 7, "NAME.cpu.up": 1, "NAME.mem.free": 1 << 40},
		},
		"graphite": {
			fmt.Sprintf("[[outputs.graphite]]\n  servers = [%q]\n  prefix = \"\"\n  graphite_tag_support = true\n", graphite),
			map[string]float64{"NAME.cpu": 42.5, "NAME.cpu.count": 7, "NAME.mem.free": 1 << 40},
		},
		"datadog": {
			fmt.Sprintf("[[outputs.datadog]]\n  apikey = %q\n  url = \"%s/api/v1/series\"\n", token, s.url),
			map[string]float64{"NAME.cpu": 42.5, "NAME.cpu.count": 7, "NAME.cpu.up": 1, "NAME.mem.free": 1 << 40},
		},
	} {
		own := "agents." + name
		run(t, t.TempDir(), nil, bin, "-config", write(t, t.TempDir(), "telegraf.conf", "%s", c.config), "-name", own)
		for metric, want := range c.values {
			metric = own + metric[len("NAME"):]
			one := s.wait(t, metric)[0]
			if one.Tags["host"] != "web-1" || one.Tags["cpu"] != "cpu0" || one.Measurements[0].Value != want {
				t.Errorf("%s: %s is %+v, want %v", name, metric, one, want)
			}
			s.promql(t, fmt.Sprintf(`{%q,host="web-1",cpu="cpu0"}`, metric), want)
		}
	}
}
