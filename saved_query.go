package tidemark

import (
	"net/url"
	"strings"
)

// SavedQuery is a page of Explore that is kept under a name: everybody in the
// organization sees it.
type SavedQuery struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Search is the part of the page's address after the question mark:
	// metric=cpu&tag.host=web-01&b.metric=errors.
	Search    string `json:"search"`
	CreatedAt int64  `json:"created_at"`
	CreatedBy string `json:"created_by"` // its owner
}

const maxSavedSearch = 8 << 10

// Validate reports what is wrong with v, or nil.
func (v *SavedQuery) Validate() error {
	var p Problems
	p.Text("name", v.Name, 1, maxTitle)
	p.Text("search", v.Search, 1, maxSavedSearch)
	p.Check(isQueryOfExplore(v.Search), "search", "must ask for a metric or a composite, as metric=cpu or q=s(\"cpu\",\"*\")")
	return p.Err()
}

// isQueryOfExplore reports whether search asks for something.
func isQueryOfExplore(search string) bool {
	values, err := url.ParseQuery(search)
	if err != nil {
		return false
	}
	for name := range values {
		if name = name[strings.LastIndexByte(name, '.')+1:]; name == "metric" || name == "q" {
			return true
		}
	}
	return false
}
