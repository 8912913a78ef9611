package draw

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// TestGolden compares with the pictures in testdata. They are the same on
// every machine up to rounding, so a pixel may differ by a little.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			if err := PNG(&got, s.chart(), s.options); err != nil {
				t.Fatal(err)
			}
			golden(t, name, got.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := differing(t, got, want); n > 0 {
		t.Errorf("%d pixels differ from %s; -update accepts them", n, path)
	}
}

// differing counts the values of pixels that are not the same.
func differing(t *testing.T, a, b []byte) int {
	t.Helper()
	x, y := decode(t, a), decode(t, b)
	if x.Bounds() != y.Bounds() {
		t.Fatalf("%v and %v in size", x.Bounds(), y.Bounds())
	}
	n := 0
	for i, v := range x.Pix {
		if !near(v, y.Pix[i]) {
			n++
		}
	}
	return n
}

// decode reads a picture by the standard library.
func decode(t *testing.T, b []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.RGBA)
}

// count returns how many pixels of r have nearly the colour c.
func count(img *image.RGBA, r image.Rectangle, c color.NRGBA) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := img.RGBAAt(x, y)
			if near(p.R, c.R) && near(p.G, c.G) && near(p.B, c.B) {
				n++
			}
		}
	}
	return n
}

func near(a, b uint8) bool { return max(a, b)-min(a, b) <= 3 }

func mustDraw(t *testing.T, c Chart, o Options) *image.RGBA {
	t.Helper()
	img, err := Draw(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestFeatures looks for what must be in a picture, wherever it is.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for _, night := range []bool{false, true} {
		th := &light
		if night {
			th = &dark
		}
		o := Options{Dark: night}
		img := mustDraw(t, sampleAlert(), o)
		all := img.Bounds()
		if all.Dx() != 600 || all.Dy() != 416 {
			t.Fatalf("%v in size", all)
		}
		panel := count(img, all, th.panel)
		if part := float64(panel) / float64(all.Dx()*all.Dy()); part < 0.5 || part > 0.9 {
			t.Errorf("%.2f of the picture is panel", part)
		}
		for i := range 3 {
			if n := count(img, all, th.palette[i]); n < 120 {
				t.Errorf("dark %t: %d pixels of series %d", night, n, i)
			}
		}
		if n := count(img, all, th.palette[3]); n > 0 {
			t.Errorf("%d pixels of a series that is not there", n)
		}
		if n := count(img, all, th.red); n < 100 {
			t.Errorf("%d pixels of threshold", n)
		}
		if n := count(img, all, th.annotation); n < 20 {
			t.Errorf("%d pixels of annotation", n)
		}
		// The third incident reaches the right edge; the middle is calm.
		tinted := mix(th.panel, th.red, th.incidentOpacity)
		if n := count(img, image.Rect(560, 120, 583, 150), tinted); n < 250 {
			t.Errorf("%d pixels of incident", n)
		}
		if n := count(img, image.Rect(200, 120, 300, 150), tinted); n > 0 {
			t.Errorf("%d pixels of incident where there was none", n)
		}
		if n := count(img, image.Rect(0, 380, 600, 416), th.t1); n < 20 {
			t.Errorf("%d pixels of values in the legend", n)
		}
		if n := count(img, image.Rect(0, 0, 350, 40), th.t1); n < 50 {
			t.Errorf("%d pixels of title", n)
		}
	}
}

func mix(a, b color.NRGBA, part float64) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8(float64(x)*(1-part) + float64(y)*part + 0.5) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}

// TestThresholdIsAtItsValue draws a flat line and a threshold of the same
// value: the one hides the other, and moves with the axis.
func TestThresholdIsAtItsValue(t *testing.T) {
	t.Parallel()
	c := Chart{Start: 0, End: 3600, Max: new(float64(100)), Thresholds: []Threshold{{Value: 25}}}
	p := rows(mustDraw(t, c, Options{}), light.red)
	c.Thresholds[0].Value = 75
	q := rows(mustDraw(t, c, Options{}), light.red)
	if p <= q {
		t.Fatalf("25 is at %v, 75 at %v", p, q)
	}
	c.Thresholds[0].Value = 50
	if m := rows(mustDraw(t, c, Options{}), light.red); math.Abs(m-(p+q)/2) > 1 {
		t.Errorf("50 is at %v, between 25 at %v and 75 at %v", m, p, q)
	}
}

// rows returns the mean height of the pixels of a colour right of the axis.
func rows(img *image.RGBA, c color.NRGBA) float64 {
	sum, n := 0, 0
	for y := range img.Bounds().Dy() {
		k := count(img, image.Rect(60, y, 590, y+1), c)
		sum, n = sum+k*y, n+k
	}
	return float64(sum) / float64(n)
}

