package shared

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/demo"
)

// Alerting is what the API asks of those who evaluate alerts and notify services:
// functions, since they are on the same floor.
type Alerting struct {
	// Backtest tries an alert out on what is stored of [start, end).
	Backtest func(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end, now int64) (*tidemark.Backtest, error)
	// Gaps returns when in [start, end) an alert had nothing to evaluate. It may
	// be nil: then gaps are not shown.
	Gaps func(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end int64) ([]tidemark.Interval, error)
	// Test sends a test notification to the services of an alert. It returns
	// what they received and how each of them went. It is refused where who sends
	// too many.
	Test func(ctx context.Context, who tidemark.Identity, a *tidemark.Alert) (*tidemark.Delivery, []tidemark.TestResult, error)
	// EvaluatedAt is when the alerts of org were last evaluated, 0 if never.
	EvaluatedAt func(org tidemark.OrgID) int64
	// Troubles are the alerts of org that are set aside, by id. It may be
	// nil.
	Troubles func(org tidemark.OrgID) map[int64]tidemark.AlertTrouble
	// Deliver makes what is due be delivered at once.
	Deliver func()
	// MaxTries is how often a delivery is tried at most, about.
	MaxTries int
	// Picture returns the picture that a signed name stands for.
	Picture func(ctx context.Context, name string) ([]byte, error)
	// Link returns the link that acknowledges what a delivery is about, or "",
	// and OpenLink the incident that one is for. They may be nil.
	Link     func(d *tidemark.Delivery) string
	OpenLink func(name string) (tidemark.OrgID, int64, error)
	// PushKey returns what browsers subscribe to notifications with. It may be
	// nil.
	PushKey func(ctx context.Context) (string, error)
}

// Demo is an organization with a made-up shop in it, for people who want to
// see the product filled. There is at most one.
type Demo interface {
	State() demo.State
	// Start begins to make it, with user as its Admin, unless there is one.
	Start(ctx context.Context, by tidemark.Actor, user int64) (demo.State, error)
	// Remove deletes it with all it has.
	Remove(ctx context.Context, by tidemark.Actor) error
}
