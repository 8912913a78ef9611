package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// typed runs a command line that needs no data and returns what it printed.
func typed(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	none := func(string) string { return "" }
	code = Run(context.Background(), args, IO{In: strings.NewReader(""), Out: &o, Err: &e, Env: none, Program: "tidemark"})
	return code, o.String(), e.String()
}

// allPrefixes are those of the real command line.
func allPrefixes(t *testing.T) []*prefix {
	t.Helper()
	parser, err := kong.New(new(commands), kong.Vars{"version": "x"})
	if err != nil {
		t.Fatal(err)
	}
	return prefixes(parser.Model.Node, "")
}

// TestCompletionKnowsAllCommands: every command and flag that help lists is
// offered where it can be typed, with the values that it takes.
func TestCompletionKnowsAllCommands(t *testing.T) {
	t.Parallel()
	found := make(map[string]*prefix)
	for _, p := range allPrefixes(t) {
		if found[p.path] != nil {
			t.Errorf("%q is there twice", p.path)
		}
		found[p.path] = p
	}
	for path, words := range map[string][]string{
		"":                 {"serve", "token", "backup", "--data", "--config", "--version"},
		"token":            {"create", "import", "rotate", "--data"},
		"token create":     {"--role", "--expires", "--org", "--data"},
		"import terraform": {"--apply", "--new-state"},
		"backup":           {"verify", "list"},
		"secrets":          {"status", "rotate", "prepare", "create", "new-key"},
	} {
		if found[path] == nil {
			t.Errorf("%q is no prefix", path)
			continue
		}
		have := strings.Fields(found[path].words())
		for _, word := range words {
			if !slices.Contains(have, word) {
				t.Errorf("after %q there is no %s in %v", path, word, have)
			}
		}
	}
	if found["backup make"] != nil {
		t.Error("a command is offered whose name nobody types")
	}
}

// TestBashCompletion asks bash itself what it offers.
func TestBashCompletion(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	_, script, _ := typed(t, "completion", "bash")
	file := filepath.Join(t.TempDir(), "tidemark.bash")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line []string // the last is what is being typed
		want string
	}{
		{[]string{"ser"}, "serve"},
		{[]string{"token", "cr"}, "create"},
		{[]string{"token", "create", "--ro"}, "--role"},
		{[]string{"token", "create", "--role", ""}, "admin recorder viewer"},
		{[]string{"token", "create", "--role", "v"}, "viewer"},
		{[]string{"--data", "d", "tok"}, "token"},
		{[]string{"user", "create", "--role", "m"}, "member"},
		{[]string{"serve", "nothing"}, ""},
	} {
		ask := `source "$1"; shift; COMP_WORDS=(tidemark "$@"); COMP_CWORD=$#; _tidemark; echo "${COMPREPLY[*]}"`
		out, err := exec.Command(bash, append([]string{"-c", ask, "bash", file}, tt.line...)...).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != tt.want {
			t.Errorf("%q offers %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
}

// TestCompletionQuotes: help texts cannot end the strings they stand in.
func TestCompletionQuotes(t *testing.T) {
	t.Parallel()
	all := []*prefix{{commands: []choice{{word: "serve", help: `the server's \ "own": way`}}, flags: []choice{{word: "--kind", help: "it's", values: "a,b", takesValue: true}, {word: "--dir", takesValue: true}}}}
	for shell, tt := range map[string]struct {
		write func(*bytes.Buffer)
		want  []string
	}{
		"zsh":  {func(b *bytes.Buffer) { zshCompletion(b, all) }, []string{`'serve:the server'\''s \ "own"\: way'`, `" --kind") compadd -- a b; return`}},
		"fish": {func(b *bytes.Buffer) { fishCompletion(b, all) }, []string{`-a serve -d 'the server\'s \\ "own": way'`, `-l kind -x -a 'a b' -d 'it\'s'`, `-l dir -r -d ''`}},
	} {
		var b bytes.Buffer
		tt.write(&b)
		for _, want := range tt.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %s in\n%s", shell, want, b.String())
			}
		}
	}
}

// TestFishCondition: a choice is offered below its commands, and not below those
// that follow.
func TestFishCondition(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]prefix{
		"true":                                {},
		"not __fish_seen_subcommand_from a b": {commands: []choice{{word: "a"}, {word: "b"}}},
		"__fish_seen_subcommand_from token; and __fish_seen_subcommand_from create":                                 {path: "token create"},
		"__fish_seen_subcommand_from token; and not __fish_seen_subcommand_from create":                             {path: "token", commands: []choice{{word: "create"}}},
		"__fish_seen_subcommand_from a; and __fish_seen_subcommand_from b; and not __fish_seen_subcommand_from c d": {path: "a b", commands: []choice{{word: "c"}, {word: "d"}}},
	} {
		if got := fishCondition(&p); got != want {
			t.Errorf("%+v: %s, want %s", p, got, want)
		}
	}
}

// TestRoff: no text of ours is a request to the typesetter.
func TestRoff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", ".profile is read": `\&.profile is read`, "'quoted'": `\&'quoted'`, "a\n\nb": "a\n.PP\nb", "a\n.b": "a\n\\&.b",
		`C:\dir`: `C:\edir`, "--data": `\-\-data`, "a.b 'c'": "a.b 'c'",
	} {
		if got := roff(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestManual: every command and every setting has its place in the manual, and
// every line that begins with a point is a request that man knows.
func TestManual(t *testing.T) {
	t.Parallel()
	code, page, _ := typed(t, "man")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for _, p := range allPrefixes(t) {
		if len(p.commands) == 0 && !strings.Contains(page, ".SS "+roff("tidemark "+p.path)) {
			t.Errorf("the manual has no %s", p.path)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, ".") && !regexp.MustCompile(`^\.(TH|SH|SS|TP|PP|B|br)\b`).MatchString(line) {
			t.Errorf("%q is no request", line)
		}
	}
}

// TestExitCodes: 0, 1 for what went wrong, 2 for what makes no sense; and errors
// are not mixed into what programs read.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none")
	for _, tt := range []struct {
		args []string
		code int
		errs string // "" for nothing at all
	}{
		{[]string{"version"}, 0, ""}, {[]string{"--version"}, 0, ""}, {[]string{"--help"}, 0, ""}, {[]string{"completion", "fish"}, 0, ""}, {[]string{"config", "--template"}, 0, ""},
		{nil, 2, "Try tidemark --help."}, {[]string{"serv"}, 2, `unexpected argument serv`}, {[]string{"token", "create", "x", "--role", "owner"}, 2, "--role must be one of"},
		{[]string{"token", "create", "x", "--expires=-1h"}, 2, "--expires: -1h0m0s is not a time from now on"},
		{[]string{"token", "list", "--data", missing}, 1, "there is no data in " + missing},
		{[]string{"health", "--data", missing}, 1, "tidemark: "}, {[]string{"config", "--config", missing}, 1, missing},
	} {
		code, out, errs := typed(t, tt.args...)
		if code != tt.code || !strings.Contains(errs, tt.errs) || tt.errs == "" && (errs != "" || out == "") || code != 0 && out != "" {
			t.Errorf("%q: exit code %d\nout  %s\nerrs %s", tt.args, code, out, errs)
		}
	}
}
