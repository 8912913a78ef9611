package movein

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
)

// State is a state of Terraform, and what it holds of the old service.
type State struct {
	*Objects
	tree      body
	resources []*resource
}

// resource is an instance of a resource of ours.
type resource struct {
	kind       string // of the object
	address    string
	attributes body // of the state: what is changed here is in the new state
	old        string
	importable bool // the provider can import it
}

// stateKinds are the resources of the providers librato and appoptics.
var stateKinds = map[string]string{
	"space": "space", "dashboard": "space", "space_chart": "chart", "dashboard_chart": "chart",
	"metric": "metric", "alert": "alert", "service": "service", "notification_service": "service",
}

// ReadState reads a state of version 4, which Terraform writes since 0.12.
func ReadState(path string) (*State, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v, err := decode(text)
	tree, ok := v.(body)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s: is no state of Terraform", path)
	}
	if version := textOf(tree["version"]); version != "4" {
		return nil, fmt.Errorf("%s: is a state of version %s: have Terraform 0.12 or later rewrite it (terraform state pull)", path, version)
	}
	s := &State{Objects: &Objects{}, tree: tree}
	list, _ := tree["resources"].([]any)
	for _, one := range list {
		if r, ok := one.(body); ok {
			s.resource(r)
		}
	}
	s.placeCharts()
	return s, nil
}

func (s *State) resource(r body) {
	kind := textOf(r["type"])
	provider, rest, _ := strings.Cut(kind, "_")
	if provider != "librato" && provider != "appoptics" || textOf(r["mode"]) != "managed" {
		return // of other providers: none of our business
	}
	address := kind + "." + textOf(r["name"])
	if module := textOf(r["module"]); module != "" {
		address = module + "." + address
	}
	noun, known := stateKinds[rest]
	if !known {
		s.miss(address, "resources of type %s have no counterpart", kind)
		return
	}
	instances, _ := r["instances"].([]any)
	for _, one := range instances {
		i, _ := one.(body)
		attributes, ok := i["attributes"].(body)
		if !ok {
			s.miss(address, "its state has no attributes")
			continue
		}
		at := address
		switch key := i["index_key"].(type) {
		case string:
			at += "[" + strconv.Quote(key) + "]"
		case json.Number:
			at += "[" + key.String() + "]"
		}
		s.add(&resource{kind: noun, address: at, attributes: attributes, old: textOf(attributes["id"]), importable: noun != "chart"})
	}
}

func (s *State) add(r *resource) {
	s.resources = append(s.resources, r)
	a := r.attributes
	o := &Object{Old: r.old, Name: textOf(a["name"])}
	switch r.kind {
	case "space":
		s.Spaces = append(s.Spaces, o)
	case "metric":
		o.Body = stateMetric(a)
		s.Metrics = append(s.Metrics, o)
	case "alert":
		o.Body = stateAlert(a)
		s.Alerts = append(s.Alerts, o)
	case "service":
		o.Name, o.Body = textOf(a["title"]), body{"type": a["type"], "title": a["title"]}
		settings, err := decode([]byte(textOf(a["settings"])))
		if err != nil {
			s.miss(r.address, "its settings are no JSON")
		}
		o.Body["settings"] = settings
		s.Services = append(s.Services, o)
	}
}

// placeCharts gives charts to their spaces.
func (s *State) placeCharts() {
	for _, r := range s.resources {
		if r.kind != "chart" {
			continue
		}
		o := &Object{Old: r.old, Name: textOf(r.attributes["name"]), Body: stateChart(r.attributes)}
		placed := false
		for _, space := range s.Spaces {
			if space.Old == textOf(r.attributes["space_id"]) {
				space.Charts, placed = append(space.Charts, o), true
			}
		}
		if !placed {
			s.miss(r.address, "its space %s is not in the state", textOf(r.attributes["space_id"]))
		}
	}
}

// set returns those keys of b that were set: a state has "", 0 and nothing
// where they were not.
func set(b body, keys ...string) body {
	kept := keep(b, keys...)
	for key, v := range kept {
		list, isList := v.([]any)
		if v == "" || textOf(v) == "0" || isList && len(list) == 0 {
			delete(kept, key)
		}
	}
	return kept
}

