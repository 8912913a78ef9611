package rest

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Decode fills v, a pointer to a struct with json tags, from a tree. It is the
// one place that knows how loosely clients write: numbers and booleans as
// texts, texts as numbers, lists as objects, null for absent. Keys that the
// struct does not have are ignored. All problems are reported at once, each
// under its field.
func Decode(tree map[string]any, v any) error {
	var d decoder
	d.fields(tree, reflect.ValueOf(v).Elem(), "")
	return d.Err()
}

type decoder struct{ tidemark.Problems }

func (d *decoder) fields(tree map[string]any, v reflect.Value, prefix string) {
	t := v.Type()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if raw, there := tree[name]; there && name != "-" && name != "" {
			d.value(raw, v.Field(i), prefix+name)
		}
	}
}

func (d *decoder) value(raw any, v reflect.Value, field string) {
	if set, ok := v.Addr().Interface().(optional); ok {
		d.optional(raw, v, field, set)
		return
	}
	if refs, ok := v.Addr().Interface().(*tidemark.ServiceRefs); ok {
		d.serviceRefs(raw, refs, field)
		return
	}
	if raw == nil {
		return // null is absent
	}
	switch v.Kind() {
	case reflect.Pointer:
		if raw == "" && v.Type().Elem().Kind() != reflect.String {
			return // an empty form field
		}
		p := reflect.New(v.Type().Elem())
		d.value(raw, p.Elem(), field)
		v.Set(p)
	case reflect.String:
		d.text(raw, v, field)
	case reflect.Int, reflect.Int64:
		d.integer(raw, v, field)
	case reflect.Float64:
		d.float(raw, v, field)
	case reflect.Bool:
		d.boolean(raw, v, field)
	case reflect.Slice:
		d.slice(raw, v, field)
	case reflect.Map:
		d.object(raw, v, field)
	case reflect.Struct:
		object, ok := raw.(map[string]any)
		d.Check(ok, field, "must be an object")
		d.fields(object, v, outermost(field))
	case reflect.Interface:
		v.Set(reflect.ValueOf(Plain(raw)))
	default:
		panic("rest: cannot decode into " + v.Type().String())
	}
}

// outermost is the prefix of fields below field: clients can read one level.
func outermost(field string) string {
	outer, _, _ := strings.Cut(field, ".")
	return outer + "."
}

// optional is *tidemark.Opt[T] of any T.
type optional interface{ IsOptional() }

func (d *decoder) optional(raw any, v reflect.Value, field string, _ optional) {
	value := v.FieldByName("V")
	empty := raw == "" && value.Kind() != reflect.String
	v.FieldByName("Set").SetBool(true)
	if raw == nil || empty {
		v.FieldByName("Null").SetBool(true)
		return
	}
	d.value(raw, value, field)
}

// mailAddresses is the one text that clients send as a list.
const mailAddresses = "settings.addresses"

func (d *decoder) text(raw any, v reflect.Value, field string) {
	switch raw := raw.(type) {
	case string:
		v.SetString(raw)
	case json.Number:
		v.SetString(raw.String())
	case bool:
		v.SetString(strconv.FormatBool(raw))
	default:
		d.Check(field == mailAddresses, field, "must be a text")
		d.Check(field != mailAddresses, field, "must be one text, with commas between several")
	}
}

func (d *decoder) integer(raw any, v reflect.Value, field string) {
	f, ok := Number(raw)
	d.Check(ok, field, "is not a number")
	if !ok {
		return
	}
	whole := math.Floor(f) // some clients send times with fractions
	d.Check(math.Abs(whole) < 1<<53, field, "is too large")
	if math.Abs(whole) < 1<<53 {
		v.SetInt(int64(whole))
	}
}

func (d *decoder) float(raw any, v reflect.Value, field string) {
	f, ok := Number(raw)
	d.Check(ok, field, "is not a number")
	v.SetFloat(f)
}

// Number reads a number, also from a text. NaN and infinities are none.
func Number(raw any) (float64, bool) {
	var text string
	switch raw := raw.(type) {
	case json.Number:
		text = raw.String()
	case string:
		text = strings.TrimSpace(raw)
	default:
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(text, "xX_pP") {
		return 0, false
	}
	return f, true
}

func (d *decoder) boolean(raw any, v reflect.Value, field string) {
	b, ok := Truth(raw)
	d.Check(ok, field, "must be true or false")
	v.SetBool(b)
}

// Truth reads a boolean as clients write it.
func Truth(raw any) (value, ok bool) {
	switch raw := raw.(type) {
	case bool:
		return raw, true
	case string:
		switch strings.ToLower(raw) {
		case "true", "1":
			return true, true
		case "false", "0":
			return false, true
		}
	case json.Number:
		return raw == "1", raw == "0" || raw == "1"
	}
	return false, false
}

func (d *decoder) slice(raw any, v reflect.Value, field string) {
	list, ok := raw.([]any)
	if object, isObject := raw.(map[string]any); isObject {
		list, ok = asList(object)
		ok = ok || len(object) == 0 // one client sends {} for no tags
	}
	d.Check(ok, field, "must be an array")
	if isEmptyField(list) && v.Type().Elem().Kind() != reflect.String {
		list = nil
	}
	out := reflect.MakeSlice(v.Type(), len(list), len(list))
	for i, item := range list {
		if item == nil {
			d.Check(false, field, "must not hold null")
			continue
		}
		d.value(item, out.Index(i), field)
	}
	v.Set(out)
}

// isEmptyField reports whether a list is what a form's a[]= makes: forms have
// no other way to send an empty list.
func isEmptyField(list []any) bool { return len(list) == 1 && list[0] == "" }

func (d *decoder) object(raw any, v reflect.Value, field string) {
	object, ok := raw.(map[string]any)
	d.Check(ok, field, "must be an object")
	out := reflect.MakeMapWithSize(v.Type(), len(object))
	for key, item := range object {
		slot := reflect.New(v.Type().Elem()).Elem()
		if item != nil {
			d.value(item, slot, outermost(field)+key)
		}
		out.SetMapIndex(reflect.ValueOf(key), slot)
	}
	v.Set(out)
}

// serviceRefs reads services as clients name them: 1, "1" or {"id": 1}.
func (d *decoder) serviceRefs(raw any, refs *tidemark.ServiceRefs, field string) {
	list, ok := raw.([]any)
	d.Check(ok, field, "must be an array")
	*refs = tidemark.ServiceRefs{}
	if isEmptyField(list) {
		return
	}
	for _, item := range list {
		if object, isObject := item.(map[string]any); isObject {
			item = object["id"]
		}
		f, ok := Number(item)
		ok = ok && f == math.Floor(f) && math.Abs(f) < 1<<53
		d.Check(ok, field, "must hold ids of services")
		if ok {
			*refs = append(*refs, int64(f))
		}
	}
}

// Plain returns a tree with Go's own numbers: int64 where whole, else float64.
func Plain(raw any) any {
	switch raw := raw.(type) {
	case json.Number:
		if i, err := raw.Int64(); err == nil {
			return i
		}
		f, ok := Number(raw)
		if !ok {
			return raw.String()
		}
		return f
	case []any:
		for i := range raw {
			raw[i] = Plain(raw[i])
		}
	case map[string]any:
		for key := range raw {
			raw[key] = Plain(raw[key])
		}
	}
	return raw
}
