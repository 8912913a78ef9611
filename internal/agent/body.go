package agent

import (
	"bytes"
	"compress/gzip"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// maxPart is how many measurements one request has; a server takes 10,000.
const maxPart = 5000

// unit is what charts write next to values.
type unit string

const (
	unitNone    unit = ""
	unitPercent unit = "%"
	unitBytes   unit = "B"
	unitRate    unit = "B/s"
	unitSeconds unit = "s"
)

// part is one request: compressed JSON, how many measurements or findings it
// has, and where it goes.
type part struct {
	data  []byte
	count int
	to    string
}

// body collects measurements as the JSON of POST /v1/measurements. The JSON
// is written as they come: nothing is kept of them but that.
type body struct {
	base  tidemark.Tags
	every time.Duration
	time  int64
	json  []byte
	count int
	parts []part
	tags  tidemark.Tags   // scratch
	known map[string]bool // metrics whose attributes were sent
	zip   *gzip.Writer
}

func newBody(base tidemark.Tags, every time.Duration) *body {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is one
	return &body{base: base, every: every, known: make(map[string]bool), zip: z}
}

// at sets the time of the measurements that follow.
func (b *body) at(now time.Time) { b.time = now.Unix() }

// value adds a measurement with the tags of the agent and those given, as
// names and values in turn. What is no number is left out.
func (b *body) value(name string, u unit, v float64, tags ...string) {
	if v-v != 0 {
		return
	}
	b.setTags(tags)
	b.start(name)
	b.json = append(b.json, `,"value":`...)
	b.json = strconv.AppendFloat(b.json, v, 'g', -1, 64)
	b.end(name, u, "")
}

func (b *body) setTags(pairs []string) {
	b.tags = append(b.tags[:0], b.base...)
	for i := 0; i+1 < len(pairs); i += 2 {
		b.setTag(protocol.LabelName(pairs[i]), protocol.LabelValue(pairs[i+1]))
	}
}

// setTag adds a tag; one of the agent's own gives way.
func (b *body) setTag(name, value string) {
	if value == "" || name == "" {
		return
	}
	if i := slices.IndexFunc(b.tags, func(t tidemark.Tag) bool { return strings.EqualFold(t.Name, name) }); i >= 0 {
		b.tags[i].Value = value
		return
	}
	b.tags = append(b.tags, tidemark.Tag{Name: name, Value: value})
}

// point adds what came through another protocol.
func (b *body) point(p *protocol.Point, more tidemark.Tags) {
	b.tags = append(b.tags[:0], b.base...)
	for _, t := range more {
		b.setTag(t.Name, t.Value)
	}
	for _, t := range p.Labels {
		b.setTag(t.Name, t.Value)
	}
	if p.Time != 0 {
		b.time = p.Time / 1000
	}
	if p.Dist != nil {
		b.distribution(p)
		return
	}
	b.start(p.Name)
	b.json = append(b.json, `,"value":`...)
	b.json = strconv.AppendFloat(b.json, p.Value, 'g', -1, 64)
	b.end(p.Name, unitNone, map[protocol.Kind]string{protocol.Counter: "last", protocol.Delta: "sum"}[p.Kind])
}

// distribution adds the buckets of a sketch as values and how often they were.
func (b *body) distribution(p *protocol.Point) {
	s, err := sketch.Decode(p.Dist.Sketch)
	if err != nil {
		return
	}
	b.start(p.Name)
	b.json = append(b.json, `,"distribution":[`...)
	comma := false
	for bucket := range s.Buckets() {
		v := min(max(bucket.Lower/2+bucket.Upper/2, p.Dist.Min), p.Dist.Max)
		if comma {
			b.json = append(b.json, ',')
		}
		comma = true
		b.json = append(b.json, '[')
		b.json = strconv.AppendFloat(b.json, v, 'g', -1, 64)
		b.json = append(b.json, ',')
		b.json = strconv.AppendFloat(b.json, math.Max(1, bucket.Count), 'g', -1, 64)
		b.json = append(b.json, ']')
	}
	b.json = append(b.json, ']')
	b.end(p.Name, unitNone, "")
}

// start writes a measurement up to its value. Names and tags are of the API's
// alphabet, in which Go and JSON quote alike.
func (b *body) start(name string) {
	if b.count == 0 {
		b.json = append(b.json[:0], `{"period":`...)
		b.json = strconv.AppendInt(b.json, int64(b.every/time.Second), 10)
		b.json = append(b.json, `,"measurements":[`...)
	} else {
		b.json = append(b.json, ',')
	}
	b.json = append(b.json, `{"name":`...)
	b.json = strconv.AppendQuote(b.json, name)
	b.json = append(b.json, `,"time":`...)
	b.json = strconv.AppendInt(b.json, b.time, 10)
	b.json = append(b.json, `,"tags":{`...)
	for i, t := range b.tags {
		if i > 0 {
			b.json = append(b.json, ',')
		}
		b.json = strconv.AppendQuote(b.json, t.Name)
		b.json = append(b.json, ':')
		b.json = strconv.AppendQuote(b.json, t.Value)
	}
	b.json = append(b.json, '}')
}

// maxKnown bounds what is remembered of names.
const maxKnown = 10_000

// end writes the attributes of a metric the first time it is sent.
func (b *body) end(name string, u unit, summarize string) {
	if (u != "" || summarize != "") && !b.known[name] && len(b.known) < maxKnown {
		b.known[strings.Clone(name)] = true
		b.json = append(b.json, `,"attributes":{`...)
		if u != "" {
			b.json = append(b.json, `"display_units_short":`...)
			b.json = strconv.AppendQuote(b.json, string(u))
		} else {
			b.json = append(b.json, `"summarize_function":`...)
			b.json = strconv.AppendQuote(b.json, summarize)
		}
		b.json = append(b.json, '}')
	}
	b.json = append(b.json, '}')
	if b.count++; b.count == maxPart {
		b.close()
	}
}

// close makes a part of what was written.
func (b *body) close() {
	if b.count == 0 {
		return
	}
	b.json = append(b.json, "]}"...)
	var out bytes.Buffer
	b.zip.Reset(&out)
	_, _ = b.zip.Write(b.json) // to memory
	_ = b.zip.Close()
	b.parts = append(b.parts, part{out.Bytes(), b.count, measurementsPath})
	if b.count = 0; cap(b.json) > 1<<18 {
		b.json = nil // of an unusual round
	}
}

// take returns what was collected, and resets it.
func (b *body) take() []part {
	b.close()
	parts := b.parts
	b.parts = nil
	return parts
}
