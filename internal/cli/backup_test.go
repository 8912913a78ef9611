package cli

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/app"
)

// TestBackupSaysWhatIsMissing: with PostgreSQL not everything is in a backup.
func TestBackupSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for store, want := range map[string]string{"sqlite": "Everything is in b.", "postgresql": "NOT in it: it is in PostgreSQL"} {
		var out strings.Builder
		(&run{IO: IO{Out: &out}}).saidBackedUp("b", &app.Manifest{ControlStore: store})
		if got := out.String(); !strings.Contains(got, want) || strings.Contains(got, "Everything") != (store == "sqlite") {
			t.Errorf("%s: %s", store, got)
		}
	}
}
