package app

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// startedElsewhere are the functions that start something otherwise than by
// starter.start, each with why that is no loop without a limit.
var startedElsewhere = map[string]string{
	"app.starter.start":                       "starts what declares its limit",
	"app.serveWith":                           "waits for the end of the server",
	"alerting.Leader.begin":                   "part of the loop \"evaluate alerts\"",
	"auth.Authenticator.Run":                  "part of the loop \"credentials\"",
	"checks.New":                              "places that organizations share, each with a deadline",
	"alerting.Evaluators.start":               "one loop for each organization that has alerts; limits.evaluation",
	"alerting.pool.fill":                      "a pool that organizations share by limits.evaluation",
	"alerting.Dispatcher.start":               "a delivery with a deadline, of the organization's share of limits.deliveries",
	"alerting.Dispatcher.Test":                "ends with the request; tests count as limits.deliveries",
	"alerting.backtest.otherThresholds":       "ends with the request",
	"alerting.pictureCache.begin":             "a bounded number at a time, each with a deadline",
	"api.Server.streams":                      "a bounded number of streams, which end with the request",
	"ports.Set.Run":                           "part of the loop \"ports\"",
	"ports.stream.run":                        "a connection, of which each port has a bounded number",
	"ports.datagrams.run":                     "part of the loop \"ports\"; a bounded queue",
	"api.Server.settle":                       "the operator's; ends with the request",
	"api/uiapi/dashboards.API.summarize":      "ends with the request",
	"api/uiapi/dashboards.API.startAnswers":   "ends with the request",
	"api/uiapi/dashboards.answers.run":        "ends with the request",
	"api/shared.Base.After":                   "a bounded number at a time",
	"query.evaluation.fetchAll":               "ends with the query",
	"tsdb/embedded.Engine.Run":                "part of the loop \"storage\"",
	"tsdb/embedded.Engine.parallel":           "ends with the query",
	"tsdb/embedded.newReplayer":               "ends with the start of the server",
	"tsdb/embedded/tables.Store.unlessBroken": "ends with the call, or with a disk that failed",
}

// watched are the packages that run in the server.
var watched = []string{
	"app", "alerting", "api", "auditlog", "auth", "checks", "ingest", "mcp", "notify", "outbound", "ports", "query", "promql", "store", "tsdb/embedded", "usage", "wal",
}

// TestEveryLoopIsDeclared: whatever runs beside requests declares what bounds
// it, in one list, and nothing is started in another way.
func TestEveryLoopIsDeclared(t *testing.T) {
	started, elsewhere := make(map[string]bool), make(map[string]bool)
	for _, dir := range watched {
		eachFunction(t, filepath.Join("..", dir), func(name string, body ast.Node) {
			ast.Inspect(body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					elsewhere[name] = true
				case *ast.CallExpr:
					switch selected(n) {
					case "Go":
						elsewhere[name] = true
					case "start":
						if lit, ok := n.Args[0].(*ast.BasicLit); ok && len(n.Args) == 2 {
							text, _ := strconv.Unquote(lit.Value)
							started[text] = true
						}
					}
				}
				return true
			})
		})
	}
	for name := range elsewhere {
		if startedElsewhere[name] == "" {
			t.Errorf("%s starts a goroutine: use starter.start, with an entry in loops, or say in startedElsewhere why not", name)
		}
	}
	for name := range startedElsewhere {
		if !elsewhere[name] {
			t.Errorf("%s starts nothing any longer", name)
		}
	}
	for name := range started {
		if l := loops[name]; (l.limit == "") == (l.exempt == "") {
			t.Errorf("loop %q: name its limit, or why it needs none, in loops", name)
		}
	}
	for name := range loops {
		if !started[name] {
			t.Errorf("loop %q is not started any longer", name)
		}
	}
}

// selected is the name of the method that is called, or "".
func selected(call *ast.CallExpr) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

// eachFunction gives fn every function below dir, by package, type and name.
func eachFunction(t *testing.T, dir string, fn func(name string, body ast.Node)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				fn(pkg+"."+receiver(f)+f.Name.Name, f.Body)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// receiver is the type of a method, with a dot behind it.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	kind := f.Recv.List[0].Type
	if p, ok := kind.(*ast.StarExpr); ok {
		kind = p.X
	}
	if g, ok := kind.(*ast.IndexExpr); ok {
		kind = g.X
	}
	if id, ok := kind.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// TestUndeclaredLoop: what is not in the list does not start.
func TestUndeclaredLoop(t *testing.T) {
	g, ctx := errgroup.WithContext(t.Context())
	s := &starter{group: g, ctx: ctx}
	s.start("nobody knows this", func(context.Context) error { return nil })
	if err := g.Wait(); err == nil || !strings.Contains(err.Error(), "nobody knows this") {
		t.Errorf("got %v", err)
	}
}

// TestOuterRoutesAreBounded: every address outside of the API says what bounds
// it, and none is served but by the list of them.
func TestOuterRoutesAreBounded(t *testing.T) {
	t.Parallel()
	for _, rt := range new(rooms).outerRoutes(http.NotFoundHandler()) {
		if rt.bound == "" {
			t.Errorf("%s: say what bounds the work that those who ask make of it", rt.pattern)
		}
	}
	// The list itself, the operator's socket, and records of the log.
	others := []string{"..rooms.handler", "..rooms.operator", "..countingHandler.Handle"}
	eachFunction(t, ".", func(name string, body ast.Node) {
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && (selected(call) == "HandleFunc" || selected(call) == "Handle") && !slices.Contains(others, name) {
				t.Errorf("%s serves an address: add it to outerRoutes", name)
			}
			return true
		})
	})
}
