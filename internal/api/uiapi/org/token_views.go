package org

import "github.com/tidemark-metrics/tidemark"

// tokenList is the tokens of an organization.
type tokenList struct {
	Tokens []tokenSummary `json:"tokens"`
}

// tokenSummary is a token and who uses it. Times are 0 for never.
type tokenSummary struct {
	Active     bool                `json:"active"`
	Agent      string              `json:"agent"`  // the latest user agent, however long ago
	Agents     []string            `json:"agents"` // the latest 20
	CreatedAt  int64               `json:"created_at"`
	CreatedBy  string              `json:"created_by"` // as the audit log names people; empty where it is not known
	ExpiresAt  int64               `json:"expires_at"`
	Hosts      int                 `json:"hosts"` // how many senders had the latest user agent in 30 days
	ID         int64               `json:"id"`
	IdleDays   int64               `json:"idle_days"` // it is deactivated when it was not used for so many days
	Last4      string              `json:"last4"`
	LastUsedAt int64               `json:"last_used_at"`
	Name       string              `json:"name"`
	Networks   []string            `json:"networks"` // where it may be used from; none means anywhere
	OldUntil   int64               `json:"old_until"`
	Role       tidemark.Role       `json:"role" wire:"admin|recorder|viewer"`
	Scope      tidemark.TokenScope `json:"scope"`   // what it may send or read; empty lists mean everything
	Senders    int                 `json:"senders"` // how many used it in 30 days
}

// scopeOf never has null for a list.
func scopeOf(s tidemark.TokenScope) tidemark.TokenScope {
	v := tidemark.TokenScope{Metrics: append([]string{}, s.Metrics...), Tags: []tidemark.ScopeTag{}, Add: s.Add}
	for _, t := range s.Tags {
		v.Tags = append(v.Tags, tidemark.ScopeTag{Name: t.Name, Values: append([]string{}, t.Values...)})
	}
	return v
}

// senderList is who used a token in thirty days, and what for.
type senderList struct {
	OldValue *oldValue     `json:"old_value"` // null where no value was rotated out that still works
	Senders  []*senderView `json:"senders"`
	Uses     []useView     `json:"uses"`
}

// oldValue is a value of a token that was rotated out and still works.
type oldValue struct {
	Senders int   `json:"senders"` // how many still use it
	Until   int64 `json:"until"`
}

// senderView is one program that uses a token, over thirty days. A token has
// at most 1,000 of them a day; the rest are counted as others.
type senderView struct {
	UserAgent string            `json:"user_agent"`
	Sender    string            `json:"sender"` // the tag host (or the old source) of what was sent, else the address
	Requests  int64             `json:"requests"`
	Days      [senderDays]int64 `json:"days"` // requests of each day
	LastAt    int64             `json:"last_at"`
	Old       bool              `json:"old"`   // it still uses a value that was rotated out
	Sends     []string          `json:"sends"` // names of metrics, a few
}

// useView is one thing that a token was used for, and which roles would
// refuse it.
type useView struct {
	Verb      string          `json:"verb"`
	Noun      string          `json:"noun"`
	Requests  int64           `json:"requests"`
	RefusedBy []tidemark.Role `json:"refused_by" wire:"admin|recorder|viewer"`
}
