package cli

import (
	"path/filepath"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/agent"
	"github.com/tidemark-metrics/tidemark/internal/app"
)

type agentCmd struct{ agent.Command }

// Run watches this machine until it is stopped.
func (c *agentCmd) Run(r *run) error {
	c.Release = app.Version()
	return c.Do(r.ctx, r.Out, r.Err)
}

// asAgent are the words of a program that is called by the agent's name: what
// a server gives to machines that are to be watched may be itself.
func asAgent(program string, args []string) []string {
	if filepath.Base(program) != "tidemark-agent" || slices.Contains(args, "--version") {
		return args
	}
	return append([]string{"agent"}, args...)
}
