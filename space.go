package tidemark

import "strconv"

// Space is a page of charts.
type Space struct {
	ID   int64   `json:"id"`
	Name *string `json:"name"`
	// Charts are the ids of the charts in it, filled where one space is read.
	Charts []int64 `json:"-"`
}

// ResourceID is the last segment of the space's URL.
func (s *Space) ResourceID() string { return strconv.FormatInt(s.ID, 10) }

// Validate reports what is wrong with s, or nil.
func (s *Space) Validate() error {
	var p Problems
	if s.Name == nil {
		p.Check(false, "name", "is not present")
	} else {
		p.Text("name", *s.Name, 1, maxTitle)
	}
	return p.Err()
}

// SpaceUpdate is a change to a space.
type SpaceUpdate struct {
	Name Opt[string] `json:"name"`
}

// Apply makes the change to s.
func (u SpaceUpdate) Apply(s *Space) { u.Name.ToPtr(&s.Name) }
