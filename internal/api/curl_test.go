package api

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// curlExample is a command in a document: an indented block that starts with
// curl, and the lines that its backslashes continue.
var curlExample = regexp.MustCompile(`(?m)^    (curl (?:.*\\\n)*.*)$`)

// exampleHost are the servers of the examples.
var exampleHost = regexp.MustCompile(`http://(tidemark\.example\.org|127\.0\.0\.1):8433`)

// TestCurlExamples runs every curl command of the documents as somebody who
// copies it would, in order, against one server for each document; those for
// another server are left to other tests.
func TestCurlExamples(t *testing.T) {
	testdeps.Program(t, "curl")
	t.Parallel()
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range append(append(files, more...), "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples := curlExample.FindAllStringSubmatch(string(text), -1)
		if strings.Count(string(text), "\n    curl ") != len(examples) {
			t.Errorf("%s: not all examples were found", file)
		}
		if len(examples) == 0 {
			continue
		}
		total += len(examples)
		w := newWorld(t)
		server := httptest.NewServer(w)
		for _, example := range examples {
			if strings.Contains(example[1], `"$CLICKHOUSE"`) {
				continue // TestServersBackup runs it
			}
			command := exampleHost.ReplaceAllString(example[1], server.URL)
			if command == example[1] {
				t.Errorf("%s: the example goes nowhere: %s", file, command)
				continue
			}
			command = strings.Replace(command, "curl ", "curl -sS --fail-with-body ", 1)
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Env = append(os.Environ(), "TOKEN="+w.secrets["admin"], "no_proxy=*")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %s\n%v: %s", filepath.Base(file), command, err, out)
			}
		}
		server.Close()
	}
	if total < 5 {
		t.Errorf("only %d examples", total)
	}
}
