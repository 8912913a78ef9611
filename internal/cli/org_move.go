package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

type orgExport struct {
	listFlags
	Org    string `arg:"" help:"Its name or id."`
	To     string `help:"The directory, which is empty or not there." required:"" placeholder:"DIR"`
	Resume bool   `help:"Resume an interrupted export to the same directory."`
}

// Run exports an organization.
func (c *orgExport) Run(r *run) error {
	return r.move(orgFlag{Org: c.Org}, busyTries, func(ctx context.Context, api *client.Client) error {
		o, err := findOrg(ctx, api, c.Org)
		if err != nil {
			return err
		}
		done, err := movein.ExportOrganization{Server: api, Org: o, Dir: c.To, Resume: c.Resume, Progress: r.progress}.Run(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return r.printJSON(done)
		}
		fmt.Fprintf(r.Out, "Organization %s is in %s: %d metrics in %d lines of measurements, %d annotations, %d spaces with %d charts, %d alerts, %d services, "+
			"%d objectives, %d checks, %d maintenance windows, %d members. Secrets of services are not in it.\n",
			o.Name, c.To, done.Metrics, done.Lines, done.Annotations, done.Spaces, done.Charts, done.Alerts, done.Services,
			done.Objectives, done.Checks, done.Maintenance, done.Members)
		return nil
	})
}

func (c *orgExport) unfinished() string {
	left := "the export to " + c.To + " is not complete"
	if _, err := os.Stat(c.To); err == nil {
		left += "; continue with --resume"
	}
	return left
}

type orgImport struct {
	listFlags
	objectFlags
	Dir    string `arg:"" help:"The directory that tidemark org export wrote."`
	Resume bool   `help:"Resume an interrupted import of the same directory."`
	path   string // of the measurements
}

// Run imports an organization: measurements first, since what else there is
// names their metrics.
func (c *orgImport) Run(r *run) error {
	o, measurements, err := movein.ReadOrganization(filepath.Clean(c.Dir))
	if err != nil {
		return err
	}
	c.path = measurements
	var imported movein.Imported
	if c.Apply {
		if imported, err = c.measurements(r, measurements); err != nil {
			return err
		}
	}
	report, err := c.objectFlags.ask(r, o.Objects())
	if report == nil || err != nil {
		return err
	}
	if c.JSON {
		return r.printJSON(map[string]any{"applied": c.Apply, "metrics": imported.Definitions, "points": imported.Recorded, "refused_points": imported.Refused,
			"annotations": imported.Annotations, "outcomes": report.Outcomes, "missing": report.Missing})
	}
	if err := r.printReport(report); err != nil {
		return err
	}
	if c.Apply {
		fmt.Fprintf(r.Err, "Imported %d metrics, %d points and %d annotations.\n", imported.Definitions, imported.Recorded, imported.Annotations)
	} else {
		fmt.Fprintln(r.Err, "Measurements and annotations are imported with --apply too.")
	}
	return errors.Join(c.end(r, report), r.refused(imported))
}

func (c *orgImport) unfinished() string {
	return c.objectFlags.unfinished() + resumeHint(c.path)
}

func (c *orgImport) measurements(r *run, path string) (done movein.Imported, err error) {
	err = r.move(c.orgFlag, busyTries, func(ctx context.Context, api *client.Client) error {
		done, err = movein.Restore{Server: api, Path: path, Resume: c.Resume, Progress: r.progress}.Run(ctx)
		return err
	})
	if err != nil {
		return done, resumable(path, err)
	}
	return done, nil
}
