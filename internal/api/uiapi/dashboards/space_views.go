package dashboards

import "github.com/tidemark-metrics/tidemark"

// spaceList is the spaces of an organization.
type spaceList struct {
	Spaces []spaceSummary `json:"spaces"`
}

// spaceSummary is a space as lists show it.
type spaceSummary struct {
	Charts    int      `json:"charts"`
	ID        int64    `json:"id"`
	Name      *string  `json:"name"`
	OpenedAt  int64    `json:"opened_at"` // when the person last looked at it; 0 for never
	Pin       int      `json:"pin"`       // its place among the pinned ones, from 1; 0 where it is not
	Pinned    bool     `json:"pinned"`
	Tags      []string `json:"tags"`
	Owner     int64    `json:"owner"` // the id of a member; 0 for nobody
	OwnerName string   `json:"owner_name"`
	EditedAt  int64    `json:"edited_at"`
	EditedBy  string   `json:"edited_by"` // as in the audit log; empty where it is not known
}

// chartList is the charts that a search finds.
type chartList struct {
	Charts []foundChart `json:"charts"`
}

// foundChart is a chart that a search finds, and where it is.
type foundChart struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Space     int64    `json:"space"`
	SpaceName string   `json:"space_name"`
	Metrics   []string `json:"metrics"` // that it shows
}

// spaceDocument is a space with everything in it, as one document.
type spaceDocument struct {
	Version     int                     `json:"tidemark_space"` // of the form of the document: 1
	Name        string                  `json:"name"`
	Charts      []*tidemark.Chart       `json:"charts"`
	Places      []tidemark.GridPosition `json:"layout"`
	Sections    []tidemark.Section      `json:"sections,omitempty"`
	DefaultTags []tidemark.TagFilter    `json:"default_tags"`
	Annotations []string                `json:"annotations"`
	Tags        []string                `json:"tags,omitempty"` // of the space
}

// shareList is the links to a space that work.
type shareList struct {
	Shares []*tidemark.Share `json:"shares"`
}

// newShare is a link that was just made: the only answer that has it.
type newShare struct {
	CreatedAt    int64                `json:"created_at"`
	ExpiresAt    int64                `json:"expires_at"`
	ID           int64                `json:"id"`
	LastOpenedAt int64                `json:"last_opened_at"`
	LockedTags   []tidemark.TagFilter `json:"locked_tags" wire:"null"` // null: viewers may filter
	Name         string               `json:"name"`
	URL          string               `json:"url"`
}

// sharedSpace is a space as viewers of a link see it.
type sharedSpace struct {
	Annotations []string                `json:"annotations"`
	Charts      []*tidemark.Chart       `json:"charts"`
	DefaultTags []tidemark.TagFilter    `json:"default_tags"`
	ExpiresAt   int64                   `json:"expires_at"`
	Places      []tidemark.GridPosition `json:"layout"`
	Sections    []tidemark.Section      `json:"sections,omitempty"`
	LockedTags  []tidemark.TagFilter    `json:"locked_tags" wire:"null"` // null: viewers may filter
	Name        string                  `json:"name"`
	Org         string                  `json:"org"`
}

// sharedEventList is the annotations of a shared space.
type sharedEventList struct {
	Events []sharedEvent `json:"events"`
}

// sharedEvent is an annotation and its stream.
type sharedEvent struct {
	*tidemark.AnnotationEvent
	Stream string `json:"stream"`
}
