package tidemark

import (
	"strconv"
	"time"
)

// Report is a picture of a space that is sent to services again and again.
type Report struct {
	ID       int64       `json:"id"`
	Space    int64       `json:"space"`
	Name     string      `json:"name"`
	Schedule Schedule    `json:"schedule"`
	Range    string      `json:"range"`          // the time it shows: -1d, today or yesterday; "" for the last six hours
	Tags     []TagFilter `json:"tags,omitempty"` // in place of those that the space begins with
	Services []int64     `json:"services"`       // some of which may have been deleted since
	Paused   bool        `json:"paused"`

	CreatedAt int64  `json:"created_at"`
	CreatedBy string `json:"created_by"`
	ReportState
}

// ReportState is what became of a report, and when it is sent next.
type ReportState struct {
	DueAt   int64  `json:"due_at"`   // 0 while it is paused
	AskedAt int64  `json:"asked_at"` // when somebody wanted it at once; 0 once it was sent
	SentAt  int64  `json:"sent_at"`  // 0 of one that never was
	Problem string `json:"problem"`  // why it was not sent the last time, or did not arrive; "" if it did
}

const (
	maxReportServices = 20
	// MaxReportCharts is how many charts of a space are drawn.
	MaxReportCharts = 40
	// ReportLate is how many seconds after its time a report is sent at most:
	// one that was due while no server ran, or that could not be drawn.
	ReportLate = 3600
	// reportRetry is how many seconds pass until one that could not be drawn is
	// drawn again.
	reportRetry = 300
	// maxProblem bounds what is kept of why a report was not sent.
	maxProblem = 500
)

// Normalize gives what can be written in several ways one form.
func (r *Report) Normalize() {
	r.Schedule.Normalize()
	if r.Services == nil {
		r.Services = []int64{}
	}
}

// Validate reports what is wrong with r, or nil.
func (r *Report) Validate() error {
	var p Problems
	p.Text("name", r.Name, 1, maxTitle)
	p.Add("schedule.", r.Schedule.Validate())
	checkRange(&p, "range", r.Range)
	p.TagFilters("tags", r.Tags)
	p.Check(len(r.Services) > 0, "services", "must have a service")
	p.Check(len(r.Services) <= maxReportServices, "services", "has more than %d entries", maxReportServices)
	seen := make(map[int64]bool)
	for _, id := range r.Services {
		p.Check(!seen[id], "services", "%d is there twice", id)
		seen[id] = true
	}
	return p.Err()
}

// Plan sets when r is sent next after now.
func (r *Report) Plan(now int64) {
	r.DueAt = 0
	if !r.Paused {
		r.DueAt = r.Schedule.Next(now)
	}
}

// IsMissed reports whether r, which is due, is due for too long to be sent.
func (r *Report) IsMissed(now int64) bool {
	return r.AskedAt == 0 && now-r.Schedule.Last(now) > ReportLate
}

// Miss notes that nobody sent r in time. Why an earlier try failed says more
// than that it did.
func (r *Report) Miss(now int64) {
	if r.Problem == "" || r.SentAt >= r.Schedule.Last(now) {
		r.Problem = "Not sent on " + r.clock(r.Schedule.Last(now)) + ": no server was running."
	}
	r.Plan(now)
}

// ClipProblem cuts why a report was not sent to what is kept of it.
func ClipProblem(why string) string {
	if text := []rune(why); len(text) > maxProblem {
		return string(text[:maxProblem]) + "…"
	}
	return why
}

// GiveUp notes why r cannot be sent this time, which trying again cannot mend.
func (r *Report) GiveUp(now int64, why string) {
	r.Problem = ClipProblem(why)
	if r.AskedAt == 0 || r.DueAt <= now {
		r.Plan(now)
	}
	r.AskedAt = 0
}

// Fail notes why r could not be sent. It is tried again as long as it is not
// too late; what somebody asked for is not, since they can ask again.
func (r *Report) Fail(now int64, why string) {
	r.Problem = ClipProblem(why)
	asked := r.AskedAt != 0
	r.AskedAt = 0
	switch {
	case asked:
	case now+reportRetry-r.Schedule.Last(now) <= ReportLate:
		r.DueAt = now + reportRetry
	default:
		r.Plan(now)
	}
}

// Sent notes that r is on its way.
func (r *Report) Sent(now int64) {
	if r.AskedAt == 0 || r.DueAt <= now {
		r.Plan(now)
	}
	r.AskedAt, r.SentAt, r.Problem = 0, now, ""
}

// Slot is the time that r, which is due at now, is sent for: the same for all
// who try.
func (r *Report) Slot(now int64) int64 {
	if r.AskedAt != 0 {
		return r.AskedAt
	}
	return r.Schedule.Last(now)
}

// Shown returns the time that the picture shows which is sent for a slot.
func (r *Report) Shown(slot int64) (start, end int64) {
	return RangeAt(r.Range, slot, r.Location())
}

// Location returns the zone of r.
func (r *Report) Location() *time.Location {
	zone, err := time.LoadLocation(r.Schedule.Zone)
	if err != nil {
		return time.UTC // it was checked when it was written
	}
	return zone
}

func (r *Report) clock(at int64) string {
	return time.Unix(at, 0).In(r.Location()).Format("2 January 2006, 15:04 MST")
}

// DeliveryKey is the deduplication key of what is sent for a slot.
func (r *Report) DeliveryKey(slot int64) string {
	return "tidemark-report-" + strconv.FormatInt(r.ID, 10) + "-" + strconv.FormatInt(slot, 10)
}

// ReportNotice is which picture a notice brings.
type ReportNotice struct {
	ID        int64  `json:"id"`
	Space     int64  `json:"space_id"`
	SpaceName string `json:"space_name"`
	Start     int64  `json:"start"` // the time it shows
	End       int64  `json:"end"`
	Zone      string `json:"zone"`
}

// When says what time the picture shows.
func (n *ReportNotice) When() string {
	zone, err := time.LoadLocation(n.Zone)
	if err != nil {
		zone = time.UTC // it was checked when it was written
	}
	start, end := time.Unix(n.Start, 0).In(zone), time.Unix(n.End, 0).In(zone)
	const day, clock = "2 Jan 2006, ", "15:04"
	last := day + clock
	if start.Format(day) == end.Format(day) {
		last = clock
	}
	return start.Format(day+clock) + " – " + end.Format(last+" MST")
}

// NewReportNotice returns the notice that brings the picture of a report for a
// slot.
func NewReportNotice(org OrgID, r *Report, space string, slot int64) *Notice {
	start, end := r.Shown(slot)
	return &Notice{
		Kind: NoticeReport, Org: org, Name: r.Name, Time: slot, Conditions: []Condition{}, Violations: []Violation{},
		Report: &ReportNotice{ID: r.ID, Space: r.Space, SpaceName: space, Start: start, End: end, Zone: r.Schedule.Zone},
	}
}

// ReportUpdate is a change to a report: what is left out stays.
type ReportUpdate struct {
	Name     Opt[string]      `json:"name"`
	Schedule Opt[Schedule]    `json:"schedule"`
	Range    Opt[string]      `json:"range"`
	Tags     Opt[[]TagFilter] `json:"tags"`
	Services Opt[[]int64]     `json:"services"`
	Paused   Opt[bool]        `json:"paused"`
}

// Apply makes the change to r.
func (u ReportUpdate) Apply(r *Report) {
	u.Name.To(&r.Name)
	u.Schedule.To(&r.Schedule)
	u.Range.To(&r.Range)
	u.Tags.To(&r.Tags)
	u.Services.To(&r.Services)
	u.Paused.To(&r.Paused)
}
