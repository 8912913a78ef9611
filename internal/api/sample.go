package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// A sample is the beginning and the end of a body of measurements: enough to
// say who sent it and what, without reading it twice.
type sample string

const (
	sampleHead = 1536
	sampleTail = 512 // some clients put the tags last
)

func sampleOf(text []byte) sample {
	if len(text) <= sampleHead+sampleTail {
		return sample(text)
	}
	return sample(text[:sampleHead]) + "\n" + sample(text[len(text)-sampleTail:])
}

// value returns what follows a key in s, as far as it is plain text, and what
// comes after it.
func (s sample) value(key string) (value string, rest sample, ok bool) {
	_, after, found := strings.Cut(string(s), `"`+key+`"`)
	if !found {
		return "", "", false
	}
	after, colon := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ":")
	after, quote := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), `"`)
	end := strings.IndexAny(after, "\"\\\n\x00")
	if !colon || !quote || end <= 0 || after[end] != '"' {
		return "", sample(after), true
	}
	return after[:end], sample(after[end:]), true
}

const maxSenderName = 200

// sender is who sent s: the tag host, or the source of the time before tags.
func (s sample) sender() string {
	for _, key := range []string{"host", "source"} {
		if name, _, _ := s.value(key); name != "" && len(name) <= maxSenderName {
			return strings.Clone(name)
		}
	}
	return ""
}

const maxSends = 5

// sends are the first words of the names of the first few metrics: cpu.*.
func (s sample) sends() json.RawMessage {
	families := []string{}
	for len(families) < maxSends {
		name, rest, ok := s.value("name")
		if !ok {
			break
		}
		s = rest
		if first, _, dotted := strings.Cut(name, "."); dotted {
			name = first + ".*"
		}
		if name != "" && len(name) <= maxSenderName && !slices.Contains(families, name) {
			families = append(families, name)
		}
	}
	text, _ := json.Marshal(families)
	return text
}

// senderOf is where a request comes from: what its body says, else its
// address.
func senderOf(r *http.Request, s sample) string {
	if name := s.sender(); name != "" {
		return strings.ToValidUTF8(name, "")
	}
	return remoteHost(r)
}
