package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
)

// listFlags are those of commands that list something.
type listFlags struct {
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// list prints what was found: as JSON, or as a table.
func (r *run) list(f listFlags, found any, t *table) error {
	if !f.JSON {
		return t.print(r.Out)
	}
	return r.printJSON(found)
}

// printJSON prints v for programs.
func (r *run) printJSON(v any) error {
	out := json.NewEncoder(r.Out)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// table prints rows in columns.
type table struct {
	header []string
	rows   [][]string
}

// add adds a row. Whoever names things may put line breaks into names, and must
// not be able to make rows of their own by it.
func (t *table) add(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.Map(plain, c)
		if c == "" {
			cells[i] = "-"
		}
	}
	t.rows = append(t.rows, cells)
}

// plain is r, or a blank where r moves the cursor.
func plain(r rune) rune {
	if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

func (t *table) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}
