package query_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// catalog is the properties of metrics, by name in lower case.
type catalog map[string]*tidemark.Metric

func (c catalog) Metric(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
	if m := c[tidemark.MetricKey(name)]; m != nil {
		return m, nil
	}
	return nil, tidemark.Errorf(tidemark.NotFound, "Not Found")
}

func (c catalog) MetricsByName(_ context.Context, _ tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error) {
	found := make(map[string]*tidemark.Metric)
	for _, name := range names {
		if m := c[tidemark.MetricKey(name)]; m != nil {
			found[tidemark.MetricKey(name)] = m
		}
	}
	return found, nil
}

// script is how the language is specified. It is a list of blocks with an
// empty line between them; a line that starts with # is a comment.
//
//	load [STEP [START]]     adds series: metric, tags, then a value a step of
//	                        60 s or STEP; _ is no data
//	metric NAME [key=value] sets period, composite and summarize_function of a
//	                        metric, and forgets what was set before
//	window START END STEP   is what later evals are about; 0 300 60 at first
//	now SECONDS             is the time later evals are made at
//	dynamic [tag=a,b ...]   is the filter that later evals run with; +tag=a,b
//	                        groups by the tag
//	eval EXPRESSION         compares the result with the lines below, which
//	                        look as those of load do; the name of a series that
//	                        is made of several metrics is -, and a point that
//	                        is not at a step is written as time:value
//	fail EXPRESSION         compares the error, and the part of the text that
//	                        it points at
//	search TEXT             compares the streams that a tags_search picks
//	select METRIC key=...   compares what Select yields
type script struct {
	engine  tsdb.Engine
	catalog catalog
	window  query.Window
	dynamic []tidemark.TagFilter
	evals   int
}

func newScript() *script { return newScriptOn(memory.New()) }

func newScriptOn(e tsdb.Engine) *script {
	return &script{engine: e, catalog: catalog{}, window: query.Window{End: 300, Step: 60}}
}

// engines are those that the scripts are run on.
var engines = map[string]func(t *testing.T) tsdb.Engine{
	"memory": func(*testing.T) tsdb.Engine { return memory.New() },
	"embedded": func(t *testing.T) tsdb.Engine {
		e, err := embedded.Open(t.Context(), embedded.Options{
			Dir: t.TempDir(), Now: func() time.Time { return time.Unix(86400, 0) },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
		return e
	},
}

func (s *script) querier() *query.Querier {
	return query.New(query.Options{Engine: s.engine, Catalog: s.catalog})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			evals := 0
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) {
					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					s := newScriptOn(open(t))
					s.run(t, file, 1, string(text))
					evals += s.evals
				})
			}
			if evals < 150 {
				t.Errorf("only %d evaluations", evals)
			}
		})
	}
}

// run runs the blocks of text, which starts at a line of a file.
func (s *script) run(t *testing.T, file string, line int, text string) {
	t.Helper()
	for block := range strings.SplitSeq(text, "\n\n") {
		at := fmt.Sprintf("%s:%d", file, line)
		line += strings.Count(block, "\n") + 2
		head, body := parseBlock(block)
		if head == "" {
			continue
		}
		verb, arg, _ := strings.Cut(head, " ")
		got, checked := s.do(t, at, verb, arg, body)
		if want := strings.Join(body, "\n"); checked && got != want {
			t.Errorf("%s: %s\ngot:\n%s\nwant:\n%s", at, head, indent(got), indent(want))
		}
	}
}

func indent(s string) string { return "\t" + strings.ReplaceAll(s, "\n", "\n\t") }

