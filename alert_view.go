package tidemark

import "slices"

// AlertView is a filter of the list of alerts that is kept under a name.
type AlertView struct {
	ID        int64           `json:"id"`
	Name      string          `json:"name"`
	Shared    bool            `json:"shared"` // everybody in the organization sees it, not who saved it alone
	Filter    AlertViewFilter `json:"filter"`
	CreatedAt int64           `json:"created_at"`
	CreatedBy string          `json:"created_by"`
}

// AlertViewFilter is what the list of alerts is narrowed to, as its address says
// it. What is empty narrows nothing.
type AlertViewFilter struct {
	Query    string `json:"q,omitempty"`
	State    string `json:"state,omitempty" wire:"firing|acknowledged|ok|snoozed|inactive|"`
	Severity string `json:"severity,omitempty" wire:"critical|warning|info|none|"`
	Label    string `json:"label,omitempty"`   // team=checkout,tier=1
	Service  string `json:"service,omitempty"` // its id
}

// Everybody has the views that all people of an organization see: it is no
// user's id.
const Everybody int64 = 0

// MaxAlertViews is how many views of alerts a person has in an organization, and
// how many everybody in it sees.
const MaxAlertViews = 50

var (
	viewStates     = []string{"", "firing", "acknowledged", "ok", "snoozed", "inactive"}
	viewSeverities = append([]string{"", "none"}, Severities...)
)

// Validate reports what is wrong with v, or nil.
func (v *AlertView) Validate() error {
	var p Problems
	f := &v.Filter
	p.Text("name", v.Name, 1, maxTitle)
	p.Check(*f != AlertViewFilter{}, "filter", "must narrow the list by something")
	p.Text("filter.q", f.Query, 0, maxTitle)
	p.Check(slices.Contains(viewStates, f.State), "filter.state", "must be firing, acknowledged, ok, snoozed or inactive")
	p.Check(slices.Contains(viewSeverities, f.Severity), "filter.severity", "must be critical, warning, info or none")
	p.Text("filter.label", f.Label, 0, maxViewLabels)
	p.Text("filter.service", f.Service, 0, maxViewService)
	return p.Err()
}

const (
	maxViewLabels  = 4000
	maxViewService = 20
)
