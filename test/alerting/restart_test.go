package alerting

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// TestOldReadingsSurvive kills the server when the readings that an alert looks
// at are hours old: the next process knows them, and takes the time in between
// for no silence.
func TestOldReadingsSurvive(t *testing.T) {
	if os.Getenv("TIDEMARK_TEST_CLUSTER") != "" {
		t.Skip("it makes alerts older in SQLite")
	}
	t.Parallel()
	s, r := newServer(t), newReceiver(t)
	s.must("PUT", "/v1/metrics/beat", `{"type":"gauge","period":10}`)
	for _, name := range []string{"role", "rows", "load"} {
		s.must("PUT", "/v1/metrics/"+name, `{"type":"gauge"}`)
	}
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	for name, conditions := range map[string]string{
		"both":   `{"type":"above","metric_name":"role","threshold":5},{"type":"above","metric_name":"load","threshold":5}`,
		"rises":  `{"type":"above","metric_name":"rows","threshold":5,"summary_function":"derivative"},{"type":"above","metric_name":"load","threshold":5}`,
		"silent": `{"type":"absent","metric_name":"beat","duration":60,"tags":[{"name":"host","grouped":true}]}`,
	} {
		s.must("POST", "/v1/alerts", `{"name":"`+name+`","services":[1],"conditions":[`+conditions+`]}`)
	}
	s.measure(1)
	s.kill()
	s.age(t, 5*time.Hour)
	s.start()
	now := time.Now().Unix()
	for _, m := range []struct {
		name  string
		ago   int64
		value int
	}{{"role", 2 * 3600, 9}, {"rows", 4 * 3600, 10}, {"rows", 2 * 3600, 20}, {"beat", 600, 1}} {
		s.must("POST", "/v1/measurements", fmt.Sprintf(`{"tags":{"host":"web-1"},"time":%d,"measurements":[{"name":"%s","value":%d}]}`, now-m.ago, m.name, m.value))
	}
	s.kill()
	s.start()
	s.must("POST", "/v1/measurements", `{"tags":{"host":"web-1"},"measurements":[{"name":"load","value":9}]}`)
	names := func() (all []string) {
		for _, p := range r.take() {
			all = append(all, fmt.Sprint(p.Alert["name"]))
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	eventually(t, "both alerts to fire", func() bool { got := names(); return slices.Contains(got, "both") && slices.Contains(got, "rises") })
	if slices.Contains(names(), "silent") {
		t.Error("the time without a server counts as silence")
	}
}

// age makes the alerts of a server that is not running older.
func (s *server) age(t *testing.T, by time.Duration) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.nodes[0].data, "*.db"))
	if err != nil || len(found) != 1 {
		t.Fatalf("databases %v, %v", found, err)
	}
	db, err := sql.Open("sqlite", found[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, change := range []string{`UPDATE alerts SET updated_at = updated_at - ?`, `UPDATE alert_states SET changed_at = changed_at - ?`} {
		if _, err := db.Exec(change, int64(by.Seconds())); err != nil {
			t.Fatal(err)
		}
	}
}
