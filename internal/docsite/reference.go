package docsite

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// referenceRoot is where the reference begins.
const referenceRoot = "reference/"

// call is a request of the API as the reference shows it.
type call struct {
	Method, Path, Summary, Description, ID string

	Parameters []field
	Body       []field
	BodyKind   string
	Answers    []answer
}

// field is a parameter, or a field of an object.
type field struct {
	Name, In, Kind, About string
	Required              bool
}

type answer struct{ Status, About, Kind string }

// object is a named schema.
type object struct {
	Name, About string
	Fields      []field
}

// referencePages are the pages of the API: one for each kind of thing.
func referencePages() ([]*page, error) {
	doc, err := readOpenAPI()
	if err != nil {
		return nil, err
	}
	overview := &page{Address: referenceRoot}
	if err := markdown(overview, []byte("# Overview of the API\n\n"+doc.Info.Description), "."); err != nil {
		return nil, err
	}
	pages := []*page{overview}
	for _, tag := range doc.Tags {
		p, err := doc.page(tag.Name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// page is the page of a tag: its calls, and the objects that they name.
func (d *openAPI) page(tag string) (*page, error) {
	title := strings.ToUpper(tag[:1]) + strings.ReplaceAll(tag[1:], "_", " ")
	p := &page{Address: referenceRoot + tag + "/", Title: title}
	p.Headings = []heading{{ID: "top", Title: title, Level: 1}}
	calls := d.calls(tag)
	for _, c := range calls {
		h := heading{ID: c.ID, Title: c.Method + " " + c.Path, Level: 2, Text: c.Summary + " " + c.Description}
		for _, f := range slices.Concat(c.Parameters, c.Body) {
			h.Text += " " + f.Name + " " + f.About
		}
		p.Headings = append(p.Headings, h)
	}
	var b bytes.Buffer
	err := layout.ExecuteTemplate(&b, "reference.html", map[string]any{"Title": title, "Calls": calls, "Objects": d.objects(calls)})
	p.Body = b.String()
	return p, err
}

// calls are the requests of a tag, by path.
func (d *openAPI) calls(tag string) []call {
	var all []call
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		item := d.Paths[path]
		for _, m := range []struct {
			method string
			op     *operation
		}{{"GET", item.Get}, {"POST", item.Post}, {"PUT", item.Put}, {"DELETE", item.Delete}} {
			if m.op != nil && slices.Contains(m.op.Tags, tag) {
				all = append(all, d.call(m.method, path, m.op, item.Parameters))
			}
		}
	}
	return all
}

func (d *openAPI) call(method, path string, op *operation, common []parameter) call {
	c := call{Method: method, Path: path, Summary: op.Summary, Description: op.Description, ID: op.ID}
	for _, p := range slices.Concat(common, op.Parameters) {
		if p.Ref != "" {
			p = d.Components.Parameters[last(p.Ref)]
		}
		about := p.Schema
		about.Description = p.Description
		c.Parameters = append(c.Parameters, field{Name: p.Name, In: p.In, Kind: p.Schema.kind(), About: about.about(), Required: p.Required})
	}
	b := op.RequestBody
	if b.Ref != "" {
		b = d.Components.RequestBodies[last(b.Ref)]
	}
	if s, ok := b.schemaOf(); ok {
		c.BodyKind, c.Body = s.kind(), d.fields(s)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		c.Answers = append(c.Answers, d.answer(status, op.Responses[status]))
	}
	return c
}

func (d *openAPI) answer(status string, b body) answer {
	if b.Ref != "" {
		b = d.Components.Responses[last(b.Ref)]
	}
	a := answer{Status: strings.Replace(status, "default", "otherwise", 1), About: b.Description}
	if s, ok := b.schemaOf(); ok {
		a.Kind = s.kind()
	}
	return a
}

// fields are the fields of an object, those that are required first.
func (d *openAPI) fields(s schema) []field {
	if s.Ref != "" {
		return d.fields(d.Components.Schemas[last(s.Ref)])
	}
	var all []field
	for _, part := range s.AllOf {
		all = append(all, d.fields(part)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		all = append(all, field{Name: name, Kind: p.kind(), About: p.about(), Required: slices.Contains(s.Required, name)})
	}
	slices.SortStableFunc(all, func(a, b field) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return all
}

// objects are the schemas that calls name, and those that these name.
func (d *openAPI) objects(calls []call) []object {
	var queue []string
	for _, c := range calls {
		for _, a := range c.Answers {
			queue = append(queue, d.named(a.Kind)...)
		}
		for _, f := range c.Body {
			queue = append(queue, d.named(f.Kind)...)
		}
	}
	seen := make(map[string]bool)
	var all []object
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		s := d.Components.Schemas[name]
		o := object{Name: name, About: s.Description, Fields: d.fields(s)}
		for _, f := range o.Fields {
			queue = append(queue, d.named(f.Kind)...)
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b object) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// named are the schemas that the words of a kind name.
func (d *openAPI) named(kind string) []string {
	var names []string
	for word := range strings.FieldsSeq(kind) {
		if _, ok := d.Components.Schemas[word]; ok {
			names = append(names, word)
		}
	}
	return names
}
