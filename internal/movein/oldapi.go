package movein

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// ReadOldAPI reads answers of the old service's API: files, or directories of
// files that end in .json. A file holds an answer of GET as it was: a list
// with its noun as key, all of them in one object, one thing by itself, or the
// bare list of the charts of a space, in a file called spaces/ID/charts.json.
func ReadOldAPI(paths ...string) (*Objects, error) {
	r := &oldReader{all: &Objects{}, found: make(map[string]int64), charts: make(map[string]*oldChart), seen: make(map[string]bool), have: make(map[string]int64), owned: make(map[string]string)}
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || file != path && !strings.HasSuffix(file, ".json") {
				return err
			}
			return r.file(file)
		})
		if err != nil {
			return nil, err
		}
	}
	r.finish()
	return r.all, nil
}

// oldReader gathers what answers hold.
type oldReader struct {
	all    *Objects
	found  map[string]int64 // how many there are, as pages say
	charts map[string]*oldChart
	order  []string          // of charts
	owned  map[string]string // space of each chart, as spaces say
	seen   map[string]bool
	have   map[string]int64 // how many of each kind were seen
}

type oldChart struct {
	*Object
	space string
}

func (r *oldReader) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	v, err := decode(text)
	if err != nil {
		return fmt.Errorf("%s: is no JSON: %w", path, err)
	}
	if list, ok := v.([]any); ok {
		return r.bare(path, list)
	}
	answer, ok := v.(body)
	if !ok {
		return fmt.Errorf("%s: is no answer of the API", path)
	}
	return r.answer(path, answer)
}

// decode reads JSON and leaves numbers as they were written. There must be
// nothing after it: answers that were put one after the other into a file
// would be lost but for the first.
func decode(text []byte) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("there is something after its end, at byte %d: put each answer into a file of its own", in.InputOffset())
	}
	return v, nil
}

var chartsFile = regexp.MustCompile(`(?:^|/)spaces/(\d+)/charts(?:\.json|/[^/]*)$`)

// bare takes a list without a noun: charts, if the name of the file says of
// which space.
func (r *oldReader) bare(path string, list []any) error {
	m := chartsFile.FindStringSubmatch(filepath.ToSlash(path))
	if m == nil {
		return fmt.Errorf("%s: is a bare list: only spaces/ID/charts.json may be one", path)
	}
	for _, v := range list {
		r.chart(v, m[1])
	}
	return nil
}

// nouns are the lists that are taken, and what takes one of each.
var nouns = map[string]func(*oldReader, body){
	"metrics": (*oldReader).metric, "services": (*oldReader).service, "spaces": (*oldReader).space, "alerts": (*oldReader).alert,
	"charts": func(r *oldReader, b body) { r.chart(b, "") },
}

// answer takes an object: lists by their nouns, or one thing.
func (r *oldReader) answer(path string, answer body) error {
	if take := single(answer); take != nil {
		take(r, answer)
		return nil
	}
	query, _ := answer["query"].(body)
	taken := false
	for _, noun := range slices.Sorted(maps.Keys(answer)) {
		list, isList := answer[noun].([]any)
		take := nouns[noun]
		switch {
		case !isList || noun == "links":
			continue
		case take == nil:
			r.all.miss(noun, "%d in %s: have no counterpart, or are not moved by this command", len(list), path)
			taken = true
			continue
		}
		taken = true
		if n, err := strconv.ParseInt(textOf(query["found"]), 10, 64); err == nil {
			r.found[noun] = max(r.found[noun], n)
		}
		for _, v := range list {
			if b, ok := v.(body); ok {
				take(r, b)
			}
		}
	}
	if !taken {
		return fmt.Errorf("%s: has neither metrics, spaces, charts, alerts nor services", path)
	}
	return nil
}

// single says what takes an answer that is one thing by itself.
func single(b body) func(*oldReader, body) {
	has := func(keys ...string) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { _, ok := b[k]; return !ok })
	}
	switch {
	case has("name", "conditions"):
		return (*oldReader).alert
	case has("type", "settings"):
		return (*oldReader).service
	case has("name", "streams"):
		return nouns["charts"]
	case has("name", "type"):
		return (*oldReader).metric
	case has("id", "name"):
		return (*oldReader).space
	}
	return nil
}

// once reports whether something is new: pages overlap.
func (r *oldReader) once(kind, id string) bool {
	had := r.seen[kind+id]
	r.seen[kind+id] = true
	if !had {
		r.have[kind]++
	}
	return !had
}

func (r *oldReader) metric(b body) {
	name := textOf(b["name"])
	if !r.once("metric", tidemark.MetricKey(name)) {
		return
	}
	kept := keep(b, "name", "type", "display_name", "description", "period", "source_lag", "composite", "attributes")
	r.all.Metrics = append(r.all.Metrics, &Object{Name: name, Body: kept})
}

