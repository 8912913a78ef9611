package draw

import (
	"cmp"
	"image/color"
	"slices"
	"strings"
)

// theme is the colours of a picture: those of the web interface.
type theme struct {
	panel, grid, t1, t2, t3    color.NRGBA
	red, amber, annotation     color.NRGBA
	palette                    []color.NRGBA
	stackFill, incidentOpacity float64
}

var light = theme{
	panel: rgb(0xFFFFFF), grid: rgb(0xE9EEEE), t1: rgb(0x152123), t2: rgb(0x46575A), t3: rgb(0x5F7073),
	red: rgb(0xC0392B), amber: rgb(0x945F04), annotation: rgb(0x6D5BD0),
	palette: []color.NRGBA{
		rgb(0x2E73E0), rgb(0xD97B12), rgb(0x0B7350), rgb(0xE0429A), rgb(0x5B2CB2), rgb(0x84330F), rgb(0x1A9CC2), rgb(0x707A7E),
	},
	stackFill: 0.65, incidentOpacity: 0.10,
}

var dark = theme{
	panel: rgb(0x121B1E), grid: rgb(0x1C282B), t1: rgb(0xE3ECEC), t2: rgb(0xA9B9BB), t3: rgb(0x859699),
	red: rgb(0xFF8A7A), amber: rgb(0xF0B94E), annotation: rgb(0xA79BFF),
	palette: []color.NRGBA{
		rgb(0x6FA6F5), rgb(0xE68A1E), rgb(0x7FD6B8), rgb(0xCC5F88), rgb(0x7F70EA), rgb(0xF2DF5A), rgb(0xB0E8F7), rgb(0x95A5AB),
	},
	stackFill: 0.72, incidentOpacity: 0.16,
}

// limit is the colour of a threshold.
func (t *theme) limit(of *Threshold) color.NRGBA {
	if of.Amber {
		return t.amber
	}
	return t.red
}

// slate is the place in the palette of what is one of too many.
const slate = 7

// crowd is how many series are too many to tell apart by colour and dash.
const crowd = 24

// pen is how a series is drawn.
type pen struct {
	color color.NRGBA
	width float64
	dash  []float64 // nil is solid
	named bool      // it has a place in the legend
	rank  int       // which one, if not that of its series
}

const lineWidth = 1.6

// dashes tell the series of one colour apart, when the palette is used up.
var dashes = [][]float64{nil, {6, 4}, {2, 3}}

// pens returns a pen for every series: colours in order, then again dashed; of
// a crowd only the highest are in colour.
func (t *theme) pens(series []Series) []pen {
	if len(series) > crowd {
		return t.crowdPens(series)
	}
	if families := familiesOf(series); len(families) > 1 && len(families) < len(series) {
		return t.familyPens(series, families)
	}
	pens := make([]pen, len(series))
	next := 0
	for i := range series {
		pens[i] = pen{width: lineWidth, named: true}
		if own, ok := t.chosen(series[i].Color); ok {
			pens[i].color = own
			continue
		}
		pens[i].color = t.palette[next%len(t.palette)]
		pens[i].dash = dashes[next/len(t.palette)%len(dashes)]
		next++
	}
	return pens
}

// familiesOf returns the families there are, each with its series, in order.
func familiesOf(series []Series) [][]int {
	var families [][]int
	known := make(map[string]int)
	for i := range series {
		k, ok := known[series[i].Family]
		if !ok {
			k = len(families)
			known[series[i].Family] = k
			families = append(families, nil)
		}
		families[k] = append(families[k], i)
	}
	return families
}

// familyPens gives each family a colour of the palette and its series shades
// of it, from dark to light.
func (t *theme) familyPens(series []Series, families [][]int) []pen {
	pens := make([]pen, len(series))
	for k, members := range families {
		base := t.palette[k%len(t.palette)]
		for n, i := range members {
			colour, own := t.chosen(series[i].Color)
			if !own {
				colour = shade(base, t.panel, n, len(members))
			}
			pens[i] = pen{color: colour, width: lineWidth, named: true, dash: dashes[k/len(t.palette)%len(dashes)]}
		}
	}
	return pens
}

func (t *theme) crowdPens(series []Series) []pen {
	pens := make([]pen, len(series))
	order := make([]int, len(series))
	for i := range series {
		order[i] = i
		pens[i] = pen{color: fade(t.palette[slate], 0.35), width: 1}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		va, okA := series[a].last()
		vb, okB := series[b].last()
		if okA != okB {
			if okA {
				return -1
			}
			return 1
		}
		return cmp.Compare(vb, va)
	})
	for n, i := range order[:len(t.palette)] {
		pens[i] = pen{color: t.palette[n], width: lineWidth, named: true, rank: n}
	}
	return pens
}

// chosen returns the colour that somebody chose, fit for the theme: one of the
// palette, of either theme, is that of this theme; any other keeps its hue and
// gets the contrast it needs.
func (t *theme) chosen(hex string) (color.NRGBA, bool) {
	c, ok := parseHex(hex)
	if !ok {
		return color.NRGBA{}, false
	}
	for _, other := range []*theme{&light, &dark} {
		if i := slices.Index(other.palette, c); i >= 0 {
			return t.palette[i], true
		}
	}
	return withContrast(c, t.panel), true
}

func parseHex(s string) (color.NRGBA, bool) {
	s = strings.TrimPrefix(s, "#")
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	if len(s) != 6 {
		return color.NRGBA{}, false
	}
	v := 0
	for _, d := range strings.ToLower(s) {
		i := strings.IndexRune("0123456789abcdef", d)
		if i < 0 {
			return color.NRGBA{}, false
		}
		v = v<<4 | i
	}
	return rgb(v), true
}

func rgb(v int) color.NRGBA { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// fade returns c at part of its opacity.
func fade(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(float64(c.A)*opacity + 0.5)
	return c
}
