package draw

import (
	"bytes"
	"errors"
	"image"
	"testing"
)

// showing is the content of a tile with a chart, and saying that of one with
// words.
func showing(c Chart) func() (Content, error) {
	return func() (Content, error) { return Content{Chart: &c}, nil }
}

func saying(title, words string) func() (Content, error) {
	return func() (Content, error) { return Content{Title: title, Words: words}, nil }
}

// sampleSheet is a space with numbers, charts, a chart that cannot be drawn,
// tables and heatmaps, and sections, one of which is empty.
func sampleSheet() Sheet {
	tile := func(col, row, width, height int, c Chart) Tile {
		return Tile{Col: col, Row: row, Width: width, Height: height, Content: showing(c)}
	}
	return Sheet{
		Title: "Checkout", Subtitle: "15 Nov 2026, 08:30 – 14:30 UTC", Omitted: 3,
		Parts: []Part{
			{Tiles: []Tile{
				tile(0, 0, 3, 2, sampleNumber()), tile(3, 0, 2, 2, sampleNumber()), tile(5, 0, 7, 5, sampleLatency()),
				{Row: 2, Width: 5, Height: 3, Content: saying("Firing now", "A list of alerts: open the space to see it")},
			}},
			{Heading: "Nothing is in it"},
			{Heading: "Hosts", Tiles: []Tile{tile(0, 0, 6, 5, sampleSix()), tile(6, 0, 6, 5, sampleStacked()), tile(0, 5, 12, 3, sampleEmpty())}},
			{Heading: "Many", Tiles: []Tile{tile(0, 0, 4, 5, sampleTable()), tile(4, 0, 4, 5, sampleHeat()), tile(8, 0, 4, 5, sampleSpread())}},
		},
	}
}

// TestSheet compares a whole space with the picture in testdata.
func TestSheet(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	if err := SheetPNG(&got, sampleSheet()); err != nil {
		t.Fatal(err)
	}
	golden(t, "sheet", got.Bytes())
}

// TestSheetIsBounded: what has no room is left out and counted, and the picture
// is one that chats take, however many tiles there are and wherever they are.
func TestSheetIsBounded(t *testing.T) {
	t.Parallel()
	tower := func(n, height int) Sheet {
		s := Sheet{Title: "tower", Parts: []Part{{Heading: "part"}}}
		for i := range n {
			s.Parts[0].Tiles = append(s.Parts[0].Tiles, Tile{Row: i * height, Width: 12, Height: height, Content: saying("box", "words")})
		}
		return s
	}
	for name, c := range map[string]struct {
		sheet         Sheet
		tiles, absent int
	}{
		"nothing":         {Sheet{}, 0, 0},
		"one":             {tower(1, 5), 1, 0},
		"a high tower":    {tower(40, 5), 20, 20},
		"one too high":    {tower(1, 400), 0, 1},
		"some beforehand": {Sheet{Omitted: 2, Parts: tower(2, 60).Parts}, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			placed, height, omitted := c.sheet.layout()
			tiles := 0
			for _, p := range placed {
				if p.tile != nil {
					tiles++
				}
			}
			if tiles != c.tiles || omitted != c.absent || height > maxSheet+sheetPad+sheetFoot {
				t.Errorf("%d tiles on %v, %d left out", tiles, height, omitted)
			}
			img, err := drawSheet(c.sheet)
			if err != nil {
				t.Fatal(err)
			}
			if b := img.Bounds(); b.Dx()+b.Dy() > sheetEdges+2 || b.Dx()*b.Dy() > maxPixels {
				t.Errorf("%v in size", b)
			}
		})
	}
}

// TestSheetTiles: a tile is drawn inside its place and nowhere else.
func TestSheetTiles(t *testing.T) {
	t.Parallel()
	img, err := drawSheet(Sheet{Parts: []Part{{Tiles: []Tile{{Col: 6, Row: 1, Width: 6, Height: 5, Content: showing(sampleStacked())}}}}})
	if err != nil {
		t.Fatal(err)
	}
	tile := image.Rect(640*3/2, 150*3/2, 1258*3/2, 490*3/2)
	for i := range 3 {
		if inside, all := count(img, tile, light.palette[i]), count(img, img.Bounds(), light.palette[i]); inside < 120 || inside != all {
			t.Errorf("%d of %d pixels of series %d are in the tile", inside, all, i)
		}
	}
	beside := image.Rect(0, 0, 630*3/2, img.Bounds().Dy())
	if n := count(img, beside, sheetPage); n != beside.Dx()*beside.Dy() {
		t.Errorf("%d of %d pixels beside it are empty", n, beside.Dx()*beside.Dy())
	}
}

// TestSheetGivesUp: a tile whose content cannot be had ends it.
func TestSheetGivesUp(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	asked := 0
	tile := Tile{Width: 6, Height: 5, Content: func() (Content, error) {
		if asked++; asked == 3 {
			return Content{}, enough
		}
		return Content{}, nil
	}}
	err := SheetPNG(&bytes.Buffer{}, Sheet{Parts: []Part{{Tiles: []Tile{tile, tile, tile, tile}}}})
	if !errors.Is(err, enough) || asked != 3 {
		t.Errorf("%v after %d tiles", err, asked)
	}
}

func BenchmarkSheet(b *testing.B) {
	s := Sheet{Title: "forty", Parts: []Part{{}}}
	for i := range 40 {
		s.Parts[0].Tiles = append(s.Parts[0].Tiles, Tile{Col: i % 2 * 6, Row: i / 2 * 5, Width: 6, Height: 5, Content: showing(sampleSix())})
	}
	for b.Loop() {
		var out bytes.Buffer
		if err := SheetPNG(&out, s); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len()), "bytes")
	}
}
