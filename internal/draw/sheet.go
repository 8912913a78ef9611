package draw

import (
	"fmt"
	"image"
	"io"
)

// Sheet is a page of charts, such as a space.
type Sheet struct {
	Title    string
	Subtitle string // below the title: what time it shows, of what
	Parts    []Part
	// Omitted is how many charts are on no part. The sheet says so, and of how
	// many it had no room for.
	Omitted int
}

// Part is a part of a sheet with a grid of its own.
type Part struct {
	Heading string // may be empty
	Tiles   []Tile
}

// Tile is a place on the grid of twelve columns.
type Tile struct {
	Col, Row, Width, Height int
	// Content returns what is there. It is asked when it is drawn, so that the
	// series of one tile are held at a time; an error ends the drawing.
	Content func() (Content, error)
}

// Content is what a tile shows: a chart, or without one words in a box.
type Content struct {
	Chart        *Chart
	Title, Words string
}

// The layout of a sheet is that of a page: twelve columns, rows of a height.
const (
	sheetWidth  = 1280
	sheetPad    = 24
	sheetTitle  = 64 // the height of title and subtitle
	sheetPart   = 40 // of a heading
	sheetFoot   = 32 // of what was left out
	sheetGap    = 12
	sheetRow    = 56
	sheetColumn = float64(sheetWidth-2*sheetPad-11*sheetGap) / 12

	// maxSheet is how high a sheet is at most; tiles below that are left out.
	maxSheet = 7200
	// sheetScale is how dense a picture is of a sheet that is not too large,
	// and sheetEdges how many pixels wide and high it may be in sum: chats take
	// pictures of 10,000.
	sheetScale = 1.5
	sheetEdges = 9800
)

// A sheet is light: it is read in mails and on paper.
var (
	sheetPage = rgb(0xF4F7F7)
	sheetLine = rgb(0xDFE6E6) // around tiles

	sheetTitleStyle = style{bold, 20}
	sheetPartStyle  = style{bold, 15}
)

// SheetPNG draws s and writes it to w.
func SheetPNG(w io.Writer, s Sheet) error {
	img, err := drawSheet(s)
	if err != nil {
		return err
	}
	if err := writePNG(w, img); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

func drawSheet(s Sheet) (*image.RGBA, error) {
	placed, height, omitted := s.layout()
	o := Options{Width: sheetWidth, Height: int(height)}
	o.Scale = min(sheetScale, sheetEdges/(sheetWidth+height))
	cv, err := newCanvas(o)
	if err != nil {
		return nil, err
	}
	cv.begin(sheetPage)
	cv.untimed = true
	const width = sheetWidth - 2*sheetPad
	cv.text(sheetPad, sheetPad+20, cv.fit(words(s.Title), sheetTitleStyle, width), sheetTitleStyle, cv.theme.t1, left)
	cv.text(sheetPad, sheetPad+42, cv.fit(words(s.Subtitle), unitStyle, width), unitStyle, cv.theme.t2, left)
	for _, p := range placed {
		if err := p.draw(cv); err != nil {
			return nil, err
		}
	}
	if omitted > 0 {
		cv.text(sheetPad, height-sheetPad, omittedWords(omitted), unitStyle, cv.theme.t2, left)
	}
	return cv.img, nil
}

func omittedWords(n int) string {
	if n == 1 {
		return "1 more chart is not in this picture."
	}
	return fmt.Sprintf("%d more charts are not in this picture.", n)
}

// onSheet is a tile, or the heading of a part, and where it is.
type onSheet struct {
	rect
	heading string
	tile    *Tile
}

// layout says where everything is, how high the sheet is, and how many charts
// are not on it.
func (s *Sheet) layout() (placed []onSheet, height float64, omitted int) {
	omitted = s.Omitted
	top := float64(sheetPad + sheetTitle)
	for i := range s.Parts {
		part := &s.Parts[i]
		end, fits := top, []onSheet{}
		if part.Heading != "" {
			end += sheetPart
			fits = append(fits, onSheet{rect: rect{sheetPad, top, sheetWidth - sheetPad, end}, heading: part.Heading})
		}
		grid := end
		for j := range part.Tiles {
			at := part.Tiles[j].rect(grid)
			if at.y1 > maxSheet {
				omitted++
				continue
			}
			fits = append(fits, onSheet{rect: at, tile: &part.Tiles[j]})
			end = max(end, at.y1+sheetGap)
		}
		if end > grid { // a heading without charts is of no use
			placed, top = append(placed, fits...), end
		}
	}
	height = top - sheetGap + sheetPad
	if omitted > 0 {
		height += sheetFoot
	}
	return placed, height, omitted
}

// rect is where the tile is on a grid that begins at top.
func (t *Tile) rect(top float64) rect {
	across := func(columns int) float64 { return float64(columns) * (sheetColumn + sheetGap) }
	down := func(rows int) float64 { return float64(rows) * (sheetRow + sheetGap) }
	return rect{
		sheetPad + across(t.Col), top + down(t.Row),
		sheetPad + across(t.Col+t.Width) - sheetGap, top + down(t.Row+t.Height) - sheetGap,
	}
}

func (p *onSheet) draw(cv *canvas) error {
	if p.tile == nil {
		cv.text(p.x0, p.y1-14, cv.fit(words(p.heading), sheetPartStyle, p.width()), sheetPartStyle, cv.theme.t1, left)
		return nil
	}
	c, err := p.tile.Content()
	if err != nil {
		return err
	}
	cv.rectangle(p.rect, sheetLine)
	inner := cv.part(rect{p.x0 + 1, p.y0 + 1, p.x1 - 1, p.y1 - 1})
	if c.Chart != nil {
		inner.chart(c.Chart.cleaned())
		return nil
	}
	inner.text(pad, pad+14, inner.fit(words(c.Title), titleStyle, inner.w-2*pad), titleStyle, cv.theme.t1, left)
	inner.text(inner.w/2, inner.h/2+14, inner.fit(words(c.Words), legendStyle, inner.w-2*pad), legendStyle, cv.theme.t3, center)
	return nil
}
