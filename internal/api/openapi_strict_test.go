package api

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	v1 "github.com/tidemark-metrics/tidemark/internal/api/v1"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// openEnded are the objects in answers that hold what others put there, or
// what is not ours to say.
var openEnded = map[string]string{
	"Document":            "it is of the form of such documents",
	"Document.info":       "likewise",
	"Document.paths":      "likewise",
	"Document.components": "likewise",
	"AuditEntry.detail":   "every action has details of its own",
	"AuditEntry.before":   "everything has fields of its own",
	"AuditEntry.after":    "likewise",
	"Snapshot.subject":    "as it was sent",
	"Attributes":          "clients keep things of their own there",
	"Alert.attributes":    "likewise",
	"ChartAttributes":     "likewise",
	"ChartBand":           "likewise",
	"ChartLink":           "likewise",
}

// checker walks the schemas of the document.
type checker struct {
	t    *testing.T
	seen map[*openapi3.Schema]bool
}

// closed: what answers hold is said to the last key.
func (c *checker) closed(at string, ref *openapi3.SchemaRef) {
	if ref == nil || c.seen[ref.Value] {
		return
	}
	if ref.Ref != "" {
		at = ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
	}
	s := ref.Value
	c.seen[s] = true
	if s.Type.Includes("object") && openEnded[at] == "" {
		more := s.AdditionalProperties
		if (more.Has == nil || *more.Has) && more.Schema == nil {
			c.t.Errorf("%s may hold anything", at)
		}
	}
	if s.Type.Includes("array") && s.Items == nil {
		c.t.Errorf("%s is a list of anything", at)
	}
	if s.Type == nil && s.OneOf == nil && s.AnyOf == nil && s.Const == nil {
		c.t.Errorf("%s is anything", at)
	}
	c.closed(at+"[]", s.Items)
	c.closed(at+"{}", s.AdditionalProperties.Schema)
	for _, one := range slices.Concat(s.OneOf, s.AllOf) {
		c.closed(at+"|", one)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		c.closed(at+"."+name, s.Properties[name])
	}
}

// described: everything that can be sent or comes back says what it is.
func (c *checker) described(at string, ref *openapi3.SchemaRef) {
	if ref == nil || c.seen[ref.Value] {
		return
	}
	c.seen[ref.Value] = true
	s := ref.Value
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		if p.Ref == "" && p.Value.Description == "" && p.Value.OneOf == nil {
			c.t.Errorf("%s.%s says nothing of itself", at, name)
		}
		c.described(at+"."+name, p)
	}
	c.described(at+"[]", s.Items)
	c.described(at+"{}", s.AdditionalProperties.Schema)
	for _, one := range slices.Concat(s.OneOf, s.AllOf) {
		c.described(at+"|", one)
	}
}

// TestOpenAPIStrict: the document says all, and says what it means.
func TestOpenAPIStrict(t *testing.T) {
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	closed := &checker{t, make(map[*openapi3.Schema]bool)}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " " + path
			if op.Summary == "" || op.OperationID == "" || len(op.Tags) == 0 {
				t.Errorf("%s has no summary, id or tag", at)
			}
			for status, resp := range op.Responses.Map() {
				if resp.Value.Description == nil || *resp.Value.Description == "" {
					t.Errorf("%s: %s says nothing of itself", at, status)
				}
				if media := resp.Value.Content.Get("application/json"); media != nil {
					closed.closed(at+" "+status, media.Schema)
				}
			}
			for _, p := range slices.Concat(op.Parameters, item.Parameters) {
				if p.Value.Description == "" || p.Value.Schema == nil {
					t.Errorf("%s: the parameter %s says nothing of itself", at, p.Value.Name)
				}
			}
		}
	}
	described := &checker{t, make(map[*openapi3.Schema]bool)}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		described.described(name, doc.Components.Schemas[name])
	}
}

// typed: generators of clients can make a type of everything: it has one, and
// numbers say how large they are, or they would be of 32 bits.
func (c *checker) typed(at string, ref *openapi3.SchemaRef) {
	if ref == nil || c.seen[ref.Value] {
		return
	}
	s := ref.Value
	c.seen[s] = true
	types := slices.DeleteFunc(slices.Clone(s.Type.Slice()), func(name string) bool { return name == "null" })
	if len(types) > 1 {
		c.t.Errorf("%s is any of %v: say which of them to send", at, types)
	}
	if s.Type.Includes("integer") && s.Format != "int64" && s.Format != "int32" || s.Type.Includes("number") && s.Format != "double" {
		c.t.Errorf("%s: a number without a format", at)
	}
	c.typed(at+"[]", s.Items)
	c.typed(at+"{}", s.AdditionalProperties.Schema)
	for _, one := range slices.Concat(s.OneOf, s.AllOf, s.AnyOf) {
		c.typed(at+"|", one)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		c.typed(at+"."+name, s.Properties[name])
	}
}