// do runs one command, and returns its outcome if there is one to check.
func (s *script) do(t *testing.T, at, verb, arg string, body []string) (got string, checked bool) {
	t.Helper()
	switch verb {
	case "load":
		s.load(t, at, arg, body)
	case "metric":
		s.metric(t, at, arg)
	case "window":
		if _, err := fmt.Sscan(arg, &s.window.Start, &s.window.End, &s.window.Step); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
	case "now":
		s.window.Now = parseInt(t, at, arg)
	case "dynamic":
		s.dynamic = nil
		for word := range strings.FieldsSeq(arg) {
			name, values, _ := strings.Cut(word, "=")
			name, grouped := strings.CutPrefix(name, "+")
			f := tidemark.TagFilter{Name: name, Grouped: &grouped}
			if values != "" {
				f.Values = strings.Split(values, ",")
			}
			s.dynamic = append(s.dynamic, f)
		}
	case "eval", "fail":
		s.evals++
		return s.eval(t, verb, arg), true
	case "search":
		return s.search(t, arg), true
	case "select":
		s.evals++
		return s.selectMetric(t, at, arg), true
	default:
		t.Fatalf("%s: unknown command %q", at, verb)
	}
	return "", false
}

// parseBlock drops comments and the blanks around and, in the body, between
// words.
func parseBlock(block string) (head string, body []string) {
	for l := range strings.Lines(block) {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || l[0] == '#':
		case head == "":
			head = l
		default:
			body = append(body, strings.Join(strings.Fields(l), " "))
		}
	}
	return head, body
}

func parseInt(t *testing.T, at, word string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	return v
}

// load reads lines of "metric tag=value... v v v".
func (s *script) load(t *testing.T, at, arg string, lines []string) {
	t.Helper()
	step, start := int64(60), int64(0)
	for i, word := range strings.Fields(arg) {
		*[]*int64{&step, &start}[i] = parseInt(t, at, word)
	}
	for _, line := range lines {
		words := strings.Fields(line)
		tags := map[string]string{}
		for len(words) > 1 && strings.Contains(words[1], "=") {
			name, value, _ := strings.Cut(words[1], "=")
			tags[name] = value
			words = slices.Delete(words, 1, 2)
		}
		var b tsdb.Batch
		for i, word := range words[1:] {
			if word == "_" {
				continue
			}
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			b.Add(words[0], tidemark.MakeTags(tags), start+int64(i)*step, v)
		}
		if err := s.engine.Write(t.Context(), 1, &b); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
	}
}

func (s *script) metric(t *testing.T, at, arg string) {
	t.Helper()
	name, rest, _ := strings.Cut(arg, " ")
	m := &tidemark.Metric{Name: name, Type: tidemark.Gauge, Attributes: map[string]any{}}
	for rest != "" {
		key, value, _ := strings.Cut(rest, "=")
		switch key {
		case "composite": // the rest of the line
			m.Type, m.Composite = tidemark.Composite, value
			rest = ""
			continue
		case "period":
			value, rest, _ = strings.Cut(value, " ")
			period := parseInt(t, at, value)
			m.Period = &period
		case "summarize_function":
			value, rest, _ = strings.Cut(value, " ")
			m.Attributes[key] = value
		default:
			t.Fatalf("%s: unknown property %q", at, key)
		}
	}
	s.catalog[tidemark.MetricKey(name)] = m
}

func (s *script) eval(t *testing.T, verb, text string) string {
	e, err := query.Parse(text)
	if err == nil {
		var r *query.Result
		if r, err = s.querier().Eval(t.Context(), 1, e, s.window, s.dynamic); err == nil {
			var lines []string
			for _, one := range r.Series {
				lines = append(lines, s.line(one.Name(), one.Tags, one.Times, one.Values))
			}
			return strings.Join(lines, "\n")
		}
	}
	if verb == "eval" {
		return "error: " + err.Error()
	}
	return pointAt(text, err)
}

