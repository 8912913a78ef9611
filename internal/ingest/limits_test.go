package ingest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestEngineFull checks what senders hear from an engine that takes no more
// streams: those that it has go on, and the others are told when to try again.
func TestEngineFull(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), "sqlite:"+t.TempDir()+"/db")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := embedded.Open(t.Context(), embedded.Options{Dir: t.TempDir(), MaxStreamsPerOrg: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	r := ingest.New(ingest.Options{Engine: engine, Metrics: st})
	post := func(hosts ...string) (ingest.Summary, []ingest.Problem, error) {
		var list []string
		for _, host := range hosts {
			list = append(list, fmt.Sprintf(`{"name":"cpu","value":1,"tags":{"host":%q}}`, host))
		}
		return r.Record(t.Context(), org.ID, []byte(`{"measurements":[`+strings.Join(list, ",")+`]}`), "test")
	}
	if s, _, err := post("a", "b", "c"); err != nil || s.Accepted != 3 {
		t.Fatalf("the first three: %+v, %v", s, err)
	}
	s, problems, err := post("a", "d", "b", "e")
	if err != nil || s != (ingest.Summary{Total: 4, Accepted: 2, Failed: 2}) {
		t.Errorf("two old and two new: %+v, %v", s, err)
	}
	if len(problems) != 2 || problems[0].Index != 1 || problems[1].Index != 3 || !strings.Contains(problems[0].Reason, "the limit streams is reached") {
		t.Errorf("problems: %+v", problems)
	}
	limit := func(what string, err error) {
		t.Helper()
		var e *ingest.LimitError
		if !errors.As(err, &e) || e.RetryAfter < time.Second || tidemark.KindOf(err) != tidemark.TooMany {
			t.Errorf("%s: %v, want a limit and when to try again", what, err)
		}
	}
	_, _, err = post("f")
	limit("one new", err)
	limit("the old route, of which all or nothing is taken", r.RecordLegacy(t.Context(), org.ID, map[string]any{
		"gauges": []any{map[string]any{"name": "cpu", "value": 1, "source": "x"}},
	}, "test"))
	var hosts []string
	for s, err := range engine.Streams(t.Context(), org.ID, "cpu", tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, s.Tags.String())
	}
	if got := fmt.Sprint(hosts); got != "[host=a host=b host=c]" {
		t.Errorf("streams are %s", got)
	}
}
