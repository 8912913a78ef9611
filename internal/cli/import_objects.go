package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

// objectFlags are those of commands that import objects.
type objectFlags struct {
	orgFlag
	Apply bool `help:"Make what is listed; without it nothing is changed."`
}

// make makes objects, or says what it would make. It returns the report.
func (f *objectFlags) make(r *run, objects *movein.Objects) (*movein.Report, error) {
	report, err := f.ask(r, objects)
	if report == nil {
		return nil, err
	}
	return report, errors.Join(r.printReport(report), err)
}

// ask makes objects, or only asks what would be made.
func (f *objectFlags) ask(r *run, objects *movein.Objects) (report *movein.Report, err error) {
	err = r.move(f.orgFlag, 1, func(ctx context.Context, api *client.Client) error {
		report, err = objects.Make(ctx, api, !f.Apply)
		return err
	})
	return report, err
}

func (f *objectFlags) unfinished() string {
	if !f.Apply {
		return "not all was compared; nothing was changed"
	}
	return "a part of it may be imported: the same command imports the rest"
}

// printReport prints what was made of what.
func (r *run) printReport(report *movein.Report) error {
	t := table{header: []string{"KIND", "NAME", "OLD ID", "NEW ID", "OUTCOME"}}
	for _, o := range report.Outcomes {
		id, did := "", o.Did
		if o.New != 0 {
			id = strconv.FormatInt(o.New, 10)
		}
		if o.Why != "" {
			did += ": " + o.Why
		}
		t.add(o.Kind, o.Name, o.Old, id, did)
	}
	if len(t.rows) > 0 {
		if err := t.print(r.Out); err != nil {
			return err
		}
	}
	for i, m := range report.Missing {
		if i == 0 {
			fmt.Fprintln(r.Out, "\nWithout a counterpart:")
		}
		fmt.Fprintf(r.Out, "  %s: %s\n", m.What, m.Why)
	}
	return nil
}

// end says how it went as a whole.
func (f *objectFlags) end(r *run, report *movein.Report) error {
	made, refused := report.Count(movein.Made)+report.Count(movein.Filled), report.Count(movein.Refused)
	if !f.Apply {
		fmt.Fprintf(r.Err, "Nothing was changed. %d would be made or completed, %d would be refused; --apply does it.\n", made, refused)
		return nil
	}
	fmt.Fprintf(r.Err, "%d made or completed, %d there already, %d refused.\n", made, report.Count(movein.There), refused)
	if refused > 0 {
		return fmt.Errorf("%d were refused", refused)
	}
	return nil
}

type importOld struct {
	objectFlags
	Paths  []string `arg:"" optional:"" help:"Files with answers of the API, or directories of them."`
	Tokens string   `help:"File with tokens and their values, JSON or CSV: name, role, value." placeholder:"FILE"`
}

// Run imports objects of the old API.
func (c *importOld) Run(r *run) error {
	if len(c.Paths) == 0 && c.Tokens == "" {
		return errors.New("give files, or --tokens")
	}
	objects, err := movein.ReadOldAPI(c.Paths...)
	if err != nil {
		return err
	}
	if c.Tokens != "" {
		if objects.Tokens, err = movein.ReadTokens(c.Tokens); err != nil {
			return err
		}
	}
	report, err := c.make(r, objects)
	if err != nil {
		return err
	}
	return c.end(r, report)
}

type importTerraform struct {
	objectFlags
	State    string `arg:"" help:"The state, as terraform state pull prints it."`
	NewState string `help:"File to write the state to with the ids that things have here, for terraform state push." placeholder:"FILE"`
}

// Run imports a state of Terraform.
func (c *importTerraform) Run(r *run) error {
	state, err := movein.ReadState(c.State)
	if err != nil {
		return err
	}
	report, err := c.make(r, state.Objects)
	if err != nil {
		return err
	}
	if commands := state.Commands(report); len(commands) > 0 {
		fmt.Fprintln(r.Out, "\nWhat has a new id can be imported again, except charts, which need --new-state:")
		for _, line := range commands {
			fmt.Fprintln(r.Out, " ", line)
		}
	}
	if c.NewState != "" {
		if !c.Apply {
			return errors.New("--new-state needs --apply: there are no new ids yet")
		}
		text, err := state.Adjust(report)
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.NewState, text, 0o600); err != nil {
			return err
		}
	}
	return c.end(r, report)
}
