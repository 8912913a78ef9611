package api

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// documentedName is the name that docs/openapi.yaml has for a type, or "".
func documentedName(t reflect.Type) string {
	for _, name := range sortedKeys(documentedTypes) { // Condition before ConditionWrite
		if reflect.TypeOf(documentedTypes[name]) == t {
			return name
		}
	}
	return ""
}

// field is a field of a type as JSON has it. Its tag wire says what its type
// does not: null, of a list that can be null, or its words, as a|b|c.
type field struct {
	goName, name string
	kind         reflect.Type
	wire         string
	isOptional   bool
}

// fieldsOf returns the fields of a struct, and the structs it embeds.
func fieldsOf(t reflect.Type) (fields []field, embedded []reflect.Type) {
	for f := range t.Fields() {
		tag, isTagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && !isTagged:
			embedded = append(embedded, pointed(f.Type))
		case isTagged && name != "-":
			one := field{f.Name, name, f.Type, f.Tag.Get("wire"), strings.Contains(options, "omit")}
			if _, isOpt := reflect.PointerTo(f.Type).MethodByName("IsOptional"); isOpt {
				v, _ := f.Type.FieldByName("V")
				one.kind, one.isOptional = v.Type, true
			}
			fields = append(fields, one)
		}
	}
	return fields, embedded
}

func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// typeScript writes Go types as TypeScript.
type typeScript struct {
	t      *testing.T
	says   map[string]string       // what the source says of types and their fields
	types  map[string]reflect.Type // that were written, by name
	text   map[string]string
	shared map[string]bool // names of types.gen.ts that are used
}

// documentedDirs are where the types of answers are, below the root.
var documentedDirs = []string{".", "internal/api/rest", "internal/api/shared", "internal/api/uiapi/people", "internal/api/uiapi/org", "internal/api/uiapi/alerts", "internal/api/uiapi/objectives", "internal/api/uiapi/dashboards", "internal/query", "internal/store", "internal/usage"}

func newTypeScript(t *testing.T) *typeScript {
	ts := &typeScript{t, make(map[string]string), make(map[string]reflect.Type), make(map[string]string), make(map[string]bool)}
	for _, dir := range documentedDirs {
		files, err := filepath.Glob("../../" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range parsed.Decls {
				ts.keep(parsed.Name.Name, decl)
			}
		}
	}
	return ts
}

// keep keeps what the source says of types and fields.
func (ts *typeScript) keep(pkg string, n ast.Decl) {
	decl, isDecl := n.(*ast.GenDecl)
	if !isDecl || decl.Tok != token.TYPE {
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		doc := spec.Doc.Text() + spec.Comment.Text()
		if len(decl.Specs) == 1 {
			doc = decl.Doc.Text() + doc
		}
		ts.says[pkg+"."+spec.Name.Name] = sentence(spec.Name.Name, doc)
		if fields, isStruct := spec.Type.(*ast.StructType); isStruct {
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					ts.says[pkg+"."+spec.Name.Name+"."+name.Name] = sentence(name.Name, f.Doc.Text()+f.Comment.Text())
				}
			}
		}
	}
}

// sentence makes "Who is signed in." of "session is who is signed in.".
func sentence(name, doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	for _, start := range []string{name + " is ", name + " are ", name + " "} {
		if rest, ok := strings.CutPrefix(doc, start); ok {
			doc = rest
			break
		}
	}
	return capital(doc)
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return string(unicode.ToUpper(rune(s[0]))) + s[1:]
}

// renamed are types whose names say enough only with that of their package.
var renamed = map[reflect.Type]string{
	reflect.TypeFor[query.Function]():        "ComposeFunction",
	reflect.TypeFor[store.Use]():             "MetricUse",
	reflect.TypeFor[store.Usage]():           "DayUsage",
	reflect.TypeFor[tidemark.ServiceField](): "ServiceField",
	reflect.TypeFor[tidemark.Part]():         "SentencePart",
	reflect.TypeFor[tidemark.Membership]():   "Member",
}

