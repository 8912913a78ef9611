package movein_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// FuzzFiles: whatever is in a file that another product wrote, reading it ends
// with objects or an error.
func FuzzFiles(f *testing.F) {
	readers := []func(string) error{
		func(path string) error { _, err := movein.ReadOldAPI(path); return err },
		func(path string) error { _, err := movein.ReadState(path); return err },
		func(path string) error { _, err := movein.ReadGrafana(path); return err },
		func(path string) error { _, err := movein.ReadTokens(path); return err },
	}
	f.Add(uint8(0), []byte(`{"alerts":[{"id":1,"name":"a","conditions":[{"type":"above","metric_name":"m","threshold":1}],"services":[{"id":2}]}]}`))
	f.Add(uint8(1), []byte(`{"version":4,"resources":[{"mode":"managed","type":"appoptics_alert","name":"a","instances":[{"attributes":{"id":"1","name":"x"}}]}]}`))
	f.Add(uint8(2), []byte(`{"title":"d","panels":[{"type":"timeseries","title":"p","targets":[{"expr":"sum(rate(a[5m]))"}]}]}`))
	f.Add(uint8(3), []byte("name,role,value\nedge,recorder,0123456789abcdef0123456789abcdef\n"))
	path := filepath.Join(f.TempDir(), "file.json")
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = readers[int(which)%len(readers)](path) // most are wrong
	})
}

// FuzzExpressions: what a query of another product becomes is one of ours.
func FuzzExpressions(f *testing.F) {
	f.Add(true, `sum by (h) (rate(a{x=~"b.*"}[5m])) / 2`)
	f.Add(false, `aliasByNode(scale(servers.*.cpu.{user,system}, 0.1), 1)`)
	f.Fuzz(func(t *testing.T, prom bool, expr string) {
		var text string
		var err error
		if prom {
			text, err = movein.FromPromQL(expr)
		} else {
			text, _, err = movein.FromGraphite(expr)
		}
		if err != nil {
			return
		}
		if _, err := query.Parse(text); err != nil {
			t.Errorf("%q becomes %s: %v", expr, text, err)
		}
	})
}
