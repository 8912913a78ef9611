package tidemark

import (
	"regexp"
	"strconv"
	"time"
)

// rangeForm is a range of time that ends now, or a day.
var rangeForm = regexp.MustCompile(`^(-[1-9][0-9]{0,3}[mhdw]|today|yesterday)?$`)

// rangeUnits are the units of ranges, in seconds.
var rangeUnits = map[byte]int64{'m': 60, 'h': 3600, 'd': daySeconds, 'w': 7 * daySeconds}

// usualRange is what a space shows unless it is told otherwise.
const usualRange = 6 * 3600

// checkRange records that a field is no range of time.
func checkRange(p *Problems, field, text string) {
	p.Check(rangeForm.MatchString(text), field, "must be such as -6h, -7d, today or yesterday")
}

// RangeAt returns the time that a range such as -6h, today or yesterday stands
// for at now, by the clocks of zone; "" is the last six hours.
func RangeAt(text string, now int64, zone *time.Location) (start, end int64) {
	y, m, d := time.Unix(now, 0).In(zone).Date()
	midnight := func(days int) int64 {
		return wallTime(time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC), 0, zone, false)
	}
	switch {
	case text == "today":
		return min(midnight(0), now-60), now // at midnight there is nothing of the day yet
	case text == "yesterday":
		return midnight(-1), midnight(0)
	case text == "" || !rangeForm.MatchString(text):
		return now - usualRange, now
	}
	n, _ := strconv.ParseInt(text[1:len(text)-1], 10, 64) // four digits at most
	return now - n*rangeUnits[text[len(text)-1]], now
}
