package reports

import (
	"bytes"
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/draw"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// draw returns the picture of a report for a slot, and the notice that brings
// it.
func (r *Runner) draw(ctx context.Context, v *store.OrgReport, slot int64) ([]byte, *tidemark.Notice, error) {
	ctx, cancel := context.WithTimeout(ctx, drawFor)
	defer cancel()
	// What is read and drawn gives way to others with the work that it belongs to.
	work := r.Turns.Work(v.Org)
	ctx = turns.With(store.ForOrg(ctx, v.Org), work)
	if err := work.Begin(ctx); err != nil {
		return nil, nil, err
	}
	defer work.Pause()
	space, err := r.Store.Space(ctx, v.Org, v.Space)
	if err != nil {
		return nil, nil, err
	}
	name := ""
	if space.Name != nil {
		name = *space.Name
	}
	n := tidemark.NewReportNotice(v.Org, &v.Report, name, slot)
	sheet, err := r.sheet(ctx, v, n.Report)
	if err != nil {
		return nil, nil, err
	}
	var png bytes.Buffer
	if err := draw.SheetPNG(&png, *sheet); err != nil {
		return nil, nil, err
	}
	return png.Bytes(), n, nil
}

var errEmpty = tidemark.Errorf(tidemark.Invalid, "The space has no charts.")

// sheet is the space as its page lays it out. What charts show is read when
// they are drawn.
func (r *Runner) sheet(ctx context.Context, v *store.OrgReport, n *tidemark.ReportNotice) (*draw.Sheet, error) {
	charts, err := r.Store.Charts(ctx, v.Org, v.Space)
	if err != nil {
		return nil, err
	}
	if len(charts) == 0 {
		return nil, errEmpty
	}
	layout, err := r.Store.Layout(ctx, v.Org, v.Space)
	if err != nil {
		return nil, err
	}
	shown := shared.Shown{Start: n.Start, End: n.End, Zone: v.Location(), Dynamic: layout.DefaultTags}
	if v.Tags != nil {
		shown.Dynamic = v.Tags
	}
	places := layout.Arrange(charts, tidemark.MaxReportCharts)
	subtitle := n.When()
	if filter := tidemark.FilterSentence(shown.Dynamic); filter != "" {
		subtitle += " · " + filter
	}
	sheet := &draw.Sheet{Title: n.SpaceName, Subtitle: subtitle, Parts: make([]draw.Part, len(layout.Sections)+1), Omitted: len(charts) - len(places)}
	for i, s := range layout.Sections {
		sheet.Parts[i+1].Heading = s.Name
	}
	byID := make(map[int64]*tidemark.Chart, len(charts))
	for _, c := range charts {
		byID[c.ID] = c
	}
	for _, p := range places {
		part := &sheet.Parts[min(p.Section, len(layout.Sections))]
		part.Tiles = append(part.Tiles, draw.Tile{
			Col: p.Col, Row: p.Row, Width: p.Width, Height: p.Height,
			Content: func() (draw.Content, error) { return r.content(ctx, v.Org, byID[p.Chart], shown) },
		})
	}
	return sheet, nil
}

// undrawn are the kinds of chart that are not drawn, in words.
var undrawn = map[string]string{"text": "Text", "alerts": "A list of alerts", "events": "A list of events"}

// content is what there is in the place of a chart.
func (r *Runner) content(ctx context.Context, org tidemark.OrgID, c *tidemark.Chart, shown shared.Shown) (draw.Content, error) {
	if err := turns.Of(ctx).Yield(ctx); err != nil {
		return draw.Content{}, err
	}
	if what, ok := undrawn[c.Kind()]; ok {
		return draw.Content{Title: c.Name, Words: what + ": open the space to see it"}, nil
	}
	hold, err := r.Querier.Hold(ctx, org)
	if err != nil {
		return draw.Content{}, err
	}
	defer hold.Release()
	pic, failed, err := r.ChartPicture(ctx, org, c, shown, hold)
	if err != nil {
		return draw.Content{}, err
	}
	if failed != nil {
		return draw.Content{Title: c.Name, Words: failed.Message}, nil
	}
	if c.Kind() == "gauge" {
		pic.Kind = draw.Number
	}
	return draw.Content{Chart: pic}, nil
}
