package api

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/nonnil"
)

// mayBeNull reports whether a list may be null in an answer: of a link, where
// viewers may filter; and in the audit log, where an old entry has what of a
// thing differed as it was noted then, whatever the thing was.
func mayBeNull(world, path string) bool {
	isNoted := strings.Contains(path, ".before.") || strings.Contains(path, ".after.")
	return strings.HasSuffix(path, ".locked_tags") || isNoted && strings.HasPrefix(world, "lists are ")
}

// heard has where in the answers of each row lists were, and where null was.
type heard struct{ lists, nulls map[string]map[string]string }

func newHeard() *heard {
	return &heard{make(map[string]map[string]string), make(map[string]map[string]string)}
}

func (h *heard) keep(into map[string]map[string]string, row, at, world string) {
	if into[row] == nil {
		into[row] = make(map[string]string)
	}
	if _, isKnown := into[row][at]; !isKnown {
		into[row][at] = world
	}
}

// note notes where lists and nulls are in v, which was answered in a world.
func (h *heard) note(world, row, at string, v any) {
	switch v := v.(type) {
	case nil:
		h.keep(h.nulls, row, at, world)
	case []any:
		h.keep(h.lists, row, at, world)
		for _, item := range v {
			h.note(world, row, at+"[]", item)
		}
	case map[string]any:
		for name, item := range v {
			h.note(world, row, at+"."+name, item)
		}
	}
}

// listen sends a good request to each row with one of the methods, whether it
// is refused or not, and notes what is answered.
func (h *heard) listen(t *testing.T, world string, w *world, methods ...string) (statuses map[string]int) {
	t.Helper()
	statuses = make(map[string]int)
	for _, rt := range w.Table {
		method, target, body := w.goodRequest(rt)
		ends := strings.Contains(target, "/session") || rt.Action == rest.Anyone // somebody's session
		if rt.Protocol != "" || !slices.Contains(methods, method) || ends && method != http.MethodGet {
			continue
		}
		who := "admin"
		if rt.People && rt.Scope == rest.OneOrg { // they belong to more than one after a while
			who, target = "Admin", fmt.Sprintf("/o/%d%s", w.ours, target)
		} else if rt.People {
			who = "Admin"
		}
		rec := w.ask(who, method, target, w.timely(body))
		if statuses[rt.Name()] = rec.Code; rec.Code >= http.StatusInternalServerError && rec.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %s: %d %s", world, rt.Name(), rec.Code, rec.Body)
		}
		h.noteText(world, rt.Name(), rec.Body.Bytes())
	}
	return statuses
}

func (h *heard) noteText(world, row string, text []byte) {
	var v any
	if json.Unmarshal(text, &v) == nil {
		h.note(world, row, "", v)
	}
	for _, m := range eventText.FindAllSubmatch(text, -1) {
		h.noteText(world, row+" "+string(m[1]), m[2])
	}
}

// withoutLists returns what JSON was decoded into as it is stored where lists
// are null, or missing.
func withoutLists(v any, missing bool) any {
	switch v := v.(type) {
	case []any:
		return nil
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, item any) bool { _, isList := item.([]any); return isList && missing })
		for name, item := range v {
			v[name] = withoutLists(item, missing)
		}
	}
	return v
}

// forgetLists takes the lists out of each document in a database, and returns
// how many documents had any.
func forgetLists(t *testing.T, path string, missing bool) (changed int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range rowsOf(t, db, `SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table' AND p.type = 'TEXT'`) {
		table, column := fmt.Sprintf("%q", c[0]), fmt.Sprintf("%q", c[1])
		for _, d := range rowsOf(t, db, `SELECT DISTINCT `+column+`, '' FROM `+table+` WHERE `+column+` LIKE '%[%'`) {
			var v any
			if json.Unmarshal([]byte(d[0]), &v) != nil {
				continue
			}
			text, err := json.Marshal(withoutLists(v, missing))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.ExecContext(t.Context(), `UPDATE `+table+` SET `+column+` = ? WHERE `+column+` = ?`, string(text), d[0]); err != nil {
				t.Logf("%s.%s stays %s: %v", table, column, d[0], err) // what the schema itself refuses
				continue
			}
			changed++
		}
	}
	return changed
}

