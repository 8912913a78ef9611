package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// The model is the plain way to read a request: the standard library makes a
// tree of it, and every rule is one line over the tree. The decoder must agree
// with it on every input.

// object is a JSON object with its members in order.
type object []pair

type pair struct {
	key string
	v   any
}

// get returns the last member called key; none and null are nil.
func (o object) get(key string) (v any) {
	for _, p := range o {
		if p.key == key {
			v = p.v
		}
	}
	return v
}

// modelTree reads body into object, []any, string, json.Number, bool and nil.
func modelTree(body []byte) (any, error) {
	if !json.Valid(body) {
		return nil, errors.New("not JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	return modelValue(dec, 1)
}

func modelValue(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth > maxDepth {
		return nil, errors.New("too deep")
	}
	var o object
	var a []any
	for dec.More() {
		var key any
		if delim == '{' {
			key, _ = dec.Token()
		}
		v, err := modelValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		if delim == '{' {
			o = append(o, pair{key.(string), v})
		} else {
			a = append(a, v)
		}
	}
	_, err = dec.Token()
	if delim == '{' {
		return o, err
	}
	return a, err
}

// modelResult is what a request comes to.
type modelResult struct {
	fails    bool // as a whole
	records  []modelRecord
	failed   map[int]string // index to the parameter that is wrong
	filtered int
}

type modelRecord struct {
	key     string
	time    int64
	summary tsdb.Summary
}

func model(body []byte, now, oldest int64) modelResult {
	tree, err := modelTree(body)
	top, isObject := tree.(object)
	if err != nil || !isObject {
		return modelResult{fails: true}
	}
	list, isList := top.get("measurements").([]any)
	if !isList || len(list) == 0 || len(list) > tidemark.MaxBatch {
		return modelResult{fails: true}
	}
	res := modelResult{failed: make(map[int]string)}
	for i, v := range list {
		rec, param, huge := modelMeasurement(v, top, now, oldest)
		switch {
		case huge:
			return modelResult{fails: true}
		case param == "filtered":
			res.filtered++
		case param != "":
			res.failed[i] = param
		default:
			res.records = append(res.records, rec)
		}
	}
	return res
}

func modelMeasurement(v any, top object, now, oldest int64) (rec modelRecord, param string, huge bool) {
	m, ok := v.(object)
	if !ok {
		return rec, "measurements", false
	}
	n := map[string]float64{}
	wrong := ""
	for _, field := range numericNames[:fieldSquares] {
		f, is := modelNumber(m.get(field))
		switch {
		case is == "wrong" && wrong == "":
			wrong = field
		case is == "ok" && math.Abs(f) >= 1e127:
			huge = true
		case is == "ok" && math.Abs(f) < 1e-130:
			n[field] = 0
		case is == "ok":
			n[field] = f
		}
	}
	if huge {
		return rec, "", true
	}
	ownTags, ownTagsOK := modelTags(m.get("tags"))
	ownTime, ownTimeIs := modelNumber(m.get("time"))
	name, isText := m.get("name").(string)
	switch {
	case m.get("name") != nil && !isText, name != "" && !tidemark.IsMetricName(name), name == "":
		return rec, "name", false
	case !ownTagsOK:
		return rec, "tags", false
	case ownTimeIs == "wrong":
		return rec, "time", false
	case wrong != "":
		return rec, wrong, false
	}
	if rec.summary, param = modelSummary(n); param != "" {
		return rec, param, false
	}
	tags, ok := ownTags, true
	if len(tags) == 0 {
		tags, ok = modelTags(top.get("tags"))
	}
	if !ok {
		return rec, "tags", false
	}
	at, is := ownTime, ownTimeIs
	if is == "" || math.Floor(at) == 0 {
		at, is = modelNumber(top.get("time"))
	}
	at = math.Floor(at)
	if is == "" || at == 0 && is == "ok" {
		at = float64(now)
	}
	if is == "wrong" || at < float64(oldest) || at > float64(now+tidemark.MaxTimeAhead) {
		return rec, "time", false
	}
	rec.time = int64(at)
	rec.key = string(tsdb.AppendKey(nil, strings.ToLower(name), tidemark.MakeTags(tags)))
	return rec, "", false
}

func modelNumber(v any) (f float64, is string) {
	var text string
	switch v := v.(type) {
	case nil:
		return 0, ""
	case json.Number:
		text = string(v)
	case string:
		text = strings.TrimSpace(v)
		if !json.Valid([]byte(text)) || text == "" || !strings.ContainsAny(text[:1], "-0123456789") {
			return 0, "wrong"
		}
	default:
		return 0, "wrong"
	}
	f, err := json.Number(text).Float64()
	if err != nil && !math.IsInf(f, 0) {
		return 0, "wrong"
	}
	return f, "ok"
}

// modelTags returns the tags of v in lower case, and whether they are any.
func modelTags(v any) (map[string]string, bool) {
	o, isObject := v.(object)
	if list, isList := v.([]any); v == nil || isList && len(list) == 0 {
		return nil, true
	}
	if !isObject || len(o) >= maxTagEntries {
		return nil, false
	}
	tags := make(map[string]string)
	bad := make(map[string]bool)
	for _, p := range o {
		name := lowerASCII(p.key)
		delete(tags, name)
		delete(bad, name)
		var text string
		switch v := p.v.(type) {
		case nil:
			continue
		case string:
			text = v
		case json.Number:
			text = string(v)
		case bool:
			text = map[bool]string{true: "true", false: "false"}[v]
		}
		tags[name] = strings.ToLower(text)
		bad[name] = !tidemark.IsTagName(p.key) || !tidemark.IsTagValue(text)
	}
	ok := len(tags) <= tidemark.MaxTags
	for _, b := range bad {
		ok = ok && !b
	}
	return tags, ok
}

// lowerASCII leaves alone what a tag cannot have anyway.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func modelSummary(n map[string]float64) (s tsdb.Summary, param string) {
	v, hasValue := n["value"]
	c, hasCount := n["count"]
	total, hasSum := n["sum"]
	switch {
	case hasValue && (hasCount || hasSum), !hasValue && !hasCount && !hasSum:
		return s, "value"
	case hasValue:
		return tsdb.Single(v), ""
	case hasCount && c == 0:
		return s, "filtered"
	case !hasSum:
		return s, "sum"
	case !hasCount || c < 1:
		return s, "count"
	}
	mean := total / c
	s = tsdb.Summary{Count: c, Sum: total, Min: mean, Max: mean, Last: mean}
	low, hasMin := n["min"]
	high, hasMax := n["max"]
	switch {
	case hasMin && hasMax:
		s.Min, s.Max = low, high
	case hasMin:
		s.Min, s.Max = low, max(low, mean)
	case hasMax:
		s.Min, s.Max = min(high, mean), high
	}
	if s.Min > s.Max {
		return s, "min"
	}
	if v, ok := n["last"]; ok {
		s.Last = v
	}
	if d, ok := n["stddev"]; ok {
		s.M2 = d * d * c
		if d < 0 || math.IsInf(s.M2, 0) {
			return s, "stddev"
		}
	} else if d, ok := n["stddev_m2"]; ok {
		w := s.Max - s.Min
		s.M2 = d
		if hasMin && hasMax && d >= 0 && (d < w*w/2*(1-1e-6) || d > c*w*w/4*(1+1e-6)) {
			s.M2 = d * d * (c - 1)
		}
		if d < 0 || math.IsInf(s.M2, 0) || math.IsNaN(s.M2) {
			return s, "stddev_m2"
		}
	}
	return s, ""
}

// sortedKeys makes a map comparable in a message.
func sortedKeys(m map[int]string) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
