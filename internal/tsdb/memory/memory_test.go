package memory_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/tsdbtest"
)

func TestEngine(t *testing.T) {
	tsdbtest.Run(t, func(*testing.T) tsdb.Engine { return memory.New() }, tsdbtest.Distributions)
}
