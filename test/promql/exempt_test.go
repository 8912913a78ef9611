package promql_test

import (
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// What scripts need that storage does not have. An evaluation that reads a
// series with one of these is left out; those are found by what a script loads.
const (
	native   = "native histograms: a record is a number or a summary"
	stale    = "stale markers: a stream ends when its last sample does"
	fraction = "fractions of a second: a record is at a whole second"
	began    = "start timestamps: when a counter began is not kept"
)

// exemptFiles are scripts that are left out as a whole.
var exemptFiles = map[string]string{
	"native_histograms.test": native,
	"start_timestamps.test":  began,
}

// lookBacks are scripts of experimental selectors that reach beyond their
// windows: those go by the look-back of the query, not by that of a stream.
var lookBacks = map[string]time.Duration{"extended_vectors.test": 5 * time.Minute}

var (
	evalLine  = regexp.MustCompile(`^eval(?:_\w+)?\s+(?:instant(?:\s+at\s+\S+)?|range\s+from\s+\S+\s+to\s+\S+\s+step\s+\S+)\s+(.+)$`)
	loadLine  = regexp.MustCompile(`^load(_with_nhcb)?\s+(\S+)$`)
	lePair    = regexp.MustCompile(`le="[^"]*",?`)
	startLine = regexp.MustCompile(`^\s*\S+@st\s`)
)

// special is a series that storage does not have as the script wrote it.
type special struct {
	labels labels.Labels
	reason string
}

// script is a script of Prometheus, and what was left out of it.
type script struct {
	file    string
	lines   []string
	kept    int
	exempt  map[string]int // evaluations by reason
	series  []special
	parser  parser.Parser
	inExpr  string // reason why the block that is being read is left out
	step    time.Duration
	buckets bool // the block that is being read makes native histograms of buckets
}

// adapt blanks what is exempt; lines keep their numbers.
func adapt(file, text string) *script {
	s := &script{
		file: file, lines: strings.Split(text, "\n"), exempt: make(map[string]int),
		parser: parser.NewParser(promqltest.TestParserOpts),
	}
	block := ""
	for i, line := range s.lines {
		switch indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"); {
		case !indented:
			block, _, _ = strings.Cut(strings.TrimSpace(line), " ")
			s.begin(strings.TrimSpace(line))
		case strings.HasPrefix(block, "load"):
			s.load(strings.TrimSpace(line))
		}
		if s.inExpr != "" {
			s.lines[i] = ""
		}
	}
	return s
}

// begin is a line that is not indented: the first of a block.
func (s *script) begin(line string) {
	s.inExpr = ""
	if line == "clear" {
		s.series = nil
	}
	if m := loadLine.FindStringSubmatch(line); m != nil {
		d, _ := model.ParseDuration(m[2])
		s.step, s.buckets = time.Duration(d), m[1] != ""
	}
	if m := evalLine.FindStringSubmatch(line); m != nil {
		s.inExpr = s.reason(m[1])
		if s.inExpr == "" {
			s.kept++
		} else {
			s.exempt[s.inExpr]++
		}
	}
}

// load is a line of a load block.
func (s *script) load(line string) {
	end := strings.IndexAny(line, " \t")
	if i := strings.IndexByte(line, '{'); i >= 0 && i < end {
		end = strings.IndexByte(line, '}') + 1
	}
	if end <= 0 {
		return
	}
	name, values := line[:end], line[end:]
	reason := ""
	switch {
	case strings.Contains(values, "{{"):
		reason = native
	case s.buckets: // those of x_bucket are also loaded as the native histogram x
		reason, name = native, lePair.ReplaceAllString(strings.Replace(name, "_bucket{", "{", 1), "")
	case startLine.MatchString(line):
		reason, name = began, strings.TrimSuffix(name, "@st")
	case strings.Contains(values, "stale"):
		reason = stale
	case s.step%time.Second != 0:
		reason = fraction
	}
	if reason == "" {
		return
	}
	if ls, err := s.parser.ParseMetric(name); err == nil {
		s.series = append(s.series, special{ls, reason})
	}
}

// reason says why an evaluation is left out, or nothing.
func (s *script) reason(expr string) string {
	e, err := s.parser.ParseExpr(expr)
	if err != nil {
		return ""
	}
	for _, matchers := range parser.ExtractSelectors(e) {
		for _, x := range s.series {
			if matchAll(x.labels, matchers) {
				return x.reason
			}
		}
	}
	return ""
}

func matchAll(ls labels.Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(ls.Get(m.Name)) {
			return false
		}
	}
	return true
}