func (r *oldReader) service(b body) {
	if id := textOf(b["id"]); r.once("service", id) {
		r.all.Services = append(r.all.Services, &Object{Old: id, Name: textOf(b["title"]), Body: keep(b, "type", "title", "settings")})
	}
}

func (r *oldReader) space(b body) {
	id := textOf(b["id"])
	charts, _ := b["charts"].([]any)
	for _, c := range charts { // their ids, or all of them
		if chart, ok := c.(body); ok && len(chart) > 1 {
			r.chart(chart, id)
		}
		r.owned[textOf(c)] = id
	}
	if r.once("space", id) {
		r.all.Spaces = append(r.all.Spaces, &Object{Old: id, Name: textOf(b["name"])})
	}
}

func (r *oldReader) chart(v any, space string) {
	b, ok := v.(body)
	if !ok {
		return
	}
	id := textOf(b["id"])
	if space == "" {
		space = textOf(b["space_id"])
	}
	if had := r.charts[id]; had != nil {
		if had.space == "" {
			had.space = space
		}
		return
	}
	o := &Object{Old: id, Name: textOf(b["name"]), Body: chartOf(b)}
	if t := textOf(b["type"]); t != textOf(o.Body["type"]) && t != "" {
		r.all.miss("chart "+strconv.Quote(o.Name), "there are no charts of type %s: it is drawn as lines", t)
	}
	r.charts[id] = &oldChart{o, space}
	r.order = append(r.order, id)
}

func (r *oldReader) alert(b body) {
	name := textOf(b["name"])
	if !r.once("alert", name) {
		return
	}
	if version := textOf(b["version"]); version == "1" {
		r.all.miss("alert "+strconv.Quote(name), "is of version 1, with thresholds of its own: create it again")
		return
	}
	// What alerts hold of services is the whole of each.
	services, _ := b["services"].([]any)
	for _, s := range services {
		if full, ok := s.(body); ok && full["settings"] != nil {
			r.service(full)
		}
	}
	r.all.Alerts = append(r.all.Alerts, &Object{Old: textOf(b["id"]), Name: name, Body: alertOf(b)})
}

// finish gives charts to their spaces, and says what pages are missing.
func (r *oldReader) finish() {
	for _, id := range r.order {
		c := r.charts[id]
		if c.space == "" {
			c.space = r.owned[id]
		}
		at := slices.IndexFunc(r.all.Spaces, func(s *Object) bool { return s.Old == c.space })
		if c.space == "" || at < 0 {
			r.all.miss("chart "+strconv.Quote(c.Name), "nothing says in which of the spaces it is")
			continue
		}
		r.all.Spaces[at].Charts = append(r.all.Spaces[at].Charts, c.Object)
	}
	for _, noun := range slices.Sorted(maps.Keys(r.found)) {
		if n := r.have[strings.TrimSuffix(noun, "s")]; noun != "charts" && n < r.found[noun] {
			r.all.miss(noun, "%d of %d: pages are missing", n, r.found[noun])
		}
	}
}

// keep returns those keys of b that have a value.
func keep(b body, keys ...string) body {
	kept := body{}
	for _, key := range keys {
		if v, ok := b[key]; ok && v != nil {
			kept[key] = v
		}
	}
	return kept
}

// alertOf is the body of an alert, with the old ids of its services.
func alertOf(b body) body {
	kept := keep(b, "name", "description", "attributes", "active", "rearm_seconds", "rearm_per_signal", "services")
	list, _ := b["conditions"].([]any)
	conditions := []any{}
	for _, v := range list {
		if c, ok := v.(body); ok {
			conditions = append(conditions, keep(c, "type", "metric_name", "source", "threshold", "duration", "summary_function", "detect_reset", "tags"))
		}
	}
	kept["conditions"] = conditions
	return kept
}

// chartOf is the body of a chart. A stream of a composite that is a metric has
// both: the metric is what counts.
func chartOf(b body) body {
	kept := keep(b, "name", "type", "min", "max", "label", "related_space", "thresholds", "use_log_yaxis", "use_last_value")
	if t := textOf(b["chart_type"]); t != "" && kept["type"] == nil {
		kept["type"] = t
	}
	if t := textOf(kept["type"]); t != "stacked" && t != "bignumber" {
		kept["type"] = "line"
	}
	list, _ := b["streams"].([]any)
	streams := []any{}
	for _, v := range list {
		s, ok := v.(body)
		if !ok {
			continue
		}
		s = keep(s, "metric", "type", "source", "tags", "composite", "group_function", "group_by", "summary_function", "downsample_function", "color",
			"name", "units_short", "units_long", "min", "max", "transform_function", "period", "split_axis", "gap_detection", "position")
		if s["metric"] != nil && s["composite"] != nil {
			delete(s, "composite")
		}
		streams = append(streams, s)
	}
	kept["streams"] = streams
	return kept
}
