package clickhouse

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\x01", `\x01`)

// quote returns a text as SQL has it.
func quote(s string) string { return "'" + escapes.Replace(s) + "'" }

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`)

// metricSQL picks the metrics that a pattern matches.
func metricSQL(pattern string) string {
	switch {
	case pattern == "*":
		return "1"
	case tidemark.IsGlob(pattern):
		return "metric LIKE " + quote(likeEscapes.Replace(pattern))
	}
	return "metric = " + quote(pattern)
}

// streamsSQL picks, of the catalogue, the streams of an organization that
// pattern and filter pick, and perhaps some more of its streams.
func streamsSQL(org tidemark.OrgID, pattern string, filter *tsdb.Filter) string {
	where, _ := filterSQL(filter)
	return fmt.Sprintf("org = %d AND %s AND (%s)", org, metricSQL(pattern), where)
}

// filterSQL picks, of the catalogue, the streams that f picks, and perhaps
// some more: f itself has the last word. exact says that there are no more.
func filterSQL(f *tsdb.Filter) (sql string, exact bool) {
	switch f.Op {
	case tsdb.And, tsdb.Or:
		return listSQL(f)
	case tsdb.Not:
		if sql, exact := filterSQL(&f.Args[0]); exact {
			return "NOT (" + sql + ")", true
		}
		return "1", false
	case tsdb.Has:
		return "position(key, " + quote("\x00"+f.Tag+"\x01") + ") > 0", true
	case tsdb.Is:
		return isSQL(f)
	}
	return "1", true
}

func listSQL(f *tsdb.Filter) (sql string, exact bool) {
	word, empty := " AND ", "1"
	if f.Op == tsdb.Or {
		word, empty = " OR ", "0"
	}
	if len(f.Args) == 0 {
		return empty, true
	}
	exact = true
	parts := make([]string, len(f.Args))
	for i := range f.Args {
		part, ok := filterSQL(&f.Args[i])
		parts[i], exact = "("+part+")", exact && ok
	}
	return strings.Join(parts, word), exact
}

func isSQL(f *tsdb.Filter) (sql string, exact bool) {
	if slices.ContainsFunc(f.Patterns, tidemark.IsGlob) || len(f.Patterns) > 100 {
		return "position(key, " + quote("\x00"+f.Tag+"\x01") + ") > 0", false
	}
	parts := []string{"0"}
	for _, value := range f.Patterns {
		parts = append(parts, "position(concat(key, '\\0'), "+quote("\x00"+f.Tag+"\x01"+value+"\x00")+") > 0")
	}
	return strings.Join(parts, " OR "), true
}

// idTable is the table that comes with a question: the streams it is about,
// each with the number of what it becomes a part of in the answer, and its
// place among the streams.
type idTable struct {
	rows    proto.Buffer
	metrics map[uint64]bool
}

func (t *idTable) add(f *found, group, place int) {
	if t.metrics == nil {
		t.metrics = make(map[uint64]bool)
	}
	t.metrics[f.hash] = true
	t.rows.Buf = append(t.rows.Buf, f.id[:]...)
	t.rows.PutUInt32(uint32(group))
	t.rows.PutUInt32(uint32(place))
}

func (t *idTable) empty() bool { return len(t.rows.Buf) == 0 }

func (t *idTable) statement(sql string) *statement {
	return &statement{sql: sql, table: string(t.rows.Buf), structure: "id FixedString(16), g UInt32, place UInt32"}
}

// in is the operator that compares with a table that came with the question,
// on all shards.
func (s *shape) in(op string) string {
	if s.shards > 1 {
		return "GLOBAL " + op
	}
	return op
}

// where picks the rows of the streams in ids.
func (e *Engine) where(org tidemark.OrgID, ids *idTable) string {
	hashes := make([]string, 0, len(ids.metrics))
	for _, hash := range slices.Sorted(maps.Keys(ids.metrics)) {
		hashes = append(hashes, strconv.FormatUint(hash, 10))
	}
	return fmt.Sprintf("org = %d AND metric IN (%s) AND id %s (SELECT id FROM ids)", org, strings.Join(hashes, ", "), e.shape.in("IN"))
}

// positions are those of texts in another one, 0 where they are not in it.
func (s *shape) positions(in string, texts []string) string {
	if s.version >= 2010 {
		return "multiSearchAllPositions(" + in + ", [" + strings.Join(texts, ", ") + "])"
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = "position(" + in + ", " + text + ")"
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// readSettings are those of questions.
func (s *shape) readSettings() map[string]string {
	set := map[string]string{}
	if s.version >= 2010 { // a row and what replaces it are in one partition
		set["do_not_merge_across_partitions_select_final"] = "1"
	}
	return set
}
