package tidemark

import (
	"math"
	"slices"
)

// LimitDay is what an organization used of a limit on one day: the most that
// was counted.
type LimitDay struct {
	Day int64 `json:"day"` // midnight UTC
	Use int64 `json:"use"`
}

const (
	// LimitDays is for how many days it is kept what was used of limits.
	LimitDays = 30
	// paceDays is how many whole days a pace is judged by, and minPaceDays how
	// many of them it takes.
	paceDays, minPaceDays = 14, 7
	// maxForecast is for how many days ahead a pace means anything.
	maxForecast = 90
	// surely is the quantile of the normal distribution beyond which it is by
	// chance once in 40 times that values without a trend rise so often.
	surely = 1.96
)

// ForecastLimit returns in about how many days use reaches a limit if it goes on
// at its pace, and false where days do not say that it does. Days are in order;
// today's is still growing and does not count.
//
// The pace is the median of the slopes between each two of the last 14 days, so
// that a few odd days do not matter (Theil and Sen). There is none unless so
// many pairs of days rise that it is hardly by chance (Mann and Kendall), and
// the last seven go on rising: what goes up and down, or made one step, is not
// said to reach anything.
func ForecastLimit(days []LimitDay, limit, today int64) (inDays int64, ok bool) {
	days = slices.DeleteFunc(slices.Clone(days), func(d LimitDay) bool { return d.Day >= today || d.Day < today-paceDays*daySeconds })
	if len(days) < minPaceDays || limit <= 0 {
		return 0, false
	}
	slope, rises := pace(days)
	lately, _ := pace(days[len(days)-minPaceDays:])
	if !rises || slope <= 0 || lately <= 0 {
		return 0, false
	}
	levels := make([]float64, len(days)) // where each day puts the line today
	for i, d := range days {
		levels[i] = float64(d.Use) + slope*float64(today-d.Day)/daySeconds
	}
	left := (float64(limit) - medianOf(levels)) / slope
	if left > maxForecast {
		return 0, false
	}
	return int64(math.Ceil(max(left, 1))), true
}

// pace returns how much a day the use of a limit grows, and whether it rises
// for sure.
func pace(days []LimitDay) (slope float64, rises bool) {
	var slopes []float64
	score := 0.0
	for i, a := range days {
		for _, b := range days[i+1:] {
			slopes = append(slopes, float64(b.Use-a.Use)*daySeconds/float64(b.Day-a.Day))
			switch {
			case b.Use > a.Use:
				score++
			case b.Use < a.Use:
				score--
			}
		}
	}
	n := float64(len(days))
	return medianOf(slopes), score > surely*math.Sqrt(n*(n-1)*(2*n+5)/18)
}

// medianOf sorts values, of which there are some.
func medianOf(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
