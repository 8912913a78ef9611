package dashboards

import "github.com/tidemark-metrics/tidemark"

// The bodies that routes read. A field that can be left out has omitempty.

// pinsBody is the spaces that somebody pins, in order.
type pinsBody struct {
	Spaces []int64 `json:"spaces"` // at most 8
}

// duplicateBody is the name of the copy.
type duplicateBody struct {
	Name string `json:"name"`
}

// shareBody is a link to make.
type shareBody struct {
	Name       string               `json:"name"`
	ExpiresIn  int64                `json:"expires_in"`              // seconds
	LockedTags []tidemark.TagFilter `json:"locked_tags" wire:"null"` // null: viewers may filter
}

// sharedQueryBody asks for the data of one chart of a shared space.
type sharedQueryBody struct {
	Start      int64                `json:"start"`
	End        int64                `json:"end"` // exclusive
	Resolution int64                `json:"resolution"`
	Space      int64                `json:"space,omitempty"` // of a playlist
	Chart      int64                `json:"chart"`
	Dynamic    []tidemark.TagFilter `json:"dynamic,omitempty"` // what takes the place of tag filters that are dynamic
}

// compositeBody is a composite to check.
type compositeBody struct {
	Composite string `json:"composite"`
}
