package statsd

import (
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// sample is a line taken apart:
//
//	name:1|c|@0.1                        StatsD
//	name:1:2:3|h|#env:prod,canary|T1754300400   DogStatsD
//	name,env=prod:1|c                    Telegraf's
//	name;env=prod:1|c                    Graphite's
type sample struct {
	head   string // the name, and tags that are part of it
	values string // with : between them
	typ    string
	tags   string // DogStatsD's
	rate   float64
	time   int64 // 0 where the line has none
}

// parse takes a line apart. fault is what is wrong with it.
func parse(line string) (s sample, fault string) {
	front, rest, found := strings.Cut(line, "|")
	if !found {
		return s, "has no type"
	}
	// Tags in the name may have a : in their values, and then there is only
	// one value after them.
	colon := strings.IndexByte(front, ':')
	if tags := strings.IndexAny(front, ",;"); tags >= 0 && tags < colon {
		colon = strings.LastIndexByte(front, ':')
	}
	if colon <= 0 {
		return s, "has no name or no value"
	}
	s.head, s.values, s.rate = front[:colon], front[colon+1:], 1
	s.typ, rest, found = strings.Cut(rest, "|")
	for found && fault == "" {
		var part string
		part, rest, found = strings.Cut(rest, "|")
		fault = s.extra(part)
	}
	return s, fault
}

// extra reads what follows the type.
func (s *sample) extra(part string) (fault string) {
	if part == "" {
		return "has an empty part"
	}
	var ok bool
	switch part[0] {
	case '@':
		if s.rate, ok = protocol.ParseFloat(part[1:]); !ok || !(s.rate > 0 && s.rate <= 1) {
			return "has a sampling rate that is not over 0 and up to 1"
		}
	case '#':
		s.tags = part[1:]
	case 'T':
		seconds, ok := protocol.ParseFloat(part[1:])
		if s.time, fault = 0, "has a time that is none"; !ok {
			return fault
		}
		if s.time, ok = protocol.Millis(seconds, 1000); !ok || s.time == 0 {
			return fault
		}
		return ""
	}
	return "" // c: and others name the container, which is no tag
}

// addLabels collects the tags of s, and returns the name without them.
func (s *sample) addLabels(b *protocol.Batch) (name string) {
	b.StartLabels()
	name, inName := s.head, ""
	if i := strings.IndexAny(s.head, ",;"); i >= 0 {
		name, inName = s.head[:i], s.head[i+1:]
		eachTag(inName, s.head[i], '=', b.AddLabel)
	}
	eachTag(s.tags, ',', ':', b.AddLabel)
	return name
}

// eachTag calls do for every tag. One without a value says that something is
// so.
func eachTag(tags string, separator, between byte, do func(name, value string)) {
	for tags != "" {
		tag := tags
		if i := strings.IndexByte(tags, separator); i >= 0 {
			tag, tags = tags[:i], tags[i+1:]
		} else {
			tags = ""
		}
		if i := strings.IndexByte(tag, between); i >= 0 {
			do(tag[:i], tag[i+1:])
		} else {
			do(tag, "true")
		}
	}
}
