package app

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// freePort returns an address that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// portSettings are those of a server with all ports open.
func portSettings(t *testing.T, more map[string]string) map[string]string {
	flags := map[string]string{
		"bootstrap_token": bootstrap, "graphite.listen": freePort(t), "graphite.token": bootstrap,
		"statsd.listen": freePort(t), "statsd.token": bootstrap, "statsd.flush": "1s", "otlp.listen": freePort(t),
	}
	maps.Copy(flags, more)
	return flags
}

// dial connects, and sends what it is given at once.
func dial(t *testing.T, network, address string, sent []byte) net.Conn {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := c.Write(sent); err != nil {
		t.Fatal(err)
	}
	return c
}

// eventually waits until what PromQL answers has a text.
func (s *server) eventually(t *testing.T, expr string, want string) {
	t.Helper()
	var got string
	for range 300 {
		if got = s.promql(t, expr, time.Now().Unix()); strings.Contains(got, want) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s has no %s: %s", expr, want, got)
}

// metric returns the value of one of the server's own metrics.
func (s *server) metric(t *testing.T, name string) string {
	t.Helper()
	_, text := s.ask(t, "GET", "/metrics", "")
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return "none"
}

func TestGraphitePort(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, nil)
	s := start(t, settings(t, flags))
	defer s.end(t)
	at, now := flags["graphite.listen"], time.Now().Unix()
	c := dial(t, "tcp", at, fmt.Appendf(nil, "servers.web-07.load 1.5 %d\nthis is no line\ntagged;host=Web-07;dc=ams1 2.5 %d\nhalf.a", now, now))
	s.eventually(t, `{"servers.web-07.load"}`, `"1.5"]`)
	s.eventually(t, `tagged{host="Web-07",dc="ams1"}`, `"2.5"]`)
	fmt.Fprintf(c, ".line 3.5 %d", now)
	c.Close() // without the end of the line
	s.eventually(t, `{"half.a.line"}`, `"3.5"]`)
	dial(t, "udp", at, fmt.Appendf(nil, "by.udp 4.5 %d\n", now))
	s.eventually(t, `{"by.udp"}`, `"4.5"]`)

	pickle := fmt.Sprintf("(lp0\n(Vpickled.load\np1\n(I%d\nF5.5\ntp2\ntp3\na.", now)
	frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(pickle))), pickle...)
	c = dial(t, "tcp", at, append(frame, frame[:3]...))
	s.eventually(t, `{"pickled.load"}`, `"5.5"]`)
	c.Close()
	bomb := dial(t, "tcp", at, []byte{0, 0xff, 0xff, 0xff})
	if n, err := bomb.Read(make([]byte, 1)); err == nil {
		t.Errorf("a pickle of 16 MB is answered with %d bytes", n)
	}
	endless := dial(t, "tcp", at, bytes.Repeat([]byte{'a'}, 65<<10))
	if n, err := endless.Read(make([]byte, 1)); err == nil {
		t.Errorf("a line without an end is answered with %d bytes", n)
	}
	if got := s.metric(t, `tidemark_port_points_total{port="graphite"}`); got != "5" {
		t.Errorf("%s points were recorded", got)
	}
	if got := s.metric(t, `tidemark_port_unreadable_total{port="graphite"}`); got != "3" {
		t.Errorf("%s could not be read", got)
	}
}

// TestStatsDPort: what came is recorded at the flush, or when the server stops.
func TestStatsDPort(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, nil)
	cfg := settings(t, flags)
	s := start(t, cfg)
	at := flags["statsd.listen"]
	dial(t, "udp", at, []byte("jobs:2|c|#queue:mail\njobs:3|c|@0.5|#queue:mail\ntemp:20|g\ntemp:-5|g\nlat:100|ms\nlat:300|ms\nusers:a|s\nusers:b|s\nnonsense"))
	s.eventually(t, `jobs{queue="mail"}`, `"8"]`)
	s.eventually(t, `temp`, `"15"]`)
	s.eventually(t, `lat{__stat__="max"}`, `"300"]`)
	s.eventually(t, `users`, `"2"]`)
	_, text := s.ask(t, "GET", "/v1/metrics/jobs", "")
	if !strings.Contains(text, `"period":1`) || !strings.Contains(text, `"summarize_function":"sum"`) {
		t.Error(text)
	}
	s.end(t)

	flags["statsd.flush"], flags["data"] = "600s", cfg.Data
	s = start(t, settings(t, flags))
	c := dial(t, "tcp", at, []byte("held:7|c\nheld:1"))
	if _, err := c.Write([]byte("0|c\n")); err != nil {
		t.Fatal(err)
	}
	c.Close()
	s.end(t)
	s = start(t, settings(t, flags))
	defer s.end(t)
	s.eventually(t, `held`, `"17"]`)
}

// TestPortTokens: a token that may not record is refused, and said so.
func TestPortTokens(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, map[string]string{"graphite.token": "nobody's token at all"})
	s := start(t, settings(t, flags))
	defer s.end(t)
	dial(t, "tcp", flags["graphite.listen"], []byte("a 1 -1\n")).Close()
	for range 200 {
		if s.metric(t, `tidemark_port_lost_points_total{port="graphite"}`) == "1" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a point of nobody was not counted as lost")
}

