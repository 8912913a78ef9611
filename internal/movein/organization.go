package movein

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/durable"
)

// The files of an exported organization.
const (
	organizationFile = "organization.json"
	measurementsFile = "measurements.jsonl.gz"
	// completeFile has the checksums of the others. It is written last: an
	// export without it is not complete.
	completeFile = "export.json"
)

// organizationFormat is raised when an older version could no longer read what
// is exported.
const organizationFormat = 1

// Organization is what an organization has beside measurements and annotations,
// as the API answers it. Secrets are left out.
type Organization struct {
	Format      int       `json:"tidemark_organization"`
	Name        string    `json:"name"`
	Exported    time.Time `json:"exported_at"`
	Members     []member  `json:"members"`
	Services    []service `json:"services"`
	Spaces      []space   `json:"spaces"`
	Alerts      []body    `json:"alerts"`
	Objectives  []body    `json:"objectives"`
	Maintenance []body    `json:"maintenance"`
	Checks      []body    `json:"checks"`
}

type member struct {
	Email string        `json:"email"`
	Name  string        `json:"name"`
	Role  tidemark.Role `json:"role"`
}

// service is a service without its secrets.
type service struct {
	ID       int64             `json:"id"`
	Type     string            `json:"type"`
	Title    string            `json:"title"`
	Settings map[string]string `json:"settings"`
	LeftOut  []string          `json:"left_out,omitempty"` // settings that are secret
}

// space is a space with its charts and where they are.
type space struct {
	ID     int64           `json:"id"`
	Name   string          `json:"name"`
	Charts []body          `json:"charts"`
	Layout tidemark.Layout `json:"layout"`
}

// ExportOrganization says which organization is exported and where to.
type ExportOrganization struct {
	Server   *client.Client // of that organization
	Org      *tidemark.Org
	Dir      string
	Resume   bool
	Progress Progress
}

// ExportedOrganization says what was exported.
type ExportedOrganization struct {
	Organization string `json:"organization"`
	Directory    string `json:"directory"`
	Members      int    `json:"members"`
	Services     int    `json:"services"`
	Spaces       int    `json:"spaces"`
	Charts       int    `json:"charts"`
	Alerts       int    `json:"alerts"`
	Objectives   int    `json:"objectives"`
	Maintenance  int    `json:"maintenance"`
	Checks       int    `json:"checks"`
	Metrics      int64  `json:"metrics"`
	Lines        int64  `json:"lines"` // of measurements
	Annotations  int64  `json:"annotations"`
}