func stateMetric(a body) body {
	b := set(a, "name", "type", "display_name", "description", "period", "source_lag", "composite")
	attributes, _ := a["attributes"].([]any)
	for _, one := range attributes {
		m, ok := one.(body)
		if !ok {
			continue
		}
		kept := set(m, "color", "display_max", "display_min", "display_units_long", "display_units_short", "display_stacked",
			"created_by_ua", "gap_detection", "aggregate", "summarize_function", "display_transform")
		for _, key := range []string{"display_max", "display_min"} {
			if n, err := strconv.ParseFloat(textOf(kept[key]), 64); err == nil {
				kept[key] = n // some versions keep it as a text
			} else {
				delete(kept, key)
			}
		}
		b["attributes"] = kept
	}
	return b
}

func stateAlert(a body) body {
	b := set(a, "name", "description", "rearm_seconds", "services")
	b = merged(b, keep(a, "active"))
	switch attributes := a["attributes"].(type) {
	case body:
		b["attributes"] = attributes
	case []any: // librato's has a block
		for _, one := range attributes {
			b["attributes"] = one
		}
	}
	conditions := []any{}
	list, _ := a["condition"].([]any)
	for _, one := range list {
		c, ok := one.(body)
		if !ok {
			continue
		}
		kept := set(c, "type", "metric_name", "source", "duration", "summary_function")
		if t := textOf(c["type"]); t == "above" || t == "below" {
			kept = merged(kept, keep(c, "threshold"))
		}
		if textOf(c["summary_function"]) == "derivative" {
			kept = merged(kept, keep(c, "detect_reset"))
		}
		if tags := stateTags(c["tag"]); len(tags) > 0 {
			kept["tags"] = tags
		}
		conditions = append(conditions, kept)
	}
	b["conditions"] = conditions
	return b
}

func merged(a, b body) body {
	maps.Copy(a, b)
	return a
}

func stateTags(v any) []any {
	tags := []any{}
	list, _ := v.([]any)
	for _, one := range list {
		if t, ok := one.(body); ok {
			kept := set(t, "name", "values")
			for _, flag := range []string{"grouped", "dynamic"} {
				if t[flag] == true {
					kept[flag] = true
				}
			}
			tags = append(tags, kept)
		}
	}
	return tags
}

func stateChart(a body) body {
	b := set(a, "name", "type", "min", "max", "label", "related_space")
	streams := []any{}
	list, _ := a["stream"].([]any)
	for _, one := range list {
		s, ok := one.(body)
		if !ok {
			continue
		}
		kept := set(s, "metric", "source", "composite", "group_function", "summary_function", "name", "color", "units_short", "units_long", "min", "max",
			"transform_function", "period")
		if tags := stateTags(s["tags"]); len(tags) > 0 {
			kept["tags"] = tags
		}
		streams = append(streams, kept)
	}
	return chartOf(merged(b, body{"streams": streams}))
}

// Commands are what makes Terraform forget the old ids and learn the new ones.
// Charts cannot be imported by the providers: they need the new state.
func (s *State) Commands(r *Report) (commands []string) {
	for _, one := range s.resources {
		id, ok := r.NewID(one.kind, one.old)
		if !ok || !one.importable {
			continue
		}
		address := "'" + strings.ReplaceAll(one.address, "'", `'\''`) + "'" // for a shell
		commands = append(commands, "terraform state rm "+address, fmt.Sprintf("terraform import %s %d", address, id))
	}
	return commands
}

// Adjust returns the state with the ids that objects have here, for terraform
// state push.
func (s *State) Adjust(r *Report) ([]byte, error) {
	serial, err := strconv.ParseInt(textOf(s.tree["serial"]), 10, 64)
	if err != nil {
		return nil, errors.New("the state has no serial")
	}
	s.tree["serial"] = serial + 1
	for _, one := range s.resources {
		a := one.attributes
		if id, ok := r.NewID(one.kind, one.old); ok {
			a["id"] = strconv.FormatInt(id, 10)
		}
		for _, key := range []string{"space_id", "related_space"} {
			if id, ok := r.NewID("space", textOf(a[key])); ok {
				a[key] = id
			}
		}
		services, _ := a["services"].([]any)
		for i, old := range services {
			if id, ok := r.NewID("service", textOf(old)); ok {
				services[i] = strconv.FormatInt(id, 10)
			}
		}
	}
	return json.MarshalIndent(s.tree, "", "  ")
}
