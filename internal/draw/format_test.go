package draw

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestFormatAsTheInterface: values near a prefix are written with it where they
// round to it, and rates of bytes as bytes are.
func TestFormatAsTheInterface(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v          float64
		unit, want string
	}{
		{999_999, "", "1 M"}, {999_400, "", "999 k"}, {-999_999, "", "−1 M"}, {999.6e9, "", "1 T"}, {9999.4, "", "9,999"}, {10_000, "ms", "10 kms"},
		{1500, "B/s", "1.5 kB/s"}, {1500, "bytes/s", "1.5 kB/s"}, {999, "B/s", "999 B/s"}, {2.5e9, "Bytes/s", "2.5 GB/s"}, {1500, "Bq", "1,500 Bq"},
		{1500, " bytes ", "1.5 kB"}, {0, "B/s", "0 B/s"}, {math.NaN(), "B/s", "–"}, {1234, "/s", "1,234/s"}, {12345, "/s", "12.3 k/s"},
		{0.001234, "s", "0.00123 s"}, {1e-6, "", "0.000001"},
	} {
		if got := strings.ReplaceAll(Format(c.v, c.unit), gap, " "); got != c.want {
			t.Errorf("%v of %q is %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// TestFormatIsNearTheValue: three digits with their prefix are the value again,
// within what they leave out.
func TestFormatIsNearTheValue(t *testing.T) {
	t.Parallel()
	factors := map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
	rapid.Check(t, func(t *rapid.T) {
		v := math.Pow(10, rapid.Float64Range(-5, 17).Draw(t, "size")) * rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
		digits, unit := short(v, "")
		got, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(digits), 64)
		if factor := factors[unit]; err != nil || factor == 0 || math.Abs(got*factor-v) > 0.0051*math.Abs(v) {
			t.Fatalf("%v is %s %s, %v", v, digits, unit, err)
		}
	})
}

// TestAxisHoldsItsValues: an axis reaches around what is drawn along it, with
// ticks in order, within its ends, each with a label of its own.
func TestAxisHoldsItsValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e9, 1e9).Draw(t, "low")
		e := extent{low, low + math.Pow(10, rapid.Float64Range(-3, 9).Draw(t, "range"))}
		c := Chart{Log: rapid.Bool().Draw(t, "log")}
		a := newAxis(e, &c, rapid.SampledFrom([]string{"", "ms", "bytes"}).Draw(t, "unit"), rapid.Float64Range(20, 900).Draw(t, "height"))
		near := 1e-6 * math.Abs(e.high) // of a logarithm
		if a.high < e.high-near || a.low > e.low && !c.Log || len(a.ticks) == 0 || len(a.labels) != len(a.ticks) {
			t.Fatalf("%v is on %+v", e, a)
		}
		slack := (a.high - a.low) * 1e-6
		for i, tick := range a.ticks {
			if tick < a.low-slack || tick > a.high+slack || i > 0 && tick <= a.ticks[i-1] {
				t.Fatalf("%v has the ticks %v between %v and %v", e, a.ticks, a.low, a.high)
			}
		}
		if labels := slices.Clone(a.labels); len(slices.Compact(labels)) != len(a.labels) {
			t.Fatalf("%v has the labels %v", e, a.labels)
		}
	})
}

// TestTicksOfAnyTime: the times along a chart lie within it, in order, no more
// than fit, whatever the zone and however long it is.
func TestTicksOfAnyTime(t *testing.T) {
	t.Parallel()
	zones := []*time.Location{time.UTC, time.FixedZone("+0545", 20700)}
	for _, name := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(0, 4e9).Draw(t, "start")
		end := start + int64(math.Pow(10, rapid.Float64Range(0, 9).Draw(t, "length")))
		width, zone := rapid.Float64Range(100, 2400).Draw(t, "width"), rapid.SampledFrom(zones).Draw(t, "zone")
		ticks := timeTicks(start, end, width, zone)
		for i, tick := range ticks {
			if tick.at < start || tick.at > end || tick.label == "" || i > 0 && tick.at <= ticks[i-1].at {
				t.Fatalf("%d to %d in %s: %v", start, end, zone, ticks)
			}
		}
		if most := max(width/timeSpace, 1) + 2; float64(len(ticks)) > most {
			t.Fatalf("%d ticks, there is room for %v", len(ticks), most)
		}
	})
}

