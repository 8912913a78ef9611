package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

type exportCmd struct {
	orgFlag
	File    string   `arg:"" optional:"" help:"File to write, compressed if its name ends in .gz; standard output if left out or -."`
	Metrics []string `help:"Names of metrics, which may hold *; all if left out." placeholder:"NAME"`
	From    string   `help:"From when on: 2026-01-31, 2026-01-31T18:00:00Z, or how long ago, such as 720h. Everything that is kept if left out." placeholder:"TIME"`
	To      string   `help:"Until when; until now if left out." placeholder:"TIME"`
	Resume  bool     `help:"Resume an interrupted export to the same file."`
}

// Run exports measurements.
func (c *exportCmd) Run(r *run) error {
	now := time.Now()
	x := movein.Export{Metrics: c.Metrics, Out: r.Out, Resume: c.Resume, Progress: r.progress, End: now.Unix() + 1}
	var err error
	if x.Start, err = whenever(c.From, 0, now); err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	if x.End, err = whenever(c.To, x.End, now); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	if x.Start >= x.End {
		return errors.New("--from: is not before --to")
	}
	if x.Path, err = moveFile(c.File, c.Resume); err != nil {
		return err
	}
	return r.move(c.orgFlag, busyTries, func(ctx context.Context, api *client.Client) error {
		x.Server = api
		done, err := x.Run(ctx)
		if err != nil {
			return resumable(x.Path, err)
		}
		fmt.Fprintf(r.Err, "Exported %d metrics in %d lines of measurements, and %d annotations.\n", done.Metrics, done.Lines, done.Annotations)
		return nil
	})
}

func (c *exportCmd) unfinished() string {
	return "the export is not complete" + resumeHint(c.File)
}

// moveFile returns the path of the file that is written or read; "" for the
// standard one, which cannot be gone on with.
func moveFile(file string, resume bool) (string, error) {
	if file == "-" {
		file = ""
	}
	if resume && file == "" {
		return "", errors.New("--resume needs a file")
	}
	return file, nil
}

// whenever reads a time: a date, a moment, or how long ago. Without a text it
// is otherwise.
func whenever(text string, otherwise int64, now time.Time) (int64, error) {
	if text == "" {
		return otherwise, nil
	}
	if ago, err := time.ParseDuration(text); err == nil {
		return now.Add(-ago).Unix(), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil && t.Unix() >= 0 {
			return t.Unix(), nil
		}
	}
	return 0, fmt.Errorf("%q is no time: write 2026-01-31, 2026-01-31T18:00:00Z or how long ago, such as 720h", text)
}

// resumable says how an interrupted run is gone on with.
func resumable(path string, err error) error {
	if path == "" {
		return err
	}
	if _, there := os.Stat(path + ".cursor"); there != nil {
		return err
	}
	return fmt.Errorf("%w (continue with --resume)", err)
}
