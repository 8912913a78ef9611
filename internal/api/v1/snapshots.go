package v1

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/draw"
)

const (
	snapshotDuration = 3600
	maxSnapshot      = 400 * shared.DaySeconds
)

// snapshotBody asks for a picture of a chart.
type snapshotBody struct {
	Subject struct {
		Chart struct {
			ID   int64                `json:"id"`
			Type string               `json:"type"`
			Tags []tidemark.TagFilter `json:"tags"`
		} `json:"chart"`
	} `json:"subject"`
	Duration int64 `json:"duration"`
}

// createSnapshot answers POST /v1/snapshots. A picture takes milliseconds, so
// it is drawn at once; its job is there for clients that wait for it.
func (s *API) createSnapshot(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, body, err := s.newSnapshot(r)
	if err != nil {
		return rest.Reply{}, err
	}
	chart, err := s.Store.ChartByID(r.Context(), who.Org, body.Subject.Chart.ID)
	if err != nil {
		return rest.Reply{}, missingChart(err)
	}
	if body.Subject.Chart.Type != "" {
		chart.Type = body.Subject.Chart.Type
	}
	var p tidemark.Problems
	if p.Add("subject.chart.", chart.Validate()) {
		return rest.Reply{}, p.Err()
	}
	png, err := s.drawChart(r.Context(), who.Org, chart, shared.Shown{Start: v.EndTime - v.Duration, End: v.EndTime, Dynamic: body.Subject.Chart.Tags})
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.CreateSnapshot(r.Context(), who.Org, who.Actor(), v); err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.SaveSnapshotImage(r.Context(), who.Org, v.ID, png); err != nil {
		return rest.Reply{}, err
	}
	v.Image = png
	return rest.Reply{Status: http.StatusAccepted, Body: s.snapshotView(r, v), Location: "/v1/snapshots/" + strconv.FormatInt(v.ID, 10)}, nil
}

// newSnapshot reads what picture r asks for.
func (s *API) newSnapshot(r *http.Request) (*tidemark.Snapshot, *snapshotBody, error) {
	object, err := rest.ReadObject(r)
	if err != nil {
		return nil, nil, err
	}
	var body snapshotBody
	if err := rest.Decode(object, &body); err != nil {
		return nil, nil, err
	}
	var p tidemark.Problems
	v := &tidemark.Snapshot{Duration: body.Duration, EndTime: s.endTime(&p, object["end_time"]), ImageKey: rand.Text() + rand.Text()}
	if v.Duration == 0 {
		v.Duration = snapshotDuration
	}
	p.Check(body.Subject.Chart.ID > 0, "subject.chart.id", "is not present")
	p.Check(v.Duration >= 60 && v.Duration <= maxSnapshot, "duration", "must be 60 to %d seconds", maxSnapshot)
	p.Check(v.EndTime > v.Duration && v.EndTime < rest.MaxSeconds, "end_time", "is not a time in seconds since 1970")
	p.TagFilters("subject.chart.tags", body.Subject.Chart.Tags)
	if err := p.Err(); err != nil {
		return nil, nil, err
	}
	v.Subject, err = json.Marshal(subjectOf(object, &body))
	return v, &body, err
}

// subjectOf is the subject as it was sent, but for the id, which forms can
// only send as a text.
func subjectOf(object map[string]any, body *snapshotBody) any {
	subject, _ := object["subject"].(map[string]any)
	if chart, ok := subject["chart"].(map[string]any); ok {
		chart["id"] = body.Subject.Chart.ID
	}
	return subject
}

// endTime reads a time in seconds or, as one client sends it, in words; its
// zero in either is now.
func (s *API) endTime(p *tidemark.Problems, raw any) int64 {
	if text, ok := raw.(string); ok {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			raw = json.Number(strconv.FormatInt(max(t.Unix(), 0), 10))
		}
	}
	at, ok := rest.Number(raw)
	p.Check(ok || raw == nil, "end_time", "is not a time")
	if at == 0 {
		return s.Now().Unix()
	}
	return int64(at)
}

func missingChart(err error) error {
	if tidemark.KindOf(err) == tidemark.NotFound {
		return tidemark.InvalidField("subject.chart.id", "does not exist")
	}
	return err
}

// snapshotView is a snapshot as the wire has it: the one place with times in
// words.
func (s *API) snapshotView(r *http.Request, v *tidemark.Snapshot) map[string]any {
	base := s.BaseURL(r) + "/v1/"
	self := fmt.Sprintf("%ssnapshots/%d", base, v.ID)
	at := func(t int64) string { return time.Unix(t, 0).UTC().Format(time.RFC3339) }
	view := map[string]any{
		"href": self, "job_href": fmt.Sprintf("%sjobs/%d", base, v.Job), "image_href": nil, "duration": v.Duration,
		"end_time": at(v.EndTime), "created_at": at(v.CreatedAt), "updated_at": at(v.UpdatedAt), "subject": v.Subject,
	}
	switch {
	case v.Image == nil:
	case v.ImageKey != "" && v.CreatedAt >= s.OpenSince():
		view["image_href"] = s.BaseURL(r) + shared.SnapshotImages + v.ImageKey + ".png"
	default:
		view["image_href"] = self + "/image"
	}
	return view
}

// snapshot answers GET /v1/snapshots/:id.
func (s *API) snapshot(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, err := s.readSnapshot(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(s.snapshotView(r, v)), nil
}

// snapshotImage answers GET /v1/snapshots/:id/image.
func (s *API) snapshotImage(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, err := s.readSnapshot(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	return shared.ImageOf(v)
}

func (s *API) readSnapshot(r *http.Request, who tidemark.Identity) (*tidemark.Snapshot, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return nil, err
	}
	return s.Store.Snapshot(r.Context(), who.Org, id)
}

// drawChart returns the picture of a chart.
func (s *API) drawChart(ctx context.Context, org tidemark.OrgID, c *tidemark.Chart, shown shared.Shown) ([]byte, error) {
	hold, err := s.Querier.Hold(ctx, org)
	if err != nil {
		return nil, err
	}
	defer hold.Release()
	pic, _, err := s.ChartPicture(ctx, org, c, shown, hold)
	if err != nil {
		return nil, err
	}
	var png bytes.Buffer
	if err := draw.PNG(&png, *pic, draw.Options{}); err != nil {
		return nil, err
	}
	return png.Bytes(), nil
}
