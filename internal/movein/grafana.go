package movein

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// dashboard is what is read of a dashboard of Grafana, of versions 8 to 11.
type dashboard struct {
	Title  string
	Panels []panel
	Links  []link
	Rows   []struct { // of very old ones
		Title    string
		Collapse bool
		Repeat   string
		Panels   []panel
	}
}

// ReadGrafana reads dashboards, as Grafana exports them or as its API answers
// them. Each becomes a space, each panel with a counterpart a chart in it.
func ReadGrafana(paths ...string) (*Objects, error) {
	all := &Objects{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var file struct {
			dashboard
			Dashboard *dashboard
		}
		err = json.Unmarshal(text, &file)
		odd, isOdd := errors.AsType[*json.UnmarshalTypeError](err) // the rest of it is read all the same
		if err != nil && !isOdd {
			return nil, fmt.Errorf("%s: is no dashboard: %w", path, err)
		}
		d := &file.dashboard
		if file.Dashboard != nil {
			d = file.Dashboard
		}
		if d.Title == "" {
			return nil, fmt.Errorf("%s: is no dashboard: it has no title", path)
		}
		if isOdd {
			field := strings.ToLower(odd.Field[strings.LastIndexByte(odd.Field, '.')+1:])
			all.miss(fmt.Sprintf("dashboard %q", d.Title), "a %s that is a %s cannot be read: it is left out", field, odd.Value)
		}
		all.dashboard(d)
	}
	return all, nil
}

// board is a dashboard that becomes a space.
type board struct {
	*Objects
	title string
	space *Object
	row   *panel         // what the panels that come next are in; nil above all rows
	open  bool           // whether the row is a section already: one without charts is none
	last  int64          // the highest id of a chart
	used  map[int64]bool // ids of charts
}

func (o *Objects) dashboard(d *dashboard) {
	layout := &tidemark.Layout{DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}
	b := &board{Objects: o, title: d.Title, space: &Object{Name: d.Title, Layout: layout}, used: make(map[int64]bool)}
	o.Spaces = append(o.Spaces, b.space)
	for _, l := range d.Links {
		b.miss(fmt.Sprintf("link %q of %q", cmp.Or(l.Title, l.URL), d.Title), "links are of charts: spaces have none")
	}
	b.panels(d.Panels)
	for i := range d.Rows {
		r := &d.Rows[i]
		b.begin(&panel{Title: r.Title, Collapsed: r.Collapse, Repeat: r.Repeat})
		b.panels(spanned(r.Panels))
	}
}

// panels takes panels in the order they are read in, and those of a row that is
// folded with it.
func (b *board) panels(list []panel) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b panel) int { return cmp.Or(a.GridPos.Y-b.GridPos.Y, a.GridPos.X-b.GridPos.X) })
	for i := range list {
		p := &list[i]
		if p.Type != "row" {
			b.panel(p)
			continue
		}
		b.begin(p)
		b.panels(p.Panels)
	}
}

// begin begins a row.
func (b *board) begin(row *panel) { b.row, b.open = row, false }

// section is the number of the section that the row is.
func (b *board) section() int {
	layout := b.space.Layout
	if b.row != nil && !b.open {
		b.open = true
		name := cmp.Or(b.row.Title, "Row "+strconv.Itoa(len(layout.Sections)+1))
		layout.Sections = append(layout.Sections, tidemark.Section{Name: name, Folded: b.row.Collapsed})
	}
	return len(layout.Sections)
}

// add puts a chart where the panel was.
func (b *board) add(p *panel, chart body) {
	id, err := p.ID.Int64()
	if err != nil || id <= 0 || b.used[id] {
		id = b.last + 1
	}
	b.used[id], b.last = true, max(b.last, id)
	b.space.Charts = append(b.space.Charts, &Object{Old: strconv.FormatInt(id, 10), Name: p.Title, Body: chart})
	at := p.place()
	at.Chart, at.Section = id, b.section()
	if b.row != nil {
		at.Row = max(0, at.Row-rowsOf(b.row.GridPos.Y))
	}
	b.space.Layout.Places = append(b.space.Layout.Places, at)
}

// gridPos is where a panel is: on 24 columns, and rows of 38 pixels.
type gridPos struct{ X, Y, W, H int }

// rowsOf is how many rows of ours, of 68 pixels, as many of Grafana's are.
func rowsOf(n int) int { return (n*38 + 34) / 68 }

// place is where a panel is on our grid. The interface moves apart what is in
// each other's way.
func (p *panel) place() tidemark.GridPosition {
	at := p.GridPos
	w, h := cmp.Or(at.W, 12), cmp.Or(at.H, 8)
	col := min(max(at.X/2, 0), 11)
	return tidemark.GridPosition{Col: col, Row: min(max(rowsOf(at.Y), 0), 9999), Width: min(max((w+1)/2, 1), 12-col), Height: min(max(rowsOf(h), 2), 40)}
}

// spanned gives panels of very old dashboards, which say how wide they are in
// twelfths, their places.
func spanned(list []panel) []panel {
	list = slices.Clone(list)
	at := gridPos{H: 8}
	for i := range list {
		p := &list[i]
		at.W = 2 * min(max(int(cmp.Or(p.Span, 12)), 1), 12)
		if at.X+at.W > 24 {
			at.X, at.Y = 0, at.Y+at.H
		}
		p.GridPos = at
		at.X += at.W
	}
	return list
}