// line returns a series as scripts write it.
func (s *script) line(name string, tags tidemark.Tags, times []int64, values []float64) string {
	if name == "" {
		name = "-"
	}
	words := []string{name}
	for _, tag := range tags {
		words = append(words, tag.Name+"="+tag.Value)
	}
	steps := int((s.window.End - s.window.Start + s.window.Step - 1) / s.window.Step)
	row := make([]string, steps)
	for i := range row {
		row[i] = "_"
	}
	var off []string
	for i, t := range times {
		v := strconv.FormatFloat(round(values[i]), 'g', -1, 64)
		step := (t - s.window.Start) / s.window.Step
		if t < s.window.Start || (t-s.window.Start)%s.window.Step != 0 || int(step) >= steps {
			off = append(off, fmt.Sprintf("%d:%s", t, v))
			continue
		}
		row[step] = v
	}
	if len(off) == len(times) {
		row = nil
	}
	return strings.Join(slices.Concat(words, row, off), " ")
}

// round keeps what a reader of a script wants to see of a number.
func round(v float64) float64 {
	if math.Abs(v) < 1e6 {
		return math.Round(v*1e6) / 1e6
	}
	return v
}

// pointAt returns an error, and the part of the text that it is about.
func pointAt(text string, err error) string {
	e := composeErrorOf(err)
	if e == nil {
		return err.Error()
	}
	if e.Length == 0 {
		return e.Error()
	}
	return e.Error() + "\n" + strings.Join(strings.Fields(text[e.Offset:e.Offset+e.Length]), " ")
}

func (s *script) search(t *testing.T, text string) string {
	f, err := query.ParseTagsSearch(text)
	if err != nil {
		return pointAt(text, err)
	}
	var lines []string
	for st, err := range s.engine.Streams(t.Context(), 1, "*", f) {
		if err != nil {
			t.Fatal(err)
		}
		line := st.Metric
		for _, tag := range st.Tags {
			line += " " + tag.Name + "=" + tag.Value
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// selectMetric reads "METRIC group_by=a,b function=sum summary=min
// resolution=60 start=0 end=299 search=...", where search takes the rest.
func (s *script) selectMetric(t *testing.T, at, arg string) string {
	t.Helper()
	name, rest, _ := strings.Cut(arg, " ")
	r := query.Request{
		Metric: name, Start: s.window.Start, End: s.window.End - 1, Resolution: s.window.Step, Now: s.window.Now, Dynamic: s.dynamic,
	}
	for rest != "" {
		key, value, _ := strings.Cut(rest, "=")
		if key == "search" {
			var err error
			if r.Filter, err = query.ParseTagsSearch(value); err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			break
		}
		value, rest, _ = strings.Cut(value, " ")
		switch key {
		case "group_by":
			r.GroupBy = strings.Split(value, ",")
		case "function":
			r.GroupFunction = value
		case "summary":
			r.Summary = value
		case "resolution":
			r.Resolution = parseInt(t, at, value)
		case "start":
			r.Start = parseInt(t, at, value)
		case "end":
			r.End = parseInt(t, at, value)
		default:
			t.Fatalf("%s: unknown parameter %q", at, key)
		}
	}
	seq, err := s.querier().Select(t.Context(), 1, r)
	if err != nil {
		return "error: " + err.Error()
	}
	var lines []string
	for one, err := range seq {
		if err != nil {
			return "error: " + err.Error()
		}
		values := one.Values
		for _, sum := range one.Summaries {
			values = append(values, sum.Count*1000+sum.Mean()) // both in one column
		}
		lines = append(lines, s.line(one.Metric, one.Tags, one.Times, values))
	}
	return strings.Join(lines, "\n")
}

// TestScriptsUseEverything checks that no function and no option is left out
// of the scripts.
func TestScriptsUseEverything(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/*.test")
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	missing := map[string]bool{}
	for _, f := range query.Functions() {
		if !strings.Contains(all.String(), f.Name+"(") {
			missing[f.Name] = true
		}
		for _, o := range f.Options {
			if !strings.Contains(all.String(), o+":") {
				missing[f.Name+" "+o] = true
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("the scripts do not use %v", slices.Sorted(maps.Keys(missing)))
	}
}
