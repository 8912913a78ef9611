package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/snappy"
)

const token = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e"

// oneHost is the stream of query (a).
const oneHost = "web-0042"

func tidemark(binary string) *peer {
	return &peer{
		name: "Tidemark, JSON", binary: binary, token: token, ready: "/v1/metrics",
		args: func(addr, dir string) []string { return []string{"serve", "--data", dir, "--listen", addr} },
		// More than the usual limit of an organization comes for more than a minute.
		env: func(string, string) []string {
			return []string{"TIDEMARK_BOOTSTRAP_TOKEN=" + token, "TIDEMARK_LIMITS_RATE=0", "TIDEMARK_LIMITS_REQUESTS=0"}
		},
		writePath: "/v1/measurements", header: map[string]string{"Content-Type": "application/json"},
		promAPI: "/prometheus", encode: encodeTidemark, point: regexp.MustCompile(`"time":\d+`),
		queries: func(w window) []string {
			recent := fmt.Sprintf("?resolution=60&start_time=%d&end_time=%d", w.recentStart, w.recentEnd-1)
			return []string{
				"/v1/measurements/load.0" + recent + "&tags[host]=" + oneHost,
				"/v1/measurements/load.0" + recent + "&group_by=dc&group_by_function=sum",
				fmt.Sprintf("/v1/measurements/long.0?resolution=3600&start_time=%d&end_time=%d", w.longStart, w.longEnd-1),
			}
		},
	}
}

func encodeTidemark(b *bytes.Buffer, batch []sample) {
	fmt.Fprintf(b, `{"time":%d,"measurements":[`, batch[0].time)
	for i, s := range batch {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"name":"` + s.stream.metric + `","value":` + s.value)
		if s.time != batch[0].time {
			b.WriteString(`,"time":` + strconv.FormatInt(s.time, 10))
		}
		b.WriteString(`,"tags":{`)
		writePairs(b, s.stream.tags)
		b.WriteString("}}")
	}
	b.WriteString("]}")
}

func writePairs(b *bytes.Buffer, tags []tag) {
	for i, t := range tags {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + t.name + `":"` + t.value + `"`)
	}
}

// victoria is VictoriaMetrics, written to in one of two ways.
func victoria(binary, name, path string, encode func(*bytes.Buffer, []sample)) *peer {
	return &peer{
		name: name, binary: binary, ready: "/health",
		args: func(addr, dir string) []string {
			return []string{"-storageDataPath=" + dir, "-httpListenAddr=" + addr, "-retentionPeriod=12", "-search.disableCache", "-loggerLevel=WARN"}
		},
		writePath: path, encode: encode, flush: "/internal/force_flush", env: noEnv,
		queries: promQueries, point: promPoint,
	}
}

// promPoint is a point in the answers of Prometheus' API.
var promPoint = regexp.MustCompile(`\[\d+(\.\d+)?,"`)

func noEnv(string, string) []string { return nil }

func promQueries(w window) []string {
	return []string{
		rangeQuery(`load_0{host="`+oneHost+`"}`, w.recentStart, w.recentEnd-step, step),
		rangeQuery(`sum by (dc) (load_0)`, w.recentStart, w.recentEnd-step, step),
		rangeQuery(`avg_over_time(long_0[1h])`, w.longStart, w.longEnd-3600, 3600),
	}
}

func rangeQuery(q string, start, end, step int64) string {
	return "/api/v1/query_range?" + url.Values{
		"query": {q}, "start": {strconv.FormatInt(start, 10)}, "end": {strconv.FormatInt(end, 10)}, "step": {strconv.FormatInt(step, 10)},
	}.Encode()
}

func metricName(s *stream) string { return strings.ReplaceAll(s.metric, ".", "_") }

// encodeImport writes the lines of /api/v1/import, one sample a line.
func encodeImport(b *bytes.Buffer, batch []sample) {
	for _, s := range batch {
		b.WriteString(`{"metric":{"__name__":"` + metricName(s.stream) + `",`)
		writePairs(b, s.stream.tags)
		b.WriteString(`},"values":[` + s.value + `],"timestamps":[` + strconv.FormatInt(s.time, 10) + "000]}\n")
	}
}

// encodeInflux writes Influx's lines, with nanoseconds. VictoriaMetrics joins
// the name of the measurement and that of the field.
func encodeInflux(b *bytes.Buffer, batch []sample) {
	for _, s := range batch {
		measurement, field, _ := strings.Cut(metricName(s.stream), "_")
		b.WriteString(measurement)
		for _, t := range s.stream.tags {
			b.WriteString("," + t.name + "=" + t.value)
		}
		b.WriteString(" " + field + "=" + s.value + " " + strconv.FormatInt(s.time, 10) + "000000000\n")
	}
}

func prometheus(binary, config string) *peer {
	return &peer{
		name: "Prometheus, remote write", binary: binary, ready: "/-/ready",
		args: func(addr, dir string) []string {
			return []string{"--config.file=" + config, "--storage.tsdb.path=" + dir, "--web.listen-address=" + addr,
				"--web.enable-remote-write-receiver", "--web.enable-otlp-receiver", "--storage.tsdb.retention.time=1y", "--log.level=warn"}
		},
		writePath: "/api/v1/write", encode: encodeRemoteWrite, queries: promQueries, point: promPoint, env: noEnv,
		header: remoteWriteHeader,
	}
}

var remoteWriteHeader = map[string]string{
	"Content-Type": "application/x-protobuf", "Content-Encoding": "snappy", "X-Prometheus-Remote-Write-Version": "0.1.0",
}

// appendField appends field n of a protocol buffer, with a length before it.
func appendField(dst []byte, n int, v []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(n<<3|2))
	return append(binary.AppendUvarint(dst, uint64(len(v))), v...)
}

