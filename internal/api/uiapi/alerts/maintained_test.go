package alerts

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestMaintained: the list says when in the last day maintenance covered an
// alert, and the page when in the last week; not before it was made, and only
// by windows that cover all of it.
func TestMaintained(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix() + 3*shared.DaySeconds
	w, _, c := newClient(t, func(o *shared.Options) { o.Now = func() time.Time { return time.Unix(now, 0) } })
	w.Alerted(t, c)
	made := struct{ Alert tidemark.Alert }{}
	c.Read(t, "/ui/api/alerts/1", &made)
	hour := func(n int64) int64 { return now - n*3600 }
	for i, body := range []string{
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "suspends": true, "covers": {"all": true}`, hour(100), hour(70)),
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "suspends": true, "covers": {"alerts": [1]}`, hour(30), hour(20)),
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "covers": {"all": true}`, hour(21), hour(18)),
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "covers": {"labels": {"team": "db"}}`, hour(10), hour(9)),
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "covers": {"tags": {"dc": "eu"}}`, hour(8), hour(7)),
		fmt.Sprintf(`"starts_at": %d, "ends_at": %d, "covers": {"all": true}`, hour(1), hour(-5)),
	} {
		c.Check(t, apitest.Exchange{Request: "POST /v1/maintenance", Body: fmt.Sprintf(`{"name": "w%d", %s}`, i, body), Want: "201 {..."})
	}
	var list alertList
	c.Read(t, "/ui/api/alerts", &list)
	if diff := cmp.Diff([]tidemark.Interval{{hour(24), hour(18)}, {hour(1), now}}, list.Alerts[0].Maintained); diff != "" {
		t.Errorf("maintained, in the list: %s", diff)
	}
	if diff := cmp.Diff([]tidemark.Interval{{hour(24), hour(20)}}, list.Alerts[0].Suspended); diff != "" {
		t.Errorf("suspended, in the list: %s", diff)
	}
	var page alertSummary
	c.Read(t, "/ui/api/alerts/1", &page)
	if diff := cmp.Diff([]tidemark.Interval{{made.Alert.CreatedAt, hour(70)}, {hour(30), hour(18)}, {hour(1), now}}, page.Maintained); diff != "" {
		t.Errorf("maintained, on the page: %s", diff)
	}
	if diff := cmp.Diff([]tidemark.Interval{{made.Alert.CreatedAt, hour(70)}, {hour(30), hour(20)}}, page.Suspended); diff != "" {
		t.Errorf("suspended, on the page: %s", diff)
	}
}