// TestUDPFlood: more packets than can be taken are dropped and counted, and
// the server goes on.
func TestUDPFlood(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, nil)
	s := start(t, settings(t, flags))
	defer s.end(t)
	packet := bytes.Repeat([]byte("flood:1|c\n"), 100)
	c := dial(t, "udp", flags["statsd.listen"], packet)
	for range 20_000 {
		_, _ = c.Write(packet)
	}
	dial(t, "tcp", flags["statsd.listen"], []byte("after:1|c\n")).Close()
	s.eventually(t, `after`, `"1"]`)
	if got := s.metric(t, `tidemark_port_packets_total{port="statsd"}`); got == "0" || got == "none" {
		t.Errorf("%s packets were counted", got)
	}
}

// grpc makes one call with a message as it is sent, and returns the answer's
// trailer.
func grpc(t *testing.T, address, path string, body []byte, headers ...string) http.Header {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+address+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/grpc+proto")
	r.Header.Set("Authorization", "Bearer "+bootstrap)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return res.Trailer
}

func framed(packed byte, message []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{packed}, uint32(len(message))), message...)
}

func TestGRPCPort(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, nil)
	s := start(t, settings(t, flags))
	defer s.end(t)
	const export = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"
	now := uint64(time.Now().UnixNano())
	request := func(name string, v float64) []byte {
		m := protocoltest.Message
		return m(1, m(2, m(2, m(1, name, 5, m(1, m(3, now, 4, v))))))
	}
	for name, c := range map[string]struct {
		path    string
		body    []byte
		headers []string
		status  string
	}{
		"plain":         {export, framed(0, request("plain_load", 1.5)), nil, "0"},
		"packed":        {export, framed(1, protocoltest.Pack(t, "gzip", request("packed_load", 2.5))), []string{"Grpc-Encoding", "gzip"}, "0"},
		"another call":  {"/other.Service/Export", framed(0, nil), nil, "12"},
		"no token":      {export, framed(0, request("x", 1)), []string{"Authorization", "Bearer nobody"}, "16"},
		"noise":         {export, framed(0, []byte("\xff\xff\xff")), nil, "3"},
		"too long":      {export, []byte{0, 0xff, 0xff, 0xff, 0xff}, nil, "3"},
		"cut short":     {export, framed(0, request("x", 1))[:9], nil, "3"},
		"no message":    {export, nil, nil, "3"},
		"wrong packing": {export, framed(1, request("x", 1)), []string{"Grpc-Encoding", "gzip"}, "3"},
		"a bomb":        {export, framed(1, protocoltest.Pack(t, "gzip", make([]byte, 40<<20))), []string{"Grpc-Encoding", "gzip"}, "3"},
	} {
		trailer := grpc(t, flags["otlp.listen"], c.path, c.body, c.headers...)
		if trailer.Get("Grpc-Status") != c.status || (c.status != "0") != (trailer.Get("Grpc-Message") != "") {
			t.Errorf("%s: %v, want %s", name, trailer, c.status)
		}
	}
	s.eventually(t, "plain_load", `"1.5"]`)
	s.eventually(t, "packed_load", `"2.5"]`)
}

// TestGRPCWithTLS: where the server has a certificate, the port of gRPC has it.
func TestGRPCWithTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	writeCertificate(t, cert, key, "example.org")
	flags := portSettings(t, map[string]string{"tls_cert": cert, "tls_key": key})
	s := start(t, settings(t, flags))
	defer s.end(t)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
	}}
	r, err := http.NewRequestWithContext(t.Context(), "POST", "https://"+flags["otlp.listen"]+"/none", bytes.NewReader(framed(0, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/grpc")
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.ProtoMajor != 2 || res.Trailer.Get("Grpc-Status") != "12" {
		t.Errorf("%v %s %v", err, res.Proto, res.Trailer)
	}
}

// TestPortsTaken: a port that somebody has keeps the server from starting, and
// leaves nothing behind.
func TestPortsTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, name := range []string{"graphite.listen", "statsd.listen", "otlp.listen"} {
		cfg := settings(t, portSettings(t, map[string]string{name: l.Addr().String()}))
		err := Run(t.Context(), cfg, slog.New(slog.DiscardHandler), func(Started) { t.Error("it started") })
		if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(name, ".listen")+": listen on") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// portExample is a command in a document that sends to a port.
var portExample = regexp.MustCompile(`(?m)^    printf '(.*)' \| nc (-u )?-q 1 tidemark\.example\.org (\d+)$`)

// TestPortExamples sends what the documents send to ports.
func TestPortExamples(t *testing.T) {
	t.Parallel()
	flags := portSettings(t, nil)
	s := start(t, settings(t, flags))
	defer s.end(t)
	sent := 0
	for file, c := range map[string]struct {
		setting string
		arrives []string
	}{
		"graphite.md": {"graphite.listen", []string{`{"servers.web-07.load"}`, `load{host="web-07",dc="ams1"}`}},
		"statsd.md":   {"statsd.listen", []string{`{"jobs.done",queue="mail"}`, `latency`}},
	} {
		text, err := os.ReadFile("../../docs/sending/" + file)
		if err != nil {
			t.Fatal(err)
		}
		examples := portExample.FindAllStringSubmatch(string(text), -1)
		if strings.Count(string(text), "    printf ") != len(examples) {
			t.Errorf("%s: not all examples were found", file)
		}
		for _, e := range examples {
			network := map[bool]string{true: "udp", false: "tcp"}[e[2] != ""]
			dial(t, network, flags[c.setting], []byte(strings.ReplaceAll(e[1], `\n`, "\n"))).Close()
			sent++
		}
		for _, expr := range c.arrives {
			s.eventually(t, expr, `"value"`)
		}
	}
	if sent < 3 {
		t.Errorf("only %d examples", sent)
	}
}
