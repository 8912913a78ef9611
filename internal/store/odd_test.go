package store_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// oddTexts are what people and programs send where a name is expected.
var oddTexts = []string{
	"", " ", "\x00", "a\x00b", "\xff\xfe", "..", ":id", "0", "-1", "%", "_", `\`, "*", "**", "'", `"`, "a'b", "''; DROP TABLE orgs; --", "?", "$1", "NULL",
	"\u0000", "\u2028", "\U0001F600", "İ", "a\r\nb", strings.Repeat("x", 256), strings.Repeat("x*", 30_000), strings.Repeat("ü", 100_000),
}

var oddIDs = []int64{0, -1, math.MaxInt64, math.MinInt64}

// TestOddInput calls everything that takes a name or an id from outside with
// ones that cannot be: that is the caller's fault, never ours.
func TestOddInput(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		b := furnish(t, s, org)
		before := everything(t, s, org)
		for _, text := range oddTexts {
			for name, err := range withText(t.Context(), s, org, b, text) {
				checkCallersFault(t, name, text, err)
			}
		}
		for _, id := range oddIDs {
			for name, err := range withID(t.Context(), s, org, b, id) {
				checkCallersFault(t, name, id, err)
			}
		}
		same(t, "what the organization has", before, everything(t, s, org))
	})
}

func checkCallersFault(t *testing.T, name string, with any, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if k := tidemark.KindOf(err); k != tidemark.NotFound && k != tidemark.Invalid {
		if text, isText := with.(string); isText && len(text) > 50 {
			with = text[:50] + "..."
		}
		t.Errorf("%s with %q: kind %d, %v", name, with, k, err)
	}
}

// withText reads by text, and tries changes that it makes impossible.
func withText(ctx context.Context, s *store.Store, org tidemark.OrgID, b belongings, text string) map[string]error {
	page, order := tidemark.Page{Name: text}, tidemark.Page{OrderBy: "x" + text}
	event := tidemark.EventKey{Stream: text, ID: b.event.ID}
	link := tidemark.LinkKey{Event: b.event, Rel: text}
	return map[string]error{
		"OrgByName":            errOf(s.OrgByName(ctx, text)),
		"UserByEmail":          errOf(s.UserByEmail(ctx, text)),
		"Setting":              errOf(s.Setting(ctx, text)),
		"TokenByHash":          errOf(s.TokenByHash(ctx, text)),
		"Metric":               errOf(s.Metric(ctx, org, text)),
		"DeleteMetric":         s.DeleteMetric(ctx, org, operator, text),
		"MatchMetrics":         errOf(s.MatchMetrics(ctx, org, []string{text}, []string{text})),
		"AlertByName":          errOf(s.AlertByName(ctx, org, text)),
		"AnnotationStream":     errOf(s.AnnotationStream(ctx, org, text)),
		"UpdateStream":         errOf(s.UpdateStream(ctx, org, operator, text, func(*tidemark.AnnotationStream) {})),
		"DeleteStream":         s.DeleteStream(ctx, org, operator, text),
		"Events":               errOf(s.Events(ctx, org, text, tidemark.AnnotationEventQuery{})),
		"Events by source":     errOf(s.Events(ctx, org, b.event.Stream, tidemark.AnnotationEventQuery{Sources: []string{text}})),
		"Event":                errOf(s.Event(ctx, org, event)),
		"DeleteEvent":          s.DeleteEvent(ctx, org, operator, event),
		"DeleteLink":           s.DeleteLink(ctx, org, operator, link),
		"CreateEvent":          s.CreateEvent(ctx, org, text+"/", &tidemark.AnnotationEvent{Title: "x"}),
		"Tokens":               listErr(s.Tokens(ctx, org, page)),
		"Services":             listErr(s.Services(ctx, org, page)),
		"Alerts":               listErr(s.Alerts(ctx, org, page)),
		"Metrics":              listErr(s.Metrics(ctx, org, page)),
		"Spaces":               listErr(s.Spaces(ctx, org, page)),
		"Audit":                listErr(s.Audit(ctx, org, page)),
		"AnnotationStreams":    listErr(s.AnnotationStreams(ctx, org, page)),
		"Tokens in an order":   listErr(s.Tokens(ctx, org, order)),
		"Services in an order": listErr(s.Services(ctx, org, order)),
		"Alerts in an order":   listErr(s.Alerts(ctx, org, order)),
		"Metrics in an order":  listErr(s.Metrics(ctx, org, order)),
		"Spaces in an order":   listErr(s.Spaces(ctx, org, order)),
	}
}

func withID(ctx context.Context, s *store.Store, org tidemark.OrgID, b belongings, id int64) map[string]error {
	page := tidemark.Page{Offset: int(id), Length: int(id)}
	attachment := tidemark.AttachmentKey{Alert: b.alert.ID, Service: id}
	return map[string]error{
		"Org":            errOf(s.Org(ctx, tidemark.OrgID(id))),
		"User":           errOf(s.User(ctx, id)),
		"Token":          errOf(s.Token(ctx, org, id)),
		"DeleteToken":    s.DeleteToken(ctx, org, operator, id),
		"Service":        errOf(s.Service(ctx, org, id)),
		"DeleteService":  s.DeleteService(ctx, org, operator, id),
		"Alert":          errOf(s.Alert(ctx, org, id)),
		"DeleteAlert":    s.DeleteAlert(ctx, org, operator, id),
		"AttachService":  s.AttachService(ctx, org, operator, attachment),
		"DetachService":  s.DetachService(ctx, org, operator, attachment),
		"AlertStatus":    errOf(s.AlertStatus(ctx, org, id)),
		"AlertStatuses":  errOf(s.AlertStatuses(ctx, org, id)),
		"Space":          errOf(s.Space(ctx, org, id)),
		"DeleteSpace":    s.DeleteSpace(ctx, org, operator, id),
		"Charts":         errOf(s.Charts(ctx, org, id)),
		"Chart":          errOf(s.Chart(ctx, org, tidemark.ChartKey{Space: b.space.ID, Chart: id})),
		"DeleteChart":    s.DeleteChart(ctx, org, operator, tidemark.ChartKey{Space: id, Chart: b.chart.Chart}),
		"Event":          errOf(s.Event(ctx, org, tidemark.EventKey{Stream: b.event.Stream, ID: id})),
		"DeleteEvent":    s.DeleteEvent(ctx, org, operator, tidemark.EventKey{Stream: b.event.Stream, ID: id}),
		"Events":         errOf(s.Events(ctx, org, b.event.Stream, tidemark.AnnotationEventQuery{Start: id, End: id, Count: int(id)})),
		"Job":            errOf(s.Job(ctx, org, id)),
		"Snapshot":       errOf(s.Snapshot(ctx, org, id)),
		"DeleteSnapshot": s.DeleteSnapshot(ctx, org, operator, id),
		"Services, page": listErr(s.Services(ctx, org, page)),
		"Metrics, page":  listErr(s.Metrics(ctx, org, page)),
		"Audit, page":    listErr(s.Audit(ctx, org, page)),
	}
}
