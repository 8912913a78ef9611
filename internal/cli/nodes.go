package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/app"
)

type nodesCmd struct{}

// Run lists the servers on the database.
func (nodesCmd) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	nodes, err := app.Nodes(r.ctx, cfg)
	if err != nil {
		return err
	}
	t := table{header: []string{"SERVER", "ADDRESS", "VERSION", "ENGINE", "STATE", "STARTED", "DOES FOR ALL"}}
	for _, n := range nodes {
		state := string(n.State)
		if n.State != tidemark.MachineAnswers {
			state += ", silent for " + strconv.FormatInt(n.Heartbeat, 10) + " s"
		}
		t.add(n.ID, n.Address, n.Version, n.Engine, state, time.Unix(n.StartedAt, 0).UTC().Format(time.DateTime), strings.Join(n.Does, ", "))
	}
	return t.print(r.Out)
}
