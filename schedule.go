package tidemark

import (
	"slices"
	"time"
)

// The rhythms of a schedule.
const (
	EveryDay   = "day"
	EveryWeek  = "week"
	EveryMonth = "month"
)

// Schedule is when something is done again and again, by the clocks of a time
// zone.
type Schedule struct {
	Every   string `json:"every"`             // day, week or month
	Weekday string `json:"weekday,omitempty"` // of every week: mon, tue, wed, thu, fri, sat or sun
	Day     int    `json:"day,omitempty"`     // of every month: 1 to 31; where there is no such day, the last one
	Time    string `json:"time"`              // 09:00
	Zone    string `json:"zone"`              // Europe/Berlin
}

// Validate reports what is wrong with s, or nil.
func (s *Schedule) Validate() error {
	var p Problems
	p.Check(slices.Contains([]string{EveryDay, EveryWeek, EveryMonth}, s.Every), "every", "must be day, week or month")
	p.Check(s.Every != EveryWeek || slices.Contains(Days, s.Weekday), "weekday", "must be mon, tue, wed, thu, fri, sat or sun")
	p.Check(s.Every != EveryMonth || s.Day >= 1 && s.Day <= 31, "day", "must be 1 to 31")
	checkClock(&p, "time", s.Time)
	checkZone(&p, "zone", s.Zone)
	return p.Err()
}

// Normalize removes what the rhythm does not use.
func (s *Schedule) Normalize() {
	if s.Every != EveryWeek {
		s.Weekday = ""
	}
	if s.Every != EveryMonth {
		s.Day = 0
	}
}

// longestWait is how many days pass between two times of a schedule at most.
const longestWait = 32

// Next returns the first time after a moment, or 0 of a schedule that is not
// valid. When clocks are changed it goes by wallTime: a time that comes twice
// is the first of the two, and one that never comes is as long after the change.
func (s *Schedule) Next(after int64) int64 {
	for i := range longestWait + 2 {
		if at, on := s.at(after, i-1); on && at > after {
			return at
		}
	}
	return 0
}

// Last returns the latest time that is not after a moment, or 0 of a schedule
// that is not valid.
func (s *Schedule) Last(now int64) int64 {
	for i := range longestWait + 2 {
		if at, on := s.at(now, 1-i); on && at <= now {
			return at
		}
	}
	return 0
}

// at returns the time of the schedule on the day that is so many days after
// that of a moment, and whether there is one.
func (s *Schedule) at(moment int64, days int) (at int64, on bool) {
	zone, err := time.LoadLocation(s.Zone)
	minute, ok := minuteOf(s.Time)
	if err != nil || !ok {
		return 0, false
	}
	y, m, d := time.Unix(moment, 0).In(zone).Date()
	day := time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC)
	return wallTime(day, minute, zone, false), s.isOn(day)
}

func (s *Schedule) isOn(day time.Time) bool {
	switch s.Every {
	case EveryDay:
		return true
	case EveryWeek:
		return Days[day.Weekday()] == s.Weekday
	case EveryMonth:
		last := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
		return day.Day() == min(s.Day, last)
	}
	return false
}

// checkClock records that a field is no time of day.
func checkClock(p *Problems, field, text string) {
	_, ok := minuteOf(text)
	p.Check(ok, field, "must be a time of day, such as 02:30")
}

// checkZone records that a field is no time zone.
func checkZone(p *Problems, field, name string) {
	_, err := time.LoadLocation(name)
	p.Check(err == nil && name != "" && name != "Local", field, "must be the name of a time zone, such as Europe/Berlin")
}
