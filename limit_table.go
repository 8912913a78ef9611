package tidemark

import "fmt"

// LimitName names a limit in settings (limits.streams), in commands, in
// errors and on /metrics.
type LimitName string

// LimitScope is what a limit counts.
type LimitScope string

const (
	PerServer       LimitScope = "server"       // all organizations together
	PerOrganization LimitScope = "organization" // what one organization has or does
	PerThing        LimitScope = "thing"        // one stream, annotation, alert or query
)

// Limit bounds something that grows with what people or programs send.
type Limit struct {
	Name    LimitName
	Default int64 // 0 is no limit
	Scope   LimitScope
	Unit    string // what is counted: "the organization has 12 alerts"
	Title   string // for people, in lists
	Effect  string // what happens at the limit, for people
	Kind    Kind   // of the refusal
	// Fixed limits are part of the API: all servers have the same, so that
	// what one takes another takes too.
	Fixed bool
}

// The limits.
const (
	LimitStreams         LimitName = "streams"
	LimitRate            LimitName = "rate"
	LimitRequests        LimitName = "requests"
	LimitMetrics         LimitName = "metrics"
	LimitTags            LimitName = "tags"
	LimitStreamBytes     LimitName = "stream_bytes"
	LimitTagBytes        LimitName = "tag_bytes"
	LimitTagNames        LimitName = "tag_names"
	LimitAnnotations     LimitName = "annotations"
	LimitAnnotationBytes LimitName = "annotation_bytes"
	LimitLinks           LimitName = "annotation_links"
	LimitLinkLength      LimitName = "link_length"
	LimitAlerts          LimitName = "alerts"
	LimitConditions      LimitName = "conditions"
	LimitTagValues       LimitName = "tag_values"
	LimitLabels          LimitName = "labels"
	LimitEscalation      LimitName = "escalation_steps"
	LimitMaintenance     LimitName = "maintenance_windows"
	LimitObjectives      LimitName = "objectives"
	LimitServices        LimitName = "services"
	LimitDevices         LimitName = "devices"
	LimitPersonDevices   LimitName = "person_devices"
	LimitTemplateBytes   LimitName = "template_bytes"
	LimitTemplateSteps   LimitName = "template_steps"
	LimitTemplateOutput  LimitName = "template_output"
	LimitTemplateWork    LimitName = "template_work"
	LimitSpaces          LimitName = "spaces"
	LimitCharts          LimitName = "charts"
	LimitShares          LimitName = "shares"
	LimitPlaylists       LimitName = "playlists"
	LimitPlaylistSpaces  LimitName = "playlist_spaces"
	LimitReports         LimitName = "reports"
	LimitReportServices  LimitName = "report_services"
	LimitReportCharts    LimitName = "report_charts"
	LimitSavedQueries    LimitName = "saved_queries"
	LimitTagDrops        LimitName = "tag_drops"
	LimitChecks          LimitName = "checks"
	LimitPlaces          LimitName = "places"
	LimitMembers         LimitName = "members"
	LimitTokens          LimitName = "tokens"
	LimitSnapshots       LimitName = "snapshots"
	LimitListeners       LimitName = "listeners"
	LimitQueryPoints     LimitName = "query_points"
	LimitQueryBytes      LimitName = "query_bytes"
	LimitQueries         LimitName = "queries"
	LimitQueryMemory     LimitName = "query_memory"
	LimitDeliveries      LimitName = "deliveries"
	LimitMails           LimitName = "mails"
	LimitServiceMails    LimitName = "service_mails"
	LimitTestMails       LimitName = "test_mails"
	LimitEvaluation      LimitName = "evaluation"
	LimitVersions        LimitName = "versions"
)

const (
	saved   = "New ones cannot be saved."
	refused = "It is refused."
	narrow  = "The query is refused with a hint how to narrow it."
	later   = "429 with a time to try again."
	// heldBack is what becomes of mails.
	heldBack = "Notifications wait, as their log says; after hours in vain they have failed."
)