// encodeRemoteWrite writes a WriteRequest of Prometheus' remote write: series
// (field 1) of labels (1: name 1, value 2) and samples (2: value 1, time 2).
func encodeRemoteWrite(b *bytes.Buffer, batch []sample) {
	var req, series []byte
	label := func(dst []byte, name, value string) []byte {
		return appendField(dst, 1, appendField(appendField(nil, 1, []byte(name)), 2, []byte(value)))
	}
	for _, s := range batch {
		series = label(series[:0], "__name__", metricName(s.stream))
		for _, t := range s.stream.tags {
			series = label(series, t.name, t.value)
		}
		one := binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(s.number))
		one = binary.AppendUvarint(append(one, 2<<3), uint64(s.time*1000))
		series = appendField(series, 2, one)
		req = appendField(req, 1, series)
	}
	b.Write(snappy.Encode(nil, req))
}

func influx(binary string) *peer {
	return &peer{
		name: "InfluxDB 1, lines", binary: binary, ready: "/ping", env: influxEnv,
		args: func(string, string) []string { return []string{"run", "-config", "/dev/null"} },
		start: func(ctx context.Context, s *running) error {
			_, _, err := s.get(ctx, "/query?"+url.Values{"q": {"CREATE DATABASE bench"}}.Encode())
			return err
		},
		writePath: "/write?db=bench", encode: encodeInflux, point: regexp.MustCompile(`\[\d+,\d`),
		queries: func(w window) []string {
			ask := func(q string) string {
				return "/query?" + url.Values{"db": {"bench"}, "epoch": {"s"}, "q": {q}}.Encode()
			}
			recent := fmt.Sprintf("time >= %ds AND time < %ds", w.recentStart, w.recentEnd)
			return []string{
				ask(`SELECT mean("0") FROM load WHERE host='` + oneHost + `' AND ` + recent + ` GROUP BY time(60s)`),
				ask(`SELECT sum("0") FROM load WHERE ` + recent + ` GROUP BY time(60s), dc`),
				ask(fmt.Sprintf(`SELECT mean("0") FROM long WHERE time >= %ds AND time < %ds GROUP BY time(3600s), *`, w.longStart, w.longEnd)),
			}
		},
	}
}

// influxEnv tells InfluxDB where to be; it takes no arguments for that.
func influxEnv(addr, dir string) []string {
	return []string{
		"INFLUXDB_HTTP_BIND_ADDRESS=" + addr, "INFLUXDB_META_DIR=" + dir + "/meta", "INFLUXDB_DATA_DIR=" + dir + "/data",
		"INFLUXDB_DATA_WAL_DIR=" + dir + "/wal", "INFLUXDB_BIND_ADDRESS=127.0.0.1:0", "INFLUXDB_REPORTING_DISABLED=true",
		"INFLUXDB_HTTP_LOG_ENABLED=false", "INFLUXDB_DATA_QUERY_LOG_ENABLED=false", "INFLUXDB_HTTP_MAX_ROW_LIMIT=0",
		"INFLUXDB_DATA_MAX_SERIES_PER_DATABASE=0", "INFLUXDB_MONITOR_STORE_ENABLED=false",
	}
}
