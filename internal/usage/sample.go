package usage

import (
	"encoding/json"
	"slices"
	"strings"
)

// A Sample is the beginning and the end of a body of measurements: enough to
// say who sent it and what, without reading it twice.
type Sample string

const (
	sampleHead = 1536
	sampleTail = 512 // some clients put the tags last
)

// SampleOf returns the sample of a body.
func SampleOf(text []byte) Sample {
	if len(text) <= sampleHead+sampleTail {
		return Sample(text)
	}
	return Sample(text[:sampleHead]) + "\n" + Sample(text[len(text)-sampleTail:])
}

// value returns what follows a key in s, as far as it is plain text, and what
// comes after it.
func (s Sample) value(key string) (value string, rest Sample, ok bool) {
	_, after, found := strings.Cut(string(s), `"`+key+`"`)
	if !found {
		return "", "", false
	}
	after, colon := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ":")
	after, quote := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), `"`)
	end := strings.IndexAny(after, "\"\\\n\x00")
	if !colon || !quote || end <= 0 || after[end] != '"' {
		return "", Sample(after), true
	}
	return after[:end], Sample(after[end:]), true
}

const maxSenderName = 200

// sender is who sent s: the tag host, or the source of the time before tags.
func (s Sample) sender() string {
	for _, key := range []string{"host", "source"} {
		if name, _, _ := s.value(key); name != "" && len(name) <= maxSenderName {
			return strings.ToValidUTF8(strings.Clone(name), "")
		}
	}
	return ""
}

const maxSends = 5

// Family is what a metric is one of: cpu.* of cpu.user.
func Family(metric string) string {
	if first, _, dotted := strings.Cut(metric, "."); dotted {
		return first + ".*"
	}
	return metric
}

// sends are the first words of the names of the first few metrics: cpu.*.
func (s Sample) sends() json.RawMessage {
	families := []string{}
	for len(families) < maxSends {
		name, rest, ok := s.value("name")
		if !ok {
			break
		}
		s = rest
		name = Family(name)
		if name != "" && len(name) <= maxSenderName && !slices.Contains(families, name) {
			families = append(families, name)
		}
	}
	text, _ := json.Marshal(families)
	return text
}
