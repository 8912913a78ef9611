package store

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// listing is a list that can be searched, sorted and read page by page.
type listing struct {
	from   string // "FROM services WHERE org_id = ?"
	args   []any
	key    string // the column that a page's Name is looked for in
	whole  bool   // a Name without * is all of a name, not part of one
	orders []order
	last   string // decides between equals; "id" if empty
	desc   bool   // the natural order is descending
}

// order is an OrderBy that callers may ask for. Column names cannot be
// arguments of a statement, so only those listed get in; the first is the
// natural order.
type order struct{ name, column string }

// page is many for part of a list; it also counts the whole.
func page[T any](ctx context.Context, s *Store, c columns[T], l listing, p tidemark.Page) ([]*T, tidemark.Counts, error) {
	var n tidemark.Counts
	orderBy, err := l.orderBy(p)
	if err != nil {
		return nil, n, err
	}
	m := match(l.key, p.Name, l.whole)
	if n, err = s.count(ctx, l, m); err != nil || n.Found == 0 {
		return []*T{}, n, err
	}
	rest, args := l.inOrder(p, m, orderBy)
	args = append(args, pageLength(p), max(p.Offset, 0))
	found, err := many(ctx, s, s.db, c, rest+" LIMIT ? OFFSET ?", args...)
	return found, n, err
}

// pageWithin is page among those that within lets through. It reads the whole
// list, since no statement can ask what within knows.
func pageWithin[T any](ctx context.Context, s *Store, c columns[T], l listing, p tidemark.Page, within func(*T) bool) ([]*T, tidemark.Counts, error) {
	var n tidemark.Counts
	orderBy, err := l.orderBy(p)
	if err != nil {
		return nil, n, err
	}
	found := []*T{}
	rest, args := l.inOrder(p, match(l.key, p.Name, l.whole), orderBy)
	n.Found, err = countWithin(each(ctx, s, s.db, c, rest, args...), within, func(i int, v *T) {
		if i >= p.Offset && len(found) < pageLength(p) {
			found = append(found, v)
		}
	})
	if n.Total = n.Found; err != nil || p.Name == "" {
		return found, n, err
	}
	n.Total, err = countWithin(each(ctx, s, s.db, c, l.from, l.args...), within, func(int, *T) {})
	return found, n, err
}

// countWithin counts what within lets through, and calls do with each.
func countWithin[T any](all iter.Seq2[*T, error], within func(*T) bool, do func(i int, v *T)) (n int, err error) {
	for v, err := range all {
		if err != nil {
			return n, err
		}
		if within(v) {
			do(n, v)
			n++
		}
	}
	return n, nil
}

// inOrder returns what follows the columns of a statement that reads what m
// picks, and its arguments.
func (l listing) inOrder(p tidemark.Page, m matching, orderBy string) (string, []any) {
	args, exact := slices.Concat(l.args, m.args), ""
	if p.Name != "" && !strings.Contains(p.Name, "*") {
		// Some clients take the first of what they find.
		exact = "CASE WHEN " + l.key + " = ? THEN 0 ELSE 1 END, "
		args = append(args, key(p.Name))
	}
	return l.from + " AND " + m.where + " ORDER BY " + exact + orderBy, args
}

func pageLength(p tidemark.Page) int {
	if p.Length <= 0 || p.Length > tidemark.MaxPageLength {
		return tidemark.MaxPageLength
	}
	return p.Length
}

func (s *Store) count(ctx context.Context, l listing, m matching) (n tidemark.Counts, err error) {
	args := slices.Concat(m.args, l.args)
	rows, err := s.query(ctx, s.db, "SELECT COUNT(*), COUNT(CASE WHEN "+m.where+" THEN 1 END) "+l.from, args...)
	if err != nil {
		return n, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n.Total, &n.Found); err != nil {
			return n, s.translate(err)
		}
	}
	return n, s.translate(rows.Err())
}

// orderBy returns the ORDER BY list for p.
func (l listing) orderBy(p tidemark.Page) (string, error) {
	column, desc := l.orders[0].column, p.Desc || l.desc && p.OrderBy == ""
	if p.OrderBy != "" {
		i := slices.IndexFunc(l.orders, func(o order) bool { return o.name == p.OrderBy })
		if i < 0 {
			return "", tidemark.InvalidField("orderby", "cannot be %q", p.OrderBy)
		}
		column = l.orders[i].column
	}
	last := l.last
	if last == "" {
		last = "id"
	}
	direction := " ASC"
	if desc {
		direction = " DESC"
	}
	if column == last {
		return column + direction, nil
	}
	return column + direction + ", " + last + direction, nil
}

// matching is a condition of a WHERE clause with its arguments.
type matching struct {
	where string
	args  []any
}

var (
	anything = matching{where: "1 = 1"}
	nothing  = matching{where: "1 = 0"}
)

// maxPattern is the longest pattern looked for: longer than any name, shorter
// than what SQLite refuses.
const maxPattern = 40 << 10

// match returns the condition that column, which holds keys, matches pattern:
// as a glob if it holds a *, as a whole or as a part otherwise.
func match(column, pattern string, whole bool) matching {
	switch {
	case pattern == "":
		return anything
	case checkTexts([]any{pattern}) != nil || len(pattern) > maxPattern:
		return nothing
	case strings.Contains(pattern, "*"):
		return matching{column + ` LIKE ? ESCAPE '\'`, []any{like(key(pattern))}}
	case whole:
		return matching{column + ` = ?`, []any{key(pattern)}}
	}
	return matching{column + ` LIKE ? ESCAPE '\'`, []any{"%" + like(key(pattern)) + "%"}}
}

// like returns a glob as LIKE writes it.
func like(glob string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(glob)
}

// argsAfter returns the arguments of a statement whose first is org.
func (m matching) argsAfter(org any) []any { return append([]any{org}, m.args...) }

// matchAny returns the condition that column matches one of the names, each a
// whole key or a glob.
func matchAny(column string, names []string) matching {
	var m matching
	var wholes []any
	var conditions []string
	for _, name := range names {
		if strings.Contains(name, "*") {
			one := match(column, name, true)
			conditions = append(conditions, one.where)
			m.args = append(m.args, one.args...)
			continue
		}
		wholes = append(wholes, key(name))
	}
	if len(wholes) > 0 {
		conditions = append(conditions, column+" IN "+placeholders(len(wholes)))
		m.args = append(m.args, wholes...)
	}
	if conditions == nil {
		return nothing
	}
	m.where = "(" + strings.Join(conditions, " OR ") + ")"
	return m
}
