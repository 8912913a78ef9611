package notify

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Templates are written by users and run in the server, so each is bounded in
// what it may produce and in how long it may run. The second is counted in
// steps, not in seconds: every turn of every range is one. Templates cannot
// call each other, or they could run forever without a range.

const (
	maxTemplate = 32 << 10
	maxRendered = 64 << 10 // bytes of the result, and of any text on the way
	maxSteps    = 20_000
)

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
	t, err := template.New("template").Option("missingkey=error").Funcs(functions(time.UTC)).Funcs(stepper(new(int))).Parse(text)
	if err != nil {
		return nil, plainTemplateError(err)
	}
	if len(t.Templates()) > 1 {
		return nil, errDefining
	}
	if t.Tree == nil || t.Root == nil {
		return nil, nil
	}
	step, err := template.New("step").Funcs(stepper(new(int))).Parse("{{step}}")
	if err != nil {
		return nil, err
	}
	if err := countSteps(t.Root, step.Root.Nodes[0]); err != nil {
		return nil, err
	}
	return &messageTemplate{t}, nil
}

// countSteps puts step into the body of every range below node.
func countSteps(node parse.Node, step parse.Node) error {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, child := range n.Nodes {
			if err := countSteps(child, step); err != nil {
				return err
			}
		}
	case *parse.RangeNode:
		if err := countBranches(&n.BranchNode, step); err != nil {
			return err
		}
		n.List.Nodes = append([]parse.Node{step}, n.List.Nodes...)
	case *parse.IfNode:
		return countBranches(&n.BranchNode, step)
	case *parse.WithNode:
		return countBranches(&n.BranchNode, step)
	case *parse.TemplateNode:
		return errDefining
	}
	return nil
}

func countBranches(n *parse.BranchNode, step parse.Node) error {
	if err := countSteps(n.List, step); err != nil {
		return err
	}
	return countSteps(n.ElseList, step)
}

// stepper is the function that counts.
func stepper(steps *int) template.FuncMap {
	return template.FuncMap{"step": func() (string, error) {
		if *steps++; *steps > maxSteps {
			return "", errTooSlow
		}
		return "", nil
	}}
}

// render fills the template in with n.
func (t *messageTemplate) render(n Notification) (string, error) {
	run, err := t.parsed.Clone()
	if err != nil {
		return "", err
	}
	var out boundedWriter
	if err := run.Funcs(stepper(new(int))).Execute(&out, templateData(n)); err != nil {
		return "", &failure{text: "the message template " + plainTemplateError(err).Error(), permanent: true}
	}
	return out.String(), nil
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

// functions are what a template may call beside the comparisons, and, or,
// not, len, index and slice of the language. Those that make texts are ours,
// the language's own included, because theirs have no limit.
func functions(zone *time.Location) template.FuncMap {
	f := template.FuncMap{
		"upper": strings.ToUpper,
		"lower": strings.ToLower,
		"trim":  strings.TrimSpace,
		"join": func(sep string, list []string) (string, error) {
			return short(strings.Join(list, sep))
		},
		"truncate": func(n int, s string) string { return shorten(s, max(n, 3)) },
		"default": func(other, v string) string {
			if v == "" {
				return other
			}
			return v
		},
		"replace": replace,
		"json":    func(v any) (string, error) { b, err := marshal(v); return string(b), err },
		"time": func(layout string, unix int64) (string, error) {
			return short(time.Unix(unix, 0).In(zone).Format(layout))
		},
		"number":  groupedNumber,
		"printf":  func(format string, args ...any) (string, error) { return short(fmt.Sprintf(format, args...)) },
		"print":   func(args ...any) (string, error) { return short(fmt.Sprint(args...)) },
		"println": func(args ...any) (string, error) { return short(fmt.Sprintln(args...)) },
	}
	for name, escape := range map[string]func(...any) string{
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
	} {
		f[name] = func(args ...any) (string, error) { return short(escape(args...)) }
	}
	return f
}

// short refuses texts that only grow: doubling one sixty times fits into a
// small template.
func short(s string) (string, error) {
	if len(s) > maxRendered {
		return "", errTooLong
	}
	return s, nil
}

// replace is strings.ReplaceAll, refused before it makes what is too long.
func replace(from, to, s string) (string, error) {
	if strings.Count(s, from)*len(to) > maxRendered {
		return "", errTooLong
	}
	return short(strings.ReplaceAll(s, from, to))
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
		},
		"org_id": int64(n.Org), "account": n.Account, "incident_key": n.IncidentKey, "dedup_key": n.dedup(),
		"trigger_time": n.Time, "triggered_at": n.TriggeredAt, "clear": n.Clear,
		"cleared": n.cleared(), "test": n.Test, "repeat": n.Repeat,
		"link": n.Link, "image_url": image, "streams": streams, "lines": n.lines(), "omitted": n.Omitted,
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