// TestShortNamesDiffer: names that are shortened are as many as before.
func TestShortNamesDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seen := make(map[string]bool)
		var names []string
		for range rapid.IntRange(1, 6).Draw(t, "streams") {
			var pairs []string
			for _, key := range []string{"a", "b", "c"} {
				if v := rapid.IntRange(0, 2).Draw(t, key); v > 0 {
					pairs = append(pairs, key+"="+strconv.Itoa(v))
				}
			}
			if name := strings.Join(pairs, ","); name != "" && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		short := make(map[string]bool)
		for i, name := range Names(names) {
			short[name] = true
			if name == "" || len(name) > len(names[i]) {
				t.Fatalf("%q becomes %q", names[i], name)
			}
		}
		if len(short) != len(names) {
			t.Fatalf("%q become %v", names, short)
		}
	})
}

// TestColoursCanBeSeen: whatever colour somebody chose, it is told from the
// ground in both themes; what is no colour is none.
func TestColoursCanBeSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hex := rapid.OneOf(rapid.SampledFrom([]string{"#000", "#fff", "#000000", "#FFFFFF"}), rapid.StringMatching(`#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})`)).Draw(t, "colour")
		for _, th := range []*theme{&light, &dark} {
			c, ok := th.chosen(hex)
			if got := contrast(c, th.panel); !ok || got < minContrast {
				t.Fatalf("%s becomes %v with a contrast of %.2f, %v", hex, c, got, ok)
			}
		}
	})
	for _, text := range []string{"", "#", "#12", "#1234", "#12345", "#1234567", "#ggg", "red", "#12345é", "ééé"} {
		if c, ok := light.chosen(text); ok {
			t.Errorf("%q is %v", text, c)
		}
	}
	if a, b := mustHex(t, "#1af"), mustHex(t, "11AAFF"); a != b {
		t.Errorf("%v and %v", a, b)
	}
}

func mustHex(t *testing.T, s string) color.NRGBA {
	t.Helper()
	c, ok := parseHex(s)
	if !ok {
		t.Fatalf("%s is no colour", s)
	}
	return c
}

// brokenPipe takes so many bytes and then fails.
type brokenPipe struct{ left int }

func (w *brokenPipe) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

// TestPictureThatCannotBeWritten: wherever writing ends, PNG says so, and a
// picture that is written whole is one that others read.
func TestPictureThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	noise := image.NewRGBA(image.Rect(0, 0, 300, 200)) // several pieces of data
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 3 * 7)
		if i%4 == 3 {
			noise.Pix[i] = 255
		}
	}
	var whole bytes.Buffer
	if err := writePNG(&whole, noise); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{0, 7, 8, 20, 33, 40, whole.Len() / 2, whole.Len() - 13, whole.Len() - 1} {
		if err := writePNG(&brokenPipe{left}, noise); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d of %d bytes: %v", left, whole.Len(), err)
		}
	}
	img, err := png.Decode(&whole)
	if err != nil || !bytes.Equal(img.(*image.RGBA).Pix, noise.Pix) {
		t.Errorf("another picture, %v", err)
	}
	if err := PNG(&brokenPipe{100}, sampleLatency(), Options{Width: 200, Height: 120}); err == nil || err.Error() != "write the picture: io: read/write on closed pipe" {
		t.Errorf("%v", err)
	}
	if err := PNG(io.Discard, Chart{}, Options{Width: 1}); !errors.Is(err, ErrSize) {
		t.Errorf("%v", err)
	}
}
