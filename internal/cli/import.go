package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

type importCmd struct {
	Measurements importMeasurements `cmd:"" help:"Import measurements that tidemark export wrote, with what their metrics are, and annotations."`
	Old          importOld          `cmd:"" help:"Import metrics, services, spaces, charts and alerts as the API of Librato or AppOptics answered them, and tokens."`
	Terraform    importTerraform    `cmd:"" help:"Import what a Terraform state has of the providers librato and appoptics."`
	Grafana      importGrafana      `cmd:"" help:"Import dashboards of Grafana, as far as their panels and queries have a counterpart."`
	Prometheus   importPrometheus   `cmd:"" help:"Import a snapshot of Prometheus' own database."`
}

type importMeasurements struct {
	orgFlag
	File   string `arg:"" help:"The file, compressed or not; - for standard input."`
	Resume bool   `help:"Resume an interrupted import of the same file."`
}

// Run imports measurements.
func (c *importMeasurements) Run(r *run) error {
	path, err := moveFile(c.File, c.Resume)
	if err != nil {
		return err
	}
	x := movein.Restore{Path: path, In: input{r.ctx, r.In}, Resume: c.Resume, Progress: r.progress}
	return r.move(c.orgFlag, busyTries, func(ctx context.Context, api *client.Client) error {
		x.Server = api
		done, err := x.Run(ctx)
		if err != nil {
			return resumable(x.Path, err)
		}
		fmt.Fprintf(r.Out, "Imported %d metrics, %d points and %d annotations.\n", done.Definitions, done.Recorded, done.Annotations)
		return r.refused(done)
	})
}

func (c *importMeasurements) unfinished() string {
	return "a part of the measurements may be imported" + resumeHint(c.File)
}

// refused says what was refused, if anything was.
func (r *run) refused(done movein.Imported) error {
	if done.Refused == 0 {
		return nil
	}
	for _, p := range done.Problems {
		fmt.Fprintln(r.Err, " ", p)
	}
	return fmt.Errorf("%d points were refused", done.Refused)
}

type importPrometheus struct {
	orgFlag
	Dir     string   `arg:"" help:"The directory of the snapshot, with blocks in it."`
	Metrics []string `help:"Names of metrics, which may hold *; all if left out." placeholder:"NAME"`
	Resume  bool     `help:"Resume an interrupted import of the same snapshot."`
}

// Run imports a snapshot of Prometheus.
func (c *importPrometheus) Run(r *run) error {
	return r.move(c.orgFlag, busyTries, func(ctx context.Context, api *client.Client) error {
		x := movein.Snapshot{Server: api, Dir: c.Dir, Metrics: c.Metrics, Resume: c.Resume, Progress: r.progress}
		done, err := x.Run(ctx)
		if err != nil {
			return resumable(filepath.Clean(c.Dir), err)
		}
		fmt.Fprintf(r.Out, "Imported %d points.\n", done.Recorded)
		return r.refused(done)
	})
}

func (c *importPrometheus) unfinished() string {
	return "a part of the snapshot may be imported" + resumeHint(filepath.Clean(c.Dir))
}

// busyTries is how often a server that is busy is asked.
const busyTries = 10

// move is operate for what is about measurements or metrics: it takes as long
// as it takes, and a server that is busy is asked again.
func (r *run) move(org orgFlag, tries int, do func(context.Context, *client.Client) error) error {
	return r.through(app.OpenDoorToMeasurements, func(transport http.RoundTripper) error {
		return r.inOrg(org, do, client.HTTP(&http.Client{Transport: transport}), client.Retry(tries, time.Second))
	})
}
