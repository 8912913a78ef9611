package draw

import (
	"image/color"
	"math"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // so that zones are known on every machine
)

func TestFormat(t *testing.T) {
	t.Parallel()
	f := func(v float64, unit, want string) {
		t.Helper()
		if got := strings.ReplaceAll(Format(v, unit), "\u00a0", " "); got != want {
			t.Errorf("Format(%v, %q) = %q, want %q", v, unit, got, want)
		}
	}
	f(0, "", "0")
	f(42.57, "ms", "42.6 ms")
	f(0.4211, "%", "0.421 %")
	f(1525.4, "/s", "1,525/s")
	f(9999, "", "9,999")
	f(10000, "", "10 k")
	f(15234, "/s", "15.2 k/s")
	f(-1234567, "", "−1.23 M")
	f(-0.5, "", "−0.5")
	f(2308, "", "2,308")
	f(1500, "bytes", "1.5 kB")
	f(392e9, "B", "392 GB")
	f(12, "bytes", "12 B")
	f(1e15, "", "1 P")
	f(5e-9, "s", "5e-09 s")
	f(math.NaN(), "ms", "–")
	f(math.Inf(-1), "ms", "–")
}

func TestAxis(t *testing.T) {
	t.Parallel()
	f := func(low, high, height float64, c Chart, want string) {
		t.Helper()
		a := newAxis(extent{low, high}, &c, c.Unit, height)
		if got := strings.ReplaceAll(strings.Join(a.labels, " "), "\u00a0", ""); got != want {
			t.Errorf("%v to %v: %s, want %s", low, high, got, want)
		}
	}
	f(100, 462, 300, Chart{}, "0 100 200 300 400")
	f(0, 1490, 300, Chart{}, "0 500 1,000 1,500")
	f(0, 93, 300, Chart{}, "0 20 40 60 80")
	f(0.1, 0.9, 300, Chart{}, "0 0.2 0.4 0.6 0.8")
	f(-50, 50, 300, Chart{}, "−40 −20 0 20 40")
	f(3e11, 3.9e11, 300, Chart{Unit: "bytes"}, "0 100GB 200GB 300GB 400GB")
	f(0, 45000, 300, Chart{}, "0 10k 20k 30k 40k")
	f(0, 93, 60, Chart{}, "0 50")
	f(5, 5, 300, Chart{Min: new(float64(4)), Max: new(float64(6))}, "4.0 4.5 5.0 5.5 6.0")
	f(12, 5300, 300, Chart{Log: true}, "10 100 1,000 10k")
	f(math.Inf(1), math.Inf(-1), 300, Chart{}, "0 0.2 0.4 0.6 0.8 1.0")
}

func TestTimeTicks(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	f := func(start, end string, zone *time.Location, want string) {
		t.Helper()
		parse := func(s string) int64 {
			at, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
			if err != nil {
				t.Fatal(err)
			}
			return at.Unix()
		}
		var got []string
		for _, tick := range timeTicks(parse(start), parse(end), 528, zone) {
			got = append(got, tick.label)
		}
		if strings.Join(got, " | ") != want {
			t.Errorf("%s to %s: %s, want %s", start, end, strings.Join(got, " | "), want)
		}
	}
	f("2026-11-15 08:30", "2026-11-15 14:30", time.UTC, "09:00 | 10:00 | 11:00 | 12:00 | 13:00 | 14:00")
	f("2026-11-15 08:00", "2026-11-15 09:00", time.UTC, "08:00 | 08:10 | 08:20 | 08:30 | 08:40 | 08:50 | 09:00")
	f("2026-11-15 08:00", "2026-11-15 08:01", time.UTC, "08:00:00 | 08:00:10 | 08:00:20 | 08:00:30 | 08:00:40 | 08:00:50 | 08:01:00")
	f("2026-11-14 20:00", "2026-11-15 08:00", berlin, "20:00 | 22:00 | 15 Nov | 02:00 | 04:00 | 06:00 | 08:00")
	f("2026-11-09 12:00", "2026-11-15 12:00", berlin, "10 Nov | 11 Nov | 12 Nov | 13 Nov | 14 Nov | 15 Nov")
	f("2026-10-01 00:00", "2026-11-10 00:00", berlin, "5 Oct | 12 Oct | 19 Oct | 26 Oct | 2 Nov | 9 Nov")
	f("2026-01-10 00:00", "2026-06-10 00:00", berlin, "Feb 2026 | Mar | Apr | May | Jun")
	f("2020-01-10 00:00", "2026-06-10 00:00", berlin, "2021 | 2022 | 2023 | 2024 | 2025 | 2026")
	// The clock jumps from 02:00 to 03:00, and back from 03:00 to 02:00.
	f("2026-03-29 00:00", "2026-03-29 07:00", berlin, "29 Mar | 01:00 | 03:00 | 04:00 | 05:00 | 06:00 | 07:00")
	f("2026-10-25 00:00", "2026-10-25 05:00", berlin, "25 Oct | 01:00 | 02:00 | 03:00 | 04:00 | 05:00")
}

