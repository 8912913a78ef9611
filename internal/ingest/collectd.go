package ingest

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
)

// valueList is what collectd's write_http plugin sends an array of.
type valueList struct {
	Values         []json.RawMessage `json:"values"`
	DSNames        []string          `json:"dsnames"`
	Time           json.RawMessage   `json:"time"`
	Interval       json.RawMessage   `json:"interval"`
	Host           string            `json:"host"`
	Plugin         string            `json:"plugin"`
	PluginInstance string            `json:"plugin_instance"`
	Type           string            `json:"type"`
	TypeInstance   string            `json:"type_instance"`
}

// readCollectd reads collectd's array. Each value of a list becomes a
// measurement of collectd.PLUGIN.TYPE.DSNAME, without DSNAME where it is
// "value"; host, plugin_instance and type_instance become tags where they are
// not empty. Characters that names and tags cannot have become _. A value
// that collectd does not know (null) is nothing to record.
func (d *decoder) readCollectd() error {
	for more := d.enter(']'); more; more = d.more(']') {
		d.peek()
		start := d.i
		d.skip(2)
		if d.fault != "" {
			break
		}
		d.collectdList(d.b[start:d.i])
		if len(d.items) > tidemark.MaxBatch {
			return tooManyError()
		}
	}
	d.end()
	switch {
	case d.fault != "":
		return d.notJSON()
	case d.huge:
		return invalid(nil, "a number has an exponent over %d", tidemark.MaxExponent)
	case len(d.items) == 0:
		return emptyError()
	}
	return nil
}

// maxList is how long one of collectd's lists may be; real ones have some
// hundred bytes.
const maxList = 64 << 10

func (d *decoder) collectdList(raw []byte) {
	var v valueList
	switch {
	case len(raw) > maxList:
		d.items = append(d.items, item{extra: -1, flaw: tooLong})
	case raw[0] != '{' || json.Unmarshal(raw, &v) != nil:
		d.items = append(d.items, item{extra: -1, flaw: notObject})
	default:
		d.valueList(&v)
	}
}

func (d *decoder) valueList(v *valueList) {
	it := item{extra: d.interval(v.Interval)}
	time, is := jsonNumber(v.Time)
	it.time, it.hasTime = asTime(time, is)
	d.collectdTags(&it, v)
	switch {
	case v.Plugin == "" || v.Type == "":
		it.flaw = noName
	case len(v.Values) == 0:
		it.flaw = noValue
	case it.hasTime == wrong:
		it.flaw = timeNotNumber
	}
	if it.flaw != flawNone {
		d.items = append(d.items, it)
		return
	}
	for i, raw := range v.Values {
		one := it
		d.collectdName(&one, v, i)
		var n numbers
		n.set(fieldValue, raw)
		d.huge = d.huge || n.huge != 0
		if one.flaw == flawNone {
			one.summary, one.field, one.flaw = n.summarize()
		}
		if one.flaw == noValue {
			one.flaw = flawEmpty
		}
		d.items = append(d.items, one)
	}
}

// interval keeps the seconds between two values, as the metric's period.
func (d *decoder) interval(raw json.RawMessage) int32 {
	v, is := jsonNumber(raw)
	if is != present {
		return -1
	}
	d.extras = append(d.extras, extra{tree: map[string]any{"period": v}})
	return int32(len(d.extras) - 1)
}

func (d *decoder) collectdTags(it *item, v *valueList) {
	begin, sent := len(d.arena), ""
	for _, tag := range []struct{ name, value string }{ // in order of names
		{"host", v.Host}, {"plugin_instance", v.PluginInstance}, {"type_instance", v.TypeInstance},
	} {
		if tag.value == "" {
			continue
		}
		d.arena = append(append(append(d.arena, 0), tag.name...), 1)
		start := len(d.arena)
		d.arena = appendClean(d.arena, &valueBytes, tag.value, true)
		if len(d.arena)-start > tidemark.MaxTagValue {
			it.flaw = badTagValue
		}
		if tidemark.HasUpper(tag.value) {
			sent += "\x00" + tag.name + "\x01" + string(appendClean(nil, &valueBytes, tag.value, false))
		}
	}
	if len(d.arena) > begin {
		it.tags, it.hasTags = span{uint32(begin), uint32(len(d.arena))}, present
	}
	if it.upper = sent != ""; it.upper {
		it.sent = d.keep(sent)
	}
}

func (d *decoder) collectdName(it *item, v *valueList, i int) {
	begin := len(d.arena)
	d.arena = append(d.arena, "collectd."...)
	d.arena = appendClean(d.arena, &metricBytes, v.Plugin, false)
	d.arena = append(d.arena, '.')
	d.arena = appendClean(d.arena, &metricBytes, v.Type, false)
	if i < len(v.DSNames) && v.DSNames[i] != "value" && v.DSNames[i] != "" {
		d.arena = append(d.arena, '.')
		d.arena = appendClean(d.arena, &metricBytes, v.DSNames[i], false)
	}
	it.name = span{uint32(begin), uint32(len(d.arena))}
	if len(d.arena)-begin > tidemark.MaxName {
		it.flaw = badName
	}
}

// appendClean appends text with an underscore for each character that a has
// not, in lower case or as it is.
func appendClean(dst []byte, a *alphabet, text string, lower bool) []byte {
	for _, r := range text {
		switch {
		case r >= utf8.RuneSelf || a[r] == 0:
			dst = append(dst, '_')
		case lower:
			dst = append(dst, a[r])
		default:
			dst = append(dst, byte(r))
		}
	}
	return dst
}

// jsonNumber reads a number as it is written in JSON, or in quotes there.
func jsonNumber(raw json.RawMessage) (float64, presence) {
	if len(raw) == 0 || string(raw) == "null" {
		return 0, absent
	}
	v, ok := parseNumber(bytes.Trim(raw, `"`))
	if !ok {
		return 0, wrong
	}
	return v, present
}

// set takes one number over.
func (n *numbers) set(f numeric, raw json.RawMessage) {
	v, is := jsonNumber(raw)
	n.put(f, v, is)
}
