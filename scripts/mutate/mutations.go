package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	file     string
	text     []byte // of the file
	line     int
	from, to int // what is replaced
	with     string
}

func (m mutant) source() []byte {
	return bytes.Join([][]byte{m.text[:m.from], []byte(m.with), m.text[m.to:]}, nil)
}

func (m mutant) String() string {
	old, _, cut := strings.Cut(string(m.text[m.from:m.to]), "\n")
	if cut {
		old += " ..."
	}
	with := m.with
	if with == "" {
		with = "nothing"
	}
	return fmt.Sprintf("%s:%d: %s becomes %s", filepath.Base(m.file), m.line, old, strings.SplitN(with, "\n", 2)[0])
}

// mutantsOf returns all mutants of a package's code, in its order.
func mutantsOf(pkg string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		if f, err = filepath.Abs(f); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		made, err := mutantsIn(f, text)
		if err != nil {
			return nil, err
		}
		all = append(all, made...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing to change in %s", pkg)
	}
	return all, nil
}

// mutantsIn returns the mutants of a file: conditions negated, comparisons
// moved by one, operators swapped, statements removed, constants changed.
func mutantsIn(name string, text []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var made []mutant
	add := func(from, to token.Pos, with string) {
		at := fset.Position(from)
		made = append(made, mutant{file: name, text: text, line: at.Line, from: at.Offset, to: fset.Position(to).Offset, with: with})
	}
	source := func(n ast.Node) string {
		return string(text[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				add(n.Cond.Pos(), n.Cond.End(), "!("+source(n.Cond)+")")
			case *ast.BinaryExpr:
				for _, op := range swapped[n.Op] {
					add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op)
				}
			case *ast.BasicLit:
				if with, ok := changed(n); ok {
					add(n.Pos(), n.End(), with)
				}
			case *ast.BlockStmt:
				for _, s := range n.List {
					if removable(s) {
						add(s.Pos(), s.End(), "")
					}
				}
			}
			return true
		})
	}
	return made, nil
}

var swapped = map[token.Token][]string{
	token.LSS: {"<="}, token.LEQ: {"<"}, token.GTR: {">="}, token.GEQ: {">"},
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"},
}

// changed returns another value than a literal has.
func changed(n *ast.BasicLit) (string, bool) {
	if n.Kind != token.INT {
		return "", false
	}
	v, err := strconv.ParseInt(n.Value, 0, 63)
	return strconv.FormatInt(v+1, 10), err == nil
}

// removable tells whether a function may compile without the statement.
func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	}
	return false
}