func rowsOf(t *testing.T, db *sql.DB, stmt string) (found [][2]string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), stmt)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r [2]string
		if err := rows.Scan(&r[0], &r[1]); err != nil {
			t.Fatal(err)
		}
		found = append(found, r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestNoNullLists: what is a list in any answer of a row is never null in
// another: neither where there is nothing, nor where everything is, nor where
// what is stored has null for each of its lists, or none of them.
func TestNoNullLists(t *testing.T) {
	t.Parallel()
	h := newHeard()
	h.listen(t, "empty", newWorld(t).withPeople(t), http.MethodGet)
	w := ownWorld(t)
	h.listen(t, "filled", w, http.MethodPost, http.MethodPut)
	want := h.listen(t, "filled", w, http.MethodGet)
	if want["GET /ui/api/spaces/{space}/layout"] != http.StatusOK || want["GET /v1/alerts"] != http.StatusOK {
		t.Fatalf("statuses are %v", want)
	}
	if err := w.Store.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(w.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, missing := range map[string]bool{"lists are null": false, "lists are missing": true} {
		path := filepath.Join(t.TempDir(), "db")
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := forgetLists(t, path, missing); n < 20 {
			t.Errorf("only %d documents had lists", n)
		}
		old := openWorld(t, "sqlite:"+path)
		old.ours, old.theirs, old.minute, old.keys, old.secrets, old.people = w.ours, w.theirs, w.minute, w.keys, w.secrets, w.people
		got := h.listen(t, name, old, http.MethodGet)
		for row, status := range want {
			if status == http.StatusOK && got[row] >= http.StatusInternalServerError {
				t.Errorf("%s: %s answers %d", name, row, got[row])
			}
		}
		h.listen(t, name, old, http.MethodPost, http.MethodPut)
	}
	lists := 0
	for row, at := range h.lists {
		lists += len(at)
		for path := range at {
			if world, isNull := h.nulls[row][path]; isNull && !mayBeNull(world, path) {
				t.Errorf("%s: %s is null where %s, and a list elsewhere", row, path, world)
			}
		}
	}
	if len(h.lists) < 100 || lists < 250 {
		t.Errorf("only %d lists in the answers of %d rows", lists, len(h.lists))
	}
}

// sampleOf makes a value of a type with one of everything in it, and nothing in
// the lists of that.
func sampleOf(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(sampleOf(t.Elem(), depth-1))
	case reflect.Slice:
		v.Set(reflect.Append(v, sampleOf(t.Elem(), depth-1)))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(reflect.Zero(t.Key()), sampleOf(t.Elem(), depth-1))
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(sampleOf(t.Field(i).Type, depth-1))
			}
		}
	}
	return v
}

// checkLists reports what of v, which was JSON, is null where t has a list or
// a map.
func checkLists(t *testing.T, at string, of reflect.Type, v any) {
	t.Helper()
	of = pointed(of)
	isList := of.Kind() == reflect.Map || of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8
	if v == nil && isList {
		t.Errorf("%s is null", at)
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if isList {
				checkLists(t, at+"[]", of.Elem(), item)
			}
		}
	case map[string]any:
		if of.Kind() != reflect.Struct {
			return
		}
		fields, embedded := fieldsOf(of)
		for _, e := range embedded {
			checkLists(t, at, e, v)
		}
		for _, f := range fields {
			if item, isThere := v[f.name]; isThere && f.wire != "null" {
				checkLists(t, at+"."+f.name, f.kind, item)
			}
		}
	}
}

// TestTypesOfAnswers: no type that a row answers or sends as an event can be
// written with null for a list, however deep.
func TestTypesOfAnswers(t *testing.T) {
	t.Parallel()
	for _, rt := range uiRoutes(newWorld(t)) {
		types := map[string]any{rt.Name(): rt.Answer}
		if events, isEvents := rt.Answer.(rest.Events); isEvents {
			types = events
		}
		for name, answer := range types {
			for depth := range 12 {
				of := reflect.TypeOf(answer)
				text, err := json.Marshal(nonnil.Of(sampleOf(of, depth).Interface()))
				if err != nil {
					t.Fatal(err)
				}
				var v any
				if err := json.NewDecoder(bytes.NewReader(text)).Decode(&v); err != nil {
					t.Fatal(err)
				}
				checkLists(t, name, of, v)
			}
		}
	}
}
