package app

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// measurementRate is how many measurements a second there were between two
// looks.
type measurementRate struct {
	total int64
	at    time.Time
}

func (r *measurementRate) since(total int64, now time.Time) float64 {
	before := *r
	r.total, r.at = total, now
	passed := now.Sub(before.at).Seconds()
	if before.at.IsZero() || passed <= 0 {
		return 0
	}
	return float64(total-before.total) / passed
}

// load is what this server has to do and room for.
func (rm *rooms) load(now time.Time) tidemark.MachineLoad {
	l := tidemark.MachineLoad{Measurements: math.Float64frombits(rm.rate.Load()), Zone: rm.zone, Draining: rm.draining.Load(), Behind: rm.behind(now)}
	rm.pulse.report(&l)
	if pages, err := residentPages(); err == nil {
		l.Memory = pages * int64(os.Getpagesize())
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		l.MemoryLimit = limit
	}
	if free, size, err := system.Disk(rm.data); err == nil {
		l.DiskFree, l.DiskSize = free, size
	}
	return l
}

// behind is by how many seconds alerts are evaluated late, where this server
// evaluates them.
func (rm *rooms) behind(now time.Time) float64 {
	if rm.watch.evaluator.Load().EvaluatedAt() < rm.watch.elsewhere.Load() {
		return 0
	}
	h := rm.watch.health()
	return max(h.LateMax, float64(h.Behind(now.Unix())))
}

// machines returns the servers on the control store.
func (rm *rooms) machines(ctx context.Context, cfg *config.Config) (*tidemark.Machines, error) {
	own := store.Node{ID: rm.node, Address: ownAddress(cfg), Version: Version(), Engine: cfg.Engine, StartedAt: rm.started.Unix(), Load: rm.load(time.Now())}
	if cfg.Database == "" {
		return &tidemark.Machines{Machines: []tidemark.Machine{machineOf(&own, nil)}, Leases: []tidemark.MachineLease{}}, nil
	}
	return machinesOn(ctx, rm.store)
}

// machinesOn returns the servers that share a control store.
func machinesOn(ctx context.Context, st *store.Store) (*tidemark.Machines, error) {
	nodes, err := st.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	leases, err := st.Leases(ctx)
	if err != nil {
		return nil, err
	}
	all := &tidemark.Machines{Machines: make([]tidemark.Machine, len(nodes)), Leases: make([]tidemark.MachineLease, len(leases))}
	for i, n := range nodes {
		all.Machines[i] = machineOf(n, leases)
	}
	for i, l := range leases {
		all.Leases[i] = tidemark.MachineLease{Name: l.Name, Holder: l.Holder, Number: l.Fence}
	}
	return all, nil
}

func machineOf(n *store.Node, leases []*store.Lease) tidemark.Machine {
	m := tidemark.Machine{
		ID: n.ID, Address: n.Address, Version: n.Version, Engine: n.Engine, StartedAt: n.StartedAt,
		Heartbeat: n.Age, State: n.Load.StateAt(n.Age), Does: []string{}, MachineLoad: n.Load,
	}
	if m.BehindPast == nil { // it has said nothing yet
		m.BehindPast = []float64{}
	}
	for _, l := range leases {
		if l.Holder == n.ID {
			m.Does = append(m.Does, l.Name)
		}
	}
	return m
}
