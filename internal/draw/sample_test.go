package draw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// The samples are what the tests draw, and what to look at when something
// changes.

const (
	sampleEnd   = 1794753000 // 15 Nov 2026 14:30 UTC
	sampleStart = sampleEnd - 6*3600
)

// wave is a wandering line, the same every time.
func wave(seed uint64, level, wander float64) Series {
	r := rand.New(rand.NewPCG(seed, 7))
	s := Series{Period: 60}
	v := 0.0
	for t := int64(sampleStart); t <= sampleEnd; t += 60 {
		v = v*0.93 + r.NormFloat64()*wander
		s.Times = append(s.Times, t)
		s.Values = append(s.Values, max(level+v, 0))
	}
	return s
}

// bump adds a hill to a series.
func (s Series) bump(at float64, width, height float64) Series {
	n := float64(len(s.Values))
	for i := range s.Values {
		d := (float64(i)/n - at) / width
		s.Values[i] += height * math.Exp(-d*d)
	}
	return s
}

func (s Series) called(name string, mono bool) Series {
	s.Name, s.Mono = name, mono
	return s
}

func sampleLatency() Chart {
	return Chart{
		Title: "Latency by percentile", Subtitle: "ms", Unit: "ms", Start: sampleStart, End: sampleEnd, Zone: time.UTC,
		Series: []Series{
			wave(1, 42, 0.6).bump(0.52, 0.03, 22).called("p50", false),
			wave(2, 125, 3).bump(0.52, 0.03, 130).bump(0.78, 0.05, 70).called("p95", false),
			wave(3, 205, 6).bump(0.52, 0.03, 255).bump(0.78, 0.05, 150).bump(1, 0.06, 90).called("p99", false),
		},
		Annotations: []Annotation{
			{Title: "deploy checkout 4.18.0", Start: sampleStart + 4700},
			{Title: "db-01 failover", Start: sampleStart + 10600, End: sampleStart + 12400},
			{Title: "deploy checkout 4.18.1", Start: sampleStart + 16400},
		},
	}
}

func sampleAlert() Chart {
	c := sampleLatency()
	c.Title, c.Subtitle = "checkout.latency.p99", "max by region, threshold 250 ms"
	c.Series = []Series{
		wave(4, 200, 6).bump(0.52, 0.03, 265).bump(0.78, 0.05, 160).bump(1, 0.06, 120).called("eu-central", true),
		wave(5, 165, 5).bump(0.52, 0.05, 130).bump(1, 0.05, 100).called("us-east", true),
		wave(6, 140, 5).bump(0.52, 0.05, 55).bump(1, 0.04, 120).called("ap-south", true),
	}
	c.Thresholds = []Threshold{{Operator: ">", Value: 250}}
	c.Annotations = c.Annotations[:1]
	c.Incidents = []Span{{sampleStart + 10700, sampleStart + 12500}, {sampleStart + 16000, sampleStart + 18300}, {sampleStart + 20600, sampleEnd}}
	return c
}

func sampleStacked() Chart {
	return Chart{
		Kind: Stacked, Title: "Requests by region", Subtitle: "per second", Unit: "/s", Start: sampleStart, End: sampleEnd,
		Series: []Series{
			wave(7, 620, 12).bump(0.52, 0.03, -120).bump(1, 0.4, 180).called("eu-central", true),
			wave(8, 420, 10).bump(0.52, 0.03, -60).bump(1, 0.4, 120).called("us-east", true),
			wave(9, 150, 6).bump(1, 0.4, 30).called("ap-south", true),
		},
	}
}

func sampleNumber() Chart {
	c := sampleAlert()
	c.Kind, c.Title, c.Subtitle = Number, "Latency p99", ""
	c.Thresholds = []Threshold{{Operator: ">", Value: 200, Amber: true}, {Operator: ">", Value: 500}}
	c.Note = "+4 % on last week"
	return c
}

// sampleSix is the chart that is measured: six streams of six hours.
func sampleSix() Chart {
	c := sampleAlert()
	c.Title, c.Subtitle, c.Unit = "CPU by host", "%", "%"
	c.Series = nil
	for i := range 6 {
		c.Series = append(c.Series, wave(uint64(20+i), 30+float64(i)*9, 2.2).bump(0.5, 0.03, 20+float64(i)*3).called(fmt.Sprintf("web-%02d", i+1), true))
	}
	c.Thresholds = []Threshold{{Operator: ">", Value: 90}}
	return c
}

