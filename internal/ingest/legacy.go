package ingest

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// RecordLegacy records a request to the old POST /v1/metrics: gauges and
// counters with a source, which becomes the tag source. The tree is the body
// as JSON and forms alike are read: maps, slices, texts and numbers. All of
// it is recorded or nothing; an Invalid error says what is wrong with the
// first measurement that cannot be, in the words of the old service.
func (r *Recorder) RecordLegacy(ctx context.Context, org tidemark.OrgID, tree map[string]any, userAgent string) error {
	return r.RecordLegacyFrom(ctx, org, tree, Origin{UserAgent: userAgent})
}

// RecordLegacyFrom is RecordLegacy for what may be narrowed to the scope of a
// token.
func (r *Recorder) RecordLegacyFrom(ctx context.Context, org tidemark.OrgID, tree map[string]any, from Origin) error {
	d := r.intake(nil, from)
	defer r.done(d)
	d.sender = org
	if err := d.readLegacy(tree); err != nil {
		return err
	}
	d.addTags()
	return r.write(ctx, org, d)
}

// strict are the requests that are refused whole.
func (d *intake) strict() error {
	for i := range d.items {
		switch it := &d.items[i]; {
		case it.flaw == outOfScope:
			return d.outsideError(it)
		case it.flaw >= overStreams && it.flaw <= overMetrics:
			name, _ := limitOf(it.flaw)
			return d.limitError(name)
		case it.flaw > flawEmpty:
			return d.legacyError(it)
		}
	}
	return nil
}

func (d *intake) readLegacy(tree map[string]any) error {
	d.legacy = true
	d.legacySource(&d.top, tree["source"])
	d.legacyTime(&d.top, tree["measure_time"])
	for _, list := range []struct{ key, kind string }{{"gauges", tidemark.Gauge}, {"counters", tidemark.Counter}} {
		members, ok := legacyMembers(tree[list.key])
		if !ok {
			return tidemark.InvalidField(list.key, "must be an array or an object")
		}
		for _, m := range members {
			if len(d.items) == tidemark.MaxBatch {
				return tooManyError()
			}
			d.legacyItem(m, list.kind, tree["period"])
		}
	}
	if len(d.items) == 0 {
		return tidemark.InvalidField("measurements", "Must contain a measurement")
	}
	return d.strict()
}

// member is one gauge or counter, and the key it was found under.
type member struct {
	key  string
	tree map[string]any
}

// legacyMembers lists gauges or counters: an array of them, or an object
// whose keys are their names, or just keys where they have names inside.
func legacyMembers(v any) (members []member, ok bool) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, one := range v {
			tree, _ := one.(map[string]any)
			members = append(members, member{tree: tree})
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			tree, _ := v[key].(map[string]any)
			members = append(members, member{key, tree})
		}
	case string:
		return nil, v == ""
	default:
		return nil, false
	}
	return members, true
}

func (d *decoder) legacyItem(m member, kind string, period any) {
	it := item{extra: int32(len(d.extras))}
	about := extra{kind: kind, tree: maps.Clone(m.tree)}
	if about.tree == nil {
		about.tree = make(map[string]any)
	}
	if about.tree["period"] == nil {
		about.tree["period"] = period
	}
	d.extras = append(d.extras, about)
	d.legacyName(&it, m)
	d.legacySource(&it.shared, m.tree["source"])
	d.legacyTime(&it.shared, m.tree["measure_time"])
	var n numbers
	for f := range numerics {
		if v, sent := m.tree[numericNames[f]]; sent && v != nil && v != "" {
			number, ok := toFloat(v)
			n.put(f, number, map[bool]presence{true: present, false: wrong}[ok])
		}
	}
	n.wrong |= n.huge // the whole request is refused either way
	it.settle(&n)
	if it.flaw == flawNone && kind == tidemark.Counter && it.summary.Sum < 0 {
		it.flaw = counterNegative
	}
	d.items = append(d.items, it)
}

func (d *decoder) legacyName(it *item, m member) {
	name := m.key
	if text, ok := m.tree["name"].(string); ok && text != "" {
		name = text
	}
	off := uint32(len(d.arena))
	d.arena = append(d.arena, name...)
	it.name = span{off, uint32(len(d.arena))}
	if name != "" && !tidemark.IsMetricName(name) {
		it.flaw = badName
	}
}

// legacySource makes a source the tag source. What names none, here or for
// all, is unassigned.
func (d *decoder) legacySource(to *shared, v any) {
	source, isText := v.(string)
	switch {
	case v == nil || isText && source == "":
		if to != &d.top {
			return
		}
		source = tidemark.UnassignedName
	case !isText || len(source) > tidemark.MaxTagValue || !all(&metricBytes, []byte(source)):
		to.hasTags, to.tagsFlaw = wrong, sourceWrong
		return
	case tidemark.MetricKey(source) == "all":
		to.hasTags, to.tagsFlaw = wrong, sourceReserved
		return
	}
	off := uint32(len(d.arena))
	d.arena = append(d.arena, "\x00source\x01"...)
	d.arena, _ = appendLower(d.arena, &metricBytes, []byte(source))
	to.tags, to.hasTags = span{off, uint32(len(d.arena))}, present
	if to.upper = tidemark.HasUpper(source); to.upper {
		to.sent = d.keep("\x00source\x01" + source)
	}
}

func (d *decoder) legacyTime(to *shared, v any) {
	if v == nil || v == "" {
		return
	}
	f, ok := toFloat(v)
	if !ok {
		to.hasTime = wrong
		return
	}
	to.time, to.hasTime = asTime(f, present)
}

// legacyError says what is wrong with it as the old service did: the field,
// and under "name" which metric it was.
func (d *intake) legacyError(it *item) error {
	param, reason := d.explain(it)
	name := shown(it.name.of(d.arena))
	var p tidemark.Problems
	switch it.flaw {
	case isComposite:
		p.Check(false, "type", "'%s' is a composite, but was submitted as different type", name)
		return p.Err()
	case tooOld, tooNew, timeNotNumber:
		p.Check(false, "measure_time", "%s", reason)
		return p.Err()
	case notObject, noName, badName:
	default:
		p.Check(name == "", "name", "%s", name)
	}
	p.Check(false, param, "%s", reason)
	return p.Err()
}