func TestRangeText(t *testing.T) {
	t.Parallel()
	f := func(start, end int64, zone *time.Location, want string) {
		t.Helper()
		if got := rangeText(start, end, zone); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f(sampleStart, sampleEnd, time.UTC, "15 Nov 2026, 08:30 – 14:30 UTC")
	f(sampleEnd-86400, sampleEnd, time.FixedZone("CET", 3600), "14 Nov 15:30 – 15 Nov 2026 15:30 CET")
	f(sampleEnd-60, sampleEnd, time.UTC, "15 Nov 2026, 14:29:00 – 14:30:00 UTC")
	f(sampleEnd-40*86400, sampleEnd, time.UTC, "6 Oct 2026 – 15 Nov 2026 UTC")
	f(sampleStart, sampleEnd, time.FixedZone("+0330", 12600), "15 Nov 2026, 12:00 – 18:00 UTC+0330")
}

func TestPens(t *testing.T) {
	t.Parallel()
	series := make([]Series, 10)
	series[2].Color = "#6fa6f5" // blue of the dark palette
	series[3].Color = "#FFFF00" // cannot be seen on white
	series[4].Color = "nonsense"
	pens := light.pens(series)
	if pens[0].color != light.palette[0] || pens[1].color != light.palette[1] || pens[2].color != light.palette[0] || pens[4].color != light.palette[2] {
		t.Errorf("%v", pens)
	}
	if contrast(pens[3].color, light.panel) < minContrast {
		t.Errorf("%v on white has a contrast of %.1f", pens[3].color, contrast(pens[3].color, light.panel))
	}
	if pens[9].dash != nil {
		t.Error("the eighth of the palette is dashed")
	}
	many := light.pens(make([]Series, 20))
	if many[7].dash != nil || len(many[8].dash) != 2 || many[8].color != light.palette[0] || many[16].dash[0] != 2 {
		t.Errorf("%v", many)
	}
	crowded := make([]Series, 30)
	for i := range crowded {
		crowded[i] = Series{Times: []int64{1}, Values: []float64{float64(i)}}
	}
	pens = dark.pens(crowded)
	if !pens[29].named || pens[29].color != dark.palette[0] || pens[0].named || pens[21].named || !pens[22].named {
		t.Errorf("%v", pens)
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	f := func(families string) []pen {
		series := make([]Series, len(families))
		for i := range families {
			series[i].Family = families[i : i+1]
		}
		return light.pens(series)
	}
	// One family, or each its own: the palette in order.
	for _, families := range []string{"aaa", "abc"} {
		if pens := f(families); pens[0].color != light.palette[0] || pens[1].color != light.palette[1] || pens[2].color != light.palette[2] {
			t.Errorf("%s: %v", families, pens)
		}
	}
	pens := f("aabaa")
	if pens[2].color != light.palette[1] {
		t.Errorf("the second family is %v", pens[2].color)
	}
	seen := make(map[color.NRGBA]bool)
	for _, p := range pens {
		if seen[p.color] || contrast(p.color, light.panel) < minContrast {
			t.Errorf("%v, with a contrast of %.1f", p.color, contrast(p.color, light.panel))
		}
		seen[p.color] = true
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	f := func(names, want string) {
		t.Helper()
		if got := strings.Join(Names(strings.Split(names, " ")), " "); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	f("env=prod,host=web-01 env=prod,host=web-02", "web-01 web-02")
	f("env=prod,host=web-01,region=eu env=prod,host=web-02,region=us", "host=web-01,region=eu host=web-02,region=us")
	f("host=a host=b", "a b")
	f("env=prod,host=web-01", "env=prod,host=web-01")
	f("p50 p95", "p50 p95")
	f("host=a unassigned", "host=a unassigned")
	f("host=a host=a,disk=1", "host=a 1")
	f("host=a host=a", "host=a host=a")
}

// TestPalette keeps the colours apart from the ground, in both themes.
func TestPalette(t *testing.T) {
	t.Parallel()
	for _, th := range []*theme{&light, &dark} {
		for i, c := range th.palette {
			if contrast(c, th.panel) < minContrast {
				t.Errorf("colour %d has a contrast of %.2f", i, contrast(c, th.panel))
			}
		}
		for _, text := range []color.NRGBA{th.t1, th.t2, th.t3, th.red, th.amber, th.annotation} {
			if contrast(text, th.panel) < 4.5 {
				t.Errorf("text %v has a contrast of %.2f", text, contrast(text, th.panel))
			}
		}
	}
}

func TestOKLabThereAndBack(t *testing.T) {
	t.Parallel()
	for _, c := range append(append([]color.NRGBA{rgb(0), rgb(0xFFFFFF)}, light.palette...), dark.palette...) {
		if got := fromOKLab(toOKLab(c)); got != c {
			t.Errorf("%v comes back as %v", c, got)
		}
	}
}