func sampleCrowd() Chart {
	c := sampleSix()
	c.Series, c.Thresholds, c.Incidents = nil, nil, nil
	for i := range 120 {
		c.Series = append(c.Series, wave(uint64(100+i), 20+float64(i)*0.4, 2.5).called(fmt.Sprintf("web-%03d", i+1), true))
	}
	return c
}

func sampleMany() Chart {
	c := sampleSix()
	c.Series, c.Annotations = nil, nil
	for i := range 20 {
		c.Series = append(c.Series, wave(uint64(300+i), 10+float64(i)*4, 1).called(fmt.Sprintf("shard-%02d.eu-central", i+1), true))
	}
	return c
}

func sampleLog() Chart {
	c := sampleLatency()
	c.Title, c.Subtitle, c.Unit, c.Log = "Queue depth", "jobs, log axis", "", true
	c.Series = []Series{
		wave(40, 35, 5).bump(0.6, 0.06, 700).called("mail", false), wave(41, 190, 10).bump(0.55, 0.07, 5200).called("invoice", false),
		wave(42, 2200, 120).called("index", false),
	}
	return c
}

func sampleGaps() Chart {
	c := sampleLatency()
	c.Title, c.Annotations, c.Unit, c.Subtitle = "Disk used", nil, "bytes", "by volume"
	a := wave(50, 3.2e11, 4e8)
	for i := range a.Values {
		a.Values[i] += float64(i) * 2e8
	}
	for i := 100; i < 140; i++ {
		a.Values[i] = math.NaN()
	}
	b := wave(51, 1.1e11, 3e8)
	b.Times = append(append([]int64{}, b.Times[:200]...), b.Times[260:]...)
	b.Values = append(append([]float64{}, b.Values[:200]...), b.Values[260:]...)
	few := Series{Period: 60, Times: []int64{sampleStart + 3000, sampleStart + 15000, sampleStart + 15060}, Values: []float64{2e11, 2.4e11, 2.45e11}}
	right := wave(52, 55, 1).called("inodes", false)
	right.Right, right.Unit = true, "%"
	right.PartialFrom = sampleEnd - 1200
	c.Series = []Series{a.called("/var/lib", true), b.called("/home", true), few.called("/tmp", true), right}
	return c
}

func sampleEmpty() Chart {
	c := sampleAlert()
	c.Series, c.Incidents = nil, nil
	return c
}

// sampleFamilies is two metrics in one chart, one of them by host.
func sampleFamilies() Chart {
	c := sampleSix()
	c.Title, c.Thresholds, c.Incidents = "CPU and load", nil, nil
	for i := range c.Series {
		c.Series[i].Family = "cpu"
	}
	c.Series[5].Family, c.Series[5].Name, c.Series[5].Mono = "load", "load of all", false
	return c
}

// sampleNotified is what a notification shows: an hour, a long sentence, long
// names.
func sampleNotified() Chart {
	c := Chart{
		Title: "prod.checkout.latency.high", Subtitle: "checkout.latency max above 250 ms for 5 min, environment prod*, per region and host", Unit: "ms",
		Start: sampleEnd - 3600, End: sampleEnd + 60, Thresholds: []Threshold{{Operator: ">", Value: 250}},
		Incidents: []Span{{sampleEnd - 700, sampleEnd + 60}},
	}
	for i := range 5 {
		name := fmt.Sprintf("environment=prod,host=web-%02d.eu-central.example.org,region=eu-central", i+1)
		c.Series = append(c.Series, wave(uint64(60+i), 180+float64(i)*20, 6).bump(1, 0.06, 120+float64(i)*10).called(name, true))
	}
	return c
}

// sampleTable has more rows than it has room for.
func sampleTable() Chart {
	c := Chart{Kind: Table, Title: "Slowest pages", Start: sampleStart, End: sampleEnd, Rows: &Rows{
		By: "page", More: 7, Columns: []Column{
			{Name: "latency", Unit: "ms", Thresholds: []Threshold{{Operator: ">", Value: 400}, {Operator: ">", Value: 300, Amber: true}}},
			{Name: "sent", Unit: "B"}, {Name: "requests"},
		},
	}}
	for i := range 16 {
		row := Row{Name: fmt.Sprintf("/shop/category-%02d/a-page-with-a-long-name", i+1), Values: []float64{455 - float64(i)*23, 1.9e6 / float64(i+1), 12_400 - float64(i)*310}}
		if i == 3 {
			row.Values[1] = math.NaN()
		}
		c.Rows.Rows = append(c.Rows.Rows, row)
	}
	return c
}

