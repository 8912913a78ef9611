package tidemark

import (
	"encoding/json"
	"slices"
)

// A Snapshot is a picture of a chart, drawn once.
type Snapshot struct {
	ID        int64
	Job       int64
	Subject   json.RawMessage // as it was asked for
	Duration  int64
	EndTime   int64
	CreatedAt int64
	UpdatedAt int64
	Image     []byte // PNG; nil until drawn
	ImageKey  string // with which anybody may open the image; "" if nobody may
}

// SnapshotOpen is how long a snapshot's image can be opened without credentials.
const SnapshotOpen Seconds = 30 * 24 * 3600

// The states of a job.
const (
	JobQueued   = "queued"
	JobWorking  = "working"
	JobComplete = "complete"
	JobFailed   = "failed"
	JobCanceled = "canceled"
)

// Job is work that goes on after its request was answered.
type Job struct {
	ID       int64               `json:"id"`
	State    string              `json:"state"`
	Progress *float64            `json:"progress,omitempty"` // 0 to 100
	Output   string              `json:"output,omitempty"`
	Errors   map[string][]string `json:"errors,omitempty"`
}

// Validate reports what is wrong with j, or nil.
func (j *Job) Validate() error {
	var p Problems
	states := []string{JobQueued, JobWorking, JobComplete, JobFailed, JobCanceled}
	p.Check(slices.Contains(states, j.State), "state", "is not a state of a job")
	p.Check(j.Progress == nil || *j.Progress >= 0 && *j.Progress <= 100, "progress", "must be 0 to 100")
	p.Text("output", j.Output, 0, maxText)
	return p.Err()
}
