package tidemark

// Share is a link by which anybody can look at one space, or at those of one
// playlist.
type Share struct {
	ID           int64       `json:"id"`
	Org          OrgID       `json:"-"`
	Space        int64       `json:"space"`    // 0 for a playlist
	Playlist     int64       `json:"playlist"` // 0 for a space
	Name         string      `json:"name"`
	CreatedAt    int64       `json:"created_at"`
	CreatedBy    string      `json:"created_by"`
	ExpiresAt    int64       `json:"expires_at"`
	LastOpenedAt int64       `json:"last_opened_at"`
	LockedTags   []TagFilter `json:"locked_tags" wire:"null"` // null: viewers may filter
}

// maxShare is the longest a link may work, in seconds.
const maxShare = 366 * 24 * 3600

// Validate reports what is wrong with s, or nil.
func (s *Share) Validate() error {
	var p Problems
	p.Text("name", s.Name, 1, maxTitle)
	p.Check(s.ExpiresAt > s.CreatedAt && s.ExpiresAt <= s.CreatedAt+maxShare, "expires_in", "must be 1 second to %d", maxShare)
	p.TagFilters("locked_tags", s.LockedTags)
	return p.Err()
}
