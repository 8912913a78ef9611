package tidemark

// Playlist is a list of spaces that a screen on the wall shows in turn.
type Playlist struct {
	ID        int64           `json:"id"`
	Name      string          `json:"name"`
	Spaces    []PlaylistSpace `json:"spaces"`
	CreatedAt int64           `json:"created_at"`
	CreatedBy string          `json:"created_by"`
}

// PlaylistSpace is one turn of a playlist.
type PlaylistSpace struct {
	Space   int64       `json:"space"`          // which may have been deleted since
	Seconds int64       `json:"seconds"`        // how long it is shown
	Range   string      `json:"range"`          // -6h, today or yesterday; "" for the last six hours
	Tags    []TagFilter `json:"tags,omitempty"` // in place of those that the space begins with
}

const (
	maxPlaylistSpaces = 50
	minTurn           = 5
	maxTurn           = 24 * 3600
)

// Validate reports what is wrong with v, or nil.
func (v *Playlist) Validate() error {
	var p Problems
	p.Text("name", v.Name, 1, maxTitle)
	p.Check(len(v.Spaces) > 0, "spaces", "must have a space")
	p.Check(len(v.Spaces) <= maxPlaylistSpaces, "spaces", "has more than %d entries", maxPlaylistSpaces)
	for i := range v.Spaces[:min(len(v.Spaces), maxPlaylistSpaces)] {
		p.Add("spaces.", v.Spaces[i].Validate())
	}
	return p.Err()
}

// Validate reports what is wrong with v, or nil.
func (v *PlaylistSpace) Validate() error {
	var p Problems
	p.Check(v.Seconds >= minTurn && v.Seconds <= maxTurn, "seconds", "must be %d to %d", minTurn, maxTurn)
	checkRange(&p, "range", v.Range)
	p.TagFilters("tags", v.Tags)
	return p.Err()
}

// Has reports whether a space is one of those that v shows.
func (v *Playlist) Has(space int64) bool {
	for i := range v.Spaces {
		if v.Spaces[i].Space == space {
			return true
		}
	}
	return false
}

// PlaylistUpdate is a change to a playlist.
type PlaylistUpdate struct {
	Name   Opt[string]          `json:"name"`
	Spaces Opt[[]PlaylistSpace] `json:"spaces"`
}

// Apply makes the change to v.
func (u PlaylistUpdate) Apply(v *Playlist) {
	u.Name.To(&v.Name)
	u.Spaces.To(&v.Spaces)
}
