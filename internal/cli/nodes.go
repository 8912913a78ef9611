package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/app"
)

type nodesCmd struct {
	listFlags
}

// Run lists the servers on the database, and who has which lease.
func (c nodesCmd) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	found, err := app.Nodes(r.ctx, cfg)
	if err != nil {
		return err
	}
	t := table{header: []string{"SERVER", "ZONE", "ADDRESS", "VERSION", "ENGINE", "STATE", "STARTED", "DOES FOR ALL", "BEHIND", "WRITES/S", "QUERIES P95"}}
	for _, n := range found.Machines {
		t.add(n.ID, n.Zone, n.Address, n.Version, n.Engine, stateWords(&n), time.Unix(n.StartedAt, 0).UTC().Format(time.DateTime), strings.Join(n.Does, ", "),
			fmt.Sprintf("%.1f s", n.Behind), strconv.FormatFloat(n.Measurements, 'f', 0, 64), fmt.Sprintf("%.0f ms", n.QueryP95*1000))
	}
	if err := r.list(c.listFlags, found, &t); err != nil || c.JSON {
		return err
	}
	leases := table{header: []string{"LEASE", "HOLDER", "NUMBER"}}
	for _, l := range found.Leases {
		leases.add(l.Name, l.Holder, strconv.FormatInt(l.Number, 10))
	}
	fmt.Fprintln(r.Out)
	return leases.print(r.Out)
}

func stateWords(n *tidemark.Machine) string {
	if n.State == tidemark.MachineAnswers || n.State == tidemark.MachineDraining {
		return string(n.State)
	}
	return string(n.State) + ", silent for " + strconv.FormatInt(n.Heartbeat, 10) + " s"
}
