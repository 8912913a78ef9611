package tidemark_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// instead lists words that nobody searches for, with those of the trade: of
// everything that users read, and of messages, logs and help, which are
// searched for as they are.
var (
	instead = map[string]string{
		`\banew\b`: "again, retry, recreate", `\btold\b( apart)?`: "notified, reported, configured", `\bjudg(e|es|ed|ing)\b`: "evaluate", `\bvouch(es)?\b`: "confirm, verify",
	}
	insteadInMessages = map[string]string{
		`\bwhom?ever\b`: "who", `\bmakes? (no )?sense\b`: "is valid, is malformed", `\blook(s|ing)? after\b`: "manage",
		`\bgo(es)? on (with|where|when)\b`: "continue, resume", `\bthe former\b`: "the previous",
	}
)

// TestWordsOfTheTrade: messages, logs, help, documents and the changelog say
// what an engineer would search for.
func TestWordsOfTheTrade(t *testing.T) {
	t.Parallel()
	eachFile(t, func(dir string, f *ast.File) {
		if strings.HasSuffix(dir, "test") {
			return // what tests use
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || dir == "internal/store" && lit.Value[0] == '`' { // SQL
				return true
			}
			text, _ := strconv.Unquote(lit.Value) // the parser checked it
			checkWords(t, dir, text, instead)
			checkWords(t, dir, text, insteadInMessages)
			return true
		})
	})
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages, "CHANGELOG.md", "README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			checkWords(t, path, strings.TrimPrefix(line, "```judge"), instead) // examples that run as tests
		}
	}
}

func checkWords(t *testing.T, where, text string, words map[string]string) {
	t.Helper()
	if !strings.Contains(text, " ") {
		return // a name
	}
	for word, say := range words {
		if found := regexp.MustCompile("(?i)" + word).FindString(text); found != "" && !strings.HasSuffix(found, " apart") {
			t.Errorf("%s: %q in %.200q; say %s", where, found, text, say)
		}
	}
}
