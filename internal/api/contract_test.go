package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// uiRoutes are the routes of the interface's own API, by name.
func uiRoutes(w *world) (table []rest.Route) {
	for _, rt := range w.Table {
		if strings.Contains(rt.Pattern, " /ui/api/") {
			table = append(table, rt)
		}
	}
	return table
}

// TestContract: every route of the interface's own API says what it reads and
// answers; the interface's types and the tables of docs/interface.md are made
// of that. With -update it writes both.
func TestContract(t *testing.T) {
	table := uiRoutes(newWorld(t))
	for _, rt := range table {
		method, _, _ := strings.Cut(rt.Name(), " ")
		if rt.Answer == nil {
			t.Errorf("%s does not say what it answers", rt.Name())
		}
		if writes := method == http.MethodPost || method == http.MethodPut; writes != (rt.Body != nil) {
			t.Errorf("%s: says what it reads: %v, want %v", rt.Name(), rt.Body != nil, writes)
		}
	}
	if t.Failed() {
		return
	}
	ts := newTypeScript(t)
	golden(t, "../../ui/src/api/ui.gen.ts", ts.file(table))
	const page = "../../docs/interface.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, page, interfaceTables(ts, string(text), table))
}

// TestContractOfNothing: lists are lists also where there is nothing in them.
func TestContractOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	asked := 0
	for _, rt := range uiRoutes(w) {
		method, path, _ := strings.Cut(rt.Name(), " ")
		if method != http.MethodGet || strings.Contains(path, "{") {
			continue
		}
		if rec := w.ask("Admin", method, path, ""); rec.Code == http.StatusOK {
			asked++
			checkContract(t, w, method, path, rec)
		}
	}
	if asked < 20 {
		t.Errorf("only %d routes answered", asked)
	}
}

var tableRow = regexp.MustCompile("^\\| `([A-Z]+ /ui/api/[^?`]+)([^`]*)` \\|")

// interfaceTables returns the text of docs/interface.md with the rows of its
// tables made again. The parameters and the notes, first and last, are kept.
func interfaceTables(ts *typeScript, text string, table []rest.Route) string {
	missing := make(map[string]rest.Route)
	for _, rt := range table {
		missing[rt.Name()] = rt
	}
	var lines []string
	end := 0
	for line := range strings.Lines(text) {
		m := tableRow.FindStringSubmatch(line)
		if m == nil {
			lines = append(lines, line)
			continue
		}
		rt, ok := missing[m[1]]
		if !ok {
			continue // such a route is not there, or twice
		}
		delete(missing, m[1])
		cells := strings.Split(strings.TrimRight(line, " |\n"), " | ")
		notes := ""
		if len(cells) > 4 {
			notes = strings.Join(cells[4:], " | ")
		}
		lines = append(lines, ts.row(rt, m[2], notes))
		end = len(lines)
	}
	for _, rt := range table {
		if _, ok := missing[rt.Name()]; ok {
			lines = slices.Insert(lines, end, ts.row(rt, "", ""))
			end++
		}
	}
	return strings.Join(lines, "")
}

var whoMay = map[tidemark.Action]string{
	rest.Anyone: "anyone", tidemark.Manage: "manage", tidemark.Edit: "edit", tidemark.View: "view", tidemark.ViewMetrics: "signed in", tidemark.Comment: "view",
}

func (ts *typeScript) row(rt rest.Route, parameters, notes string) string {
	who := whoMay[rt.Action]
	if rt.Scope == rest.WholeServer {
		who = "operators"
	}
	return strings.TrimRight(fmt.Sprintf("| `%s%s` | %s | %s | %s | %s", rt.Name(), parameters, who, ts.cell(rt.Body), ts.cell(rt.Answer), notes), " ") + " |\n"
}

// cell names what a route reads or answers.
func (ts *typeScript) cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case rest.Nothing:
		return "nothing"
	case rest.Picture:
		return "a PNG"
	case rest.Redirect:
		return "a redirect"
	case rest.File:
		return "a file"
	case rest.Events:
		var list []string
		for _, name := range sortedKeys(v) {
			list = append(list, fmt.Sprintf("`%s` `%s`", name, ts.of(reflect.TypeOf(v[name]), "")))
		}
		return "events: " + strings.Join(list, ", ")
	}
	return "`" + ts.of(reflect.TypeOf(v), "") + "`"
}

// checkContract holds an answer against what its route says of it, to the
// last key.
func checkContract(t *testing.T, w *world, method, target string, rec *httptest.ResponseRecorder) {
	t.Helper()
	pattern := w.Match(httptest.NewRequest(method, target, nil))
	i := slices.IndexFunc(w.Table, func(rt rest.Route) bool { return rt.Name() == pattern })
	if i < 0 || rec.Code >= http.StatusBadRequest || w.Table[i].Answer == nil {
		return
	}
	if err := answersAs(w.Table[i].Answer, rec); err != nil {
		t.Errorf("%s: the answer %d is not what the route says: %v\n%s", pattern, rec.Code, err, rec.Body)
	}
}

var eventText = regexp.MustCompile(`(?m)^event: (\w+)\ndata: (.*)$`)

func answersAs(answer any, rec *httptest.ResponseRecorder) error {
	kind, _, _ := strings.Cut(rec.Header().Get("Content-Type"), ";")
	switch answer := answer.(type) {
	case rest.Nothing:
		return wantEqual("length", 0, rec.Body.Len())
	case rest.Picture:
		return wantEqual("content type", "image/png", kind)
	case rest.Redirect:
		return wantEqual("status", http.StatusFound, rec.Code)
	case rest.File:
		return wantEqual("attached", true, strings.HasPrefix(rec.Header().Get("Content-Disposition"), "attachment"))
	case rest.Events:
		for _, m := range eventText.FindAllStringSubmatch(rec.Body.String(), -1) {
			if err := fitsText(reflect.TypeOf(answer[m[1]]), m[2]); err != nil {
				return fmt.Errorf("event %s: %w", m[1], err)
			}
		}
		return wantEqual("content type", "text/event-stream", kind)
	}
	return fitsText(reflect.TypeOf(answer), rec.Body.String())
}

func wantEqual[T comparable](what string, want, got T) error {
	if want != got {
		return fmt.Errorf("%s is %v, want %v", what, got, want)
	}
	return nil
}

func fitsText(t reflect.Type, text string) error {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	if t == nil {
		return errors.New("nothing of it is said")
	}
	return fits("", t, "", v)
}
