package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// about is the metadata of the metrics of one organization, as it was last
// sent. Prometheus sends it in requests of its own, once a minute, so that it
// may come before the first point of a metric or long after it.
type about struct {
	mu    sync.RWMutex
	m     map[string]*aboutMetric // by name; guarded by mu
	bytes int                     // of the texts; guarded by mu
}

type aboutMetric struct {
	protocol.Metadata
	applied bool // to a metric that is there
}

// maxAbout is how many bytes are remembered of one organization: those of
// 20,000 metrics. All are forgotten where there are more: they are sent again.
const (
	maxAbout      = 4 << 20
	aboutOverhead = 100      // bytes of an entry beside its texts
	maxHelp       = 32 << 10 // a longer text is no description
)

// learn remembers a list, and returns what of it has not been applied.
func (a *about) learn(list []protocol.Metadata) (open []*aboutMetric) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range list {
		if len(m.Help) > maxHelp || len(m.Unit) > maxHelp {
			continue
		}
		known := a.m[m.Name]
		if known == nil || known.Metadata != m {
			known = a.remember(m)
		}
		if !known.applied {
			open = append(open, known)
		}
	}
	return open
}

func (a *about) remember(m protocol.Metadata) *aboutMetric {
	size := len(m.Name) + len(m.Help) + len(m.Unit) + aboutOverhead
	if a.m == nil || a.bytes+size > maxAbout {
		a.m, a.bytes = make(map[string]*aboutMetric), 0
	}
	a.bytes += size // also of one that is replaced: too many is fine
	// The texts are lent by the body; types are constants.
	kept := &aboutMetric{Metadata: protocol.Metadata{Name: strings.Clone(m.Name), Help: strings.Clone(m.Help), Unit: strings.Clone(m.Unit), Type: m.Type}}
	a.m[kept.Name] = kept
	return kept
}

func (a *about) of(name string) protocol.Metadata {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return aboutOf(name, func(name string) (protocol.Metadata, bool) {
		if m := a.m[name]; m != nil {
			return m.Metadata, true
		}
		return protocol.Metadata{}, false
	})
}

// parts are the ends of the names of a histogram's or summary's series, whose
// metadata goes by the name of the whole.
var parts = [...]string{"_bucket", "_count", "_sum"}

// aboutOf finds the metadata of a metric, or of the whole that it is part of.
func aboutOf(name string, find func(string) (protocol.Metadata, bool)) protocol.Metadata {
	m, ok := find(name)
	for _, suffix := range parts {
		if whole, is := strings.CutSuffix(name, suffix); is && !ok {
			m, _ = find(whole)
		}
	}
	return m
}

// About returns what was last said of a metric of org apart from its points;
// of a part of a histogram or summary, what was said of the whole.
func (r *Recorder) About(org tidemark.OrgID, name string) protocol.Metadata {
	return r.cache.of(org).about.of(name)
}

// describeKnown adds metadata to metrics that are there and were not described,
// and remembers it for those that come. A token that is narrowed describes
// only what it creates.
func (r *Recorder) describeKnown(ctx context.Context, org tidemark.OrgID, list []protocol.Metadata, from *Origin) error {
	if len(list) == 0 || from.scope != nil {
		return nil
	}
	o := r.cache.of(org)
	open := o.about.learn(list)
	if len(open) == 0 {
		return nil
	}
	found, err := r.MetricsByName(ctx, org, aboutNames(open))
	if err != nil {
		return fmt.Errorf("find metrics: %w", err)
	}
	var lacking []string
	for key, m := range found {
		try := *m
		try.Attributes = maps.Clone(m.Attributes)
		if !(from.sent && tidemark.IsOwnMetric(key)) && complete(&try, o.about.of(m.Name)) {
			lacking = append(lacking, m.Name)
		}
	}
	if err := r.complete(ctx, org, o, lacking); err != nil {
		return err
	}
	o.about.apply(open, found)
	return nil
}

// aboutNames are the names of the metrics that metadata can be about.
func aboutNames(list []*aboutMetric) (names []string) {
	for _, m := range list {
		names = append(names, m.Name)
		if isWhole(m.Type) {
			for _, suffix := range parts {
				names = append(names, m.Name+suffix)
			}
		}
	}
	return names
}

// isWhole reports whether metrics of a type are several series by other names.
func isWhole(kind string) bool { return kind == "histogram" || kind == "summary" }

// apply notes which metadata was about metrics that are there.
func (a *about) apply(list []*aboutMetric, found map[string]*tidemark.Metric) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range list {
		m.applied = slices.ContainsFunc(aboutNames([]*aboutMetric{m}), func(name string) bool { return found[tidemark.MetricKey(name)] != nil })
	}
}

// complete adds what was said of metrics to those of names.
func (r *Recorder) complete(ctx context.Context, org tidemark.OrgID, o *orgMetrics, names []string) error {
	if len(names) == 0 {
		return nil
	}
	changed, err := r.Metrics.UpdateMetrics(ctx, org, tidemark.ServerActor(), names, nil, func(m *tidemark.Metric) { complete(m, o.about.of(m.Name)) })
	if err != nil {
		return fmt.Errorf("describe metrics: %w", err)
	}
	for _, m := range changed {
		o.drop(m.Name)
	}
	return nil
}

// complete adds what metadata says to a metric of which nobody said anything
// yet, and reports whether there was something to add.
func complete(m *tidemark.Metric, from protocol.Metadata) bool {
	if m.Description != nil || m.Type == tidemark.Composite {
		return false
	}
	m.Description = validText(m, from.Help, func(m *tidemark.Metric) **string { return &m.Description })
	added := m.Description != nil
	if unit := unitOf(from.Unit); unit != "" && m.Unit() == "" {
		takeAttributes(m, map[string]any{"display_units_short": unit})
		added = added || m.Unit() != ""
	}
	_, summarized := m.Attributes["summarize_function"]
	if m.Type == tidemark.Gauge && !summarized && isTotal(from, m.Name) {
		m.Type, m.Attributes["summarize_function"] = tidemark.Counter, "last"
		added = true
	}
	return added
}

// isTotal reports whether metadata says that a metric only grows.
func isTotal(m protocol.Metadata, name string) bool {
	return m.Type == "counter" && m.Name == name || isWhole(m.Type) && m.Name != name
}
