package draw

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/Inter-Regular.otf
var interRegular []byte

//go:embed fonts/Inter-SemiBold.otf
var interSemiBold []byte

//go:embed fonts/JetBrainsMono-Regular.ttf
var jetBrainsMono []byte

// fonts are read once; they never change and may be used by many at a time.
var fonts = sync.OnceValues(func() (map[weight]*opentype.Font, error) {
	out := make(map[weight]*opentype.Font)
	for w, data := range map[weight][]byte{regular: interRegular, bold: interSemiBold, mono: jetBrainsMono} {
		f, err := opentype.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("read a font: %w", err)
		}
		out[w] = f
	}
	return out, nil
})

type weight uint8

const (
	regular weight = iota
	bold
	mono
)

// style is a font in a size of the layout.
type style struct {
	weight weight
	size   float64
}

var (
	titleStyle  = style{bold, 13}
	unitStyle   = style{regular, 12}
	axisStyle   = style{regular, 11}
	labelStyle  = style{bold, 11}
	legendStyle = style{regular, 12}
	tagStyle    = style{mono, 12}
	valueStyle  = style{bold, 12}
)

// faces are the fonts at the scale of one picture. They belong to it alone:
// a face may not be used by two at a time.
type faces struct {
	scale float64
	fonts map[weight]*opentype.Font
	made  map[style]font.Face
}

func newFaces(scale float64) (*faces, error) {
	all, err := fonts()
	if err != nil {
		return nil, err
	}
	return &faces{scale: scale, fonts: all, made: make(map[style]font.Face)}, nil
}

func (f *faces) get(s style) font.Face {
	if face, ok := f.made[s]; ok {
		return face
	}
	// DPI 72 makes a point a pixel. Without hinting letters keep their shape
	// at any scale.
	face, err := opentype.NewFace(f.fonts[s.weight], &opentype.FaceOptions{Size: s.size * f.scale, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic("draw: a font that parsed has no face: " + err.Error())
	}
	f.made[s] = face
	return face
}

// measure returns how wide text is in the layout.
func (cv *canvas) measure(text string, s style) float64 {
	return float64(font.MeasureString(cv.faces.get(s), text)) / 64 / cv.scale
}

// align is where a text stands relative to its point.
type align float64

const (
	left   align = 0
	center align = 0.5
	right  align = 1
)

// text writes at x and the baseline y, and returns where it ends.
func (cv *canvas) text(x, y float64, text string, s style, c color.NRGBA, a align) float64 {
	if a != left {
		x -= cv.measure(text, s) * float64(a)
	}
	d := font.Drawer{
		Dst: cv.img, Src: image.NewUniform(c), Face: cv.faces.get(s),
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * cv.scale * 64), Y: fixed.Int26_6(y*cv.scale*64 + 0.5)},
	}
	d.DrawString(text)
	return float64(d.Dot.X) / 64 / cv.scale
}

// fit cuts text so that it is at most so wide, with an ellipsis at its end.
func (cv *canvas) fit(text string, s style, width float64) string {
	if cv.measure(text, s) <= width {
		return text
	}
	r := []rune(text)
	low, high := 0, len(r)
	for low < high {
		mid := (low + high + 1) / 2
		if cv.measure(string(r[:mid])+"…", s) <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if low == 0 {
		return ""
	}
	return string(r[:low]) + "…"
}
