package uiapi

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// templateList is the ready spaces that fit what arrives.
type templateList struct {
	Templates []templateOffer `json:"templates"`
}

// templateOffer is a ready space that could be made.
type templateOffer struct {
	About string `json:"about"`
	Name  string `json:"name"`
	Space int64  `json:"space"` // the space of that title, where there is one; else 0
	Title string `json:"title"`
}

// templateMade is what was made of a template.
type templateMade struct {
	Alerts []string `json:"alerts"` // by name; they are inactive
	Space  int64    `json:"space"`
}

// templateFiles are spaces that are ready for what well-known senders send: a
// file for each, with the alerts that belong to it.
//
//go:embed templates/*.json
var templateFiles embed.FS

// template is a ready space.
type template struct {
	Name   string            `json:"name"`
	Title  string            `json:"title"`
	About  string            `json:"about"`
	Needs  string            `json:"needs"` // the metric that says that its sender is there
	Space  spaceDocument     `json:"space"`
	Alerts []*tidemark.Alert `json:"alerts"` // made inactive: to be switched on
}

// templateNames are the templates, in the order in which they are offered.
var templateNames = []string{"hosts"}

func readTemplate(name string) (*template, error) {
	text, err := templateFiles.ReadFile("templates/" + name + ".json")
	if err != nil {
		return nil, tidemark.Errorf(tidemark.NotFound, "there is no template %s", name)
	}
	t := &template{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return t, nil
}

// templates answers GET /ui/api/templates: what could be made of what arrives.
func (s *API) templates(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	list := templateList{Templates: []templateOffer{}}
	for _, name := range templateNames {
		t, err := readTemplate(name)
		if err != nil {
			return rest.Reply{}, err
		}
		_, err = s.Store.Metric(r.Context(), who.Org, t.Needs)
		if tidemark.KindOf(err) == tidemark.NotFound {
			continue
		} else if err != nil {
			return rest.Reply{}, err
		}
		id, err := s.spaceNamed(r.Context(), who.Org, t.Title)
		if err != nil {
			return rest.Reply{}, err
		}
		list.Templates = append(list.Templates, templateOffer{Name: t.Name, Title: t.Title, About: t.About, Space: id})
	}
	return rest.OK(list), nil
}

// spaceNamed returns the id of the first space with a name, or 0.
func (s *API) spaceNamed(ctx context.Context, org tidemark.OrgID, name string) (int64, error) {
	spaces, err := rest.Every(ctx, org, s.Store.Spaces)
	if err != nil {
		return 0, err
	}
	for _, sp := range spaces {
		if sp.Name != nil && *sp.Name == name {
			return sp.ID, nil
		}
	}
	return 0, nil
}

// makeTemplate answers POST /ui/api/templates/:name.
func (s *API) makeTemplate(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	t, err := readTemplate(r.PathValue("template"))
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.Metric(r.Context(), who.Org, t.Needs); tidemark.KindOf(err) == tidemark.NotFound {
		return rest.Reply{}, tidemark.Errorf(tidemark.Invalid, "nothing arrives yet that this space is made of: there is no metric %s", t.Needs)
	} else if err != nil {
		return rest.Reply{}, err
	}
	sp, err := s.writeSpace(r.Context(), who, &t.Space)
	if err != nil {
		return rest.Reply{}, err
	}
	made := templateMade{Space: sp.ID, Alerts: []string{}}
	for _, a := range t.Alerts {
		name, err := s.makeTemplateAlert(r.Context(), who, a)
		if err != nil {
			return rest.Reply{}, err
		}
		if name != "" {
			made.Alerts = append(made.Alerts, name)
		}
	}
	return rest.Created(made, "/v1/spaces/"+sp.ResourceID()), nil
}

// makeTemplateAlert makes an alert that is not active, unless there is one of
// that name, or nothing that it could watch.
func (s *API) makeTemplateAlert(ctx context.Context, who tidemark.Identity, a *tidemark.Alert) (string, error) {
	a.Version, a.Attributes, a.Active = 2, map[string]any{}, false
	for _, c := range a.Conditions {
		if _, err := s.Store.Metric(ctx, who.Org, c.MetricName); tidemark.KindOf(err) == tidemark.NotFound {
			return "", nil
		} else if err != nil {
			return "", err
		}
	}
	err := s.Store.CreateAlert(ctx, who.Org, who.Actor(), a)
	if err != nil && tidemark.KindOf(err) == tidemark.Conflict {
		return "", nil //nolint:nilerr // there is one of that name, perhaps changed by its owner
	}
	return a.Name, err
}
