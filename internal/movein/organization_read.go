package movein

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// ReadOrganization returns what an export of an organization holds, after it
// has compared it with its checksums, and the path of its measurements.
func ReadOrganization(dir string) (o *Organization, measurements string, err error) {
	if err := checkComplete(dir); err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, organizationFile))
	if err != nil {
		return nil, "", err
	}
	o = &Organization{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber() // ids as they were written
	if err := in.Decode(o); err != nil {
		return nil, "", fmt.Errorf("%s: %w", organizationFile, err)
	}
	return o, filepath.Join(dir, measurementsFile), nil
}

// checkComplete refuses an export that is not as it was written.
func checkComplete(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, completeFile))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s holds no complete export of an organization: there is no %s", dir, completeFile)
	}
	if err != nil {
		return err
	}
	var want struct {
		Format int               `json:"tidemark_organization"`
		SHA256 map[string]string `json:"sha256"`
	}
	if err := json.Unmarshal(text, &want); err != nil {
		return fmt.Errorf("%s is damaged: %w", completeFile, err)
	}
	if want.Format != organizationFormat {
		return fmt.Errorf("%s has format %d, this version reads %d", completeFile, want.Format, organizationFormat)
	}
	has, err := sumsOf(dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(has)) {
		if has[name] != want.SHA256[name] {
			return fmt.Errorf("%s is damaged: its checksum is wrong", name)
		}
	}
	return nil
}

// Objects are what is to be made of an organization.
func (o *Organization) Objects() *Objects {
	all := &Objects{}
	for _, s := range o.Services {
		all.Services = append(all.Services, &Object{Old: strconv.FormatInt(s.ID, 10), Name: s.Title, Lacks: s.LeftOut,
			Body: body{"type": s.Type, "title": s.Title, "settings": s.Settings}})
	}
	for _, s := range o.Spaces {
		made := &Object{Old: strconv.FormatInt(s.ID, 10), Name: s.Name, Layout: &s.Layout}
		for _, c := range s.Charts {
			made.Charts = append(made.Charts, object(c))
		}
		all.Spaces = append(all.Spaces, made)
	}
	ofAlert := make(map[string]any) // services, by the alert's id
	for _, a := range o.Alerts {
		ofAlert[textOf(a["id"])] = a["services"]
		all.Alerts = append(all.Alerts, object(a))
	}
	for _, c := range o.Checks {
		made := object(c)
		made.Body["services"] = ofAlert[textOf(c["alert"])]
		all.Checks = append(all.Checks, made)
	}
	for _, v := range o.Objectives {
		all.Objectives = append(all.Objectives, object(v))
	}
	for _, v := range o.Maintenance {
		all.Maintenance = append(all.Maintenance, object(v))
	}
	for _, p := range o.Members {
		all.miss("member "+p.Email, "is to be invited as %s", p.Role)
	}
	return all
}

// object is a noun as the API answers it, without what the server gave it.
func object(b body) *Object {
	o := &Object{Old: textOf(b["id"]), Name: textOf(b["name"]), Body: maps.Clone(b)}
	for _, key := range []string{"id", "created_at", "updated_at", "created_by", "alert", "ran_at", "started_at", "up", "duration", "said"} {
		delete(o.Body, key)
	}
	for _, parts := range []string{"conditions", "streams"} {
		list, _ := b[parts].([]any)
		for _, v := range list {
			if part, ok := v.(body); ok {
				delete(part, "id")
			}
		}
	}
	return o
}
