package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/objects"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

type backupCmd struct {
	Make   backupMake   `cmd:"" default:"withargs" help:"Copy everything to a directory or a repository: tidemark backup WHERE."`
	Verify backupVerify `cmd:"" help:"Look whether a backup is complete and undamaged: tidemark backup verify WHERE."`
	List   backupList   `cmd:"" help:"List the backups in a repository: tidemark backup list s3://BUCKET/PREFIX."`
}

type backupMake struct {
	Where string `arg:"" help:"A directory that is empty or not there; or a repository, s3://BUCKET/PREFIX or file:///DIRECTORY, which is sent what it does not have."`
}

// Run backs everything up.
func (c *backupMake) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	where := c.Where
	if !objects.IsAddress(where) {
		if where, err = filepath.Abs(where); err != nil {
			return err
		}
	}
	err = app.BackUpData(r.ctx, cfg, where, r.progress)
	if errors.Is(err, app.ErrInUse) {
		fmt.Fprintf(r.Err, "Through the server that is running on %s.\n", cfg.Data)
		err = r.backUpThroughServer(cfg, where)
	}
	if err != nil {
		return err
	}
	m, err := app.BackupManifest(r.ctx, cfg, where, "")
	if err != nil {
		return err
	}
	r.saidBackedUp(c.Where, m)
	return nil
}

func (c *backupMake) unfinished() string {
	return "the backup to " + c.Where + " is not complete and cannot be restored"
}

// saidBackedUp says what is in a backup.
func (r *run) saidBackedUp(dir string, m *app.Manifest) {
	fmt.Fprintf(r.Out, "Everything is in %s.\n", dir)
	if m.ControlStore == "postgresql" {
		fmt.Fprintln(r.Out, "The control store is in it as a dump: tidemark restore loads it into an empty PostgreSQL database.")
	}
}

type backupVerify struct {
	Where  string `arg:"" help:"The directory of a backup, or a repository."`
	Backup string `help:"Which backup of a repository; the latest if left out."`
}

// Run verifies a backup.
func (c *backupVerify) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	m, err := app.VerifyBackup(r.ctx, cfg, c.Where, c.Backup, r.progress)
	if err != nil {
		return err
	}
	what := "measurements and control store"
	if !m.HasControlStore() {
		what = "measurements; the control store was in PostgreSQL and an older version did not dump it"
	}
	fmt.Fprintf(r.Out, "The backup of %s in %s is complete and undamaged: %d files, %s (Tidemark %s).\n",
		m.Created.Format(time.DateTime+" MST"), c.Where, len(m.Files), what, m.Version)
	return nil
}

func (c *backupVerify) unfinished() string {
	return "the backup in " + c.Where + " was not read to its end"
}

type backupList struct {
	listFlags
	Where string `arg:"" help:"A repository: s3://BUCKET/PREFIX or file:///DIRECTORY."`
}

// Run lists backups.
func (c *backupList) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	names, err := app.Backups(r.ctx, cfg, c.Where)
	if err != nil {
		return err
	}
	if c.JSON {
		return r.printJSON(append([]string{}, names...))
	}
	for _, name := range names {
		fmt.Fprintln(r.Out, name)
	}
	return nil
}

// progress shows how far a long piece of work is.
func (r *run) progress(doing string, done, total int64) {
	percent := int64(100)
	if total > 0 {
		percent = done * 100 / total
	}
	if line := fmt.Sprintf("%s: %d %%\n", doing, percent); line != r.said {
		r.said = line
		fmt.Fprint(r.Err, line)
	}
}

func (r *run) backUpThroughServer(cfg *config.Config, where string) error {
	transport, err := app.DialAdmin(cfg.Data)
	if err != nil {
		return err
	}
	body, _ := json.Marshal(map[string]string{"to": where})
	req, err := http.NewRequestWithContext(r.ctx, http.MethodPost, "http://tidemark/admin/backup", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	_, err = client.ReadProgress(json.NewDecoder(resp.Body), "the backup was complete", r.progress)
	return err
}

type restoreCmd struct {
	Where  string `arg:"" help:"The directory of a backup, or a repository."`
	Backup string `help:"Which backup of a repository; the latest if left out."`
}

// Run restores a backup.
func (c *restoreCmd) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	m, err := app.RestoreData(r.ctx, cfg, c.Where, c.Backup, r.progress)
	if err != nil {
		return err
	}
	if m.HasControlStore() {
		fmt.Fprintln(r.Out, restoredTo(cfg, m))
		note, err := app.SecretsNote(r.ctx, cfg)
		if note != "" {
			fmt.Fprintln(r.Out, note)
		}
		return err
	}
	fmt.Fprintf(r.Out, "Restored the measurements into %s. The control store was in PostgreSQL, and the version that made the backup did not dump it: "+
		"restore your dump of it (pg_restore) before you start the server with --database.\n", cfg.Data)
	return nil
}

func (c *restoreCmd) unfinished() string {
	return "the restore of " + c.Where + " is not complete: begin it again"
}

// restoredTo says where a backup was restored to.
func restoredTo(cfg *config.Config, m *app.Manifest) string {
	if m.ControlStore == "postgresql" {
		return fmt.Sprintf("Restored into %s and the PostgreSQL database of the setting database. Start the server on both.", cfg.Data)
	}
	return fmt.Sprintf("Restored into %s. Start the server on it.", cfg.Data)
}

type storageCmd struct {
	Check  storageCheck  `cmd:"" help:"Look for damage; changes nothing. No server may be running."`
	Repair storageRepair `cmd:"" help:"Set damaged data aside, so that the rest can be used."`
}

type storageCheck struct{}

// Run looks for damage.
func (storageCheck) Run(r *run) error { return r.checkStorage(false) }

func (storageCheck) unfinished() string { return "not all of the measurements were read" }

type storageRepair struct{}

// Run repairs damage.
func (storageRepair) Run(r *run) error { return r.checkStorage(true) }

func (storageRepair) unfinished() string {
	return "the measurements are not repaired: begin it again"
}

func (r *run) checkStorage(repair bool) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	left := 0
	err = app.CheckStorage(r.ctx, cfg, repair, func(f embedded.Finding) {
		state := "damaged"
		if f.Repaired {
			state = "set aside"
		} else {
			left++
		}
		fmt.Fprintf(r.Out, "%s: %s: %s: %s", state, f.Kind, f.What, f.Detail)
		if f.Lost > 0 {
			fmt.Fprintf(r.Out, " (%d measurements lost)", f.Lost)
		}
		fmt.Fprintln(r.Out)
	})
	switch {
	case err != nil:
		return err
	case left > 0:
		return fmt.Errorf("%d findings; tidemark storage repair sets them aside", left)
	}
	fmt.Fprintln(r.Out, "The measurements are in order.")
	return nil
}