func TestNumberHasTheColourOfItsThreshold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value float64
		want  color.NRGBA
	}{
		{100, light.t1}, {250, light.amber}, {600, light.red}, {5, light.red}, {50, light.amber},
	} {
		c := Chart{Kind: Number, Start: 0, End: 60, Value: &tt.value, Thresholds: []Threshold{
			{Operator: ">", Value: 200, Amber: true}, {Operator: ">", Value: 500}, {Operator: "<", Value: 10}, {Operator: "=", Value: 50, Amber: true}, {Operator: "?", Value: 1},
		}}
		if n := count(mustDraw(t, c, Options{}), image.Rect(0, 40, 300, 160), tt.want); n < 500 {
			t.Errorf("%v: %d pixels of its colour", tt.value, n)
		}
	}
}

func TestUnitOfTheFirstSeries(t *testing.T) {
	t.Parallel()
	with := Chart{Start: 0, End: 120, Title: "x", Unit: "ms", Series: []Series{{Times: []int64{0, 60}, Values: []float64{1, 2}}}}
	own := with
	own.Unit, own.Series = "", []Series{{Times: []int64{0, 60}, Values: []float64{1, 2}, Unit: "ms"}}
	for _, kind := range []string{Line, Number} {
		with.Kind, own.Kind = kind, kind
		if !bytes.Equal(mustDraw(t, with, Options{}).Pix, mustDraw(t, own, Options{}).Pix) {
			t.Errorf("%s: a series' unit is shown otherwise than its chart's", kind)
		}
	}
}

func TestStackAddsUp(t *testing.T) {
	t.Parallel()
	s := func(v ...float64) Series { return Series{Times: []int64{0, 60, 120}[:len(v)], Values: v, Period: 60} }
	got := newStack([]Series{s(1, 2, 3), s(10, math.NaN(), 30), s(100)}, 0, 120, 600)
	for i, want := range [][]float64{{1, 2, 3}, {11, 2, 33}, {111, 2, 33}} {
		for k, v := range want {
			if got.tops[i][k] != v {
				t.Errorf("layer %d is %v, want %v", i, got.tops[i], want)
			}
		}
	}
}

func TestSameInputSamePicture(t *testing.T) {
	t.Parallel()
	var want bytes.Buffer
	if err := PNG(&want, sampleSix(), Options{}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var got bytes.Buffer
			if err := PNG(&got, sampleSix(), Options{}); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("another picture, %v", err)
			}
		})
	}
	wg.Wait()
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Width: 199}, {Height: 119}, {Width: 2401}, {Height: 2401}, {Scale: 0.4}, {Scale: 5}, {Scale: math.NaN()}, {Scale: math.Inf(1)}, {Width: -1},
		{Width: 2400, Height: 2400, Scale: 2},
	} {
		if _, err := Draw(sampleLatency(), o); !errors.Is(err, ErrSize) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for kind, o := range map[string]Options{
		Line: {Width: 200, Height: 120, Scale: 0.5}, Stacked: {Width: 333, Height: 222, Scale: 1.25}, Number: {Width: 1200, Height: 300},
	} {
		c := sampleAlert()
		c.Kind = kind
		img := mustDraw(t, c, o)
		want := image.Rect(0, 0, int(math.Ceil(float64(o.withDefaults().Width)*o.withDefaults().Scale)), int(math.Ceil(float64(o.Height)*o.withDefaults().Scale)))
		if img.Bounds() != want {
			t.Errorf("%v in size, want %v", img.Bounds(), want)
		}
	}
}

