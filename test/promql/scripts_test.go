package promql_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// scripts returns where Prometheus' test scripts are.
func scripts(t *testing.T) string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/prometheus/prometheus").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(dir)), "promql", "promqltest", "testdata")
}

// TestScripts runs Prometheus' own scripts on both engines.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts(t), "*.test"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for name, open := range map[string]func(testing.TB, time.Time) tsdb.Engine{"memory": openMemory, "embedded": openEmbedded} {
		t.Run(name, func(t *testing.T) {
			kept, exempt := 0, make(map[string]int)
			for _, file := range files {
				s := runScript(t, file, open)
				kept += s.kept
				for reason, n := range s.exempt {
					exempt[reason] += n
				}
			}
			t.Logf("%d evaluations; left out: %v", kept, exempt)
			if kept < 1200 {
				t.Errorf("only %d evaluations are left", kept)
			}
		})
	}
}

func runScript(t *testing.T, path string, open func(testing.TB, time.Time) tsdb.Engine) *script {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := adapt(filepath.Base(path), string(text))
	if reason := exemptFiles[s.file]; reason != "" {
		s.exempt = map[string]int{reason: len(evals.FindAllString(string(text), -1))}
		s.kept = 0
		return s
	}
	t.Run(s.file, func(t *testing.T) {
		e := engine{lookBack: lookBacks[s.file]}
		promqltest.RunTestWithStorage(t, strings.Join(s.lines, "\n"), e, func(t testing.TB) storage.Storage {
			return newOurs(t, open, time.Unix(0, 0))
		})
	})
	return s
}

var evals = regexp.MustCompile(`(?m)^eval`)
