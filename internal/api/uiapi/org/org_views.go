package org

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// org is an organization and how long it keeps measurements.
type org struct {
	AlertsBeforeMetrics bool            `json:"alerts_before_metrics"` // alerts may name metrics that do not exist yet
	TokenMaxDays        int64           `json:"token_max_days"`        // for how long new tokens may be valid; 0 is for ever
	CreatedAt           int64           `json:"created_at"`
	ID                  tidemark.OrgID  `json:"id"`
	Name                string          `json:"name"`
	Retention           []retentionTier `json:"retention"`
	SecondFactor        bool            `json:"second_factor"` // members need one
	ShortName           string          `json:"short_name"`    // what addresses of pages name it by; empty for its id
}

// retentionTier is how long measurements of one resolution are kept, in
// seconds.
type retentionTier struct {
	Retention int64 `json:"retention"`
	Window    int64 `json:"window"`
}

// memberList is who belongs to an organization.
type memberList struct {
	Members []*tidemark.Membership `json:"members"`
}

// invitationList is who was invited and has not joined yet.
type invitationList struct {
	Invitations []*tidemark.Invitation `json:"invitations"`
	Mail        bool                   `json:"mail"` // links are mailed
}

// newInvitation is an invitation with a link that was just made.
type newInvitation struct {
	*tidemark.Invitation
	URL string `json:"url,omitempty"` // where the server has no mail: for the Admin to pass on
}

// auditPage is a part of the audit log, latest first. Next is where the part
// after it begins, or 0 if there is none.
type auditPage struct {
	Audit    []*tidemark.AuditEntry `json:"audit"`
	Next     int64                  `json:"next"`
	KeepDays int64                  `json:"keep_days"`
}

// orgUsage is how much an organization stores.
type orgUsage struct {
	Bytes   int64          `json:"bytes"`
	Days    []*store.Usage `json:"days"` // of the last 30
	Metrics int            `json:"metrics"`
	Samples int64          `json:"samples"`
	Streams int64          `json:"streams"`
	Top     []metricSize   `json:"top"` // the metrics with most streams
}

// metricSize is how many streams a metric has.
type metricSize struct {
	Name    string `json:"name"`
	Streams int    `json:"streams"`
}

// arrivalList is what came in the last hour, and what was refused lately.
type arrivalList struct {
	Hour     []usage.Arrival `json:"hour"`
	Problems []usage.Refusal `json:"problems"`
}

// demoView is how far the demo is: a made-up shop in an organization of its
// own.
type demoView struct {
	Done  float64  `json:"done"` // how much of it is filled, from 0 to 1
	Error string   `json:"error"`
	Org   *demoOrg `json:"org"`
	State string   `json:"state" wire:"none|filling|ready|failed|elsewhere"` // elsewhere: the person is no Admin of it, or the whole server is a demo
}

// demoOrg is the organization with the demo.
type demoOrg struct {
	ID   tidemark.OrgID `json:"id"`
	Name string         `json:"name"`
}