// sampleHeat is a row for each of twenty hosts.
func sampleHeat() Chart {
	c := Chart{
		Kind: Heatmap, Title: "CPU by host", Subtitle: "%", Start: sampleStart, End: sampleEnd, Cells: &Cells{Step: 300, Unit: "%"},
		Thresholds: []Threshold{{Operator: ">", Value: 80}, {Operator: ">", Value: 70, Amber: true}},
	}
	for i := range 20 {
		row := CellRow{Name: fmt.Sprintf("web-%02d.eu-central.example.org", i+1)}
		from := wave(uint64(500+i), 60-float64(i)*2, 2.2).bump(0.5, 0.06, 30-float64(i))
		for k := 0; k < len(from.Times); k += 5 {
			row.Times, row.Values = append(row.Times, from.Times[k]), append(row.Values, from.Values[k])
		}
		if i == 4 {
			row.Times, row.Values = row.Times[20:], row.Values[20:]
		}
		c.Cells.Rows = append(c.Cells.Rows, row)
	}
	return c
}

// sampleSpread is a distribution with its percentiles.
func sampleSpread() Chart {
	c := Chart{
		Kind: Heatmap, Title: "Latency", Subtitle: "ms", Unit: "ms", Start: sampleStart, End: sampleEnd, Thresholds: []Threshold{{Operator: ">", Value: 400}},
		Cells:  &Cells{Step: 300, Ranges: true, Soft: true, Unit: "%", Of: "of a column"},
		Series: []Series{wave(1, 42, 0.6).bump(0.52, 0.03, 22).called("p50", false), wave(3, 205, 6).bump(0.52, 0.03, 255).called("p99", false)},
	}
	for i := 14; i >= 0; i-- {
		row := CellRow{Low: 10 * math.Pow(1.35, float64(i)), High: 10 * math.Pow(1.35, float64(i+1))}
		for t := int64(sampleStart); t < sampleEnd; t += 300 {
			away := math.Log(row.Low/42) - 0.9*math.Exp(-math.Pow((float64(t-sampleStart)/21600-0.52)/0.05, 2))
			if share := 31 * math.Exp(-away*away*1.6); share > 0.2 {
				row.Times, row.Values = append(row.Times, t), append(row.Values, share)
			}
		}
		c.Cells.Rows = append(c.Cells.Rows, row)
	}
	return c
}

var samples = map[string]struct {
	chart   func() Chart
	options Options
}{
	"latency":        {sampleLatency, Options{}},
	"alert":          {sampleAlert, Options{Scale: 2}},
	"alert_dark":     {sampleAlert, Options{Dark: true, Scale: 2}},
	"stacked":        {sampleStacked, Options{}},
	"stacked_dark":   {sampleStacked, Options{Dark: true}},
	"number":         {sampleNumber, Options{}},
	"number_dark":    {sampleNumber, Options{Dark: true, Width: 300, Height: 128, Scale: 2}},
	"six":            {sampleSix, Options{}},
	"crowd":          {sampleCrowd, Options{}},
	"many":           {sampleMany, Options{Dark: true}},
	"families":       {sampleFamilies, Options{}},
	"log":            {sampleLog, Options{}},
	"notified":       {sampleNotified, Options{Width: 720, Height: 360}},
	"gaps":           {sampleGaps, Options{}},
	"empty":          {sampleEmpty, Options{}},
	"small":          {sampleStacked, Options{Width: 280, Height: 160}},
	"tiny":           {sampleLatency, Options{Width: 200, Height: 120}},
	"table":          {sampleTable, Options{}},
	"heat":           {sampleHeat, Options{}},
	"heat_dark":      {sampleHeat, Options{Dark: true, Width: 300, Height: 170, Scale: 2}},
	"spread":         {sampleSpread, Options{}},
	"wide_days_dark": {sampleDays, Options{Width: 900, Height: 300, Dark: true}},
}

// sampleDays is a fortnight in a zone with a name of its own.
func sampleDays() Chart {
	c := Chart{Title: "signups", Subtitle: "per hour", Start: sampleEnd - 13*86400, End: sampleEnd, Zone: time.FixedZone("CET", 3600)}
	s := Series{Period: 3600, Name: "signups"}
	for t := c.Start; t <= c.End; t += 3600 {
		s.Times = append(s.Times, t)
		s.Values = append(s.Values, 40+35*math.Sin(float64(t%86400)/86400*2*math.Pi-2))
	}
	c.Series = []Series{s}
	return c
}
