// Package nonnil has JSON say [] and {} where Go has nil lists and maps: who
// reads an answer goes through its lists without asking whether they are there.
// A field keeps its null where nothing is something of its own to say, which
// its tag wire says (null), and is left out where its tag json says so.
package nonnil

import (
	"reflect"
	"strings"
)

// Of returns v, which is to become JSON, with empty lists and maps for those
// that are nil. What v points to may be in use elsewhere and stays as it is:
// where anything has to be filled, what leads there is copied.
func Of(v any) any {
	if value := reflect.ValueOf(v); lacks(value) {
		return filled(value).Interface()
	}
	return v
}

// isPlain reports whether nothing of a kind can hold a list.
func isPlain(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// isList reports whether JSON has t as a list or an object of any size; bytes
// are a text.
func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
}

// mayBeNull reports whether null says something of its own in a field.
func mayBeNull(f reflect.StructField) bool { return f.Tag.Get("wire") == "null" }

// mayBeMissing reports whether JSON leaves a field out where there is nothing
// in it.
func mayBeMissing(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.Contains(options, "omit")
}

// isLeft reports whether a field stays as it is.
func isLeft(f reflect.StructField, field reflect.Value) bool {
	return !isShown(f) || isNil(field) && (mayBeNull(f) || mayBeMissing(f))
}

// isShown reports whether JSON has a field.
func isShown(f reflect.StructField) bool {
	return f.Tag.Get("json") != "-" && (f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct)
}

// lacks reports whether there is anything in v to fill.
func lacks(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && lacks(v.Elem())
	case reflect.Struct:
		for f, field := range v.Fields() {
			if !isLeft(f, field) && lacks(field) {
				return true
			}
		}
	case reflect.Map:
		if v.IsNil() {
			return true
		}
		for _, item := range v.Seq2() {
			if lacks(item) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if isNil(v) {
			return isList(v.Type())
		}
		for i := 0; i < v.Len() && !isPlain(v.Type().Elem()); i++ {
			if lacks(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

func isNil(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil()
}

// fill fills v, which is nobody else's; what v points to may be.
func fill(v reflect.Value) {
	if !lacks(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		own := reflect.New(v.Type().Elem())
		own.Elem().Set(v.Elem())
		fill(own.Elem())
		v.Set(own)
	case reflect.Interface:
		v.Set(filled(v.Elem()))
	case reflect.Struct:
		for f, field := range v.Fields() {
			if !isLeft(f, field) {
				fill(field)
			}
		}
	case reflect.Map:
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, item := range v.Seq2() {
			own.SetMapIndex(key, filled(item))
		}
		v.Set(own)
	case reflect.Slice:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		fillEach(v)
	case reflect.Array:
		fillEach(v)
	}
}

func fillEach(v reflect.Value) {
	for i := range v.Len() {
		fill(v.Index(i))
	}
}

// filled returns a copy of v that is filled.
func filled(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	fill(own)
	return own
}

// In fills v, which JSON was decoded into, as a value of type t has it: also
// lists and maps that are missing, as they are in what was written before there
// was such a field.
func In(t reflect.Type, v any) any {
	switch t.Kind() {
	case reflect.Pointer:
		return In(t.Elem(), v)
	case reflect.Struct:
		if object, isObject := v.(map[string]any); isObject {
			inFields(t, object)
		}
	case reflect.Slice:
		items, isThere := v.([]any)
		if !isThere && v == nil && isList(t) {
			return []any{}
		}
		for i := range items {
			items[i] = In(t.Elem(), items[i])
		}
	case reflect.Map:
		object, isThere := v.(map[string]any)
		if !isThere && v == nil {
			return map[string]any{}
		}
		for name := range object {
			object[name] = In(t.Elem(), object[name])
		}
	}
	return v
}

func inFields(t reflect.Type, object map[string]any) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		v, isThere := object[name]
		if v != nil || !mayBeNull(f) && (isThere || isList(f.Type) && !mayBeMissing(f)) {
			object[name] = In(f.Type, v)
		}
	}
}