// LimitTable is every limit there is. What an organization can grow and is not
// in here fails a test.
var LimitTable = []Limit{
	{Name: LimitStreams, Default: 1_000_000, Scope: PerOrganization, Unit: "streams", Title: "Streams", Kind: TooMany, Effect: "New streams are refused with 429; the others go on."},
	{Name: LimitRate, Default: 200_000, Scope: PerOrganization, Unit: "measurements a second", Title: "Measurements a second", Kind: TooMany, Effect: "Over it for a minute: " + later},
	{Name: LimitRequests, Default: 2000, Scope: PerOrganization, Unit: "requests a second", Title: "Requests a second", Kind: TooMany, Effect: "Over it for ten seconds: " + later},
	{Name: LimitMetrics, Default: 100_000, Scope: PerOrganization, Unit: "metrics", Title: "Metrics", Kind: TooMany, Effect: "New names are refused."},
	{Name: LimitTagBytes, Default: 256 << 20, Scope: PerOrganization, Unit: "bytes of names and tags", Title: "Bytes of names and tags", Kind: TooMany, Effect: "New streams are refused with 429; the others go on."},
	{Name: LimitTagNames, Default: 500, Scope: PerThing, Unit: "names of tags of a metric", Title: "Names of tags of a metric", Kind: TooMany, Effect: "Streams with further names are refused with 429."},
	{Name: LimitStreamBytes, Default: 4096, Scope: PerThing, Unit: "bytes of name and tags of a stream", Title: "Bytes of name and tags of a stream", Kind: Invalid, Effect: refused},
	{Name: LimitTags, Default: MaxTags, Scope: PerThing, Unit: "tags of a stream", Title: "Tags of a stream", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitAnnotations, Default: 200_000, Scope: PerOrganization, Unit: "annotations", Title: "Annotations", Kind: Forbidden, Effect: saved},
	{Name: LimitAnnotationBytes, Default: 64 << 10, Scope: PerThing, Unit: "bytes of an annotation", Title: "Bytes of an annotation", Kind: Invalid, Effect: refused},
	{Name: LimitLinks, Default: maxLinks, Scope: PerThing, Unit: "links of an annotation", Title: "Links of an annotation", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitLinkLength, Default: maxHref, Scope: PerThing, Unit: "characters of a link", Title: "Characters of a link", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitAlerts, Default: 2000, Scope: PerOrganization, Unit: "alerts", Title: "Alerts", Kind: Forbidden, Effect: saved},
	{Name: LimitConditions, Default: maxConditions, Scope: PerThing, Unit: "conditions of an alert", Title: "Conditions of an alert", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitTagValues, Default: maxTagValues, Scope: PerThing, Unit: "values of a tag of a condition", Title: "Values of a tag of a condition", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitLabels, Default: maxLabels, Scope: PerThing, Unit: "labels of an alert", Title: "Labels of an alert", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitEscalation, Default: maxSteps, Scope: PerThing, Unit: "steps of an escalation", Title: "Steps of an escalation", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitMaintenance, Default: 500, Scope: PerOrganization, Unit: "maintenance windows", Title: "Maintenance windows", Kind: Forbidden, Effect: saved},
	{Name: LimitObjectives, Default: 100, Scope: PerOrganization, Unit: "objectives", Title: "Objectives", Kind: Forbidden, Effect: saved},
	{Name: LimitServices, Default: 500, Scope: PerOrganization, Unit: "notification services", Title: "Notification services", Kind: Forbidden, Effect: saved},
	{Name: LimitDevices, Default: 1000, Scope: PerOrganization, Unit: "devices that are notified", Title: "Devices that are notified", Kind: Forbidden, Effect: "No further device is notified."},
	{Name: LimitPersonDevices, Default: maxPersonDevices, Scope: PerThing, Unit: "devices of a person", Title: "Devices of a person", Kind: Forbidden, Effect: "No further device of theirs is notified.", Fixed: true},
	{Name: LimitTemplateBytes, Default: MaxTemplateBytes, Scope: PerThing, Unit: "bytes of a template", Title: "Bytes of a template", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitTemplateSteps, Default: MaxTemplateSteps, Scope: PerThing, Unit: "steps of a template", Title: "Steps of a template", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitTemplateOutput, Default: MaxTemplateOutput, Scope: PerThing, Unit: "bytes that a template writes", Title: "Bytes that a template writes", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitTemplateWork, Default: MaxTemplateWork, Scope: PerThing, Unit: "bytes that a template makes on the way", Title: "Bytes that a template makes on the way", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitSpaces, Default: 1000, Scope: PerOrganization, Unit: "spaces", Title: "Spaces", Kind: Forbidden, Effect: saved},
	{Name: LimitCharts, Default: 500, Scope: PerThing, Unit: "charts of a space", Title: "Charts of a space", Kind: Conflict, Effect: saved},
	{Name: LimitVersions, Default: 100, Scope: PerThing, Unit: "versions of a space, chart, alert or composite", Title: "Versions of a space, chart, alert or composite", Kind: TooMany, Effect: "The oldest are forgotten."},
	{Name: LimitShares, Default: 1000, Scope: PerOrganization, Unit: "links to spaces and playlists", Title: "Links to spaces and playlists", Kind: Forbidden, Effect: saved},
	{Name: LimitPlaylists, Default: 100, Scope: PerOrganization, Unit: "playlists", Title: "Playlists", Kind: Forbidden, Effect: saved},
	{Name: LimitPlaylistSpaces, Default: maxPlaylistSpaces, Scope: PerThing, Unit: "spaces of a playlist", Title: "Spaces of a playlist", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitReports, Default: 100, Scope: PerOrganization, Unit: "scheduled pictures of spaces", Title: "Scheduled pictures of spaces", Kind: Forbidden, Effect: saved},
	{Name: LimitReportServices, Default: maxReportServices, Scope: PerThing, Unit: "services of a scheduled picture", Title: "Services of a scheduled picture", Kind: Invalid, Effect: refused, Fixed: true},
	{Name: LimitReportCharts, Default: MaxReportCharts, Scope: PerThing, Unit: "charts of a scheduled picture", Title: "Charts of a scheduled picture", Kind: Invalid, Effect: "Further charts of the space are left out, and the picture says so.", Fixed: true},
	{Name: LimitSavedQueries, Default: 500, Scope: PerOrganization, Unit: "saved queries", Title: "Saved queries", Kind: Forbidden, Effect: saved},
	{Name: LimitTagDrops, Default: 100, Scope: PerOrganization, Unit: "dropped tags", Title: "Dropped tags", Kind: Forbidden, Effect: saved},
	{Name: LimitChecks, Default: 200, Scope: PerOrganization, Unit: "checks and heartbeats", Title: "Checks and heartbeats", Kind: Forbidden, Effect: saved},
	{Name: LimitPlaces, Default: 1000, Scope: PerOrganization, Unit: "agents that run checks", Title: "Agents that run checks", Kind: TooMany, Effect: "Further ones get no checks; those that did not ask for 30 days make room."},
	{Name: LimitMembers, Default: 1000, Scope: PerOrganization, Unit: "members and invitations", Title: "Members and invitations", Kind: Forbidden, Effect: "Nobody can be invited."},
	{Name: LimitTokens, Default: 1000, Scope: PerOrganization, Unit: "API tokens", Title: "API tokens", Kind: Forbidden, Effect: "New ones cannot be made."},
	{Name: LimitSnapshots, Default: 1000, Scope: PerOrganization, Unit: "snapshots", Title: "Snapshots", Kind: Forbidden, Effect: "New ones are refused until old ones are deleted; they go by themselves after 30 days."},
	{Name: LimitListeners, Default: 200, Scope: PerOrganization, Unit: "pages that watch", Title: "Pages that watch", Kind: TooMany, Effect: "Further pages do not update by themselves."},
	{Name: LimitQueryPoints, Default: 10_000_000, Scope: PerThing, Unit: "points in memory of a query", Title: "Points in memory of a query", Kind: TooLarge, Effect: narrow},
	{Name: LimitQueryBytes, Default: 128 << 20, Scope: PerThing, Unit: "bytes of the answer to a page of queries", Title: "Bytes of the answer to a page of queries", Kind: TooLarge, Effect: narrow},
	{Name: LimitQueries, Default: 64, Scope: PerOrganization, Unit: "queries at once", Title: "Queries at once", Kind: TooMany, Effect: "Further ones wait, then " + later},
	{Name: LimitQueryMemory, Default: 20_000_000, Scope: PerServer, Unit: "points in memory of all queries", Title: "Points in memory of all queries", Kind: Unavailable, Effect: "Each organization has a share. Over it: 503 with a time to try again."},
	{Name: LimitDeliveries, Default: 16, Scope: PerOrganization, Unit: "notifications under way", Title: "Notifications under way", Kind: TooMany, Effect: "The others wait for their turn, none is dropped. Further tests: " + later},
	{Name: LimitMails, Default: 5000, Scope: PerOrganization, Unit: "mails to services an hour, five times as many a day", Title: "Mails to services an hour", Kind: TooMany, Effect: heldBack},
	{Name: LimitServiceMails, Default: 2000, Scope: PerThing, Unit: "mails of a service an hour, five times as many a day", Title: "Mails of a service an hour", Kind: TooMany, Effect: heldBack},
	{Name: LimitTestMails, Default: 200, Scope: PerThing, Unit: "mails of tests of a person an hour, five times as many a day", Title: "Mails of tests of a person an hour", Kind: TooMany, Effect: later},
	{Name: LimitEvaluation, Default: 2000, Scope: PerOrganization, Unit: "milliseconds a second to evaluate alerts", Title: "Milliseconds a second to evaluate alerts", Kind: TooMany, Effect: "Over it for ten seconds: its alerts are evaluated later."},
}

// limitAt is where each limit is in LimitTable.
var limitAt = func() map[LimitName]int {
	at := make(map[LimitName]int, len(LimitTable))
	for i := range LimitTable {
		at[LimitTable[i].Name] = i
	}
	return at
}()

// LimitCalled returns the limit with a name.
func LimitCalled(name LimitName) (Limit, bool) {
	i, ok := limitAt[name]
	if !ok {
		return Limit{}, false
	}
	return LimitTable[i], true
}

// Settable reports whether an organization may have a value of its own.
func (l Limit) Settable() bool { return !l.Fixed && l.Scope != PerServer }

// Exceeded is the refusal of whatever would be over a limit of value: it names
// the limit, its value and how to raise it.
func (l Limit) Exceeded(value int64) error {
	how := "it is the same on every server"
	switch {
	case l.Settable():
		how = fmt.Sprintf("the operator raises it with tidemark org limits ORGANIZATION %s=NUMBER", l.Name)
	case !l.Fixed:
		how = fmt.Sprintf("the operator raises it with the setting limits.%s", l.Name)
	}
	return Errorf(l.Kind, "the limit %s is reached: %d %s; %s", l.Name, value, l.Unit, how)
}
