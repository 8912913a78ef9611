package api

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// fits reports what of v, which was JSON, is not as t says.
func fits(at string, t reflect.Type, wire string, v any) error {
	if v == nil {
		if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || wire == "null" {
			return nil
		}
		return fmt.Errorf("%s is null", at)
	}
	t = pointed(t)
	if name := documentedName(t); name != "" {
		doc, err := document()
		if err != nil {
			return err
		}
		return doc.Components.Schemas[name].Value.VisitJSON(v, openapi3.EnableJSONSchema2020())
	}
	isRight := false
	switch t.Kind() {
	case reflect.Interface:
		return nil
	case reflect.Struct:
		return fitsObject(at, t, v)
	case reflect.Slice, reflect.Array, reflect.Map:
		return fitsEach(at, t, wire, v)
	case reflect.String:
		s, isString := v.(string)
		isRight = isString && (wire == "" || wire == "null" || slices.Contains(strings.Split(wire, "|"), s))
	case reflect.Bool:
		_, isRight = v.(bool)
	default:
		_, isRight = v.(float64)
	}
	if !isRight {
		return fmt.Errorf("%s is %#v, not %s %s", at, v, t, wire)
	}
	return nil
}

func fitsEach(at string, t reflect.Type, wire string, v any) (err error) {
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			err = cmp.Or(err, fits(fmt.Sprint(at, "[", i, "]"), t.Elem(), wire, one))
		}
		return err
	case map[string]any:
		for name, one := range v {
			err = cmp.Or(err, fits(at+"."+name, t.Elem(), wire, one))
		}
		return err
	}
	return fmt.Errorf("%s is %#v, not %s", at, v, t)
}

func fitsObject(at string, t reflect.Type, v any) error {
	object, isObject := v.(map[string]any)
	if !isObject {
		return fmt.Errorf("%s is %#v, not an object", at, v)
	}
	known := make(map[string]bool)
	for types := []reflect.Type{t}; len(types) > 0; types = types[1:] {
		fields, embedded := fieldsOf(types[0])
		types = append(types, embedded...)
		for _, f := range fields {
			known[f.name] = true
			value, isThere := object[f.name]
			if !isThere && !f.isOptional {
				return fmt.Errorf("%s.%s is missing", at, f.name)
			}
			if isThere {
				if err := fits(at+"."+f.name, f.kind, f.wire, value); err != nil {
					return err
				}
			}
		}
	}
	for name := range object {
		if !known[name] {
			return fmt.Errorf("%s.%s is not in %s", at, name, t)
		}
	}
	return nil
}
