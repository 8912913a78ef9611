package main

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// maxLines is the length of a function that cannot be read at once.
const maxLines = 80

var length = &analysis.Analyzer{Name: "length", Doc: "report functions that are too long", Run: func(pass *analysis.Pass) (any, error) {
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if n := lines(pass.Fset, fn.Body); n > maxLines {
					pass.Reportf(fn.Pos(), "%s has %d lines, %d are allowed", fn.Name.Name, n, maxLines)
				}
			}
		}
	}
	return nil, nil
}}

// lines counts those of a function's body. A list, such as a table of routes,
// counts as one line however long it is: it is not read as code is.
func lines(fset *token.FileSet, body *ast.BlockStmt) int {
	n := span(fset, body) - 1
	ast.Inspect(body, func(node ast.Node) bool {
		list, ok := node.(*ast.CompositeLit)
		if ok {
			n -= span(fset, list)
		}
		return !ok
	})
	return n
}

// span is how many lines a node reaches beyond its first.
func span(fset *token.FileSet, n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line
}
