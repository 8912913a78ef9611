package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// canvas is a picture under way. Everything is measured in the pixels of the
// layout; scale turns them into those of the picture.
type canvas struct {
	img    *image.RGBA
	scale  float64
	w, h   float64 // in pixels of the layout
	theme  *theme
	raster vector.Rasterizer
	faces  *faces
	clip   rect // where lines and areas may go
	// untimed charts do not say what time they show: the picture does.
	untimed bool
}

// rect is a rectangle of the layout.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) width() float64  { return r.x1 - r.x0 }
func (r rect) height() float64 { return r.y1 - r.y0 }

// point is a point of the layout.
type point struct{ x, y float64 }

func newCanvas(o Options) (*canvas, error) {
	f, err := newFaces(o.Scale)
	if err != nil {
		return nil, err
	}
	cv := &canvas{scale: o.Scale, w: float64(o.Width), h: float64(o.Height), theme: &light, faces: f}
	if o.Dark {
		cv.theme = &dark
	}
	cv.img = image.NewRGBA(image.Rect(0, 0, int(math.Ceil(cv.w*o.Scale)), int(math.Ceil(cv.h*o.Scale))))
	cv.begin(cv.theme.panel)
	return cv, nil
}

// begin paints the whole canvas.
func (cv *canvas) begin(background color.NRGBA) {
	draw.Draw(cv.img, cv.img.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	cv.clip = rect{0, 0, cv.w, cv.h}
}

// part returns a canvas of its own for what is inside r, which draws into the
// same picture.
func (cv *canvas) part(r rect) *canvas {
	x, y := int(math.Round(r.x0*cv.scale)), int(math.Round(r.y0*cv.scale))
	size := image.Rect(0, 0, int(math.Round(r.x1*cv.scale))-x, int(math.Round(r.y1*cv.scale))-y)
	inner := &canvas{scale: cv.scale, w: r.width(), h: r.height(), theme: cv.theme, faces: cv.faces, untimed: cv.untimed}
	inner.img = &image.RGBA{Pix: cv.img.Pix[cv.img.PixOffset(x, y):], Stride: cv.img.Stride, Rect: size}
	inner.begin(cv.theme.panel)
	return inner
}

// bounds returns the pixels of the picture that r touches, within the clip.
func (cv *canvas) bounds(r rect) image.Rectangle {
	b := image.Rect(
		int(math.Floor(max(r.x0, cv.clip.x0)*cv.scale)), int(math.Floor(max(r.y0, cv.clip.y0)*cv.scale)),
		int(math.Ceil(min(r.x1, cv.clip.x1)*cv.scale)), int(math.Ceil(min(r.y1, cv.clip.y1)*cv.scale)))
	return b.Intersect(cv.img.Bounds())
}

// rectangle fills r, sharp where its edges are on pixels.
func (cv *canvas) rectangle(r rect, c color.NRGBA) {
	cv.fill([][]point{{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}}, c)
}

// hairline draws a line of one pixel of the picture or more that is sharp:
// horizontal at y from x0 to x1.
func (cv *canvas) hairline(x0, x1, y float64, c color.NRGBA) {
	px := math.Round(y * cv.scale)
	thick := max(1, math.Round(cv.scale))
	r := image.Rect(int(math.Round(x0*cv.scale)), int(px), int(math.Round(x1*cv.scale)), int(px+thick))
	draw.Draw(cv.img, r, image.NewUniform(c), image.Point{}, draw.Over)
}

// crisp returns the middle and the width of a straight line near at that
// covers whole pixels of the picture.
func (cv *canvas) crisp(at, width float64) (middle, whole float64) {
	px := max(1, math.Floor(width*cv.scale+0.25))
	return (math.Round(at*cv.scale-px/2) + px/2) / cv.scale, px / cv.scale
}

// fill fills closed shapes that all turn the same way.
func (cv *canvas) fill(shapes [][]point, c color.NRGBA) {
	box := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		for _, p := range s {
			box = rect{min(box.x0, p.x), min(box.y0, p.y), max(box.x1, p.x), max(box.y1, p.y)}
		}
	}
	b := cv.bounds(box)
	if b.Empty() {
		return
	}
	cv.raster.Reset(b.Dx(), b.Dy())
	at := func(p point) (float32, float32) {
		return float32(p.x*cv.scale - float64(b.Min.X)), float32(p.y*cv.scale - float64(b.Min.Y))
	}
	for _, s := range shapes {
		if len(s) < 3 {
			continue
		}
		cv.raster.MoveTo(at(s[0]))
		for _, p := range s[1:] {
			cv.raster.LineTo(at(p))
		}
		cv.raster.ClosePath()
	}
	cv.raster.Draw(cv.img, b, image.NewUniform(c), image.Point{})
}

