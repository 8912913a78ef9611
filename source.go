package tidemark

import "net/url"

// Source is what measurements of the old API come from: a value of the tag
// source, which may have a name for people.
type Source struct {
	Name        string  `json:"name"` // in lower case
	DisplayName *string `json:"display_name"`
}

// ResourceID is the last segment of the source's URL.
func (s *Source) ResourceID() string { return url.PathEscape(s.Name) }

// Validate reports what is wrong with s, or nil.
func (s *Source) Validate() error {
	var p Problems
	p.Check(IsTagValue(s.Name), "name", `must be 1 to %d letters, digits, blanks and - . : _ ? \ /`, MaxTagValue)
	p.Check(MetricKey(s.Name) != AllSources, "name", "is reserved")
	optionalText(&p, "display_name", s.DisplayName, maxTitle)
	return p.Err()
}

// AllSources is the name under which the sources of a metric are summarized;
// none may be called that.
const AllSources = "all"

// SourceUpdate is a change to a source.
type SourceUpdate struct {
	DisplayName Opt[string] `json:"display_name"`
}

// Apply makes the change to s.
func (u SourceUpdate) Apply(s *Source) { u.DisplayName.ToPtr(&s.DisplayName) }
