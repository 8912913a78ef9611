package cli

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/app"
)

// TestBackupSaysWhatIsInIt: with PostgreSQL too that is everything, and it
// says how the control store gets back.
func TestBackupSaysWhatIsInIt(t *testing.T) {
	t.Parallel()
	for store, dumped := range map[string]bool{"sqlite": false, "postgresql": true} {
		var out strings.Builder
		(&run{IO: IO{Out: &out}}).saidBackedUp("b", &app.Manifest{ControlStore: store})
		if got := out.String(); !strings.Contains(got, "Everything is in b.") || strings.Contains(got, "into an empty PostgreSQL database") != dumped {
			t.Errorf("%s: %s", store, got)
		}
	}
}