// Run exports. If it is interrupted, measurements can be resumed; the rest is
// written anew.
func (x ExportOrganization) Run(ctx context.Context) (*ExportedOrganization, error) {
	if err := x.prepare(); err != nil {
		return nil, err
	}
	o, err := x.read(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := durable.WriteFile(filepath.Join(x.Dir, organizationFile), append(text, '\n')); err != nil {
		return nil, err
	}
	path := filepath.Join(x.Dir, measurementsFile)
	_, begun := os.Stat(path)
	resume := x.Resume && begun == nil
	done := Exported{}
	if _, err := os.Stat(path + ".cursor"); !resume || err == nil { // else they are complete
		lines := Export{Server: x.Server, End: time.Now().Unix() + 1, Path: path, Resume: resume, Progress: x.Progress}
		if done, err = lines.Run(ctx); err != nil {
			return nil, err
		}
	}
	if err := complete(x.Dir); err != nil {
		return nil, err
	}
	return o.exported(x.Dir, done), nil
}

// prepare makes the directory, or looks whether there is something to resume.
func (x *ExportOrganization) prepare() error {
	if err := os.MkdirAll(x.Dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(x.Dir)
	if err != nil {
		return err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
	}
	switch {
	case len(entries) == 0 && x.Resume, x.Resume && !has(organizationFile) && !has(measurementsFile):
		return fmt.Errorf("there is nothing to resume in %s", x.Dir)
	case x.Resume && has(completeFile):
		return fmt.Errorf("the export in %s is complete", x.Dir)
	case len(entries) > 0 && !x.Resume:
		return fmt.Errorf("%s is not empty", x.Dir)
	}
	return nil
}

// read asks for everything but measurements and annotations.
func (x *ExportOrganization) read(ctx context.Context) (*Organization, error) {
	o := &Organization{Format: organizationFormat, Name: x.Org.Name, Exported: time.Now().UTC().Truncate(time.Second)}
	steps := []func() error{
		func() (err error) { o.Members, err = membersOf(ctx, x.Server, x.Org.ID); return err },
		func() (err error) { o.Services, err = servicesOf(ctx, x.Server); return err },
		func() (err error) { o.Spaces, err = spacesOf(ctx, x.Server); return err },
		func() (err error) { o.Alerts, err = bodies(x.Server.Alerts().List(ctx)); return err },
		func() (err error) { o.Objectives, err = bodies(x.Server.Objectives().List(ctx)); return err },
		func() (err error) { o.Maintenance, err = bodies(x.Server.Maintenance().List(ctx)); return err },
		func() (err error) { o.Checks, err = bodies(checksOf(ctx, x.Server)); return err },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
		x.Progress("Exporting settings", int64(i+1), int64(len(steps)))
	}
	return o, nil
}

func membersOf(ctx context.Context, server *client.Client, org tidemark.OrgID) ([]member, error) {
	people, err := server.Users(ctx)
	members := []member{}
	for _, p := range people {
		for _, in := range p.Orgs {
			if in.Org == org {
				members = append(members, member{Email: p.Email, Name: p.Name, Role: in.Role})
			}
		}
	}
	return members, err
}

// servicesOf returns services without what is masked where they are written
// out: that is what is secret.
func servicesOf(ctx context.Context, server *client.Client) ([]service, error) {
	list, err := bodies(server.Services().List(ctx))
	services := []service{}
	for _, b := range list {
		out, err := as(b, service{})
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(out.Settings)) {
			if out.Settings[name] == tidemark.MaskedSetting {
				delete(out.Settings, name)
				out.LeftOut = append(out.LeftOut, name)
			}
		}
		services = append(services, out)
	}
	return services, err
}

func spacesOf(ctx context.Context, server *client.Client) ([]space, error) {
	list, err := server.Spaces().List(ctx)
	spaces := []space{}
	for _, s := range list {
		out := space{ID: s.ID, Name: text(s.Name)}
		if out.Charts, err = bodies(server.Charts(ctx, s.ID)); err != nil {
			return nil, err
		}
		if err := server.Do(ctx, "GET", fmt.Sprintf("/admin/spaces/%d/layout", s.ID), nil, &out.Layout); err != nil && tidemark.KindOf(err) != tidemark.NotFound {
			return nil, err
		}
		spaces = append(spaces, out)
	}
	return spaces, err
}

func checksOf(ctx context.Context, server *client.Client) ([]tidemark.Check, error) {
	var answer struct{ Checks []tidemark.Check }
	return answer.Checks, server.Do(ctx, "GET", "/admin/checks", nil, &answer)
}

// bodies are nouns as the API answers them. Settings of services are masked.
func bodies[T any](list []T, err error) ([]body, error) {
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	all := []body{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	err = in.Decode(&all)
	return all, err
}

// exported counts what o has.
func (o *Organization) exported(dir string, done Exported) *ExportedOrganization {
	x := &ExportedOrganization{
		Organization: o.Name, Directory: dir, Members: len(o.Members), Services: len(o.Services), Spaces: len(o.Spaces), Alerts: len(o.Alerts),
		Objectives: len(o.Objectives), Maintenance: len(o.Maintenance), Checks: len(o.Checks),
		Metrics: done.Metrics, Lines: done.Lines, Annotations: done.Annotations,
	}
	for _, s := range o.Spaces {
		x.Charts += len(s.Charts)
	}
	return x
}

// complete writes the checksums of an export.
func complete(dir string) error {
	sums, err := sumsOf(dir)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(body{"tidemark_organization": organizationFormat, "sha256": sums}, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, completeFile)
	if err := durable.WriteFile(path+".new", append(text, '\n')); err != nil {
		return err
	}
	return durable.Replace(path+".new", path)
}

// sumsOf are the checksums of the files of an export.
func sumsOf(dir string) (map[string]string, error) {
	sums := make(map[string]string)
	for _, name := range []string{organizationFile, measurementsFile} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		sums[name] = hex.EncodeToString(h.Sum(nil))
	}
	return sums, nil
}
