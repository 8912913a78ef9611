package tidemark

import (
	"slices"
	"strconv"
)

// VersionKind is a kind of thing of which every version is kept.
type VersionKind string

// The kinds of which versions are kept. Of metrics these are composites: what
// is measured is not written by hand.
const (
	SpaceVersions  VersionKind = "space"
	ChartVersions  VersionKind = "chart"
	AlertVersions  VersionKind = "alert"
	MetricVersions VersionKind = "metric"
)

// VersionKinds are all there are.
var VersionKinds = []VersionKind{SpaceVersions, ChartVersions, AlertVersions, MetricVersions}

// VersionKey names one thing of which versions are kept.
type VersionKey struct {
	Kind VersionKind
	ID   string // the number, or the key of the metric's name
}

// VersionsOf names the thing of kind with an id.
func VersionsOf(kind VersionKind, id int64) VersionKey {
	return VersionKey{kind, strconv.FormatInt(id, 10)}
}

// VersionsOfMetric names the composite with a name, in any case.
func VersionsOfMetric(name string) VersionKey { return VersionKey{MetricVersions, MetricKey(name)} }

// Number returns the id of a thing that has one, and 0 if that is none.
func (k VersionKey) Number() int64 {
	n, err := strconv.ParseInt(k.ID, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != k.ID {
		return 0
	}
	return n
}

// IsValid reports whether k can name anything.
func (k VersionKey) IsValid() bool {
	if k.Kind == MetricVersions {
		return IsMetricName(k.ID)
	}
	return slices.Contains(VersionKinds, k.Kind) && k.Number() > 0
}

// Version is something as one save left it. It never holds a secret: services
// are named by their ids.
type Version struct {
	Kind     VersionKind    `json:"-"`
	Number   int64          `json:"number"` // from 1
	At       int64          `json:"at"`
	Actor    string         `json:"actor"`              // as in the audit log; empty for what was saved before versions were kept
	Action   string         `json:"action"`             // as in the audit log; empty likewise
	Restored int64          `json:"restored,omitempty"` // the version that it brought back
	Name     string         `json:"name,omitempty"`     // what somebody called it, to find it again
	Document map[string]any `json:"document"`
}

// Validate reports what is wrong with the name of v, or nil: all else is made
// by the server.
func (v *Version) Validate() error {
	var p Problems
	p.Text("name", v.Name, 0, maxTitle)
	return p.Err()
}

// FirstVersion is the number of what was never changed.
const FirstVersion = 1

// DeletedThing is something that was deleted and can still be restored.
type DeletedThing struct {
	Kind   VersionKind `json:"kind" wire:"space|chart|alert|metric"`
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Number int64       `json:"number"` // the version to restore: the last one
	At     int64       `json:"at"`
	Actor  string      `json:"actor"`
}

// Save is a version of something as it is listed among those of others: without
// what it was.
type Save struct {
	Kind   VersionKind `json:"kind" wire:"space|chart|alert|metric"`
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Number int64       `json:"number"`
	At     int64       `json:"at"`
	Actor  string      `json:"actor"`
	Action string      `json:"action"`
}

// Editor is somebody who has an editor open.
type Editor struct {
	Key  string `json:"-"` // drawn by lot: one person may have several
	Name string `json:"name"`
}
