package alerting

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/draw"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	// pictureSpan is how much of the past a picture of an incident shows.
	pictureSpan = 3600
	// pictureDays is how long the link to a picture works.
	pictureDays = 7
	// maxPictured is how many of the violating streams are drawn.
	maxPictured = 20
)

// PictureStore is the part of the control store that pictures need.
type PictureStore interface {
	PictureKey(ctx context.Context, fresh []byte) ([]byte, error)
	Delivery(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Delivery, error)
	ReportPicture(ctx context.Context, org tidemark.OrgID, id, slot int64) ([]byte, error)
}

// Pictures draws the streams that notices are about. Each can be seen by a
// link that is signed and works for a week: nothing is kept for it, the picture
// is drawn again. Those of reports are kept, until the next one.
type Pictures struct {
	store  PictureStore
	reader Reader
	key    []byte
	base   string
	recent *pictureCache
}

// NewPictures returns a Pictures. Without a base URL there are no links.
func NewPictures(ctx context.Context, st PictureStore, r Reader, baseURL string) (*Pictures, error) {
	fresh := make([]byte, 32)
	rand.Read(fresh) // never fails
	key, err := st.PictureKey(ctx, fresh)
	if err != nil {
		return nil, fmt.Errorf("key of pictures: %w", err)
	}
	p := &Pictures{store: st, reader: r, key: key, base: strings.TrimRight(baseURL, "/")}
	p.recent = newPictureCache(p.draw)
	return p, nil
}

// Image returns the picture of a delivery, or nil if there is nothing to see.
// It is drawn only if it is to be uploaded, and left out when that takes
// long: a notice without a picture is better than a late one.
func (p *Pictures) Image(ctx context.Context, d *tidemark.Delivery, uploaded bool) *notify.Image {
	image := &notify.Image{Alt: d.Notice.Sentence}
	switch r := d.Notice.Report; {
	case r != nil:
		image.Alt = r.SpaceName + ", " + r.When()
		png, err := p.pictureOf(ctx, d)
		if err != nil || png == nil {
			return nil
		}
		image.PNG = png
	case pictured(d.Notice) == nil:
		return nil
	case uploaded:
		image.PNG = p.recent.picture(ctx, d)
	}
	if p.base != "" && d.ID != 0 {
		image.URL = p.base + "/ui/api/pictures/" + p.sign(d.Org, d.ID, time.Now().Unix()+pictureDays*24*3600)
	}
	if image.PNG == nil && image.URL == "" {
		return nil
	}
	return image
}

// sign returns the last segment of a picture's address.
func (p *Pictures) sign(org tidemark.OrgID, delivery, expires int64) string {
	text := fmt.Sprintf("%d-%d-%d", org, delivery, expires)
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(text))
	return text + "-" + hex.EncodeToString(mac.Sum(nil)[:16]) + ".png"
}

var errNoPicture = tidemark.Errorf(tidemark.NotFound, "no such picture")

// Draw returns the picture that a signed name stands for. One that is not
// signed by us, has expired, or is about something that is gone is NotFound.
func (p *Pictures) Draw(ctx context.Context, name string) ([]byte, error) {
	parts := strings.Split(name, "-")
	if len(parts) != 4 {
		return nil, errNoPicture
	}
	var numbers [3]int64
	for i := range numbers {
		n, err := strconv.ParseInt(parts[i], 10, 64)
		if err != nil {
			return nil, errNoPicture
		}
		numbers[i] = n
	}
	org, delivery, expires := tidemark.OrgID(numbers[0]), numbers[1], numbers[2]
	if !hmac.Equal([]byte(p.sign(org, delivery, expires)), []byte(name)) || time.Now().Unix() > expires {
		return nil, errNoPicture
	}
	d, err := p.store.Delivery(ctx, org, delivery)
	if err != nil {
		return nil, err
	}
	png, err := p.pictureOf(ctx, d)
	if err == nil && png == nil {
		err = errNoPicture
	}
	return png, err
}

