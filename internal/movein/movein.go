// Package movein moves measurements out of a server and into another, and
// makes what other services export into what the API takes: objects of the old
// API, states of Terraform, dashboards of Grafana. It asks a server
// through its client, and prints nothing.
//
//	export restore cursor      measurements as lines of JSON
//	organization*              all that an organization has, in a directory
//	prometheus                 snapshots of Prometheus' own database
//	objects make*              objects, and making what is not there yet
//	oldapi tokens              what the old service's API answered
//	terraform                  states of its Terraform providers
//	grafana* promql graphite   dashboards, and what is asked in their panels
package movein

import (
	"encoding/json"

	"github.com/tidemark-metrics/tidemark"
)

// Progress is told how far a long piece of work is.
type Progress func(doing string, done, total int64)

// format is the version of the lines.
const format = 1

// header is the first line of an export.
type header struct {
	Version int   `json:"tidemark_export"`
	Start   int64 `json:"start"`
	End     int64 `json:"end"`
}

// other is a line that holds no measurements; at most one field is set.
type other struct {
	Version    int                        `json:"tidemark_export,omitempty"`
	Definition *tidemark.Metric           `json:"definition,omitempty"`
	Annotation *annotation                `json:"annotation,omitempty"`
	Stream     *tidemark.AnnotationStream `json:"annotation_stream,omitempty"`
	Metric     json.RawMessage            `json:"metric,omitempty"` // of a line of measurements
}

// annotation is an event and where it belongs.
type annotation struct {
	Stream string `json:"stream"`
	tidemark.AnnotationEvent
}

func lineOf(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(text, '\n'), err
}
