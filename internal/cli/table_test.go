package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestTable: a row is one line whatever is in its cells, columns are aligned,
// and what is missing is a dash.
func TestTable(t *testing.T) {
	t.Parallel()
	tab := table{header: []string{"ID", "NAME", "ROLE"}}
	tab.add("1", "edge", "Record Only")
	tab.add("20", "", "")
	tab.add("3", "two\nlines\tand a tab", "x")
	tab.add("4", "gone\rback \x1b[2Jcleared \u0085next\u2028line", "x")
	tab.add("5", "größer 界", "x")
	var out strings.Builder
	if err := tab.print(&out); err != nil {
		t.Fatal(err)
	}
	want := "ID  NAME                              ROLE\n" +
		"1   edge                              Record Only\n" +
		"20  -                                 -\n" +
		"3   two lines and a tab               x\n" +
		"4   gone back  [2Jcleared  next line  x\n" +
		"5   größer 界                          x\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestList: programs get JSON with everything, people the table; and what cannot
// be written is reported.
func TestList(t *testing.T) {
	t.Parallel()
	tab := table{header: []string{"NAME"}}
	tab.add("x")
	for asJSON, want := range map[bool]string{false: "NAME\nx\n", true: "[\n  {\n    \"a\": 1\n  }\n]\n"} {
		var out strings.Builder
		r := &run{IO: IO{Out: &out}}
		if err := r.list(listFlags{JSON: asJSON}, []map[string]int{{"a": 1}}, &tab); err != nil || out.String() != want {
			t.Errorf("%q, %v, want %q", out.String(), err, want)
		}
		r.Out = brokenPipe{}
		if err := r.list(listFlags{JSON: asJSON}, nil, &tab); !errors.Is(err, errPipe) {
			t.Errorf("JSON %v to a closed pipe: %v", asJSON, err)
		}
	}
}

var errPipe = errors.New("broken pipe")

// brokenPipe is what nobody reads from any longer.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

// TestReadLimits: NAME=VALUE, with 0 for no limit and default for the server's.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	got, err := readLimits([]string{"alerts=7", "spaces=0", "streams=default", "tokens=9223372036854775807", "alerts=8"})
	if err != nil || len(got) != 4 || *got["alerts"] != 8 || *got["spaces"] != 0 || *got["tokens"] != 1<<63-1 {
		t.Errorf("%v, %v", got, err)
	}
	if v, there := got["streams"]; v != nil || !there {
		t.Errorf("default became %v, %v", v, there)
	}
	for text, want := range map[string]string{
		"alerts":                     `"alerts": must be NAME=VALUE with the name of a limit; tidemark org limits ORGANIZATION lists them`,
		"wishes=3":                   `"wishes=3": must be NAME=VALUE with the name of a limit; tidemark org limits ORGANIZATION lists them`,
		"Alerts=3":                   `"Alerts=3": must be NAME=VALUE with the name of a limit; tidemark org limits ORGANIZATION lists them`,
		"=3":                         `"=3": must be NAME=VALUE with the name of a limit; tidemark org limits ORGANIZATION lists them`,
		"alerts=":                    `alerts: "" is neither a number nor default`,
		"alerts=-1":                  `alerts: "-1" is neither a number nor default`,
		"alerts=1e6":                 `alerts: "1e6" is neither a number nor default`,
		"alerts=9223372036854775808": `alerts: "9223372036854775808" is neither a number nor default`,
		"alerts=1=2":                 `alerts: "1=2" is neither a number nor default`,
	} {
		if got, err := readLimits([]string{"spaces=1", text}); message(err) != want || got != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// TestLimitCells: what an organization has of its own is marked, and no limit is
// not shown as a limit of nothing.
func TestLimitCells(t *testing.T) {
	t.Parallel()
	zero, five := int64(0), int64(5)
	for _, tt := range []struct {
		limit      tidemark.LimitUse
		use, value string
	}{
		{tidemark.LimitUse{Limit: 10}, "-", "10"},
		{tidemark.LimitUse{Limit: 10, Use: &zero, Own: true}, "0", "10 *"},
		{tidemark.LimitUse{Use: &five}, "5", "any"},
		{tidemark.LimitUse{Use: &five, Own: true}, "5", "any *"},
	} {
		if use, value := useOf(tt.limit), valueOf(tt.limit); use != tt.use || value != tt.value {
			t.Errorf("%+v is %q of %q, want %q of %q", tt.limit, use, value, tt.use, tt.value)
		}
	}
}

// TestPassword: it is the first line of what is piped in, with the blanks that
// belong to it.
func TestPassword(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"secret\n": "secret", "secret": "secret", "secret\r\nmore\n": "secret", " two words \n": " two words ", "": "", "\n": ""} {
		r := &run{ctx: t.Context(), IO: IO{In: strings.NewReader(text)}}
		if got, err := r.password(); err != nil || got != want {
			t.Errorf("%q is the password %q, %v", text, got, err)
		}
	}
	r := &run{ctx: t.Context(), IO: IO{In: failing{}}}
	if _, err := r.password(); !errors.Is(err, errPipe) {
		t.Errorf("what cannot be read: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errPipe }

// TestTokenImportNeedsAValue: without one on standard input nothing is done.
func TestTokenImportNeedsAValue(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "  \t\n"} {
		r := &run{ctx: t.Context(), IO: IO{In: strings.NewReader(text), Out: new(bytes.Buffer)}}
		if err := (&tokenImport{}).Run(r); message(err) != "give the token's value on standard input" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := (&tokenImport{}).Run(&run{ctx: t.Context(), IO: IO{In: failing{}}}); !errors.Is(err, errPipe) {
		t.Errorf("what cannot be read: %v", err)
	}
}
