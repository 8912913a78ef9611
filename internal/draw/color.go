package draw

import (
	"image/color"
	"math"
)

// minContrast is what a line needs against the panel to be seen.
const minContrast = 3

// withContrast returns c, made lighter or darker in OKLab until it can be distinguished
// from the ground. Its hue stays.
func withContrast(c, ground color.NRGBA) color.NRGBA {
	l, a, b := toOKLab(c)
	step := -0.02
	if luminance(ground) < 0.5 {
		step = 0.02
	}
	for contrast(c, ground) < minContrast && (step > 0 && l < 1 || step < 0 && l > 0) {
		l += step
		c = fromOKLab(l, a, b)
	}
	return c
}

// shadeSpread is how far the lightest and the darkest shade of a colour are
// apart in OKLab.
const shadeSpread = 0.3

// shade returns the nth of so many shades of c. A single one is c itself. The
// shades are around c as far as they can be distinguished from the ground, and reach
// further to the other side where they cannot.
func shade(c, ground color.NRGBA, n, of int) color.NRGBA {
	if of < 2 {
		return c
	}
	l, a, b := toOKLab(c)
	from, to := l-shadeSpread/2, l+shadeSpread/2
	seen := func(l float64) bool { return contrast(fromOKLab(l, a, b), ground) >= minContrast }
	for ; !seen(to) && to > l; to -= 0.01 {
		from -= 0.01
	}
	for ; !seen(from) && from < l; from += 0.01 {
		to += 0.01
	}
	l = from + (to-from)*float64(n)/float64(of-1)
	return fromOKLab(min(max(l, 0.15), 0.97), a, b)
}

// contrast is that of WCAG: 1 for the same, 21 for black on white.
func contrast(a, b color.NRGBA) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

func luminance(c color.NRGBA) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear undoes the gamma of sRGB.
func linear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

func gamma(f float64) uint8 {
	f = min(max(f, 0), 1)
	if f <= 0.0031308 {
		f *= 12.92
	} else {
		f = 1.055*math.Pow(f, 1/2.4) - 0.055
	}
	return uint8(f*255 + 0.5)
}

// toOKLab and fromOKLab convert to and from Ottosson's OKLab, in which equal
// steps look equal.
func toOKLab(c color.NRGBA) (l, a, b float64) {
	r, g, bl := linear(c.R), linear(c.G), linear(c.B)
	x := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*bl)
	y := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*bl)
	z := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*bl)
	return 0.2104542553*x + 0.7936177850*y - 0.0040720468*z,
		1.9779984951*x - 2.4285922050*y + 0.4505937099*z,
		0.0259040371*x + 0.7827717662*y - 0.8086757660*z
}

func fromOKLab(l, a, b float64) color.NRGBA {
	x := l + 0.3963377774*a + 0.2158037573*b
	y := l - 0.1055613458*a - 0.0638541728*b
	z := l - 0.0894841775*a - 1.2914855480*b
	x, y, z = x*x*x, y*y*y, z*z*z
	return color.NRGBA{
		gamma(4.0767416621*x - 3.3077115913*y + 0.2309699292*z),
		gamma(-1.2684380046*x + 2.6097574011*y - 0.3413193965*z),
		gamma(-0.0041960863*x - 0.7034186147*y + 1.7076147010*z), 255,
	}
}
