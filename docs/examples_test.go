package docs_test

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-metrics/tidemark/docs"
)

// elsewhere are the languages whose examples other tests run: those of movein,
// query and alerting.
var elsewhere = []string{"csv", "eval", "judge"}

// byProgram reads all examples in a language, one after the other, without
// running them; where the program is not installed, nothing reads them, and the
// test says so.
var byProgram = map[string][]string{
	"js":     {"node", "--input-type=module", "--check", "-"},
	"php":    {"php", "-l"},
	"python": {"python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"},
	"ruby":   {"ruby", "-c"},
	"sh":     {"bash", "-n"},
}

// unread are the languages that no test of make test reads: a program or a
// library for each is too much for a few lines. make test-agents runs csharp.
var unread = []string{"csharp", "elixir", "java", "properties", "toml"}

// TestExamples: the examples of all documents are in the language that they
// say.
func TestExamples(t *testing.T) {
	fence := regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	together := make(map[string]string)
	err := fs.WalkDir(docs.Files, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".md") {
			return err
		}
		text, err := fs.ReadFile(docs.Files, file)
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			if byProgram[m[1]] != nil {
				together[m[1]] += statement(m[1], m[2])
			} else {
				readExample(t, file, m[1], m[2])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for language, text := range together {
		readBy(t, byProgram[language], text)
	}
}

// statement is an example as a part of a program with others: in JavaScript
// each has names of its own unless it is a module, and settings are an expression.
func statement(language, text string) string {
	switch {
	case language == "js" && strings.HasPrefix(text, "{"):
		return "(" + text + ");\n"
	case language == "js" && !strings.HasPrefix(text, "import "):
		return "(async () => {\n" + text + "});\n"
	}
	return text
}

// readExample reads what needs no program.
func readExample(t *testing.T, file, language, text string) {
	t.Helper()
	var err error
	switch {
	case language == "go":
		_, err = parser.ParseFile(token.NewFileSet(), file, "package p\nfunc _() {\n"+text+"}\n", 0)
	case language == "yaml":
		err = yaml.Unmarshal([]byte(text), new(any))
	case language == "json":
		err = readJSON(text)
	case slices.Contains(unread, language):
		t.Logf("docs/%s: nothing reads %s", file, language)
	case !slices.Contains(elsewhere, language):
		t.Errorf("docs/%s has an example in %q, which no test knows", file, language)
	}
	if err != nil {
		t.Errorf("docs/%s: %v\n%s", file, err, text)
	}
}

// readJSON reads one value, or several, each of which is a line of an export.
func readJSON(text string) error {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		if err := d.Decode(new(any)); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readBy(t *testing.T, program []string, text string) {
	t.Helper()
	path, err := exec.LookPath(program[0])
	if err != nil {
		t.Logf("%s is not installed: it reads none of its examples", program[0])
		return
	}
	cmd := exec.CommandContext(t.Context(), path, program[1:]...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s\n%s", program[0], err, out, text)
	}
}
