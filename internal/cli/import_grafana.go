package cli

import "github.com/tidemark-metrics/tidemark/internal/movein"

type importGrafana struct {
	objectFlags
	Files []string `arg:"" help:"Dashboards, as Grafana exports them or as its API answers them."`
}

// Run imports dashboards.
func (c *importGrafana) Run(r *run) error {
	objects, err := movein.ReadGrafana(c.Files...)
	if err != nil {
		return err
	}
	report, err := c.make(r, objects)
	if err != nil {
		return err
	}
	return c.end(r, report)
}
