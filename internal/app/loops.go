package app

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// loop is what bounds something that runs for as long as the server does:
// the limit of what it does for one organization, or why it needs none.
type loop struct {
	limit  string // a setting of limits, or what else bounds it
	exempt string // why one organization cannot make it slow for others
}

// loops is everything that runs in the background, by name. What is not in the
// list does not start; a test keeps other ways of starting something out of the
// packages that could.
var loops = map[string]loop{
	"listen":           {limit: "requests and rate of each organization, bodies that wait for their turn, DefaultPace for slow clients"},
	"operator":         {exempt: "a socket that only the operator of the machine can open"},
	"ports":            {limit: "connections and memory of each port; what is recorded counts as rate"},
	"otlp by gRPC":     {limit: "requests and rate of each organization, as over HTTP"},
	"credentials":      {exempt: "reads what changed of tokens, a batch at a time"},
	"usage":            {exempt: "writes counts once a minute, a bounded number for each organization"},
	"storage":          {limit: "streams, metrics and rate of each organization bound what there is to seal and merge"},
	"metrics":          {exempt: "listens to the database for changes and drops what it cached"},
	"spellings":        {exempt: "listens to the database for additions, which are read when they are next needed"},
	"node":             {exempt: "says that this server is alive"},
	"limits":           {exempt: "reads the limits of organizations when they change"},
	"free space":       {exempt: "asks the disk"},
	"turns":            {exempt: "looks whether the processors keep up"},
	"seal secrets":     {exempt: "once a start, a batch of services at a time"},
	"prune":            {exempt: "once an hour, with statements that are bounded"},
	"own metrics":      {exempt: "a fixed number of measurements once a minute"},
	"heartbeat":        {exempt: "one request at a time, with a deadline"},
	"audit webhook":    {limit: "1000 entries wait, 20 attempts each; it gets what the operator's settings say"},
	"checks":           {limit: "checks: a share of the places for each organization, a deadline for each"},
	"reports":          {limit: "reports: an organization has one drawn at a time, within a deadline, and they take turns"},
	"evaluate alerts":  {limit: "evaluation: an organization has a loop and a share of the pools of its own"},
	"notify":           {limit: "deliveries: a share of the places for each organization, a deadline for each attempt"},
	"backup":           {exempt: "the operator's, one at a time"},
	"mail":             {limit: "a bounded number of mails waits, each has a deadline, and who may ask for one is limited"},
	"demo":             {exempt: "the operator's, for a server that shows itself"},
	"demos of tenants": {exempt: "one for the whole server"},
}

// starter starts loops.
type starter struct {
	group *errgroup.Group
	ctx   context.Context // done when one of them fails
}

// start starts a loop that is in the list.
func (s *starter) start(name string, run func(ctx context.Context) error) {
	s.group.Go(func() error {
		if l, declared := loops[name]; !declared || (l.limit == "") == (l.exempt == "") {
			return fmt.Errorf("loop %q declares neither its limit nor why it needs none", name)
		}
		return run(s.ctx)
	})
}
