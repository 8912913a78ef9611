package alerting

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestMain has encoding/json look at the types that tests write before any of
// them runs. Tests in bubbles of testing/synctest that do so first, two at
// once, are told of a race inside of encoding/json: the detector does not see
// across bubbles that the one waited for the other.
func TestMain(m *testing.M) {
	text := "derivative"
	conditions := []tidemark.Condition{{SummaryFunction: &text, Against: &tidemark.Against{}, Tags: []tidemark.TagFilter{{Values: []string{text}}}}}
	tidemark.Fingerprint(conditions)
	if _, err := json.Marshal([]any{tidemark.Alert{Conditions: conditions}, tidemark.AlertState{}, tidemark.Incident{}}); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
