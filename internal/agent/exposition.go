package agent

import (
	"bytes"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// readExposition reads what Prometheus endpoints answer and scripts print:
//
//	# TYPE jobs_total counter
//	jobs_total{queue="mail"} 12
//	queue.length 3
//
// Names may have dots and the like, so that scripts can name metrics as the
// API does. Times and exemplars are passed over: everything is of now.
func readExposition(text []byte, b *protocol.Batch) error {
	kinds := make(map[string]string)
	number := 0
	for line := range bytes.Lines(text) {
		number++
		s := strings.TrimSpace(string(line))
		if s == "" {
			continue
		}
		if s[0] == '#' {
			if f := strings.Fields(s); len(f) == 4 && f[1] == "TYPE" {
				kinds[f[2]] = f[3]
			}
			continue
		}
		if err := readSample(s, number, kinds, b); err != nil {
			return err
		}
	}
	return nil
}

func readSample(s string, line int, kinds map[string]string, b *protocol.Batch) error {
	b.StartLabels()
	name, rest, ok := readLabels(s, b)
	f := strings.Fields(rest)
	if !ok || name == "" || len(f) == 0 {
		b.DropLabels()
		b.SkipLine(line, "is no sample")
		return nil
	}
	v, ok := protocol.ParseFloat(f[0])
	if !ok {
		b.DropLabels()
		b.SkipLine(line, "has no number as its value")
		return nil
	}
	labels, ok := b.FinishLabels(name)
	if !ok {
		return nil
	}
	return b.AddValue(protocol.Point{Name: b.MetricName(name), Labels: labels, Kind: kindOf(name, kinds), Value: v})
}

// kindOf is whether a value is a total. Parts of histograms are, by the name
// of the whole.
func kindOf(name string, kinds map[string]string) protocol.Kind {
	if kinds[name] == "counter" || kinds[strings.TrimSuffix(name, "_total")] == "counter" {
		return protocol.Counter
	}
	for _, suffix := range []string{"_bucket", "_count", "_sum"} {
		whole, ok := strings.CutSuffix(name, suffix)
		if k := kinds[whole]; ok && (k == "histogram" || k == "summary") {
			return protocol.Counter
		}
	}
	return protocol.Gauge
}

// readLabels takes a sample apart: its name, its labels, and what follows.
func readLabels(s string, b *protocol.Batch) (name, rest string, ok bool) {
	end := strings.IndexAny(s, "{ \t")
	if end < 0 {
		return "", "", false
	}
	name = s[:end]
	rest, labelled := strings.CutPrefix(strings.TrimLeft(s[end:], " \t"), "{")
	if !labelled {
		return name, rest, true
	}
	for {
		rest = strings.TrimLeft(rest, " \t,")
		if after, done := strings.CutPrefix(rest, "}"); done {
			return name, after, true
		}
		label, after, found := strings.Cut(rest, "=")
		value, tail, closed := readQuoted(strings.TrimSpace(after))
		if label = strings.TrimSpace(label); !found || !closed || label == "" {
			return "", "", false
		}
		b.AddLabel(label, value)
		rest = tail
	}
}

// readQuoted reads a text in quotes, in which \n, \" and \\ are escapes.
func readQuoted(s string) (value, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	var out strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return out.String(), s[i+1:], true
		case c == '\\' && i+1 < len(s):
			if i++; s[i] == 'n' {
				out.WriteByte('\n')
			} else {
				out.WriteByte(s[i])
			}
		default:
			out.WriteByte(c)
		}
	}
	return "", "", false
}