// TestOpenAPIGenerates: what stands in the way of generated clients.
func TestOpenAPIGenerates(t *testing.T) {
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{t, make(map[*openapi3.Schema]bool)}
	for name, schema := range doc.Components.Schemas {
		c.typed(name, schema)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " " + path
			for _, p := range slices.Concat(op.Parameters, item.Parameters) {
				c.typed(at+" "+p.Value.Name, p.Value.Schema)
			}
			for _, resp := range op.Responses.Map() {
				for _, media := range resp.Value.Content {
					c.typed(at, media.Schema)
				}
			}
			if op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Value.Content {
				c.typed(at, media.Schema)
				if media.Schema.Ref == "" && (media.Schema.Value.OneOf != nil || media.Schema.Value.AnyOf != nil) {
					t.Errorf("%s: a body that may be this or that needs a name", at)
				}
			}
		}
	}
	for name, body := range doc.Components.RequestBodies {
		media, same := body.Value.Content.Get("application/json"), doc.Components.Schemas[name]
		if same != nil && media.Schema.Value != same.Value {
			t.Errorf("%s is a schema and another body: both would have one name", name)
		}
	}
}

// documentedTypes are the types that docs/openapi.yaml describes, by the names
// it has for them.
var documentedTypes = map[string]any{
	"Alert": tidemark.Alert{}, "AlertWrite": tidemark.AlertUpdate{}, "Condition": tidemark.Condition{}, "ConditionWrite": tidemark.Condition{},
	"Tag": tidemark.TagFilter{}, "Event": tidemark.AnnotationEvent{}, "EventWrite": tidemark.AnnotationEventUpdate{}, "Link": tidemark.Link{}, "LinkWrite": v1.LinkBody{},
	"StreamWrite": tidemark.AnnotationStreamUpdate{}, "Chart": tidemark.Chart{}, "ChartWrite": tidemark.ChartUpdate{}, "Stream": tidemark.ChartStream{},
	"ChartStreamWrite": tidemark.ChartStream{}, "Threshold": tidemark.Threshold{}, "Job": tidemark.Job{}, "Metric": tidemark.Metric{},
	"MetricWrite": tidemark.MetricUpdate{}, "MetricNames": v1.MetricSelection{}, "Service": tidemark.Service{}, "ServiceWrite": tidemark.ServiceUpdate{},
	"ServiceRef": tidemark.ServiceRef{}, "Space": tidemark.Space{}, "SpaceWrite": tidemark.SpaceUpdate{}, "Token": v1.TokenView{},
	"AuditEntry": tidemark.AuditEntry{}, "Incident": tidemark.Incident{}, "Violation": tidemark.Violation{}, "Delivery": tidemark.Delivery{},
	"Notice": tidemark.Notice{}, "Attempt": tidemark.Attempt{}, "Snooze": tidemark.Snooze{}, "SnoozeWrite": v1.SnoozeBody{},
	"PreviewWrite": v1.PreviewBody{}, "Backtest": tidemark.Backtest{}, "Problem": ingest.Problem{}, "Summary": ingest.Summary{},
	"Source": tidemark.Source{}, "Recorded": v1.RecordedBody{},
	"Query": rest.PageInfo{}, "Objective": tidemark.Objective{}, "ObjectiveWrite": tidemark.ObjectiveUpdate{}, "Maintenance": tidemark.Maintenance{}, "MaintenanceWrite": tidemark.MaintenanceUpdate{}, "Repeat": tidemark.Repeat{},
	"Covers": tidemark.Covers{}, "EscalationStep": tidemark.EscalationStep{}, "IncidentNote": tidemark.IncidentNote{},
}

// TestOpenAPITypes: the document has every field that the types have, and no
// other.
func TestOpenAPITypes(t *testing.T) {
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range documentedTypes {
		schema := doc.Components.Schemas[name]
		if schema == nil {
			t.Errorf("docs/openapi.yaml has no %s", name)
			continue
		}
		equal(t, fmt.Sprint(name, jsonNames(reflect.TypeOf(v))), fmt.Sprint(name, slices.Sorted(maps.Keys(schema.Value.Properties))))
	}
}

// jsonNames are the names that the fields of t have in JSON, in order.
func jsonNames(t reflect.Type) (names []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
