package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRunbook: every warning and error that the server logs has its line, and
// one only, so that no two say different things.
func TestRunbook(t *testing.T) {
	page, err := os.ReadFile("runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	messages := logged(t)
	if len(messages) < 15 {
		t.Fatalf("found only %d messages: %v", len(messages), messages)
	}
	for text, where := range messages {
		if lines := strings.Count(string(page), "| `"+text+"` |"); lines != 1 {
			t.Errorf("docs/runbook.md has %d lines for %q, which %s logs", lines, text, where)
		}
	}
	for line := range strings.Lines(string(page)) {
		text, isMessage := strings.CutPrefix(line, "| `")
		text, rest, _ := strings.Cut(text, "` |")
		if _, there := messages[text]; isMessage && strings.Count(rest, "|") == 2 && !there {
			t.Errorf("docs/runbook.md has a line for %q, which nothing logs", text)
		}
	}
}

// logged returns the texts of all warnings and errors in the source, and
// where they are.
func logged(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, root := range []string{"../internal", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil || !importsSlog(file) {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if text := message(call); text != "" {
						found[text] = fset.Position(call.Pos()).String()
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func importsSlog(f *ast.File) bool {
	for _, i := range f.Imports {
		if i.Path.Value == `"log/slog"` {
			return true
		}
	}
	return false
}

// message returns the text of a call that logs a warning or an error: the
// string literal among its first arguments.
func message(call *ast.CallExpr) string {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch method.Sel.Name {
	case "Warn", "Error", "WarnContext", "ErrorContext":
	case "LogAttrs", "Log":
		if len(call.Args) < 2 || !isSevere(call.Args[1]) {
			return ""
		}
	default:
		return ""
	}
	for _, arg := range call.Args[:min(3, len(call.Args))] {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			return text
		}
	}
	return ""
}

func isSevere(level ast.Expr) bool {
	sel, ok := level.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "LevelWarn" || sel.Sel.Name == "LevelError")
}
