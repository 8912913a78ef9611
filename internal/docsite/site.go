// Package docsite makes a site of the documents that the binary carries: for
// the server, which gives it out at /docs/, and for anybody who publishes it.
package docsite

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark/docs"
)

// page is a page of the site.
type page struct {
	Address  string // relative to the site's root: "sending/curl/"; empty for the first
	Title    string
	Body     string // HTML
	Headings []heading
}

// heading is a part of a page that can be linked to.
type heading struct {
	ID, Title string
	Level     int
	Text      string // what stands below it, for the search
}

// Root leads from a page back to the site's root, so that the site works
// wherever it is put.
func (p *page) Root() string {
	if p.Address == "" {
		return "./"
	}
	return strings.Repeat("../", strings.Count(p.Address, "/"))
}

// Outline are the headings that the page lists beside its text.
func (p *page) Outline() []heading {
	var parts []heading
	for _, h := range p.Headings {
		if h.Level == 2 {
			parts = append(parts, h)
		}
	}
	return parts
}

// section is a section of the contents.
type section struct {
	Title string
	Pages []*page
}

type site struct {
	sections []section
	pages    []*page
	files    map[string][]byte // everything the site consists of, by address
}

// built is the site. It is made when it is first asked for.
var built = sync.OnceValues(build)

func build() (*site, error) {
	s := &site{files: make(map[string][]byte)}
	for _, part := range docs.Contents {
		pages, err := pagesOf(part)
		if err != nil {
			return nil, err
		}
		s.sections = append(s.sections, section{Title: part.Title, Pages: pages})
	}
	for _, sec := range s.sections {
		s.pages = append(s.pages, sec.Pages...)
	}
	return s, s.render()
}

// pagesOf makes the pages of a section.
func pagesOf(part docs.Section) (pages []*page, err error) {
	if part.Title == docs.Reference {
		if pages, err = referencePages(); err != nil {
			return nil, err
		}
	}
	for _, file := range part.Files {
		p, err := document(file)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// document reads one of the documents.
func document(file string) (*page, error) {
	source, err := docs.Files.ReadFile(file + ".md")
	if err != nil {
		return nil, err
	}
	p := &page{Address: addressOf(file)}
	if err := markdown(p, source, path.Dir(file)); err != nil {
		return nil, fmt.Errorf("%s.md: %w", file, err)
	}
	return p, nil
}

// addressOf is where the page of a document is; a README is its folder's.
func addressOf(file string) string {
	return strings.TrimSuffix(file, "/README") + "/"
}
