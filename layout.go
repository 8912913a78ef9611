package tidemark

import "slices"

// Layout is where the charts of a space are, and what the page starts with.
type Layout struct {
	Places      []GridPosition `json:"layout"`
	Sections    []Section      `json:"sections,omitempty"`
	DefaultTags []TagFilter    `json:"default_tags"`
	Annotations []string       `json:"annotations"`
	UpdatedAt   int64          `json:"updated_at"`
	UpdatedBy   string         `json:"updated_by"`
	// Version is that of the space. A layout that is saved with it is refused
	// if there is another meanwhile; 0 replaces whatever there is.
	Version int64 `json:"version,omitempty"`
}

// Section is a part of a space that can be folded: a line with its name, and a
// grid of its own below it.
type Section struct {
	Name   string `json:"name"`
	Folded bool   `json:"folded,omitempty"` // for who did not fold or unfold it themselves
}

// GridPosition is where one chart is, on a grid of twelve columns.
type GridPosition struct {
	Chart  int64 `json:"chart"`
	Col    int   `json:"col"`
	Row    int   `json:"row"`
	Width  int   `json:"width"`
	Height int   `json:"height"`
	// Section is the number of the section it is in, from 1; 0 is above all.
	Section int `json:"section,omitempty"`
}

const (
	gridColumns = 12
	maxRows     = 10_000
	maxPlaces   = 1000
	maxSections = 100
)

// Validate reports what is wrong with l, or nil.
func (l *Layout) Validate() error {
	var p Problems
	p.Check(len(l.Places) <= maxPlaces, "layout", "has more than %d entries", maxPlaces)
	p.Check(len(l.Sections) <= maxSections, "sections", "has more than %d entries", maxSections)
	for _, s := range l.Sections {
		p.Text("sections.name", s.Name, 1, maxTitle)
	}
	seen := make(map[int64]bool)
	for _, at := range l.Places {
		p.Check(at.Chart > 0 && !seen[at.Chart], "layout.chart", "must be the id of a chart, once")
		seen[at.Chart] = true
		p.Check(at.Col >= 0 && at.Col < gridColumns && at.Width >= 1 && at.Width <= gridColumns-at.Col, "layout.width", "must fit into %d columns", gridColumns)
		p.Check(at.Row >= 0 && at.Row < maxRows && at.Height >= 1 && at.Height <= 100, "layout.height", "must be 1 to 100 rows")
		p.Check(at.Section >= 0 && at.Section <= len(l.Sections), "layout.section", "must be 0 to %d, the number of sections", len(l.Sections))
	}
	p.Check(l.Version >= 0, "version", "must not be negative")
	p.TagFilters("default_tags", l.DefaultTags)
	p.Check(len(l.Annotations) <= maxTagFilters && !slices.ContainsFunc(l.Annotations, func(s string) bool { return !IsMetricName(s) }),
		"annotations", "must be names of annotation streams")
	return p.Err()
}
