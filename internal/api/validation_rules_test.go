package api

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// rule is one thing that the source can say is wrong with a request.
type rule struct {
	at    string // file and line
	in    string // the function that says so
	field string // a pattern; "" where it is not about a field
	text  string // a pattern
}

// ruled are the folders whose rules clients can break.
var ruled = []string{"../..", ".", "rest", "shared", "v1", "legacy", "uiapi/people", "uiapi/org", "uiapi/alerts", "uiapi/objectives", "uiapi/dashboards", "../store", "../auth", "../query", "../ingest", "../notify"}

// rules finds all rules in the source: whatever makes an error for a caller.
func rules(t *testing.T) (all []rule) {
	t.Helper()
	for _, dir := range ruled {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			all = append(all, rulesOf(t, file)...)
		}
	}
	return all
}

func rulesOf(t *testing.T, file string) (all []rule) {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range tree.Decls {
		in := tree.Name.Name + "." + declName(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			for _, r := range rulesAt(n) {
				r.at, r.in = fmt.Sprintf("%s:%d", filepath.Base(file), fset.Position(n.Pos()).Line), in
				all = append(all, r)
			}
			return true
		})
		all = append(all, settingRules(fset, decl, in)...)
	}
	return all
}

// declName is what a declaration is called: "Alert.Validate", "ByName".
func declName(decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	if !ok {
		return "var"
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return fmt.Sprint(of) + "." + f.Name.Name
}

// rulesAt returns the rules that n states.
func rulesAt(n ast.Node) []rule {
	switch n := n.(type) {
	case *ast.CallExpr:
		return callRules(calledName(n), n.Args)
	case *ast.CompositeLit:
		return literalRules(n)
	}
	return nil
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func callRules(name string, args []ast.Expr) []rule {
	switch {
	case name == "Check" && len(args) >= 3:
		return []rule{{field: pattern(args[1]), text: pattern(args[2])}}
	case name == "InvalidField" && len(args) >= 2:
		return []rule{{field: pattern(args[0]), text: pattern(args[1])}}
	case name == "Errorf" && len(args) >= 2 && isKind(args[0]) && !isNotFound(args[0]):
		return []rule{{text: pattern(args[1])}}
	case name == "invalid" && len(args) >= 2:
		return []rule{{text: pattern(args[1])}}
	case name == "listError" && len(args) == 2:
		return []rule{{text: pattern(args[1])}}
	case name == "Text" && len(args) == 4:
		return textRules(pattern(args[0]), isZero(args[2]))
	case name == "optionalText" && len(args) == 4:
		return textRules(pattern(args[1]), true)
	}
	return nil
}

// textRules are those of Problems.Text.
func textRules(field string, mayBeEmpty bool) []rule {
	list := []rule{{field: field, text: `is longer than \d+ characters`}, {field: field, text: `has characters that cannot be stored`}}
	if !mayBeEmpty {
		list = append(list, rule{field: field, text: "is not present"})
	}
	return list
}

// literalRules are those of &tidemark.Error{Msg: ...}, and of the table of
// what can be wrong with a measurement.
func literalRules(lit *ast.CompositeLit) (list []rule) {
	if array, ok := lit.Type.(*ast.ArrayType); ok {
		if s, ok := array.Elt.(*ast.StructType); !ok || len(s.Fields.List) != 1 || len(s.Fields.List[0].Names) != 2 || s.Fields.List[0].Names[1].Name != "reason" {
			return nil
		}
		for _, e := range lit.Elts {
			if flaw, ok := e.(*ast.KeyValueExpr).Value.(*ast.CompositeLit); ok && len(flaw.Elts) == 2 {
				list = append(list, rule{field: pattern(flaw.Elts[0]), text: pattern(flaw.Elts[1])})
			}
		}
		return list
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || isNotFound(kv.Value) {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Msg" && isError(lit.Type) {
			list = append(list, rule{text: pattern(kv.Value)})
		}
	}
	return list
}

func isError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "Error"
	case *ast.SelectorExpr:
		return e.Sel.Name == "Error"
	}
	return false
}

// settingRules are those of services' settings: functions that return what is
// wrong with a value.
func settingRules(fset *token.FileSet, decl ast.Decl, in string) (list []rule) {
	f, ok := decl.(*ast.FuncDecl)
	if !ok || f.Body == nil || !strings.HasSuffix(fset.Position(f.Pos()).Filename, "service_type.go") || f.Recv != nil || f.Type.Results == nil {
		return nil
	}
	if result, ok := f.Type.Results.List[0].Type.(*ast.Ident); !ok || result.Name != "string" {
		return nil
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && pattern(ret.Results[0]) != "" {
			list = append(list, rule{at: fmt.Sprintf("service_type.go:%d", fset.Position(n.Pos()).Line), in: in, field: ".*", text: pattern(ret.Results[0])})
		}
		return true
	})
	return list
}

func isKind(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return ast.IsExported(e.Name)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == "tidemark"
	}
	return false
}

// isNotFound tells the kind whose errors all have the same words on the wire.
func isNotFound(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "NotFound"
}

func isZero(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == "0"
}

var verb = regexp.MustCompile(`%(d|s|q|v|%)`)

// pattern is what a text in the source becomes when it is said: verbs and
// variables may be anything.
func pattern(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return ".*"
		}
		quoted := regexp.QuoteMeta(text)
		return verb.ReplaceAllStringFunc(quoted, func(v string) string {
			if v == "%%" {
				return "%"
			}
			return ".*"
		})
	case *ast.BinaryExpr:
		return pattern(e.X) + pattern(e.Y)
	}
	return ".*"
}
