package dashboards

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// templateList is the ready spaces that fit what arrives.
type templateList struct {
	Templates []templateOffer `json:"templates"`
}

// templateOffer is a ready space that could be made.
type templateOffer struct {
	About string `json:"about"`
	Hosts int    `json:"hosts"` // how many send what it is made of; 0 where that is not known
	Made  bool   `json:"made"`  // whether that space has the charts of the template, and no others
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

// template is a ready space. Its streams are what all known senders of its
// subject send: those that do not arrive are left out when it is made.
type template struct {
	Name   string                  `json:"name"`
	Title  string                  `json:"title"`
	About  string                  `json:"about"`
	Needs  []string                `json:"needs"` // metrics of which one says that its sender is there; * is a wildcard
	Host   []string                `json:"host"`  // tags that may name the sender: the first that is there is $host
	Charts []*tidemark.Chart       `json:"charts"`
	Places []tidemark.GridPosition `json:"layout"`
	Alerts []*tidemark.Alert       `json:"alerts"` // made inactive: to be switched on
}

// templateNames are the templates, in the order in which they are offered.
var templateNames = []string{
	"hosts", "node", "otel-hosts", "telegraf", "collectd", "datadog", "graphite", "statsd", "influx", "kubernetes", "otel-http", "nginx", "postgresql", "redis", "queues",
	serverTemplate,
}

// serverTemplate is about the server itself. Its alerts are those that the
// server makes of its own accord where it is told to.
const serverTemplate = "server"

func readTemplate(name string) (*template, error) {
	text, err := templateFiles.ReadFile("templates/" + name + ".json")
	if err != nil {
		return nil, tidemark.Errorf(tidemark.NotFound, "there is no template %s", name)
	}
	t := &template{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	if name == serverTemplate {
		t.Alerts = alerting.OwnAlerts()
	}
	return t, nil
}

// templates answers GET /ui/api/templates: what could be made of what arrives.
func (s *API) templates(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	list := templateList{Templates: []templateOffer{}}
	fitting, err := s.fittingTemplates(r.Context(), who.Org)
	if err != nil || len(fitting) == 0 {
		return rest.OK(list), err
	}
	made, err := s.spacesByName(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, t := range fitting {
		o := templateOffer{Name: t.Name, Title: t.Title, About: t.About, Space: made[t.Title]}
		if o.Hosts, err = s.sendersOf(r.Context(), who.Org, t); err != nil {
			return rest.Reply{}, err
		}
		if o.Made, err = s.isMadeOf(r.Context(), who.Org, o.Space, t); err != nil {
			return rest.Reply{}, err
		}
		list.Templates = append(list.Templates, o)
	}
	return rest.OK(list), nil
}

// fittingTemplates are those of which a sender is there.
func (s *API) fittingTemplates(ctx context.Context, org tidemark.OrgID) ([]*template, error) {
	var all []*template
	var needed []string
	for _, name := range templateNames {
		t, err := readTemplate(name)
		if err != nil {
			return nil, err
		}
		all, needed = append(all, t), append(needed, t.Needs...)
	}
	there, err := s.metricsThere(ctx, org, needed)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(t *template) bool { return t.found(there) == "" }), nil
}

// metricsThere says by key which of some names, or of wildcards for names that
// have their sender in them, are those of metrics.
func (s *API) metricsThere(ctx context.Context, org tidemark.OrgID, names []string) (map[string]bool, error) {
	matched, err := s.Store.MatchMetrics(ctx, org, names, nil)
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(matched))
	for _, name := range matched {
		there[tidemark.MetricKey(name)] = true
	}
	for _, name := range names {
		if key := tidemark.MetricKey(name); tidemark.IsGlob(key) {
			there[key] = slices.ContainsFunc(matched, func(have string) bool { return tidemark.Glob(key, tidemark.MetricKey(have)) })
		}
	}
	return there, nil
}

// found is the first of the metrics that t needs that is there, or "".
func (t *template) found(there map[string]bool) string {
	for _, name := range t.Needs {
		if there[tidemark.MetricKey(name)] {
			return name
		}
	}
	return ""
}

// sendersOf counts the hosts that send what t is made of.
func (s *API) sendersOf(ctx context.Context, org tidemark.OrgID, t *template) (int, error) {
	most := 0
	for _, metric := range t.Needs {
		tag, err := s.hostTag(ctx, org, t, metric)
		if err != nil {
			return 0, err
		}
		if tag == "" {
			continue
		}
		values, err := s.Engine.TagValues(ctx, org, metric, tag)
		if err != nil {
			return 0, err
		}
		most = max(most, len(values))
	}
	return most, nil
}

// hostTag is the tag of a metric that names its sender, or "".
func (s *API) hostTag(ctx context.Context, org tidemark.OrgID, t *template, metric string) (string, error) {
	if len(t.Host) == 0 {
		return "", nil
	}
	tags, err := s.Engine.TagNames(ctx, org, metric)
	if err != nil {
		return "", err
	}
	for _, name := range t.Host {
		for _, have := range tags {
			if strings.EqualFold(have.Name, name) {
				return name, nil
			}
		}
	}
	return "", nil
}

// isMadeOf reports whether a space is t as it was made: people make spaces of
// the same title, and change ours.
func (s *API) isMadeOf(ctx context.Context, org tidemark.OrgID, space int64, t *template) (bool, error) {
	if space == 0 {
		return false, nil
	}
	charts, err := s.Store.Charts(ctx, org, space)
	if err != nil {
		return false, err
	}
	foreign := slices.ContainsFunc(charts, func(c *tidemark.Chart) bool {
		return !slices.ContainsFunc(t.Charts, func(own *tidemark.Chart) bool { return own.Name == c.Name })
	})
	return len(charts) > 0 && !foreign, nil
}

// spacesByName are the ids of spaces, the oldest of those of one name.
func (s *API) spacesByName(ctx context.Context, org tidemark.OrgID) (map[string]int64, error) {
	spaces, err := rest.Every(ctx, org, s.Store.Spaces)
	if err != nil {
		return nil, err
	}
	ids := make(map[string]int64, len(spaces))
	for _, sp := range spaces {
		if sp.Name != nil {
			ids[*sp.Name] = cmp.Or(ids[*sp.Name], sp.ID)
		}
	}
	return ids, nil
}
