package draw

import (
	"time"
)

// timeTick is a time along the horizontal axis.
type timeTick struct {
	at    int64
	label string
}

// timeSpace is the distance that times keep in the layout.
const timeSpace = 78

var timeSteps = []int64{
	1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600,
}

// timeTicks returns round times of the clock in zone, and round days where the
// range is long.
func timeTicks(start, end int64, width float64, zone *time.Location) []timeTick {
	most := max(width/timeSpace, 1)
	for _, step := range timeSteps {
		if float64(end-start)/float64(step) <= most {
			return clockTicks(start, end, step, zone)
		}
	}
	for _, days := range []int{1, 2, 7, 14} {
		if float64(end-start)/float64(days*86400) <= most {
			return dayTicks(start, end, days, zone)
		}
	}
	for _, months := range []int{1, 2, 3, 6, 12, 24, 60, 120} {
		if float64(end-start)/float64(months*30*86400) <= most {
			return monthTicks(start, end, months, zone)
		}
	}
	return nil
}

// clockTicks are counted from midnight, so that they are round in any zone. On
// the days when the clocks change they keep to the clock.
func clockTicks(start, end, step int64, zone *time.Location) []timeTick {
	var out []timeTick
	from := time.Unix(start, 0).In(zone)
	y, m, d := from.Date()
	format := "15:04"
	if step < 60 {
		format = "15:04:05"
	}
	for i := int64(0); i*step <= end-start+2*86400 && len(out) < 100; i++ {
		t := time.Date(y, m, d, 0, 0, int(i*step), 0, zone)
		at := t.Unix()
		if at < start || at > end || len(out) > 0 && at <= out[len(out)-1].at {
			continue
		}
		label := t.Format(format)
		if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
			label = t.Format("2 Jan")
		}
		out = append(out, timeTick{at, label})
	}
	return out
}

func dayTicks(start, end int64, days int, zone *time.Location) []timeTick {
	var out []timeTick
	from := time.Unix(start, 0).In(zone)
	y, m, d := from.Date()
	if days >= 7 {
		d -= (int(from.Weekday()) + 6) % 7 // weeks begin on Monday
	}
	for i := 0; len(out) < 100; i++ {
		t := time.Date(y, m, d+i*days, 0, 0, 0, 0, zone)
		if t.Unix() > end {
			return out
		}
		if t.Unix() >= start {
			out = append(out, timeTick{t.Unix(), t.Format("2 Jan")})
		}
	}
	return out
}

func monthTicks(start, end int64, months int, zone *time.Location) []timeTick {
	var out []timeTick
	y, m, _ := time.Unix(start, 0).In(zone).Date()
	index := (y*12 + int(m) - 1) / months * months
	for len(out) < 100 {
		t := time.Date(index/12, time.Month(index%12+1), 1, 0, 0, 0, 0, zone)
		if t.Unix() > end {
			return out
		}
		label := t.Format("Jan")
		if t.Month() == time.January || len(out) == 0 {
			label = t.Format("Jan 2006")
		}
		if months >= 12 {
			label = t.Format("2006")
		}
		if t.Unix() >= start {
			out = append(out, timeTick{t.Unix(), label})
		}
		index += months
	}
	return out
}

// rangeText says which time is shown, and in which zone.
func rangeText(start, end int64, zone *time.Location) string {
	a, b := time.Unix(start, 0).In(zone), time.Unix(end, 0).In(zone)
	name, _ := b.Zone()
	if name != "" && (name[0] == '+' || name[0] == '-') {
		name = "UTC" + name // zones without a name of their own
	}
	clock := "15:04"
	if end-start < 600 {
		clock = "15:04:05"
	}
	switch {
	case a.Format("2006-01-02") == b.Format("2006-01-02"):
		return a.Format("2 Jan 2006, "+clock) + " – " + b.Format(clock) + " " + name
	case end-start > 14*86400:
		return a.Format("2 Jan 2006") + " – " + b.Format("2 Jan 2006") + " " + name
	case a.Year() == b.Year():
		return a.Format("2 Jan "+clock) + " – " + b.Format("2 Jan 2006 "+clock) + " " + name
	}
	return a.Format("2 Jan 2006 "+clock) + " – " + b.Format("2 Jan 2006 "+clock) + " " + name
}
