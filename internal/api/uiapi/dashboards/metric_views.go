package dashboards

import (
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// metricSummary is a metric as lists of metrics show it.
type metricSummary struct {
	Name        string   `json:"name"`
	DisplayName *string  `json:"display_name"`
	Type        string   `json:"type"`
	Units       string   `json:"units"`
	LastValue   *float64 `json:"last_value"` // over all its streams, of the last hour
	LastAt      int64    `json:"last_at"`
	Streams     int      `json:"streams"`
}

// metricPage is a part of the metrics that a search matches.
type metricPage struct {
	DidYouMean string           `json:"did_you_mean,omitempty"` // where it matches none
	Metrics    []*metricSummary `json:"metrics"`
	Query      rest.PageInfo    `json:"query"`
}

// metricUseList is where a metric is used.
type metricUseList struct {
	Alerts []*store.Use `json:"alerts"`
	Spaces []*store.Use `json:"spaces"`
}

// tagList is the tags of streams or, where a tag is named, its values.
type tagList struct {
	Tags   []tagName  `json:"tags,omitzero"`
	Values []tagValue `json:"values,omitzero"`
}

// tagName is a tag, with how many values and streams have it.
type tagName struct {
	Name    string `json:"name"`
	Streams int    `json:"streams"`
	Values  int    `json:"values"`
}

// tagValue is a value of a tag.
type tagValue struct {
	Streams int    `json:"streams"`
	Value   string `json:"value"`
}

// queryAnswer is the lines of charts.
type queryAnswer struct {
	Resolution int64              `json:"resolution"`
	Results    []shared.OneResult `json:"results"`
}

// compositeCheck says whether a composite can be read.
type compositeCheck struct {
	Error     *shared.QueryError `json:"error,omitempty"`
	Formatted string             `json:"formatted,omitempty"`
	OK        bool               `json:"ok"`
}

// functionList is the functions of composites.
type functionList struct {
	Functions []query.Function `json:"functions"`
}

// searchAnswer is what the palette shows of a search.
type searchAnswer struct {
	Alerts  []foundAlert     `json:"alerts"`
	Charts  []foundChart     `json:"charts"`
	Metrics []*metricSummary `json:"metrics"`
	Spaces  []foundSpace     `json:"spaces"`
}

// foundAlert is an alert in the palette.
type foundAlert struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Since int64  `json:"since"` // since when it fires; 0 where it does not
	State string `json:"state" wire:"ok|firing|snoozed|inactive"`
}

// foundSpace is a space in the palette.
type foundSpace struct {
	Charts   int     `json:"charts"`
	ID       int64   `json:"id"`
	Name     *string `json:"name"`
	OpenedAt int64   `json:"opened_at"` // when the person last looked at it; 0 for never
}
