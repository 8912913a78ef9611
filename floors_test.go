package tidemark_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tidemark-metrics/tidemark"

// floors is the plan of the house. A package may import packages of lower
// floors only; packages on the same floor do not know each other. A package
// that is not on the plan fails the test: put it somewhere on purpose.
var floors = [][]string{
	0: {".", "docs", "internal/seal", "internal/durable", "internal/clock", "internal/inprocess", "internal/nonnil", "internal/sketch", "internal/spare", "internal/streamref", "internal/system", "internal/testdeps"}, // the vocabulary, the documents that are served, sealed secrets, files that survive a power failure, handlers asked without a connection, lists that are never null, distributions, memory to use again, which stream was found, what differs between operating systems, what tests need
	1: {
		"internal/store", "internal/tsdb", "internal/compose", "internal/notify", "internal/draw",
		"internal/outbound", "internal/turns", "internal/wal", "client", "internal/protocol", "internal/protocol/pb", "internal/auditlog", "internal/docsite", "internal/objects", "internal/objects/objectstest", "internal/probe",
		"internal/spelling",
	},
	2: {
		"internal/tsdb/memory", "internal/tsdb/embedded", "internal/tsdb/embedded/catalog", "internal/tsdb/embedded/chunk",
		"internal/tsdb/embedded/tables", "internal/tsdb/clickhouse", "internal/tsdb/clickhouse/clickhousetest", "internal/tsdb/tsdbtest", "internal/query", "internal/ingest",
		"internal/auth", "internal/store/storetest", "internal/usage", "internal/promql", "internal/jsonout", "internal/exchange", "internal/migrate",
		"internal/protocol/protocoltest", "internal/protocol/remotewrite", "internal/protocol/influx", "internal/protocol/graphite",
		"internal/protocol/statsd", "internal/protocol/datadog", "internal/protocol/otlp",
	},
	3: {"internal/store/fresh", "internal/promql/promapi", "internal/api/rest", "internal/alerting", "internal/demo", "internal/agent", "internal/checks", "internal/mcp", "internal/movein", "ui"},
	4: {"internal/api/shared", "internal/config"},
	5: {"internal/api/v1", "internal/api/legacy", "internal/api/uiapi", "internal/api/uiapi/people", "internal/api/uiapi/org", "internal/api/uiapi/alerts", "internal/api/uiapi/objectives", "internal/api/uiapi/dashboards", "internal/api/doors", "internal/api/apitest", "internal/ports", "internal/reports"},
	6: {"internal/api"},
	7: {"internal/app"}, // the roof is itself a small stack
	8: {"internal/cli"},
	9: {"cmd/tidemark", "cmd/tidemark-agent"},
}

// exceptions are imports within a floor that are there for a reason.
var exceptions = map[string][]string{
	"internal/seal":          {"internal/durable"},                                                                                                                                   // the key file
	"internal/notify":        {"internal/outbound"},                                                                                                                                  // whatever leaves the server leaves through the guard
	"internal/spelling":      {"internal/tsdb"},                                                                                                                                      // a reader that shows tags
	"internal/tsdb/embedded": {"internal/tsdb/embedded/catalog", "internal/tsdb/embedded/chunk", "internal/tsdb/embedded/tables"},                                                    // its own rooms
	"internal/api/uiapi":     {"internal/api/uiapi/people", "internal/api/uiapi/org", "internal/api/uiapi/alerts", "internal/api/uiapi/objectives", "internal/api/uiapi/dashboards"}, // its own rooms
}

// reserved lists who may import what: SQL stays in the store, Pebble under the
// tables, only doors write to the log, and memory is reached past the type
// system in the codec and in the reader of protocol buffers only. What ends in /... stands for all below it, unless a
// longer entry is there.
var reserved = map[string][]string{
	"database/sql": {"internal/store", "internal/store/storetest"},
	"unsafe":       {"internal/tsdb/embedded/chunk", "internal/protocol/pb"},

	"github.com/cockroachdb/pebble/v2/...": {"internal/tsdb/embedded/tables"},
	"github.com/cockroachdb/pebble/v2/vfs": {"internal/tsdb/embedded/tables", "internal/wal"},

	"log/slog": {"internal/api", "internal/api/rest", "internal/api/shared", "internal/api/uiapi/people", "internal/api/doors", "internal/api/apitest", "internal/ports", "internal/alerting", "internal/demo", "internal/agent", "internal/checks", "internal/reports", "internal/app", "internal/cli"},
}

// elsewhere are modules and folders with rules of their own.
var elsewhere = []string{"bench", "packaging", "scripts", "test", "ui/node_modules"}

