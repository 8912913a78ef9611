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
	Sends   bool  // takes measurements, which the recorder checks against a token's scope
	Reads   bool  // reads metrics and measurements alone, through what keeps to a token's scope
	Scope   Scope // what it is about
	// Proof says that people must have proved within the last minutes who they
	// are. Tokens are exempt: a program cannot be asked.
	Proof bool

	// Body and Answer are values of the types of what it reads and of what it
	// answers when nothing is wrong. Routes of /v1 leave them to
	// docs/openapi.yaml.
	Body, Answer any

	// Protocol is that of another product, as people say it: bodies, answers
	// and errors have its shape. It is empty for our own.
	Protocol string
	// Tokens returns what a request may have as a token elsewhere than where
	// clients of the API have it. It may be nil.
	Tokens func(*http.Request) []string
	// Shape gives an error the form that clients of another protocol expect.
	// It may be nil.
	Shape func(*http.Request, error) error
}

// Measures says that the route takes measurements, or what a sender of them
// asks on the way: Record Only tokens with a scope may use it, and no other.
func (rt Route) Measures() Route {
	rt.Sends = true
	return rt
}

// ReadsMetrics says that the route reads metrics and measurements and nothing
// else, the former by shared.Base.Readable and the like, the latter through a
// reader of tsdb.Scoped: View Only tokens with a scope may use it, and no other.
func (rt Route) ReadsMetrics() Route {
	rt.Reads = true
	return rt
}

// Answers that are no JSON document, and bodies of routes that read none.
type (
	Nothing  struct{}       // no body at all
	Picture  struct{}       // a PNG
	Redirect struct{}       // another address
	File     struct{}       // a file to keep
	Events   map[string]any // server-sent events: a value of the type of each, by name
)

// Scope is what a route is about.
type Scope int

const (
	OneOrg      Scope = iota // an organization: that of the caller
	WholeServer              // all organizations; for operators
	OnePerson                // anyone who is signed in, of any organization
)

// On returns a route.
func On(pattern string, action tidemark.Action, do Endpoint) Route {
	return Route{Pattern: pattern, Action: action, do: do}
}

// Takes says what the bodies are that rt reads.
func (rt Route) Takes(body any) Route {
	rt.Body = body
	return rt
}

// Answers says what rt answers.
func (rt Route) Answers(answer any) Route {
	rt.Answer = answer
	return rt
}

// About says what rt is about, where that is no organization.
func (rt Route) About(s Scope) Route {
	rt.Scope = s
	return rt
}

// Recent says that people must have proved within the last minutes who they
// are.
func (rt Route) Recent() Route {
	rt.Proof = true
	return rt
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
