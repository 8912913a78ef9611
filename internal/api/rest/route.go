package rest

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Route is one endpoint: where it is, what one must be allowed to do to use
// it, and what it does.
type Route struct {
	Pattern string
	Action  tidemark.Action
	do      Endpoint
	People  bool  // takes sessions and no tokens
	Scope   Scope // what it is about
}

// Scope is what a route is about.
type Scope int

const (
	OneOrg      Scope = iota // an organization: that of the caller
	WholeServer              // all organizations; for the operator
)

// On returns a route.
func On(pattern string, action tidemark.Action, do Endpoint) Route {
	return Route{Pattern: pattern, Action: action, do: do}
}

// ForPeople returns a table for sessions alone.
func ForPeople(table []Route) []Route {
	for i := range table {
		table[i].People = true
	}
	return table
}

// Anyone is the action of the few routes that need no credentials.
const Anyone = tidemark.Action(255)

// Name is the pattern with single spaces, as a mux has it.
func (rt Route) Name() string { return strings.Join(strings.Fields(rt.Pattern), " ") }

// An Endpoint answers a request. It returns what to say; Server says it.
type Endpoint func(r *http.Request, who tidemark.Identity) (Reply, error)
