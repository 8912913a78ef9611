// Package draw turns series into pictures: PNG charts for notifications and
// snapshots, in the look of the web interface, light and dark. It is pure: it
// reads no clock and no storage, and draws the same picture from the same
// input.
//
// A picture is laid out in the pixels that a page would use and drawn at a
// scale, so that text and lines keep their proportions on dense screens.
package draw

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
	"time"
	"unicode"
)

// The kinds of chart.
const (
	Line    = "line"
	Stacked = "stacked"
	Number  = "bignumber"
	Table   = "table"
	Heatmap = "heatmap"
)

// What a picture may measure. The default is that of the original's snapshots.
const (
	DefaultWidth  = 600
	DefaultHeight = 416

	minWidth, maxWidth   = 200, 2400
	minHeight, maxHeight = 120, 2400
	minScale, maxScale   = 0.5, 4
	maxPixels            = 16 << 20
	maxSeries            = 1000 // more are a grey band anyway
	maxMarks             = 500  // annotations, incidents, thresholds, each
	maxWords             = 400  // characters of any text; none is shown in full beyond that
)

// Chart is what to draw.
type Chart struct {
	Kind     string // Line if empty
	Title    string
	Subtitle string // beside the title: what is shown; the unit if empty
	Unit     string // of the values; that of the first series if empty
	Start    int64  // the time shown, in seconds since 1970
	End      int64
	Zone     *time.Location // of the times shown; UTC if nil
	Series   []Series       // of a heatmap, lines over its cells
	Rows     *Rows          // of a table
	Cells    *Cells         // of a heatmap

	Min, Max *float64 // ends of the vertical axis, if set
	Log      bool     // powers of ten along the vertical axis

	Thresholds  []Threshold
	Annotations []Annotation
	Incidents   []Span // when an alert fired

	// Value is what a big number shows; nil means the last value of the
	// first series.
	Value *float64
	// Note is one sentence beside a big number; the threshold that it
	// crossed goes before it.
	Note string
}

// Series is one line, or one layer of a stack.
type Series struct {
	Name   string
	Mono   bool      // the name was written by a machine: tags, shortened to what tells them apart
	Times  []int64   // ascending
	Values []float64 // as many; NaN is a gap
	Color  string    // "#2E73E0", or empty for the next of the palette
	Family string    // its metric: where there are several, each has a hue and its series shades of it
	Right  bool      // on the axis at the right
	Unit   string    // of the values, where it is not the chart's
	Period int64     // a gap of more than two of these breaks the line; 0 never does

	// PartialFrom is when the newest bucket begins, which is not complete
	// yet: it is drawn faintly and left out of big numbers. 0 if none is.
	PartialFrom int64
}

// Threshold is a value not to cross.
type Threshold struct {
	Operator string // ">", "<" or "="; for the colour of a big number
	Value    float64
	Amber    bool   // a warning rather than trouble
	Label    string // words beside its line; may be empty
}

// Annotation is something that happened.
type Annotation struct {
	Title string
	Start int64
	End   int64 // 0 if it has none
}

// Span is a stretch of time.
type Span struct{ Start, End int64 }

// Options say how to draw.
type Options struct {
	Width, Height int     // 600 x 416 if 0
	Scale         float64 // pixels of the picture for each; 1 if 0
	Dark          bool
}

// ErrSize is what a picture too small, too large or too dense gives.
var ErrSize = errors.New("a picture cannot be drawn at that size")

// PNG draws c and writes it to w.
func PNG(w io.Writer, c Chart, o Options) error {
	img, err := Draw(c, o)
	if err != nil {
		return err
	}
	if err := writePNG(w, img); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

// Draw draws c.
func Draw(c Chart, o Options) (*image.RGBA, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	c = c.cleaned()
	cv, err := newCanvas(o)
	if err != nil {
		return nil, err
	}
	cv.chart(c)
	return cv.img, nil
}

// chart draws a chart all over the canvas.
func (cv *canvas) chart(c Chart) {
	switch c.Kind {
	case Number:
		drawNumber(cv, c)
	case Table:
		drawTable(cv, c)
	default:
		drawPlot(cv, c)
	}
}

func (o Options) withDefaults() Options {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	if o.Height == 0 {
		o.Height = DefaultHeight
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Width < minWidth || o.Width > maxWidth, o.Height < minHeight || o.Height > maxHeight,
		!(o.Scale >= minScale && o.Scale <= maxScale), float64(o.Width*o.Height)*o.Scale*o.Scale > maxPixels:
		return ErrSize
	}
	return nil
}

// cleaned returns c without what cannot be drawn.
func (c Chart) cleaned() Chart {
	if c.Zone == nil {
		c.Zone = time.UTC
	}
	if c.End <= c.Start {
		c.End = c.Start + 1
	}
	c.Title, c.Subtitle, c.Unit, c.Note = words(c.Title), words(c.Subtitle), words(c.Unit), words(c.Note)
	c.Series = append([]Series(nil), c.Series[:min(len(c.Series), maxSeries)]...)
	for i := range c.Series {
		s := &c.Series[i]
		n := min(len(s.Times), len(s.Values))
		s.Times, s.Values = s.Times[:n], s.Values[:n]
		s.Unit = words(s.Unit)
	}
	if c.Unit == "" && len(c.Series) > 0 {
		c.Unit = c.Series[0].Unit
	}
	if c.Subtitle == "" && c.Kind != Number {
		c.Subtitle = c.Unit
	}
	shortenNames(c.Series)
	for i := range c.Series {
		c.Series[i].Name = words(c.Series[i].Name)
	}
	c.Thresholds = append([]Threshold(nil), c.Thresholds[:min(len(c.Thresholds), maxMarks)]...)
	for i := range c.Thresholds {
		c.Thresholds[i].Label = words(c.Thresholds[i].Label)
	}
	c.Annotations = append([]Annotation(nil), c.Annotations[:min(len(c.Annotations), maxMarks)]...)
	for i := range c.Annotations {
		c.Annotations[i].Title = words(c.Annotations[i].Title)
	}
	c.Incidents = c.Incidents[:min(len(c.Incidents), maxMarks)]
	c.Rows, c.Cells = c.Rows.cleaned(), c.Cells.cleaned()
	if c.Kind != Heatmap {
		c.Cells = nil
	} else if c.Cells == nil {
		c.Cells = &Cells{Step: 1}
	}
	return c
}

// words returns as much of a text as could be shown, on one line.
func words(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxWords {
			s = s[:i]
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// last returns the newest value of a complete bucket.
func (s *Series) last() (float64, bool) {
	for i := len(s.Values) - 1; i >= 0; i-- {
		if isNumber(s.Values[i]) && (s.PartialFrom == 0 || s.Times[i] < s.PartialFrom) {
			return s.Values[i], true
		}
	}
	return 0, false
}

func (s *Series) unit(c *Chart) string {
	if s.Unit != "" {
		return s.Unit
	}
	return c.Unit
}

func isNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