// of returns what TypeScript calls t; structs are declared by the way.
func (ts *typeScript) of(t reflect.Type, wire string) string {
	t = pointed(t)
	if name := documentedName(t); name != "" {
		ts.shared[name] = true
		return name
	}
	switch t.Kind() {
	case reflect.Struct:
		return ts.declare(t)
	case reflect.Slice, reflect.Array:
		item := ts.of(t.Elem(), wire)
		if t.Kind() == reflect.Array && t.Len() == 2 {
			return "[" + item + ", " + item + "]"
		}
		if strings.Contains(item, " | ") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case reflect.Map:
		item := ts.of(t.Elem(), wire)
		if t.Elem().Kind() == reflect.Pointer && t.Elem().Elem().Kind() != reflect.Struct {
			item += " | null"
		}
		return "Record<string, " + item + ">"
	case reflect.String:
		if wire != "" && wire != "null" {
			return `"` + strings.ReplaceAll(wire, "|", `" | "`) + `"`
		}
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "unknown"
	}
	return "number"
}

func (ts *typeScript) declare(t reflect.Type) string {
	name := cmp.Or(renamed[t], capital(t.Name()))
	if old, ok := ts.types[name]; ok {
		if old != t {
			ts.t.Errorf("%s and %s are both called %s", old, t, name)
		}
		return name
	}
	ts.types[name] = t
	source := path.Base(t.PkgPath()) + "." + t.Name()
	fields, embedded := fieldsOf(t)
	var b strings.Builder
	b.WriteString(comment("", ts.says[source]) + "export type " + name + " = ")
	for _, e := range embedded {
		b.WriteString(ts.of(e, "") + " & ")
	}
	if len(fields) == 0 {
		b.WriteString("Record<string, never>;\n")
		ts.text[name] = b.String()
		return name
	}
	b.WriteString("{\n")
	for _, f := range fields {
		mark, kind := "", ts.of(f.kind, f.wire)
		if f.isOptional {
			mark = "?"
		}
		if f.wire == "null" || f.kind.Kind() == reflect.Pointer && !f.isOptional {
			kind += " | null"
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", comment("  ", ts.says[source+"."+f.goName]), f.name, mark, kind)
	}
	b.WriteString("};\n")
	ts.text[name] = b.String()
	return name
}

func comment(pad, text string) string {
	if text == "" {
		return ""
	}
	return pad + "/** " + text + " */\n"
}

// file is the file with all types that the routes of a table name.
func (ts *typeScript) file(table []rest.Route) string {
	var answers, bodies, events strings.Builder
	for _, rt := range table {
		fmt.Fprintf(&answers, "  %q: %s;\n", rt.Name(), ts.named(rt.Answer))
		if rt.Body != nil {
			fmt.Fprintf(&bodies, "  %q: %s;\n", rt.Name(), ts.named(rt.Body))
		}
		kinds, _ := rt.Answer.(rest.Events)
		for _, kind := range sortedKeys(kinds) {
			fmt.Fprintf(&events, "  %q: %s;\n", rt.Name()+" "+kind, ts.of(reflect.TypeOf(kinds[kind]), ""))
		}
	}
	var b strings.Builder
	b.WriteString("// Made by go test ./internal/api -run TestContract -update from the routes of /ui/api. Do not edit.\n")
	fmt.Fprintf(&b, "import type { %s } from \"./types.gen\";\n", strings.Join(sortedKeys(ts.shared), ", "))
	fmt.Fprintf(&b, "\n/** What each route answers. */\nexport type Answers = {\n%s};\n", &answers)
	fmt.Fprintf(&b, "\n/** The body that each route reads. */\nexport type Bodies = {\n%s};\n", &bodies)
	fmt.Fprintf(&b, "\n/** The events of each route that sends some. */\nexport type Events = {\n%s};\n", &events)
	for _, name := range sortedKeys(ts.text) {
		b.WriteString("\n" + ts.text[name])
	}
	return b.String()
}

// named is the type of what a route reads or answers.
func (ts *typeScript) named(v any) string {
	switch v.(type) {
	case rest.Nothing:
		return "undefined"
	case rest.Picture, rest.Redirect, rest.File, rest.Events:
		return "never"
	}
	return ts.of(reflect.TypeOf(v), "")
}
