package agent

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// FuzzExposition: whatever an endpoint or a script prints is read within the
// limits, and what is read makes a request of JSON.
func FuzzExposition(f *testing.F) {
	f.Add([]byte("# TYPE jobs_total counter\njobs_total{queue=\"mail\\n\"} 12 1754300400000\nqueue.length 3\n"))
	f.Add([]byte(`latency_bucket{le="+Inf",a="\"\\"} NaN # {trace="x"} 1`))
	f.Fuzz(func(t *testing.T, text []byte) {
		batch := protocol.NewBatch(protocol.Limits{Points: 100})
		_ = readExposition(text, batch) // most are wrong
		protocoltest.Check(t, batch)
		b := newBody(nil, time.Second)
		for i := range batch.Points {
			b.point(&batch.Points[i], nil)
		}
		if b.count > 0 && !json.Valid(append(b.json, "]}"...)) {
			t.Errorf("%q becomes %s", text, b.json)
		}
	})
}

// FuzzChecks: whatever a server answers to an agent that asks for checks, the
// agent runs only what it may.
func FuzzChecks(f *testing.F) {
	f.Add([]byte(`{"ask_in":30,"checks":[{"id":1,"kind":"tcp","target":"a:1","every":60,"timeout":5}]}`))
	f.Add([]byte(`{"ask_in":-1,"checks":[{"kind":"heartbeat"},null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, wait, _ := readChecks(text)
		if wait < minAskIn || wait > maxAskIn || len(list) > maxChecks {
			t.Errorf("%d checks, asks in %v", len(list), wait)
		}
		for _, c := range list {
			if c.Every < 30 || c.Timeout < 1 || c.Timeout > 20 || c.Kind == "heartbeat" {
				t.Errorf("it runs %+v", c)
			}
		}
	})
}
