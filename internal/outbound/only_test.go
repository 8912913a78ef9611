package outbound

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// waysOut are the names that make a connection past the guard.
var waysOut = map[string][]string{
	"net/http": {"DefaultClient", "DefaultTransport", "Client", "Transport", "Get", "Head", "Post", "PostForm"},
	"net":      {"Dial", "DialTimeout", "Dialer", "DialTCP", "DialUDP", "DialUnix", "DialIP"},
	"net/smtp": {"SendMail", "Dial", "NewClient"},
}

// exempt are the places that contact what the operator chose, never what a
// user did. Each has its reason.
var exempt = map[string]string{
	"client":                   "speaks to a server as its caller says",
	"internal/agent":           "runs on the machine it watches, as its owner's settings say",
	"internal/app/admin.go":    "the socket of the server itself",
	"internal/app/demo.go":     "speaks to the server itself, without a network",
	"internal/app/door.go":     "the socket of the server itself",
	"internal/cli":             "runs on the operator's machine, for the operator",
	"internal/demo":            "speaks to the server itself",
	"internal/objects":         "the operator's own storage of backups, by its settings",
	"internal/outbound":        "the guard",
	"internal/tsdb/clickhouse": "the operator's own database, by its settings",
	"bench":                    "no part of the server",
	"scripts":                  "no part of the server",
	"ui":                       "no part of the server",
}

// TestOnlyWayOut looks through the server for connections that the guard does
// not see.
func TestOnlyWayOut(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && rel != "." || isExempt(rel)) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || isExempt(rel) {
			return nil
		}
		seen++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil //nolint:nilerr // what does not parse does not build either
		}
		for _, found := range connections(f) {
			t.Errorf("%s uses %s: connections are made by package outbound", rel, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func isExempt(rel string) bool {
	rel = filepath.ToSlash(rel)
	for place := range exempt {
		if rel == place || strings.HasPrefix(rel, place+"/") {
			return true
		}
	}
	return false
}

// connections returns the ways out that f uses. Taking a *http.Client from
// somebody is none; making one is.
func connections(f *ast.File) []string {
	names := make(map[string]string) // of packages in this file
	for _, imp := range f.Imports {
		path := strings.Trim(imp.Path.Value, `"`)
		if _, watched := waysOut[path]; !watched {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		names[name] = path
	}
	var found []string
	note := func(e ast.Expr, made bool) {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return
		}
		x, ok := s.X.(*ast.Ident)
		if !ok || !slices.Contains(waysOut[names[x.Name]], s.Sel.Name) {
			return
		}
		isType := s.Sel.Name == "Client" || s.Sel.Name == "Transport" || s.Sel.Name == "Dialer"
		if made == isType {
			found = append(found, x.Name+"."+s.Sel.Name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			note(n.Type, true)
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "new" && len(n.Args) == 1 {
				note(n.Args[0], true)
			}
		case *ast.SelectorExpr:
			note(n, false)
		}
		return true
	})
	return found
}

func TestConnections(t *testing.T) {
	t.Parallel()
	const source = `package x
import ("net"; "net/http"; web "net/http")
func f(c *http.Client) {
	_ = http.DefaultClient
	_ = &http.Client{}
	_ = new(net.Dialer)
	_, _ = net.Dial("tcp", "x")
	_, _ = web.Get("x")
	var h http.Header; _ = h
	_ = net.Listen
}`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := "http.DefaultClient http.Client net.Dialer net.Dial web.Get"
	if got := strings.Join(connections(f), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
