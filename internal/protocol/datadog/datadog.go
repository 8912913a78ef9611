// Package datadog decodes what the Datadog agent and its libraries send to
// /api/v1/series (JSON) and /api/v2/series (protocol buffers or JSON),
// decompressed.
//
// A count is what was counted since the point before, a rate and a gauge are
// values. Host and device become labels; of a tag without a value the value
// is "true".
package datadog

import (
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// series is a series in any of the three forms, but for its labels, which are
// collected in the batch.
type series struct {
	name  string
	count bool
}

type point struct {
	seconds, value float64
}

// add adds the points of a series whose labels were collected.
func (s *series) add(b *protocol.Batch, points []point) error {
	if s.name == "" {
		b.DropLabels()
		b.SkipN(protocol.NoName, "", len(points))
		return nil
	}
	labels, ok := b.FinishLabels(s.name)
	if !ok {
		b.SkipN(protocol.TooManyLabels, s.name, len(points)-1)
		return nil
	}
	p := protocol.Point{Name: b.MetricName(s.name), Labels: labels}
	if s.count {
		p.Kind = protocol.Delta
	}
	for _, one := range points {
		if p.Time, ok = protocol.Millis(one.seconds, 1000); !ok || p.Time == 0 {
			b.Skip(protocol.BadTime, p.Name)
			continue
		}
		p.Value = one.value
		if err := b.AddValue(p); err != nil {
			return err
		}
	}
	return nil
}

// typeCount is the type of a count in version 2.
const typeCount = 1

// addTag collects a tag as agents write it, name:value.
func addTag(b *protocol.Batch, tag string) {
	name, value, ok := strings.Cut(tag, ":")
	if !ok {
		value = "true"
	}
	b.AddLabel(name, value)
}

// DecodeV2 adds what is in the body of a request to /api/v2/series to b, where
// that is protocol buffers, as the agent sends them.
func DecodeV2(body []byte, b *protocol.Batch) error {
	r := pb.New(body)
	var points []point
	for r.Next() {
		if r.Field != 1 {
			continue
		}
		m := r.Message()
		var s series
		b.StartLabels()
		points = s.read(&m, b, points[:0])
		if r.Close(&m); r.Err != nil {
			b.DropLabels()
			break
		}
		if err := s.add(b, points); err != nil {
			return err
		}
	}
	if r.Err != nil {
		return tidemark.Errorf(tidemark.Invalid, "the body is not a list of series: %v", r.Err)
	}
	return nil
}

// read reads a series, and collects its labels.
func (s *series) read(r *pb.Reader, b *protocol.Batch, points []point) []point {
	for r.Next() {
		m := pb.Reader{}
		switch r.Field {
		case 1:
			if kind, name, ok := pb.Pair(r.Raw()); ok {
				b.AddLabel(kind, name)
			} else {
				m = r.Message()
				readResource(&m, b)
			}
		case 2:
			s.name = r.Text()
		case 3:
			addTag(b, r.Text())
		case 4:
			m = r.Message()
			if points = append(points, readPoint(&m)); len(points) > b.Limits.Points {
				return points // and adding them says what is wrong
			}
		case 5:
			s.count = r.Uint() == typeCount
		}
		r.Close(&m)
	}
	return points
}

func readResource(r *pb.Reader, b *protocol.Batch) {
	kind, name := "", ""
	for r.Next() {
		switch r.Field {
		case 1:
			kind = r.Text()
		case 2:
			name = r.Text()
		}
	}
	b.AddLabel(kind, name)
}

func readPoint(r *pb.Reader) (p point) {
	for r.Next() {
		switch r.Field {
		case 1:
			p.value = r.Double()
		case 2:
			p.seconds = float64(r.Int())
		}
	}
	return p
}