func TestFloors(t *testing.T) {
	floor := make(map[string]int)
	for n, dirs := range floors {
		for _, dir := range dirs {
			floor[dir] = n
		}
	}
	documented := make(map[string]bool)
	eachFile(t, func(dir string, f *ast.File) {
		n, ok := floor[dir]
		if !ok {
			t.Errorf("%s is on no floor", dir)
		}
		documented[dir] = documented[dir] || f.Doc != nil
		for _, imp := range imports(f) {
			if dir == "." && strings.Contains(imp, ".") {
				t.Errorf("the root imports %s: it has the standard library only", imp)
			}
			if m, ours := floor[imp]; ours && m >= n && !slices.Contains(exceptions[dir], imp) {
				t.Errorf("%s (floor %d) imports %s (floor %d)", dir, n, imp, m)
			}
			if who, ok := importers(imp); ok && !slices.Contains(who, dir) {
				t.Errorf("%s imports %s", dir, imp)
			}
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// clocks are the packages below floor 3 that read the clock, and what for.
// Whoever decides anything by the time takes it as an argument, or a clock in
// its options that is time.Now unless a test sets another.
var clocks = map[string]string{
	"internal/auditlog":            "signatures",
	"internal/auth":                "options",
	"internal/clock":               "is one",
	"internal/ingest":              "options",
	"internal/migrate":             "speed and retries",
	"internal/notify":              "options",
	"internal/objects":             "signatures; deadlines of connections",
	"internal/objects/objectstest": "signatures and when objects were written",
	"internal/probe":               "durations",
	"internal/promql":              "options",
	"internal/query":               "deadlines and shares of memory",
	"internal/store":               "its own clock; when to ask a database again",
	"internal/testdeps":            "how long a test waits",
	"internal/tsdb/clickhouse":     "options; when to flush and to count again",
	"internal/tsdb/embedded":       "options; durations and when upkeep is due",
	"internal/tsdb/tsdbtest":       "where the exam puts its measurements",
	"internal/turns":               "shares of the processors",
	"internal/usage":               "options",
	"internal/wal":                 "retries",
}

func TestClocks(t *testing.T) {
	t.Parallel()
	read := make(map[string]bool)
	eachFile(t, func(dir string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Now" {
				x, ok := sel.X.(*ast.Ident)
				read[dir] = read[dir] || ok && x.Name == "time"
			}
			return true
		})
	})
	for _, dir := range slices.Concat(floors[:3]...) {
		if _, ok := clocks[dir]; ok != read[dir] {
			t.Errorf("%s reads the clock: %v, and may: %v", dir, read[dir], ok)
		}
	}
}

// TestArchitecture: ARCHITECTURE.md has every package on its floor and every
// exception, and those that have the standard library only have no more.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms, plain := planOf(t, string(page))
	for n, dirs := range floors {
		for _, dir := range dirs {
			if rooms[dir] != n+1 {
				t.Errorf("ARCHITECTURE.md does not have %s on floor %d", dir, n)
			}
		}
	}
	_, rules, _ := strings.Cut(string(page), "with five exceptions: ")
	rules, _, _ = strings.Cut(rules, "\n")
	for dir, others := range exceptions {
		for _, name := range append([]string{dir}, others...) {
			if !strings.Contains(rules, "`"+name+"`") && !strings.Contains(rules, "`"+filepath.Base(name)+"`") {
				t.Errorf("ARCHITECTURE.md does not name the exception %s of %s", name, dir)
			}
		}
	}
	eachFile(t, func(dir string, f *ast.File) {
		for _, imp := range imports(f) {
			if first, _, _ := strings.Cut(imp, "/"); plain[dir] && strings.Contains(first, ".") {
				t.Errorf("%s imports %s, and ARCHITECTURE.md says that it has the standard library only", dir, imp)
			}
		}
	})
}

// planOf reads the table of ARCHITECTURE.md: each package with its floor,
// counted from 1, and which of them have the standard library only.
func planOf(t *testing.T, page string) (rooms map[string]int, plain map[string]bool) {
	rooms, plain = make(map[string]int), make(map[string]bool)
	row, name, at := regexp.MustCompile(`(?m)^\| (\d*) ?\| (.*?) \| (.*) \|$`), regexp.MustCompile("`([^`]+)`"), 0
	_, page, _ = strings.Cut(page, "## Floors")
	page, _, _ = strings.Cut(page, "Rules beyond imports")
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			at = n
		}
		for _, in := range name.FindAllStringSubmatch(m[2], -1) {
			dir := packageNamed(in[1], at)
			if dir == "" {
				t.Errorf("ARCHITECTURE.md has %s on floor %d, the plan has not", in[1], at)
			}
			rooms[dir], plain[dir] = at+1, strings.HasSuffix(m[3], "Standard library only")
		}
	}
	return rooms, plain
}

// packageNamed returns the package of a floor that has this name, or a path
// that ends with it.
func packageNamed(name string, floor int) string {
	if name == "tidemark" {
		return "."
	}
	for _, dir := range floors[floor] {
		if dir == name || strings.HasSuffix(dir, "/"+name) {
			return dir
		}
	}
	return ""
}

// TestOneWriter: only the recorder writes and deletes measurements, and what
// copies them to where no server runs. Everything else is given a tsdb.Reader,
// so that nothing goes past its checks and caches.
func TestOneWriter(t *testing.T) {
	may := []string{"internal/ingest", "internal/migrate", "internal/tsdb", "internal/tsdb/tsdbtest"}
	eachFile(t, func(dir string, f *ast.File) {
		if !slices.Contains(imports(f), "internal/tsdb") || slices.Contains(may, dir) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Engine" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "tsdb" && !strings.HasPrefix(dir, "internal/tsdb/") {
				t.Errorf("%s uses tsdb.Engine; take a tsdb.Reader", dir)
			}
			return true
		})
	})
}

// importers returns who may import a package that is reserved.
func importers(imp string) (who []string, ok bool) {
	if who, ok = reserved[imp]; ok {
		return who, true
	}
	for path, dirs := range reserved {
		if prefix, all := strings.CutSuffix(path, "/..."); all && (imp == prefix || strings.HasPrefix(imp, prefix+"/")) {
			return dirs, true
		}
	}
	return nil, false
}

// eachFile calls do for every Go file that is not a test. It reads the files
// itself, rather than asking go list, so that the test cache sees them change.
func eachFile(t *testing.T, do func(dir string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (slices.Contains(elsewhere, path) || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		do(filepath.Dir(path), f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// imports returns what f imports; packages of ours by their directory.
func imports(f *ast.File) []string {
	var paths []string
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser checked it
		switch rest, ours := strings.CutPrefix(path, module); {
		case ours && rest == "":
			path = "."
		case ours:
			path = strings.TrimPrefix(rest, "/")
		}
		paths = append(paths, path)
	}
	return paths
}
