package datadog

import (
	"encoding/json"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// jsonBody is the body of both versions.
type jsonBody struct {
	Series json.RawMessage `json:"series"`
}

// jsonV1 is a series of version 1.
type jsonV1 struct {
	Metric string              `json:"metric"`
	Type   string              `json:"type"`
	Host   string              `json:"host"`
	Device string              `json:"device"`
	Tags   []string            `json:"tags"`
	Points [][]protocol.Number `json:"points"`
}

// jsonV2 is a series of version 2.
type jsonV2 struct {
	Metric    string                        `json:"metric"`
	Type      int                           `json:"type"`
	Resources []struct{ Name, Type string } `json:"resources"`
	Tags      []string                      `json:"tags"`
	Points    []struct {
		Timestamp protocol.Number `json:"timestamp"`
		Value     protocol.Number `json:"value"`
	} `json:"points"`
}

// DecodeV1 adds what is in the body of a request to /api/v1/series to b.
func DecodeV1(body []byte, b *protocol.Batch) error {
	var one jsonV1
	var points []point
	err := eachSeries(body, func() any { one = jsonV1{}; return &one }, func() (err error) {
		points, err = one.add(b, points[:0])
		return err
	})
	if err != nil {
		return protocol.NotJSON("a list of series", err)
	}
	return b.Refused()
}

// DecodeV2JSON adds what is in the body of a request to /api/v2/series to b,
// where that is JSON.
func DecodeV2JSON(body []byte, b *protocol.Batch) error {
	var one jsonV2
	var points []point
	return protocol.NotJSON("a list of series", eachSeries(body, func() any { one = jsonV2{}; return &one }, func() (err error) {
		points, err = one.add(b, points[:0])
		return err
	}))
}

func eachSeries(body []byte, element func() any, do func() error) error {
	var req jsonBody
	if err := json.Unmarshal(body, &req); err != nil {
		return err
	}
	return protocol.EachJSON(req.Series, element, do)
}

// add adds a series to b; points is memory for them.
func (s *jsonV1) add(b *protocol.Batch, points []point) ([]point, error) {
	for _, p := range s.Points {
		if len(p) != 2 {
			b.Skip(protocol.NotUnderstood, s.Metric+": a point is not [time, value]")
			continue
		}
		points = append(points, point{float64(p[0]), float64(p[1])})
	}
	b.StartLabels()
	b.AddLabel("host", s.Host)
	b.AddLabel("device", s.Device)
	for _, tag := range s.Tags {
		addTag(b, tag)
	}
	one := series{name: s.Metric, count: s.Type == "count" || s.Type == "counter"}
	return points, one.add(b, points)
}

func (s *jsonV2) add(b *protocol.Batch, points []point) ([]point, error) {
	for _, p := range s.Points {
		points = append(points, point{float64(p.Timestamp), float64(p.Value)})
	}
	b.StartLabels()
	for _, r := range s.Resources {
		b.AddLabel(r.Type, r.Name)
	}
	for _, tag := range s.Tags {
		addTag(b, tag)
	}
	one := series{name: s.Metric, count: s.Type == typeCount}
	return points, one.add(b, points)
}
