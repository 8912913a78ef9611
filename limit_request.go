package tidemark

// The states of a LimitRequest.
const (
	RequestOpen     = "open"
	RequestAccepted = "accepted"
	RequestDeclined = "declined"
)

const (
	maxRequestNote = 500
	// MaxLimit is the highest value that a limit has.
	MaxLimit = 1 << 53
)

// LimitRequest is more of something that an organization asks the operator for,
// with the numbers as they were then.
type LimitRequest struct {
	Org        OrgID     `json:"org_id"`
	OrgName    string    `json:"org_name"`
	Name       LimitName `json:"name"`
	Title      string    `json:"title"` // of the limit
	Unit       string    `json:"unit"`
	Wanted     int64     `json:"wanted"`
	Allowed    int64     `json:"allowed"`
	Use        *int64    `json:"use"` // nil where nothing is counted
	Note       string    `json:"note"`
	AskedBy    string    `json:"asked_by"`
	AskedAt    int64     `json:"asked_at"`
	State      string    `json:"state" wire:"open|accepted|declined"`
	AnsweredAt int64     `json:"answered_at"` // 0 while it is open
	Granted    int64     `json:"granted"`     // what was allowed instead, where it was accepted
	Answer     string    `json:"answer"`      // what the operator said to it
}

// Validate reports what is wrong with a new request, or nil.
func (r *LimitRequest) Validate() error {
	var p Problems
	p.SettableLimit("name", r.Name)
	if err := p.Err(); err != nil {
		return err
	}
	p.Check(r.Allowed > 0, "name", "has no limit now")
	p.Check(r.Allowed == 0 || r.Wanted > r.Allowed, "wanted", "must be more than %d, which is allowed now", r.Allowed)
	p.LimitValue("wanted", r.Wanted)
	p.Text("note", r.Note, 0, maxRequestNote)
	return p.Err()
}

// SettableLimit checks that name is that of a limit which organizations may
// have a value of their own of.
func (p *Problems) SettableLimit(field string, name LimitName) {
	l, known := LimitCalled(name)
	p.Check(known, field, "is not a limit")
	p.Check(!known || l.Settable(), field, "cannot be set for an organization")
}

// LimitValue checks that a limit may have this value, of which it is known that
// it is not negative.
func (p *Problems) LimitValue(field string, n int64) {
	p.Check(n <= MaxLimit, field, "must be at most %d", int64(MaxLimit))
}

// LimitAnswer is what the operator says to a LimitRequest.
type LimitAnswer struct {
	Accept bool   `json:"accept"`
	Value  int64  `json:"value,omitempty"` // what is allowed from now on; what was asked for where it is left out
	Text   string `json:"answer,omitempty"`
}

// Validate reports what is wrong with a, or nil.
func (a *LimitAnswer) Validate() error {
	var p Problems
	p.Check(a.Value >= 0, "value", "must not be negative")
	p.LimitValue("value", a.Value)
	p.Text("answer", a.Text, 0, maxRequestNote)
	return p.Err()
}
