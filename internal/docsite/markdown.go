package docsite

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// renderer turns Markdown into HTML. HTML in a document stays out.
var renderer = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// markdown fills p from a document that lies in the folder dir.
func markdown(p *page, source []byte, dir string) error {
	tree := renderer.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	if err := p.read(tree, source, dir); err != nil {
		return err
	}
	var html bytes.Buffer
	if err := renderer.Renderer().Render(&html, source, tree); err != nil {
		return err
	}
	p.Body = html.String()
	if p.Title == "" {
		return errors.New("the document has no title")
	}
	return nil
}

// anchors names headings as public forges do, so that a link in a document
// works there and here. It counts how often each name was given.
type anchors map[string]int

// Generate implements parser.IDs.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, string(value))
	a[name]++
	if n := a[name]; n > 1 {
		name += "-" + strconv.Itoa(n-1)
	}
	return []byte(name)
}

// Put implements parser.IDs.
func (a anchors) Put(value []byte) { a[string(value)]++ }

// read collects headings with what stands below them, and makes links lead to
// pages instead of documents.
func (p *page) read(tree ast.Node, source []byte, dir string) error {
	return ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			p.addHeading(n, source)
			return ast.WalkContinue, nil
		case *ast.Link:
			n.Destination = []byte(p.link(string(n.Destination), dir))
		case *ast.Image:
			n.Destination = []byte(p.link(string(n.Destination), dir))
		case *ast.Text:
			p.addText(string(n.Segment.Value(source)))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			p.addText(string(n.Lines().Value(source)))
		}
		return ast.WalkContinue, nil
	})
}

func (p *page) addHeading(n *ast.Heading, source []byte) {
	title := plain(n, source)
	if n.Level == 1 && p.Title == "" {
		p.Title = title
	}
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	p.Headings = append(p.Headings, heading{ID: string(name), Title: title, Level: n.Level})
}

func (p *page) addText(s string) {
	if len(p.Headings) == 0 || strings.TrimSpace(s) == "" {
		return
	}
	last := &p.Headings[len(p.Headings)-1]
	last.Text += strings.Join(strings.Fields(s), " ") + " "
}

// plain is the text of a heading without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// link is where a link of a document in the folder dir leads on the site.
func (p *page) link(to, dir string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	file, anchor, found := strings.Cut(to, "#")
	target := path.Join(dir, file)
	switch {
	case target == "openapi.yaml":
		target = referenceRoot
	case strings.HasSuffix(target, ".md"):
		target = addressOf(strings.TrimSuffix(target, ".md"))
	}
	if found {
		target += "#" + anchor
	}
	return p.Root() + target
}