// stroke draws a line through points. Each stretch of it is a small shape of
// its own and each bend a disc, all turning the same way, so that where they
// overlap nothing is painted twice.
func (cv *canvas) stroke(points []point, width float64, c color.NRGBA, dash []float64) {
	parts := [][]point{points}
	if len(dash) > 0 {
		parts = dashed(points, dash)
	}
	var shapes [][]point
	for _, part := range parts {
		shapes = appendStroke(shapes, part, width/2, len(dash) == 0)
	}
	if c.A < 255 {
		cv.fill(shapes, c)
		return
	}
	// A long line is painted in pieces, each of which looks at its own small
	// part of the picture only: more than twice as fast. Where pieces meet
	// they overlap, which shows in colours that one can see through only.
	for len(shapes) > 0 {
		n := min(len(shapes), strokePiece)
		cv.fill(shapes[:n], c)
		shapes = shapes[n:]
	}
}

const strokePiece = 48

func appendStroke(shapes [][]point, points []point, r float64, round bool) [][]point {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		dx, dy := b.x-a.x, b.y-a.y
		length := math.Hypot(dx, dy)
		if length == 0 {
			continue
		}
		nx, ny := -dy/length*r, dx/length*r
		shapes = append(shapes, []point{{a.x + nx, a.y + ny}, {a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}})
		if i+1 < len(points) || round {
			shapes = append(shapes, disc(b, r))
		}
	}
	if round && len(points) > 1 {
		shapes = append(shapes, disc(points[0], r))
	}
	return shapes
}

// disc is a circle as good as one of a few pixels needs to be, turning the
// way strokes do.
func disc(at point, r float64) []point {
	if r > 2 {
		return polygon(at, r, 24)
	}
	return polygon(at, r, 8)
}

// disc24 is a disc of 24 corners, whatever its size.
func disc24(at point, r float64) []point { return polygon(at, r, 24) }

func polygon(at point, r float64, n int) []point {
	out := make([]point, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return out
}

// maxDashes bounds the work for a line that is longer than anybody sees.
const maxDashes = 5000

// dashed cuts a line into dashes.
func dashed(points []point, dash []float64) [][]point {
	var out [][]point
	on, k, left := true, 0, dash[0]
	var part []point
	if len(points) > 0 {
		part = []point{points[0]}
	}
	for i := 1; i < len(points) && len(out) < maxDashes; i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		for done := 0.0; length-done > left && len(out) < maxDashes; {
			done += left
			at := point{a.x + (b.x-a.x)*done/length, a.y + (b.y-a.y)*done/length}
			if on {
				out = append(out, append(part, at))
			}
			on, k = !on, (k+1)%len(dash)
			left, part = dash[k], []point{at}
		}
		last := a
		if len(part) > 0 {
			last = part[len(part)-1]
		}
		left -= math.Hypot(b.x-last.x, b.y-last.y)
		part = append(part, b)
	}
	if on && len(part) > 1 {
		out = append(out, part)
	}
	return out
}
