package alerting

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// many measures a metric of so many streams that have a tag.
func (s *server) many(metric, env string, n, value int) {
	s.t.Helper()
	for from := 0; from < n; from += 200 {
		var all []string
		for i := from; i < min(n, from+200); i++ {
			all = append(all, fmt.Sprintf(`{"name":"%s","value":%d,"tags":{"env":"%s","host":"h%04d"}}`, metric, value+i, env, i))
		}
		s.must("POST", "/v1/measurements", `{"measurements":[`+strings.Join(all, ",")+`]}`)
	}
}

// TestMoreThanAreKept: where more streams violate than are kept and sent, all of
// them decide who is notified, and the notification has the worst of each
// condition and says how many more there are.
func TestMoreThanAreKept(t *testing.T) {
	t.Parallel()
	s, r := newServer(t), newReceiver(t)
	for _, name := range []string{"cpu", "disk"} {
		s.must("PUT", "/v1/metrics/"+name, `{"type":"gauge"}`)
	}
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	condition := `{"type":"above","metric_name":"%s","threshold":5}`
	cpu, disk := fmt.Sprintf(condition, "cpu"), fmt.Sprintf(condition, "disk")
	for name, rest := range map[string]string{
		"muted": `"labels":{"quiet":"yes"},"conditions":[` + cpu + `]`,
		"each":  `"rearm_per_signal":true,"conditions":[` + cpu + `]`,
		"both":  `"conditions":[` + cpu + `,` + disk + `]`,
	} {
		s.must("POST", "/v1/alerts", `{"name":"`+name+`","services":[1],`+rest+`}`)
	}
	now := time.Now().Unix()
	s.must("POST", "/v1/maintenance", fmt.Sprintf(`{"name":"stage","starts_at":%d,"ends_at":%d,"covers":{"labels":{"quiet":"yes"},"tags":{"env":"stage"}}}`, now-60, now+3600))

	s.many("cpu", "stage", 1200, 10)
	s.many("disk", "stage", 3, 10)
	told := func(alert, stream string) func() bool {
		return func() bool { return r.find(alert, stream) != nil }
	}
	eventually(t, "both", told("both", "env=stage,host=h1199"))
	if p := r.find("both", "env=stage,host=h1199"); len(p.Violations) > 1000 || len(p.Violations["env=stage,host=h0000"]) == 0 {
		t.Errorf("%d streams, of the second condition %v", len(p.Violations), p.Violations["env=stage,host=h0000"])
	}
	eventually(t, "each", told("each", "env=stage,host=h1199"))
	if r.find("muted", "env=stage,host=h1199") != nil {
		t.Error("notified in maintenance")
	}
	s.many("cpu", "xprod", 1, 6)
	eventually(t, "the stream that joins", told("each", "env=xprod,host=h0000"))
	eventually(t, "the alert of which the window does not cover all", func() bool { return r.find("muted", "env=stage,host=h1199") != nil })
}

// find returns what was taken of an alert that names a stream.
func (r *receiver) find(alert, stream string) *payload {
	for _, p := range r.take() {
		if p.Alert["name"] == alert && len(p.Violations[stream]) > 0 {
			return &p
		}
	}
	return nil
}