// TestOddInput must neither panic nor take forever.
func TestOddInput(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	times := []int64{sampleStart, sampleStart + 60, sampleStart + 120}
	huge := make([]Series, 3000)
	for i := range huge {
		huge[i] = Series{Name: "x", Times: times, Values: []float64{1, 2, 3}}
	}
	long := Series{}
	for i := range 50_000 {
		long.Times = append(long.Times, sampleStart+int64(i)/3)
		long.Values = append(long.Values, math.Sin(float64(i)))
	}
	for name, c := range map[string]Chart{
		"nothing":           {},
		"backwards":         {Start: 100, End: 50},
		"not numbers":       {Series: []Series{{Times: times, Values: []float64{nan, inf, -inf}}}},
		"infinite limits":   {Min: &nan, Max: &inf, Series: []Series{{Times: times, Values: []float64{1, 2, 3}}}},
		"limits crossed":    {Min: new(float64(5)), Max: new(float64(1)), Series: []Series{{Times: times, Values: []float64{1, 2, 3}}}},
		"far outside":       {Min: new(float64(0)), Max: new(1e-300), Series: []Series{{Times: times, Values: []float64{1e300, -1e300, 3}}}},
		"largest":           {Series: []Series{{Times: times, Values: []float64{math.MaxFloat64, -math.MaxFloat64, 0}}}},
		"smallest":          {Series: []Series{{Times: times, Values: []float64{math.SmallestNonzeroFloat64, 0, 0}}}},
		"log of nothing":    {Log: true, Series: []Series{{Times: times, Values: []float64{0, -1, -2}}}},
		"log of a lot":      {Log: true, Series: []Series{{Times: times, Values: []float64{1e-300, 1, 1e300}}}},
		"lengths differ":    {Series: []Series{{Times: times, Values: []float64{1}}, {Times: times[:1], Values: []float64{1, 2, 3}}}},
		"threshold is none": {Thresholds: []Threshold{{Value: nan}, {Value: inf}, {Value: 1e308}}},
		"too many":          {Series: huge},
		"long":              {Series: []Series{long}},
		"no words":          {Title: "", Subtitle: "x", Series: []Series{{Times: times, Values: []float64{1, 1, 1}}}},
		"strange words":     {Title: "日本語 \x00 \u202e ´´´ 🚨", Subtitle: string(bytes.Repeat([]byte("w"), 5000)), Annotations: []Annotation{{Title: "🚨", Start: sampleStart + 5}}},
		"a century":         {Start: 0, End: 3e9, Series: []Series{{Times: times, Values: []float64{1, 2, 3}}}},
		"the end of time":   {Start: math.MaxInt64 - 10, End: math.MaxInt64},
		"odd rows":          {Rows: &Rows{Columns: []Column{{Name: "x"}, {}}, Rows: []Row{{}, {Name: "y", Values: []float64{nan, inf, 1e308, 4}}}, More: 3}},
		"odd cells":         {Cells: &Cells{Rows: []CellRow{{}, {Times: times, Values: []float64{nan, inf}}, {Times: times, Values: []float64{1, 1, 1}}}}},
		"odd ranges":        {Cells: &Cells{Ranges: true, Step: -5, Rows: []CellRow{{Low: nan, High: inf}, {Low: 5, High: 1, Times: times, Values: []float64{1e308, -1, 0}}}}},
		"ranges of nothing": {Cells: &Cells{Ranges: true, Rows: []CellRow{{Low: 0, High: 0, Times: times, Values: []float64{1, 2, 3}}}}, Thresholds: []Threshold{{Value: nan}}},
	} {
		for _, kind := range []string{Line, Stacked, Number, Table, Heatmap} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				t.Parallel()
				c := c
				c.Kind = kind
				if c.Start == 0 && c.End == 0 {
					c.Start, c.End = sampleStart, sampleEnd
				}
				mustDraw(t, c, Options{Width: 300, Height: 200})
			})
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	for name, o := range map[string]Options{"600x416": {}, "600x416x2": {Scale: 2}, "dark": {Dark: true}} {
		b.Run(name, func(b *testing.B) {
			c := sampleSix()
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if err := PNG(&out, c, o); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(out.Len()))
			}
		})
	}
}

// FuzzDraw draws whatever comes: it may look odd, but must end, and not panic.
func FuzzDraw(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 0.0, 10.0, int64(0), int64(3600), "title", uint8(0))
	f.Add(-1e300, 1e300, 0.0, -1.0, 1e-300, int64(-1e15), int64(1e15), "", uint8(255))
	f.Fuzz(func(t *testing.T, a, b, c, low, high float64, start, end int64, title string, flags uint8) {
		chart := Chart{
			Kind: []string{Line, Stacked, Number, Table, Heatmap}[int(flags)%5], Title: title, Unit: title, Start: start, End: end, Log: flags&4 != 0,
			Series:      []Series{{Name: title, Times: []int64{start, start/2 + end/2, end}, Values: []float64{a, b, c}, Period: 60, Color: title}},
			Thresholds:  []Threshold{{Operator: ">", Value: b}},
			Annotations: []Annotation{{Title: title, Start: start, End: end}},
			Incidents:   []Span{{start, end}},
			Rows:        &Rows{By: title, Columns: []Column{{Name: title, Unit: title}}, Rows: []Row{{title, []float64{a}}, {title, []float64{b}}}, More: int(flags)},
			Cells:       &Cells{Step: end - start, Ranges: flags&32 != 0, Rows: []CellRow{{title, low, high, []int64{start, end}, []float64{a, b}}}},
		}
		if flags&8 != 0 {
			chart.Min, chart.Max = &low, &high
		}
		if _, err := Draw(chart, Options{Width: 200, Height: 120, Dark: flags&16 != 0}); err != nil {
			t.Fatal(err)
		}
	})
}
