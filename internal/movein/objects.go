package movein

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// body is an object as the API takes it.
type body = map[string]any

// Object is something to make, as another service had it.
type Object struct {
	Old    string // its id there; "" where it had none
	Name   string
	Body   body
	Charts []*Object        // of a space
	Layout *tidemark.Layout // of a space, with the old ids of its charts
	// Lacks are settings of a service that are secret and not known: it is
	// used if it is there, and not made.
	Lacks []string
}

// Objects is what is to be made.
type Objects struct {
	Metrics, Services, Spaces, Alerts, Tokens []*Object
	Checks, Objectives, Maintenance           []*Object // of an exported organization alone
	// Missing is what has no counterpart, or could not be understood.
	Missing []Missing
}

// Missing is something that is left out, and why.
type Missing struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

func (o *Objects) miss(what, format string, args ...any) {
	o.Missing = append(o.Missing, Missing{what, fmt.Sprintf(format, args...)})
}

// What became of an object, or would.
const (
	Made    = "made"
	There   = "there already"
	Filled  = "given what it lacked"
	Refused = "refused"
)

// Outcome is what became of one object.
type Outcome struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Did  string `json:"outcome"`
	Why  string `json:"why,omitempty"` // where it was refused
	Old  string `json:"old_id,omitempty"`
	New  int64  `json:"new_id,omitempty"` // 0 for metrics, and for what is not made yet
}

// Report is what an import did, or would do.
type Report struct {
	Outcomes []Outcome `json:"outcomes"`
	Missing  []Missing `json:"missing"`
}

// Count returns how many had an outcome.
func (r *Report) Count(did string) (n int) {
	for _, o := range r.Outcomes {
		if o.Did == did {
			n++
		}
	}
	return n
}

// NewID returns the id that an object of a kind got for its old one.
func (r *Report) NewID(kind, old string) (int64, bool) {
	for _, o := range r.Outcomes {
		if o.Kind == kind && o.Old == old && o.New != 0 {
			return o.New, true
		}
	}
	return 0, false
}

// Make makes what is not there yet. What is there is found by its name: a
// metric, an alert, a space or a token by its own, a service by type and
// title, a chart by its name within its space. Nothing that is there is
// changed, except that metrics are given what they lack. With dry it changes
// nothing at all.
func (o *Objects) Make(ctx context.Context, server *client.Client, dry bool) (*Report, error) {
	m := &maker{server: server, dry: dry, report: &Report{Missing: slices.Clone(o.Missing)}, ids: make(map[string]int64), metrics: make(map[string]bool)}
	for _, step := range []func(context.Context, *Objects) error{m.makeMetrics, m.makeServices, m.makeSpaces, m.makeChecks, m.makeAlerts, m.makeTokens, m.makeObjectives, m.makeMaintenance} {
		if err := step(ctx, o); err != nil {
			return m.report, err
		}
	}
	return m.report, nil
}

// maker makes objects.
type maker struct {
	server  *client.Client
	dry     bool
	report  *Report
	ids     map[string]int64 // new ids by kind and old id; 0 for what a dry run would make
	metrics map[string]bool  // that there are, or would be
}

func (m *maker) miss(what, format string, args ...any) {
	m.report.Missing = append(m.report.Missing, Missing{what, fmt.Sprintf(format, args...)})
}

// done notes an outcome. What the server refused is part of the report, what
// else went wrong is an error.
func (m *maker) done(kind string, o *Object, did string, id int64, err error) error {
	out := Outcome{Kind: kind, Name: o.Name, Did: did, Old: o.Old, New: id}
	if err != nil {
		switch tidemark.KindOf(err) {
		case tidemark.Invalid, tidemark.Conflict, tidemark.TooMany, tidemark.TooLarge, tidemark.Forbidden:
			out.Did, out.Why, out.New = Refused, err.Error(), 0
		default:
			return fmt.Errorf("%s %q: %w", kind, o.Name, err)
		}
	}
	m.report.Outcomes = append(m.report.Outcomes, out)
	switch {
	case o.Old == "":
	case out.Did == Refused:
		delete(m.ids, kind+o.Old) // charts of another dashboard may have had it
	default:
		m.ids[kind+o.Old] = id
	}
	return nil
}

// as reads b as the noun that it is meant to be.
func as[T any](b body, v T) (T, error) {
	text, err := json.Marshal(b)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		return v, tidemark.Errorf(tidemark.Invalid, "%v", err)
	}
	return v, nil
}

// textOf is an id or a text, whichever way it was written.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case map[string]any: // an object in place of its id
		return textOf(v["id"])
	}
	return ""
}
