package embedded_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/tsdbtest"
)

func TestExam(t *testing.T) {
	t.Parallel()
	tsdbtest.Run(t, func(t *testing.T) tsdb.Engine {
		e, err := embedded.Open(t.Context(), embedded.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}, tsdbtest.Distributions)
}

// TestExamSealed seals after every few records.
func TestExamSealed(t *testing.T) {
	t.Parallel()
	tsdbtest.Run(t, func(t *testing.T) tsdb.Engine {
		e, err := embedded.Open(t.Context(), embedded.Options{Dir: t.TempDir(), GenerationRecords: 3})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}, tsdbtest.Distributions)
}

// TestExamReopened opens the engine again before each read.
func TestExamReopened(t *testing.T) {
	t.Parallel()
	for name, records := range map[string]int{"from the log": 0, "sealed": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tsdbtest.RunDurable(t, func(t *testing.T, dir string) tsdb.Engine {
				e, err := embedded.Open(t.Context(), embedded.Options{Dir: dir, GenerationRecords: records})
				if err != nil {
					t.Fatal(err)
				}
				return e
			}, tsdbtest.Distributions)
		})
	}
}
