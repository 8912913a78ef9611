package tidemark

import (
	"slices"
	"strings"
)

// TagDrop says that a tag is left out of what is recorded of some metrics, so
// that streams which differ in it alone become one.
type TagDrop struct {
	ID        int64  `json:"id"`
	Metric    string `json:"metric"` // a name, in which * stands for anything; in lower case
	Tag       string `json:"tag"`    // in lower case
	CreatedAt int64  `json:"created_at"`
	CreatedBy string `json:"created_by"`
}

// Normalize makes two of the same meaning the same.
func (v *TagDrop) Normalize() {
	v.Metric, v.Tag = strings.ToLower(strings.TrimSpace(v.Metric)), strings.ToLower(strings.TrimSpace(v.Tag))
}

// Validate reports what is wrong with v, or nil.
func (v *TagDrop) Validate() error {
	var p Problems
	p.Check(v.Metric != "", "metric", "is not present")
	p.Check(v.Metric == "" || isMetricGlob(v.Metric), "metric", metricGlobRule, v.Metric, MaxName)
	p.Check(v.Tag != "", "tag", "is not present")
	p.Check(v.Tag == "" || IsTagName(v.Tag), "tag", "%q cannot name a tag", v.Tag)
	return p.Err()
}

// DroppedTags are the tags that drops leave out of a metric, its name in lower
// case.
func DroppedTags(drops []*TagDrop, metric string) (tags []string) {
	for _, v := range drops {
		if Glob(v.Metric, metric) && !slices.Contains(tags, v.Tag) {
			tags = append(tags, v.Tag)
		}
	}
	return tags
}
