package tidemark

import (
	"slices"
	"strings"
)

// Tag is one name and value.
type Tag struct{ Name, Value string }

// Tags tell the streams of one metric apart: at most one value a name, sorted
// by name.
type Tags []Tag

// MakeTags returns the tags of m.
func MakeTags(m map[string]string) Tags {
	tags := make(Tags, 0, len(m))
	for name, value := range m {
		tags = append(tags, Tag{name, value})
	}
	slices.SortFunc(tags, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	return tags
}

// Get returns the value of the tag called name.
func (t Tags) Get(name string) (value string, ok bool) {
	for _, tag := range t {
		if tag.Name == name {
			return tag.Value, true
		}
	}
	return "", false
}

// Find is Get for a name in any case.
func (t Tags) Find(name string) (value string, ok bool) {
	for _, tag := range t {
		if strings.EqualFold(tag.Name, name) {
			return tag.Value, true
		}
	}
	return "", false
}

// Map returns t as a map, never nil.
func (t Tags) Map() map[string]string {
	m := make(map[string]string, len(t))
	for _, tag := range t {
		m[tag.Name] = tag.Value
	}
	return m
}

// Compare orders tags by their pairs, so that lists of streams have one order.
func (t Tags) Compare(o Tags) int {
	return slices.CompareFunc(t, o, func(a, b Tag) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Value, b.Value)
	})
}

// String returns t as notifications write a stream: "a=1,b=2".
func (t Tags) String() string {
	var b strings.Builder
	for i, tag := range t {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(tag.Name + "=" + tag.Value)
	}
	return b.String()
}

// How the names of the metrics begin that the server records about itself.
const ownAlerting, ownServer = "tidemark.alerting.", "tidemark.server."

// IsOwnMetric reports whether the server alone records a metric, whose name is
// in lower case: those about itself, and what checks find, which an agent's
// token must not be able to hide.
func IsOwnMetric(key string) bool {
	return strings.HasPrefix(key, ownAlerting) || strings.HasPrefix(key, ownServer) || key == MetricCheckUp || key == MetricCheckDuration || key == MetricCheckDays
}

// MetricKey is the form of a metric's name under which it is found: names
// match whatever their case, and are shown as first written.
func MetricKey(name string) string { return strings.ToLower(name) }

// IsMetricName reports whether s can name a metric: 1 to 255 letters, digits
// and . : - _
func IsMetricName(s string) bool { return isText(s, MaxName, metricByte) }

// IsTagName reports whether s can name a tag: 1 to 64 letters, digits and
// - . : _ or a leading @.
func IsTagName(s string) bool {
	return isText(strings.TrimPrefix(s, "@"), MaxTagName, metricByte) && len(s) <= MaxTagName
}

// IsTagValue reports whether s can be the value of a tag.
func IsTagValue(s string) bool { return isText(s, MaxTagValue, tagValueByte) }

func isText(s string, most int, allowed func(byte) bool) bool {
	if s == "" || len(s) > most {
		return false
	}
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return true
}

func metricByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == ':' || c == '-' || c == '_'
}

func tagValueByte(c byte) bool {
	return metricByte(c) || c == '?' || c == '\\' || c == '/' || c == ' '
}
