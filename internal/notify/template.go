package notify

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/tidemark-metrics/tidemark"
)

// Templates are written by users and run in the server, so each is bounded in
// what it may produce and in how long it may run; see budget. Templates cannot
// call each other, or they could run forever without a range.

const maxTemplate = tidemark.MaxTemplateBytes

var (
	errTooLong  = errors.New("makes a text that is too long")
	errTooSlow  = errors.New("takes too many steps")
	errDefining = errors.New("may not define or call other templates")
)

// messageTemplate is a user's template for messages.
type messageTemplate struct{ parsed *template.Template }

// parseTemplate returns the template in text, or nil if text is empty.
func parseTemplate(text string) (*messageTemplate, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("is longer than %d bytes", maxTemplate)
	}
	t, err := template.New("template").Option("missingkey=error").Funcs(new(budget).functions()).Parse(text)
	if err != nil {
		return nil, plainTemplateError(err)
	}
	if len(t.Templates()) > 1 {
		return nil, errDefining
	}
	if t.Tree == nil || t.Root == nil {
		return nil, nil
	}
	if err := countSteps(t.Root); err != nil {
		return nil, err
	}
	return &messageTemplate{t}, nil
}

// countSteps makes every list of nodes below node begin with a step that
// charges the budget for the whole list.
func countSteps(node parse.Node) error {
	switch n := node.(type) {
	case *parse.ListNode:
		return countList(n)
	case *parse.RangeNode:
		return countBranches(&n.BranchNode)
	case *parse.IfNode:
		return countBranches(&n.BranchNode)
	case *parse.WithNode:
		return countBranches(&n.BranchNode)
	case *parse.TemplateNode:
		return errDefining
	}
	return nil
}

func countList(n *parse.ListNode) error {
	if n == nil {
		return nil
	}
	for _, child := range n.Nodes {
		if err := countSteps(child); err != nil {
			return err
		}
	}
	step, err := template.New("step").Funcs(new(budget).counter()).Parse(fmt.Sprintf("{{step %d}}", len(n.Nodes)+1))
	if err != nil {
		return err
	}
	n.Nodes = append([]parse.Node{step.Root.Nodes[0]}, n.Nodes...)
	return nil
}

func countBranches(n *parse.BranchNode) error {
	if err := countList(n.List); err != nil {
		return err
	}
	return countList(n.ElseList)
}

// render fills the template in with n.
func (t *messageTemplate) render(n Notification) (string, error) {
	run, err := t.parsed.Clone()
	if err != nil {
		return "", err
	}
	var out boundedWriter
	var b budget
	if err := run.Funcs(b.functions()).Funcs(b.counter()).Execute(&out, templateData(n)); err != nil {
		return "", newTemplateFailure(plainTemplateError(err))
	}
	return out.String(), nil
}

// templateError is what is wrong with a template, as a clause without its
// subject.
type templateError struct{ error }

func newTemplateFailure(err error) error {
	return &failure{text: "the message template " + err.Error(), permanent: true, err: templateError{err}}
}

// plainTemplateError says what is wrong with a template without the words that
// package template puts before it.
func plainTemplateError(err error) error {
	for _, known := range []error{errTooLong, errTooSlow, errDefining} {
		if errors.Is(err, known) {
			return known
		}
	}
	text := strings.TrimPrefix(err.Error(), "template: ")
	text = strings.TrimPrefix(text, "template:")
	return fmt.Errorf("has an error in line %s", text)
}

// boundedWriter collects what a template writes, up to a limit.
type boundedWriter struct{ bytes.Buffer }

func (w *boundedWriter) Write(b []byte) (int, error) {
	if w.Len()+len(b) > maxRendered {
		return 0, errTooLong
	}
	return w.Buffer.Write(b)
}

// templateData is what a template sees. The names are those of the messages
// on the wire.
func templateData(n Notification) map[string]any {
	streams := []map[string]any{}
	for _, name := range n.streams() {
		list := []map[string]any{}
		for _, v := range n.Violations[name] {
			list = append(list, templateViolation(n, v))
		}
		streams = append(streams, map[string]any{"name": name, "violations": list})
	}
	image := ""
	if n.Image != nil {
		image = n.Image.URL
	}
	return map[string]any{
		"state": n.state(), "title": n.title(), "text": n.text(), "sentence": n.Sentence,
		"alert": map[string]any{
			"id": n.Alert.ID, "name": n.Alert.Name, "description": n.Alert.Description, "runbook_url": n.Alert.RunbookURL,
			"severity": n.Alert.Severity, "labels": n.Alert.Labels,
		},
		"org_id": int64(n.Org), "account": n.Account, "incident_key": n.IncidentKey, "dedup_key": n.dedup(),
		"trigger_time": n.Time, "triggered_at": n.TriggeredAt, "clear": n.Clear,
		"cleared": n.cleared(), "test": n.Test, "repeat": n.Repeat,
		"link": n.Link, "image_url": image, "streams": streams, "lines": n.lines(), "omitted": n.Omitted,
		"acknowledge_url": n.acknowledgeURL(), "joined": n.Joined, "escalation_step": n.Step,
	}
}

func templateViolation(n Notification, v Violation) map[string]any {
	c := n.condition(v)
	threshold := 0.0
	if c.Threshold != nil {
		threshold = *c.Threshold
	}
	return map[string]any{
		"metric": v.Metric, "value": v.Value, "recorded_at": v.RecordedAt, "count": v.Count, "begin": v.Begin, "end": v.End,
		"type": c.Type, "threshold": threshold, "duration": c.Duration, "unit": c.Unit,
		"line": n.line(v), "quantity": tidemark.Quantity(truncate(threshold, v.Value), c.Unit),
	}
}

// templateOf returns the template of a service, or nil. What is wrong with it
// is an Invalid error.
func templateOf(s settings) (*messageTemplate, error) {
	t, err := parseTemplate(s["template"])
	if err != nil {
		return nil, tidemark.InvalidField("template", "%s", err)
	}
	return t, nil
}

// textOr returns what the template makes of n, or other if there is none.
func (t *messageTemplate) textOr(n Notification, other string) (string, error) {
	if t == nil {
		return other, nil
	}
	return t.render(n)
}
