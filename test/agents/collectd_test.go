package agents

import (
	"net"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// TestCollectd runs Debian's collectd, which sends credentials only after it
// was asked for them.
func TestCollectd(t *testing.T) {
	collectd := testdeps.Program(t, "/usr/sbin/collectd")
	s := serve(t)
	dir := t.TempDir()
	config := write(t, dir, "collectd.conf", `
Hostname "Web-1"
FQDNLookup false
Interval 1
BaseDir %[1]q
PIDFile "%[1]s/pid"
TypesDB "/usr/share/collectd/types.db"
LoadPlugin logfile
LoadPlugin load
LoadPlugin memory
LoadPlugin write_http
<Plugin logfile>
  File "stderr"
</Plugin>
<Plugin write_http>
  <Node "tidemark">
    URL "%[2]s/v1/measurements"
    User "token"
    Password "%[3]s"
    Format "JSON"
    StoreRates true
    BufferSize 2048
  </Node>
</Plugin>
`, dir, s.url, token)
	start(t, dir, nil, collectd, "-f", "-C", config)
	load := s.wait(t, "collectd.load.load.shortterm")
	if len(load) != 1 || len(load[0].Tags) != 1 || load[0].Tags["host"] != "Web-1" {
		t.Errorf("load is %+v", load)
	}
	s.same(t, "collectd.load.load.shortterm")
	memory := s.same(t, "collectd.memory.memory")
	for _, kind := range []string{"free", "used"} {
		for _, v := range memory["host=Web-1,type_instance="+kind] {
			if v < 1<<20 {
				t.Errorf("%v bytes of memory are %s", v, kind)
			}
		}
		if len(memory["host=Web-1,type_instance="+kind]) == 0 {
			t.Errorf("%s is not in %v", kind, memory)
		}
	}
}

// TestCollectdGraphite runs it with its plugin for Graphite.
func TestCollectdGraphite(t *testing.T) {
	collectd := testdeps.Program(t, "/usr/sbin/collectd")
	graphite := freeAddr(t, "tcp")
	host, port, _ := net.SplitHostPort(graphite)
	s := serveWith(t, "TIDEMARK_GRAPHITE_LISTEN="+graphite, "TIDEMARK_GRAPHITE_TOKEN="+token)
	dir := t.TempDir()
	config := write(t, dir, "collectd.conf", `
Hostname "Web-1"
FQDNLookup false
Interval 1
BaseDir %[1]q
PIDFile "%[1]s/pid"
TypesDB "/usr/share/collectd/types.db"
LoadPlugin logfile
LoadPlugin load
LoadPlugin write_graphite
<Plugin logfile>
  File "stderr"
</Plugin>
<Plugin write_graphite>
  <Node "tidemark">
    Host %[2]q
    Port %[3]q
    Protocol "tcp"
    StoreRates true
  </Node>
</Plugin>
`, dir, host, port)
	start(t, dir, nil, collectd, "-f", "-C", config)
	load := s.wait(t, "Web-1.load.load.shortterm")
	if len(load) != 1 || len(load[0].Tags) != 0 || load[0].Measurements[0].Value < 0 {
		t.Errorf("load is %+v", load)
	}
	s.same(t, "Web-1.load.load.shortterm")
}
