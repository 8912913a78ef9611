package alerting

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// pictureTimeout is how long a notification waits for its picture.
	pictureTimeout = 2 * time.Second
	// pictureBreak is how long none is drawn for an organization after one
	// that took too long: of many notifications the first ones wait, and the
	// others leave at once.
	pictureBreak = 30 * time.Second
	// maxDrawings is how many pictures are drawn at once, those included that
	// nobody waits for any more.
	maxDrawings = 8
	// maxPictures is how many pictures are kept.
	maxPictures = 64
)

// pictureKey is what the deliveries of one notice have in common, retries and
// fallbacks included.
type pictureKey struct {
	org tidemark.OrgID
	key string
}

// pictureCache draws the picture of a notice once for all services that are
// sent it, in a time of its own.
type pictureCache struct {
	draw  func(ctx context.Context, d *tidemark.Delivery) ([]byte, error)
	slots chan struct{}

	mu    sync.Mutex
	all   map[pictureKey]*drawing
	order []pictureKey // of all, oldest first
	late  map[tidemark.OrgID]time.Time
}

// drawing is a picture that is drawn, or was.
type drawing struct {
	ctx  context.Context // over when nobody waits any longer
	done chan struct{}
	png  []byte
}

func newPictureCache(draw func(ctx context.Context, d *tidemark.Delivery) ([]byte, error)) *pictureCache {
	return &pictureCache{
		draw: draw, slots: make(chan struct{}, maxDrawings),
		all: make(map[pictureKey]*drawing), late: make(map[tidemark.OrgID]time.Time),
	}
}

// picture returns the picture of a delivery, or nil if there is none in time.
func (c *pictureCache) picture(ctx context.Context, d *tidemark.Delivery) []byte {
	key := pictureKey{d.Org, d.Key}
	one := c.begin(ctx, key, d)
	if one == nil {
		return nil
	}
	select {
	case <-one.done:
	case <-one.ctx.Done():
	case <-ctx.Done():
	}
	select {
	case <-one.done: // which ends its context, too
		return one.png
	default:
	}
	if one.ctx.Err() != nil {
		c.drop(key, one, one.ctx.Err())
	}
	return nil
}

// begin has a picture drawn, unless it was or is; nil while the organization's
// take too long. The drawing is shared, so that it does not end with the
// attempt that asked first.
func (c *pictureCache) begin(ctx context.Context, key pictureKey, d *tidemark.Delivery) *drawing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := c.all[key]; one != nil {
		return one
	}
	if time.Now().Before(c.late[key.org]) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pictureTimeout)
	one := &drawing{ctx: ctx, done: make(chan struct{})}
	c.all[key] = one
	if c.order = append(c.order, key); len(c.order) > maxPictures {
		delete(c.all, c.order[0])
		c.order = c.order[1:]
	}
	go func() {
		defer cancel()
		png, err := c.inSlot(ctx, d)
		if one.png = png; png == nil {
			c.drop(key, one, errors.Join(err, ctx.Err()))
		}
		close(one.done)
	}()
	return one
}

func (c *pictureCache) inSlot(ctx context.Context, d *tidemark.Delivery) ([]byte, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.slots }()
	return c.draw(ctx, d)
}

// drop forgets a picture that could not be drawn.
func (c *pictureCache) drop(key pictureKey, one *drawing, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all[key] == one {
		delete(c.all, key)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	now := time.Now()
	maps.DeleteFunc(c.late, func(_ tidemark.OrgID, until time.Time) bool { return !now.Before(until) })
	c.late[key.org] = now.Add(pictureBreak)
}
