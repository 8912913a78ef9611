package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/migrate"
)

type migrateCmd struct {
	listFlags
	From   string `help:"The settings file of the old server, or its data directory." required:"" placeholder:"FILE"`
	To     string `help:"The settings file of the new servers, or a new data directory." required:"" placeholder:"FILE"`
	DryRun bool   `help:"Say what would be copied, how much and for how long, and change nothing."`
}

// Help is what --help says beside the flags.
func (migrateCmd) Help() string {
	return "Copies the control store and all measurements between the shape of one machine (SQLite and the embedded engine) and that of many " +
		"(PostgreSQL and ClickHouse), in either direction; whatever both settings files name in the same place stays there.\n\n" +
		"The old server may run meanwhile: the command copies what is there and says so. Run it again to take what came since, " +
		"stop the old server, and run it a last time: then it completes the migration, and servers may start on the new place. " +
		"It may be interrupted at any time and resumes when it is started again. " +
		"At the end counts and sums of every metric and day are compared; the exit code is 1 if something differs.\n\n" +
		"Only the two files count, not the environment. Secrets stay encrypted with the same key: the new servers need the same key file."
}

// Run moves everything, or says what that would be.
func (c *migrateCmd) Run(r *run) error {
	from, err := placeOf("--from", c.From)
	if err != nil {
		return err
	}
	to, err := placeOf("--to", c.To)
	if err != nil {
		return err
	}
	m := &app.Migration{From: from, To: to, Progress: r.migrating}
	if c.DryRun {
		return c.estimate(r, m)
	}
	done, err := m.Run(r.ctx)
	if done == nil {
		return err
	}
	if c.JSON {
		return errors.Join(r.printJSON(done), err)
	}
	return errors.Join(r.printMigrated(done), err)
}

func (c *migrateCmd) unfinished() string {
	if c.DryRun {
		return "the migration was not estimated"
	}
	return "the migration is not complete: the same command resumes it"
}

// placeOf reads the settings of a server, or those by default on a data
// directory. The environment is of one server; here are two.
func placeOf(flag, path string) (*config.Config, error) {
	src := config.Sources{File: path, Env: func(string) string { return "" }}
	info, err := os.Stat(path)
	if err != nil && filepath.Ext(path) != "" || err == nil && !info.IsDir() {
		cfg, _, err := config.Load(src)
		return cfg, wrapFlag(flag, err)
	}
	src.File, src.Flags = "", map[string]string{"data": path}
	cfg, _, err := config.Load(src)
	return cfg, wrapFlag(flag, err)
}

func wrapFlag(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

func (c *migrateCmd) estimate(r *run, m *app.Migration) error {
	e, err := m.Estimate(r.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return r.printJSON(e)
	}
	fmt.Fprintf(r.Out, "Control store: %d rows in %d tables.\n", e.Rows, len(e.Tables))
	if e.Records == 0 {
		fmt.Fprintln(r.Out, "No measurements are copied.")
		return nil
	}
	rate := "as fast as it was read just now"
	if e.Begun {
		rate = "as fast as some was copied already"
	}
	fmt.Fprintf(r.Out, "Measurements: %d records of %d metrics and %d streams, since %s.\n", e.Records, e.Metrics, e.Streams, time.Unix(e.Oldest, 0).UTC().Format(time.DateOnly))
	fmt.Fprintf(r.Out, "Copying and comparing them takes about %s, %s: %.0f records a second.\n", time.Duration(e.Seconds)*time.Second, rate, e.PerSecond)
	return nil
}

// migrating shows how far a migration is.
func (r *run) migrating(p migrate.Progress) {
	what := p.Doing
	if p.From == 0 && p.Done < p.Total {
		return // it is done in a moment, and visible when all of it is
	}
	if p.From > 0 {
		what += fmt.Sprintf(" %s, %s", p.Org, time.Unix(p.From, 0).UTC().Format(time.DateOnly))
	}
	line := fmt.Sprintf("%s: %d %%", what, p.Done*100/max(1, p.Total))
	if p.Records > 0 && p.Seconds > 0 {
		line += fmt.Sprintf(", %d records, %.0f a second", p.Records, float64(p.Records)/p.Seconds)
	}
	if line != r.said {
		r.said = line
		fmt.Fprintln(r.Err, line)
	}
}

// printMigrated says what a pass came to, and what is to be done next.
func (r *run) printMigrated(m *app.Migrated) error {
	rows := int64(0)
	for _, t := range m.Tables {
		rows += t.Rows
	}
	fmt.Fprintf(r.Out, "Control store: %d rows in %d tables. Measurements: %d records of %d metrics, of which this pass wrote %d, in %s.\n",
		rows, len(m.Tables), m.Records, m.Metrics, m.Written, time.Duration(m.Seconds*float64(time.Second)).Round(time.Second))
	if m.Recopied > 0 {
		fmt.Fprintf(r.Out, "%d metrics were copied again: the new place had what the old one has not.\n", m.Recopied)
	}
	if m.Keys != "" {
		fmt.Fprintln(r.Out, m.Keys)
	}
	switch {
	case m.Differing > 0:
		return r.printDifferences(m)
	case m.Complete:
		fmt.Fprintln(r.Out, "Counts and sums of every metric and day are the same. The migration is complete: start servers on the new place, and the old one no more.")
	case m.Compared:
		fmt.Fprintln(r.Out, "Counts and sums of every metric and day were the same when this pass began. The old server still records: run this again to take what came since, and a last time after it was stopped.")
	default:
		fmt.Fprintln(r.Out, "The old servers still record: run this again to take what came since, and a last time after they were stopped, which compares.")
	}
	return nil
}

func (r *run) printDifferences(m *app.Migrated) error {
	t := table{header: []string{"ORGANIZATION", "METRIC", "DAY", "OLD RECORDS", "COUNT", "SUM", "NEW RECORDS", "COUNT", "SUM"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, d := range m.Differences {
		t.add(d.Org, d.Metric, time.Unix(d.Day, 0).UTC().Format(time.DateOnly), strconv.FormatInt(d.Old.Records, 10), number(d.Old.Count), number(d.Old.Sum),
			strconv.FormatInt(d.New.Records, 10), number(d.New.Count), number(d.New.Sum))
	}
	fmt.Fprintf(r.Out, "%d days of metrics are not the same:\n", m.Differing)
	return t.print(r.Out)
}
