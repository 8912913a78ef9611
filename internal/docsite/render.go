package docsite

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"strings"

	"github.com/tidemark-metrics/tidemark/docs"
)

//go:embed assets
var assets embed.FS

var layout = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"html": func(s string) template.HTML { return template.HTML(s) }, // made by us of our own documents
}).ParseFS(assets, "assets/*.html"))

// render makes every file of the site.
func (s *site) render() error {
	first := &page{Title: "Tidemark documentation"}
	if err := s.execute("contents.html", first, nil, nil); err != nil {
		return err
	}
	for i, p := range s.pages {
		var before, after *page
		if i > 0 {
			before = s.pages[i-1]
		}
		if i < len(s.pages)-1 {
			after = s.pages[i+1]
		}
		if err := s.execute("page.html", p, before, after); err != nil {
			return err
		}
	}
	if err := s.addSearch(); err != nil {
		return err
	}
	for _, name := range []string{"docs.css", "docs.js"} {
		content, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		s.files[name] = content
	}
	return s.addPictures()
}

func (s *site) execute(name string, p, before, after *page) error {
	var b bytes.Buffer
	err := layout.ExecuteTemplate(&b, name, map[string]any{
		"Page": p, "Sections": s.sections, "Before": before, "After": after, "Root": p.Root(),
	})
	s.files[p.Address+"index.html"] = b.Bytes()
	return err
}

func (s *site) addPictures() error {
	pictures, err := fs.Glob(docs.Files, "screenshots/*")
	for _, name := range pictures {
		content, err := docs.Files.ReadFile(name)
		if err != nil {
			return err
		}
		s.files[name] = content
	}
	return err
}

// found is what the search knows of a part of a page.
type found struct {
	Address string `json:"a"`
	Page    string `json:"p"`
	Title   string `json:"t"`
	Text    string `json:"x"`
}

// addSearch adds what the script of the pages searches in.
func (s *site) addSearch() error {
	var all []found
	for _, p := range s.pages {
		for _, h := range p.Headings {
			address := p.Address
			if h.Level > 1 {
				address += "#" + h.ID
			}
			all = append(all, found{address, p.Title, h.Title, strings.TrimSpace(h.Text)})
		}
	}
	content, err := json.Marshal(all)
	s.files["search.json"] = content
	return err
}
