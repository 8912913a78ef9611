package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func TestLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       int
	}{
		{"nothing", "{\n}", 0},
		{"statements", "{\n\ta()\n\tb()\n\n\tc()\n}", 4},
		{"a list is one line", "{\n\treturn []int{\n\t\t1,\n\t\t2,\n\t}\n}", 1},
		{"lists in lists are taken off once", "{\n\tx := [][]int{\n\t\t{\n\t\t\t1,\n\t\t},\n\t}\n\treturn x\n}", 2},
	}
	for _, tt := range tests {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package x\nfunc f() "+tt.body, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(fset, f.Decls[0].(*ast.FuncDecl).Body); got != tt.want {
			t.Errorf("%s: %d lines, want %d", tt.name, got, tt.want)
		}
	}
}
