package cli

import "github.com/tidemark-metrics/tidemark/internal/agent"

type agentCmd struct{ agent.Command }

// Run watches this machine until it is told to stop.
func (c *agentCmd) Run(r *run) error { return c.Do(r.ctx, r.Out, r.Err) }
