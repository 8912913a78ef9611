// Package graphite decodes what carbon takes: lines of text
//
//	servers.web-07.cpu 1.5 1754300400
//	cpu;host=web-07;dc=ams1 1.5 1754300400
//
// and the same as a pickle.
package graphite

import (
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// Decode adds what is in body to b. A line that is not understood costs only
// itself, unless there is no other.
func Decode(body []byte, b *protocol.Batch) error {
	text := pb.Text(body)
	for line := 1; text != ""; line++ {
		var one string
		one, text, _ = strings.Cut(text, "\n")
		if err := decodeLine(line, one, b); err != nil {
			return err
		}
	}
	return b.Refused()
}

// DecodeLine adds one line to b.
func DecodeLine(line string, b *protocol.Batch) error { return decodeLine(1, line, b) }

func decodeLine(number int, line string, b *protocol.Batch) error {
	path, rest := "", ""
	known := b.Next(form, line, endsPath)
	if known != nil {
		path, rest = line[:known.Len()], line[known.Len():]
	} else {
		path, rest = word(line)
	}
	value, rest := word(rest)
	time, rest := word(rest)
	if path == "" {
		return nil
	}
	v, ok := protocol.ParseFloat(value)
	if !ok {
		b.SkipLine(number, "the value %.30q is no number", value)
		return nil
	}
	seconds, ok := -1.0, true
	if time != "" && time != "N" { // N is now, as for rrdtool
		seconds, ok = protocol.ParseFloat(time)
	}
	if !ok || strings.TrimSpace(rest) != "" {
		b.SkipLine(number, "the time %.30q is no number", strings.TrimSpace(time+" "+strings.TrimSpace(rest)))
		return nil
	}
	return add(b, path, known, v, seconds)
}

// word returns the first word of a line, and what is after it.
func word(s string) (first, rest string) {
	start := 0
	for start < len(s) && isBlank(s[start]) {
		start++
	}
	end := start
	for end < len(s) && !isBlank(s[end]) {
		end++
	}
	return s[start:end], s[end:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// form is that of paths.
const form protocol.Form = 'g'

// endsPath reports whether a path ends before the rest of a line.
func endsPath(rest string) bool { return rest != "" && isBlank(rest[0]) }

// add adds a point of a path that may be known. A time of -1 is now.
func add(b *protocol.Batch, path string, known *protocol.Labels, value, seconds float64) error {
	p := protocol.Point{Value: value}
	if seconds != -1 {
		var ok bool
		if p.Time, ok = protocol.Millis(seconds, 1000); !ok || p.Time == 0 {
			b.Skip(protocol.BadTime, path)
			return nil
		}
	}
	if known == nil {
		known = b.Recall(form, path)
	}
	if known != nil {
		p.Name, p.Labels, p.Key, p.Upper, p.Ref = known.Name, known.Tags, known.Key, known.Upper, &known.Ref
		return b.AddValue(p)
	}
	name, tags, tagged := strings.Cut(path, ";")
	if p.Name = b.MetricName(name); name == "" {
		b.Skip(protocol.NoName, path)
		return nil
	}
	if b.StartLabels(); tagged && !addTags(b, tags) {
		b.DropLabels()
		b.Skip(protocol.NotUnderstood, path+": a tag is not name=value")
		return nil
	}
	var ok bool
	if p.Labels, ok = b.FinishLabels(name); !ok {
		return nil
	}
	b.Remember(form, path, p.Name, p.Labels, protocol.Gauge)
	return b.AddValue(p)
}

func addTags(b *protocol.Batch, tags string) bool {
	for more := true; more; {
		var tag string
		tag, tags, more = strings.Cut(tags, ";")
		name, value, ok := strings.Cut(tag, "=")
		if !ok || name == "" {
			return false
		}
		b.AddLabel(name, value)
	}
	return true
}
