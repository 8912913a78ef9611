package tidemark

import (
	"cmp"
	"slices"
	"time"
)

const (
	daySeconds = 24 * 3600
	// maxOccurrences bounds how often one window is listed.
	maxOccurrences = 1000
)

// Occurrence is a time at which a maintenance window is on. Shift is by how
// many seconds it is longer than usual because the clocks are changed in it.
type Occurrence struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
	Shift int64 `json:"shift,omitempty"`
}

// Now returns when the window that is on at now began and ends.
func (m *Maintenance) Now(now int64) (Occurrence, bool) {
	for _, o := range m.Between(now, now+1) {
		return o, true
	}
	return Occurrence{}, false
}

// NextChange returns when, after now, the window next begins or ends; 0 if it
// never does again.
func (m *Maintenance) NextChange(now int64) int64 {
	if next := m.changeBefore(now, now+8*daySeconds); next != 0 {
		return next // of most windows that repeat; others rest for longer
	}
	return m.changeBefore(now, max(now, m.StartsAt)+m.longestRest())
}

// changeBefore returns when, after now and before end, the window next begins;
// or when it ends that began before; 0 if neither.
func (m *Maintenance) changeBefore(now, end int64) int64 {
	next := int64(0)
	for _, o := range m.Between(now, end) {
		for _, t := range []int64{o.Start, o.End} {
			if t > now && (next == 0 || t < next) {
				next = t
			}
		}
	}
	return next
}

// longestRest is the longest that a window is off between two times that it is
// on: each day that is left out may be one more turn of its weeks.
func (m *Maintenance) longestRest() int64 {
	if m.Repeat == nil {
		return 1
	}
	turns := int64(len(m.Repeat.Skip) + 1)
	return (turns*7*int64(max(m.Repeat.Weeks, 1)) + 8) * daySeconds
}

// Between returns when the window is on in [start, end), by time.
func (m *Maintenance) Between(start, end int64) []Occurrence {
	var all []Occurrence
	if m.Repeat == nil {
		if m.EndsAt != nil && m.StartsAt < end && *m.EndsAt > start {
			all = append(all, Occurrence{Start: m.StartsAt, End: *m.EndsAt})
		}
		return all
	}
	zone := m.Repeat.location()
	if zone == nil {
		return nil // it was checked when it was written
	}
	from := time.Unix(max(start, m.StartsAt)-2*daySeconds, 0).In(zone)
	for day := 0; len(all) < maxOccurrences; day++ {
		y, mo, d := from.Date()
		on := time.Date(y, mo, d+day, 0, 0, 0, 0, time.UTC)
		o, starts := m.Repeat.on(on, zone)
		switch {
		case o.Start >= end, m.EndsAt != nil && o.Start >= *m.EndsAt:
			return all
		case starts && m.Repeat.isWeek(on, m.StartsAt, zone) && o.Start >= m.StartsAt && o.End > max(start, o.Start):
			all = append(all, o)
		}
	}
	return all
}

// location returns the zone, which is looked up once: that reads a file.
func (r *Repeat) location() *time.Location {
	if r.loaded == nil {
		r.loaded, _ = time.LoadLocation(r.Zone)
	}
	return r.loaded
}

// on returns when the window is on that begins on a day, and whether there is
// one.
func (r *Repeat) on(day time.Time, zone *time.Location) (Occurrence, bool) {
	from, _ := minuteOf(r.From)
	to, _ := minuteOf(r.To)
	if to <= from {
		to += daySeconds / 60
	}
	o := Occurrence{Start: wallTime(day, from, zone, false), End: wallTime(day, to, zone, true)}
	o.Shift = o.End - o.Start - int64(to-from)*60
	return o, slices.Contains(r.Days, Days[day.Weekday()]) && !slices.Contains(r.Skip, day.Format(time.DateOnly))
}

