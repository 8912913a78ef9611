package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// kept is where the ratios of earlier runs are.
const kept = "matrix.json"

// runsKept is of how many runs: as many as show how far they spread.
const runsKept = 3

// worse is by how much a ratio may grow before a run says so: less than that
// comes and goes with the machine.
const worse = 1.25

// ratios are those of the last runs, the oldest first, by the keys of their
// cells.
type ratios map[string][]float64

// readRatios reads what write wrote; a file that is not there has none.
func readRatios(path string) (ratios, error) {
	r := ratios{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return nil, fmt.Errorf("ratios kept in %s: %w", path, err)
	}
	return r, nil
}

func (r ratios) write(path string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// with returns r with the cells of list added; those of shapes that were not
// measured stay.
func (r ratios) with(list []verdict) ratios {
	after := maps.Clone(r)
	for _, v := range list {
		runs := append(slices.Clone(r[v.key()]), v.ratio)
		after[v.key()] = runs[max(0, len(runs)-runsKept):]
	}
	return after
}

// slower says which cells of list are slower than in any run of r.
func (r ratios) slower(list []verdict) (lines []string) {
	for _, v := range list {
		if runs := r[v.key()]; len(runs) > 0 && v.ratio > worse*slices.Max(runs) {
			lines = append(lines, fmt.Sprintf("slower than kept: %s was %.2f and is %.2f", v.key(), median(runs), v.ratio))
		}
	}
	return lines
}

// row is a line of the table: a figure in every shape.
type row struct {
	goal  goal
	cells []string
	over  float64 // of the worst cell
}

// printRatios prints what is kept in path as a table of Markdown, worst row
// first: medians, with the least and the most where there are more runs, in
// bold where the goal is missed.
func printRatios(w io.Writer, path string) error {
	r, err := readRatios(path)
	if err != nil {
		return err
	}
	var rows []row
	met, all := 0, 0
	for _, g := range slices.Concat(goals, []goal{lateGoal}) {
		line := row{goal: g}
		for _, sh := range shapes {
			cell := verdict{figure: figure{shape: sh.name, name: g.figure}, goal: g}
			runs := r[cell.key()]
			line.cells = append(line.cells, words(runs, g.times))
			if len(runs) == 0 {
				continue
			}
			cell.ratio = median(runs)
			if line.over = max(line.over, cell.over()); cell.over() <= 1 {
				met++
			}
			all++
		}
		rows = append(rows, line)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.over, a.over) })
	head := []string{""}
	for _, sh := range shapes {
		head = append(head, sh.name)
	}
	printRow(w, append(head, "goal"))
	printRow(w, slices.Repeat([]string{"---"}, len(head)+1))
	for _, l := range rows {
		printRow(w, slices.Concat([]string{l.goal.figure + l.goal.words()}, l.cells, []string{fmt.Sprintf("%.2g", l.goal.times)}))
	}
	_, err = fmt.Fprintf(w, "\n%d of %d cells meet their goal.\n", met, all)
	return err
}

func printRow(w io.Writer, cells []string) {
	fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
}

func words(runs []float64, goal float64) string {
	if len(runs) == 0 {
		return ""
	}
	text := fmt.Sprintf("%.2f", median(runs))
	if median(runs) > goal {
		text = "**" + text + "**"
	}
	if len(runs) > 1 {
		text += fmt.Sprintf(" (%.2f to %.2f)", slices.Min(runs), slices.Max(runs))
	}
	return text
}
