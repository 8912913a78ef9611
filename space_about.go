package tidemark

import (
	"slices"
	"strings"
)

// SpaceAbout is what is kept of a space beside what the API has: what lists
// sort and filter by.
type SpaceAbout struct {
	Tags      []string
	Owner     int64  // the member who looks after it; 0 for nobody
	OwnerName string // their e-mail address
	EditedAt  int64
	EditedBy  string // as the audit log names them; "" where that is not known
}

const (
	// MaxSpaceTags is how many tags a space may have.
	MaxSpaceTags = 20
	maxSpaceTag  = 64
)

// SpaceAboutUpdate is a change of what is kept of a space.
type SpaceAboutUpdate struct {
	Tags  Opt[[]string] `json:"tags"`
	Owner Opt[int64]    `json:"owner"` // the id of a member; 0 for nobody
}

// Apply makes the change to a.
func (u SpaceAboutUpdate) Apply(a *SpaceAbout) {
	u.Tags.To(&a.Tags)
	u.Owner.To(&a.Owner)
	a.Tags = SpaceTags(a.Tags)
}

// SpaceTags returns tags as they are kept: in lower case without space around
// them, each once and in order.
func SpaceTags(tags []string) []string {
	kept := make([]string, len(tags))
	for i, t := range tags {
		kept[i] = strings.ToLower(strings.TrimSpace(t))
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// Validate reports what is wrong with a, or nil.
func (a *SpaceAbout) Validate() error {
	var p Problems
	p.Check(len(a.Tags) <= MaxSpaceTags, "tags", "has more than %d entries", MaxSpaceTags)
	for _, t := range a.Tags {
		p.Text("tags", t, 1, maxSpaceTag)
		p.Check(!strings.Contains(t, ","), "tags", "may not have a comma: %s", t)
	}
	return p.Err()
}