// isWeek reports whether the week of a day is one of those in which a window
// that begins then repeats.
func (r *Repeat) isWeek(day time.Time, begins int64, zone *time.Location) bool {
	if r.Weeks <= 1 {
		return true
	}
	y, m, d := time.Unix(begins, 0).In(zone).Date()
	first := mondayOf(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
	return int(mondayOf(day).Sub(first).Hours()/24/7)%r.Weeks == 0
}

// mondayOf returns the Monday on or before a day.
func mondayOf(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// StartsOn reports whether the window is on from exactly then.
func (m *Maintenance) StartsOn(start int64) bool {
	return slices.ContainsFunc(m.Between(start, start+1), func(o Occurrence) bool { return o.Start == start })
}

// Split is the time of a window that repeats which begins at Start, or with
// Later that one and all after it.
type Split struct {
	Start int64
	Later bool
}

// LeaveOut takes a time, or that and all after it, from a window that repeats.
func (m *Maintenance) LeaveOut(at Split) {
	if at.Later {
		m.EndsAt = &at.Start
		return
	}
	r := *m.Repeat
	r.Skip = append(slices.Clone(r.Skip), time.Unix(at.Start, 0).In(r.location()).Format(time.DateOnly))
	m.Repeat = &r
}

// SuspendedBack is for how many seconds after its end a window that suspends
// alerts is remembered with them: what they know is not older.
const SuspendedBack = int64(AutoClear) + daySeconds

// Suspended returns when windows keep an alert that they have to do with from
// being evaluated in [start, end), by time and apart from each other.
func Suspended(windows []*Maintenance, start, end int64) []Interval {
	return whenOn(windows, start, end, func(m *Maintenance) bool { return m.Suspends })
}

// Maintained returns when in [start, end) windows cover an alert that they have
// to do with, whatever violates, by time and apart from each other.
func Maintained(windows []*Maintenance, start, end int64) []Interval {
	return whenOn(windows, start, end, func(m *Maintenance) bool { return len(m.Covers.Tags) == 0 })
}

func whenOn(windows []*Maintenance, start, end int64, counts func(*Maintenance) bool) []Interval {
	var all []Interval
	for _, m := range windows {
		if !counts(m) {
			continue
		}
		for _, o := range m.Between(start, end) {
			all = append(all, Interval{o.Start, o.End})
		}
	}
	return merged(all)
}

// merged returns the same times in order, in which none touches another.
func merged(all []Interval) []Interval {
	slices.SortFunc(all, func(a, b Interval) int { return cmp.Compare(a[0], b[0]) })
	out := all[:0]
	for _, i := range all {
		if n := len(out); n > 0 && i[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], i[1])
			continue
		}
		out = append(out, i)
	}
	return out
}

// wallTime returns when clocks in zone show the given minute of a day. A time
// that comes twice, when clocks are set back, is the first of the two, or with
// late the second; one that never comes, when they are set ahead, is as long
// after the change as it would have been.
func wallTime(day time.Time, minute int, zone *time.Location, late bool) int64 {
	shown := day.Unix() + int64(minute)*60
	_, before := time.Unix(shown-daySeconds, 0).In(zone).Zone()
	_, after := time.Unix(shown+daySeconds, 0).In(zone).Zone()
	first, second := shown-int64(before), shown-int64(after)
	if !isShown(first, shown, zone) && isShown(second, shown, zone) {
		return second
	}
	if late && isShown(second, shown, zone) {
		return max(first, second)
	}
	return first
}

func isShown(at, shown int64, zone *time.Location) bool {
	_, offset := time.Unix(at, 0).In(zone).Zone()
	return at+int64(offset) == shown
}

// minuteOf reads a time of day, such as 02:30.
func minuteOf(text string) (int, bool) {
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err == nil && len(text) == len("15:04")
}

// MaintenanceState is what maintenance does to an alert at a moment.
type MaintenanceState struct {
	// Window covers all that violates, until then. It is nil if none does.
	Window *Maintenance
	Until  int64
	// On are all windows that are on and have to do with the alert, and Muted
	// the violating streams that one of them covers.
	On    []int64
	Muted map[string]bool
	// Suspended says that one of them keeps the alert from being evaluated.
	Suspended bool
}

// MaintenanceOf returns what windows, which have to do with an alert, do to it
// at now while these streams violate. Of several that cover it the one counts
// that ends last.
func MaintenanceOf(windows []*Maintenance, violations []Violation, now int64) MaintenanceState {
	var s MaintenanceState
	for _, m := range windows {
		o, on := m.Now(now)
		if !on {
			continue
		}
		s.On = append(s.On, m.ID)
		s.Suspended = s.Suspended || m.Suspends
		covered := true
		for i := range violations {
			stream := violations[i].Stream
			if !m.Covers.CoversStream(stream) {
				covered = false
				continue
			}
			if s.Muted == nil {
				s.Muted = make(map[string]bool)
			}
			s.Muted[stream] = true
		}
		if covered && (len(m.Covers.Tags) == 0 || len(violations) > 0) && o.End > s.Until {
			s.Window, s.Until = m, o.End
		}
	}
	if s.Window == nil && len(violations) > 0 && !slices.ContainsFunc(violations, func(v Violation) bool { return !s.Muted[v.Stream] }) {
		s.shareCover(windows, now)
	}
	return s
}

// shareCover is for windows that cover all that violates together, though none
// does alone: the first counts, until one of them ends.
func (s *MaintenanceState) shareCover(windows []*Maintenance, now int64) {
	for _, m := range windows {
		o, on := m.Now(now)
		if !on {
			continue
		}
		if s.Window == nil || o.End < s.Until {
			s.Until = o.End
		}
		if s.Window == nil {
			s.Window = m
		}
	}
}
