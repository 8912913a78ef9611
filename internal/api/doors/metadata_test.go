package doors

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// TestMetadataOfRemoteWrite: Prometheus sends metadata in requests without
// samples. It describes metrics that are there and those that come later, and
// leaves alone what somebody described.
func TestMetadataOfRemoteWrite(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	write := func(body []byte) {
		t.Helper()
		if got := c.Says("POST /prometheus/api/v1/write", string(protocoltest.Pack(t, "snappy", body)), "Content-Type", "application/x-protobuf"); got != "204" {
			t.Fatal(got)
		}
	}
	sample := func(name, le string) []byte {
		series := protocoltest.Message(1, protocoltest.Message(1, "__name__", 2, name))
		if le != "" {
			series = append(series, protocoltest.Message(1, protocoltest.Message(1, "le", 2, le))...)
		}
		return protocoltest.Message(1, append(series, protocoltest.Message(2, protocoltest.Message(1, 5.0, 2, apitest.Now*1000))...))
	}
	metadata := func(kind int, name, help, unit string) []byte {
		return protocoltest.Message(3, protocoltest.Message(1, kind, 2, name, 4, help, 5, unit))
	}
	var samples, about []byte
	for _, name := range []string{"resets", "free_bytes", "lat_seconds_sum", "lat_seconds_count", "rpc", "rpc_count", "ours"} {
		samples = append(samples, sample(name, "")...)
	}
	write(append(samples, sample("lat_seconds_bucket", "1")...))
	mine := "As we call it."
	if _, _, err := w.Store.PutMetric(t.Context(), w.Org, tidemark.ServerActor(), "ours", func(m *tidemark.Metric) { m.Description = &mine }); err != nil {
		t.Fatal(err)
	}
	about = append(about, metadata(1, "resets", "Resets.", "")...)
	about = append(about, metadata(2, "free_bytes", "Free.", "bytes")...)
	about = append(about, metadata(3, "lat_seconds", "Latency.", "seconds")...)
	about = append(about, metadata(5, "rpc", "Calls.", "")...)
	about = append(about, metadata(1, "ours", "As they call it.", "")...)
	about = append(about, metadata(1, "later", "Comes later.", "")...)
	write(about)
	write(about) // a minute later
	write(sample("later", ""))

	for name, want := range map[string]string{
		"resets": "counter Resets.", "free_bytes": "gauge Free. bytes", "lat_seconds_bucket": "counter Latency. seconds", "lat_seconds_count": "counter Latency. seconds",
		"rpc": "gauge Calls.", "rpc_count": "counter Calls.", "ours": "gauge As we call it.", "later": "counter Comes later.",
	} {
		m, err := w.Store.Metric(t.Context(), w.Org, name)
		if err != nil {
			t.Fatal(err)
		}
		got := m.Type
		if m.Description != nil {
			got += " " + *m.Description
		}
		if unit := m.Unit(); unit != "" {
			got += " " + unit
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	ask := func(query string) string {
		t.Helper()
		var answer struct {
			Data map[string][]struct{ Type, Unit, Help string }
		}
		if err := json.Unmarshal(c.Ask("GET /prometheus/api/v1/metadata"+query, "").Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(answer.Data)
	}
	const all = "map[free_bytes:[{gauge bytes Free.}] lat_seconds:[{histogram seconds Latency.}] later:[{counter  Comes later.}] ours:[{counter  As we call it.}] resets:[{counter  Resets.}] rpc:[{summary  Calls.}]]"
	if got := ask(""); got != all {
		t.Errorf("metadata are\n%s, want\n%s", got, all)
	}
	for query, want := range map[string]string{"?metric=lat_seconds": "map[lat_seconds:[{histogram seconds Latency.}]]", "?metric=rpc": "map[rpc:[{summary  Calls.}]]", "?metric=lat_seconds_count": "map[]", "?metric=none": "map[]"} {
		if got := ask(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
