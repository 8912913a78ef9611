package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"time"
)

// Those that the protocols are measured with.
const (
	ours          = "Tidemark"
	theVM         = "VictoriaMetrics"
	thePrometheus = "Prometheus"
)

// contestants returns them, without a way to write to any.
func contestants(config string) []*peer {
	all := []*peer{tidemark(*tidemarkBin), victoria(*victoriaBin, theVM, "", nil), prometheus(*prometheusBin, config)}
	all[0].name, all[2].name = ours, thePrometheus
	return all
}

// door is a protocol by which samples come in.
type door struct {
	name   string
	encode func(b *bytes.Buffer, batch []sample)
	header map[string]string
	paths  map[string]string                                 // of HTTP, by server
	listen map[string]func(port string) (args, env []string) // ports instead
	holds  time.Duration
	now    bool   // its samples are of the time at which they come
	stored string // PromQL: how much is there of metric %d in the last %d seconds
	share  int    // of that many samples one counts in stored
}

// allStored counts samples, whichever way a server writes the name.
const allStored = `sum(count_over_time({__name__=~"load.%d"}[%ds]))`

var doors = []door{
	{
		name: "remote write", encode: encodeRemoteWrite, header: remoteWriteHeader, stored: allStored, share: 1,
		paths: map[string]string{ours: "/prometheus/api/v1/write", theVM: "/api/v1/write", thePrometheus: "/api/v1/write"},
	},
	{
		name: "OTLP over HTTP", encode: encodeOTLP, header: map[string]string{"Content-Type": "application/x-protobuf"}, stored: allStored, share: 1,
		paths: map[string]string{ours: "/otlp/v1/metrics", theVM: "/opentelemetry/v1/metrics", thePrometheus: "/api/v1/otlp/v1/metrics"},
	},
	{
		name: "Influx lines", encode: encodeInflux, stored: allStored, share: 1,
		paths: map[string]string{ours: "/write", theVM: "/write"},
	},
	{
		name: "Graphite lines, TCP", encode: encodeGraphite, stored: allStored, share: 1,
		listen: map[string]func(string) (args, env []string){
			ours: func(port string) (args, env []string) {
				return nil, []string{"TIDEMARK_GRAPHITE_LISTEN=" + port, "TIDEMARK_GRAPHITE_TOKEN=" + token}
			},
			theVM: func(port string) (args, env []string) { return []string{"-graphiteListenAddr=" + port}, nil },
		},
	},
	{
		name: "StatsD, TCP", encode: encodeStatsD, now: true, holds: 3 * time.Second,
		stored: `sum(sum_over_time({__name__="load.%d.count",__stat__="sum"}[%ds]))`, share: 2,
		listen: map[string]func(string) (args, env []string){
			ours: func(port string) (args, env []string) {
				return nil, []string{"TIDEMARK_STATSD_LISTEN=" + port, "TIDEMARK_STATSD_TOKEN=" + token, "TIDEMARK_STATSD_FLUSH=1s"}
			},
		},
	},
}

// of returns p written to by this door, or nil where it has no such door.
func (d *door) of(p *peer) *peer {
	through := *p
	through.encode, through.header, through.holds = d.encode, d.header, d.holds
	through.writePath, through.listen = d.paths[p.name], d.listen[p.name]
	if through.writePath == "" && through.listen == nil {
		return nil
	}
	return &through
}

// encodeOTLP writes an ExportMetricsServiceRequest: one resource (field 1) with
// one scope (2), whose metrics (2) have a name (1) and points (1) of a gauge (5)
// with attributes (7), a time (3) and a value (4).
func encodeOTLP(b *bytes.Buffer, batch []sample) {
	var scope, gauge, point []byte
	for i, s := range batch {
		point = point[:0]
		for _, t := range s.stream.tags {
			value := appendField(nil, 1, []byte(t.value))
			point = appendField(point, 7, appendField(appendField(nil, 1, []byte(t.name)), 2, value))
		}
		point = binary.LittleEndian.AppendUint64(append(point, 3<<3|1), uint64(s.time)*1e9)
		point = binary.LittleEndian.AppendUint64(append(point, 4<<3|1), math.Float64bits(s.number))
		gauge = appendField(gauge, 1, point)
		if i == len(batch)-1 || batch[i+1].stream.metric != s.stream.metric {
			scope = appendField(scope, 2, appendField(appendField(nil, 1, []byte(s.stream.metric)), 5, gauge))
			gauge = gauge[:0]
		}
	}
	b.Write(appendField(nil, 1, appendField(nil, 2, scope)))
}

// encodeGraphite writes Graphite's lines, with tags.
func encodeGraphite(b *bytes.Buffer, batch []sample) {
	for _, s := range batch {
		b.WriteString(s.stream.metric)
		for _, t := range s.stream.tags {
			b.WriteString(";" + t.name + "=" + t.value)
		}
		b.WriteString(" " + s.value + " " + strconv.FormatInt(s.time, 10) + "\n")
	}
}

// encodeStatsD writes counters, by one each, and timers by turns, with
// Datadog's tags.
func encodeStatsD(b *bytes.Buffer, batch []sample) {
	for i, s := range batch {
		if i%2 == 0 {
			b.WriteString(s.stream.metric + ".count:1|c|#")
		} else {
			b.WriteString(s.stream.metric + ".time:" + s.value + "|ms|#")
		}
		for n, t := range s.stream.tags {
			if n > 0 {
				b.WriteByte(',')
			}
			b.WriteString(t.name + ":" + t.value)
		}
		b.WriteByte('\n')
	}
}