// pictureOf returns what a delivery shows: the picture of a report, which was
// drawn before it was sent, or one that is drawn now.
func (p *Pictures) pictureOf(ctx context.Context, d *tidemark.Delivery) ([]byte, error) {
	if r := d.Notice.Report; r != nil {
		return p.store.ReportPicture(ctx, d.Org, r.ID, d.Notice.Time)
	}
	return p.draw(ctx, d)
}

func (p *Pictures) draw(ctx context.Context, d *tidemark.Delivery) ([]byte, error) {
	// What is read gives way to others with the work that it belongs to.
	work := p.reader.Turns.Work(d.Org)
	ctx = turns.With(store.ForOrg(ctx, d.Org), work)
	if err := work.Begin(ctx); err != nil {
		return nil, err
	}
	defer work.Pause()
	chart, err := p.reader.chartOf(ctx, d.Org, d.Notice)
	if err != nil || chart == nil {
		return nil, err
	}
	var png bytes.Buffer
	if err := draw.PNG(&png, *chart, draw.Options{Width: 720, Height: 360, Scale: 2}); err != nil {
		return nil, err
	}
	return png.Bytes(), nil
}

// pictured returns the condition of a notice whose streams are drawn, the
// first that is violated; nil if there are none.
func pictured(n *tidemark.Notice) *tidemark.Condition {
	for i := range n.Conditions {
		if len(n.Violations) > 0 && n.Conditions[i].ID == n.Violations[0].Condition {
			return &n.Conditions[i]
		}
	}
	return nil
}

// chartOf returns the chart of the streams that violate the first condition
// of a notice; nil if there are none to draw.
func (r *Reader) chartOf(ctx context.Context, org tidemark.OrgID, n *tidemark.Notice) (*draw.Chart, error) {
	c := pictured(n)
	if c == nil {
		return nil, nil
	}
	unit := n.Units[tidemark.MetricKey(c.MetricName)]
	side := newRule(c).kind
	chart := &draw.Chart{
		Title: n.Name, Subtitle: c.Sentence(unit).String(), Unit: c.Unit(unit), Start: n.Time - pictureSpan, End: n.Time + minute,
		Incidents: []draw.Span{{Start: n.TriggeredAt, End: n.Time + minute}},
	}
	if c.Type != tidemark.Absent && c.Threshold != nil {
		chart.Thresholds = []draw.Threshold{{Operator: map[string]string{tidemark.Above: ">", tidemark.Below: "<"}[side], Value: *c.Threshold}}
	}
	streams := make(map[string]bool)
	for _, v := range n.Violations {
		if v.Condition == c.ID && len(streams) < maxPictured {
			streams[v.Stream] = true
		}
	}
	return chart, r.addSeries(ctx, org, &tidemark.Alert{ID: n.Alert, Labels: n.Labels}, c, chart, streams)
}

func (r *Reader) addSeries(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, c *tidemark.Condition, chart *draw.Chart, streams map[string]bool) error {
	s, err := r.sourceOf(ctx, org, a, c)
	if err != nil {
		return err
	}
	words, _ := r.Spellings.Of(ctx, org) // as in NewSend
	f := newRule(c)
	for series, err := range r.readings(ctx, org, &s, &f, chart.Start, chart.End, max(s.step, 10)) {
		if err != nil {
			return err
		}
		if name := tidemark.StreamName(series.Tags); streams[name] {
			times, values := f.valuesOf(series.Times, series.Values)
			chart.Series = append(chart.Series, draw.Series{Name: words.Stream(name), Mono: true, Times: times, Values: values})
		}
	}
	return nil
}

// valuesOf makes of readings what the rule looks at.
func (r *rule) valuesOf(times []int64, readings []float64) (at []int64, values []float64) {
	var s signal
	for i, v := range readings {
		if value, ok := s.valueOf(r, v, false); ok {
			at, values = append(at, times[i]), append(values, value)
		}
	}
	return at, values
}
