package draw

import (
	"math"
	"strconv"
	"strings"
)

// gap is the space between a value and its unit: one that does not break.
const gap = "\u00a0"

var prefixes = []struct {
	factor float64
	name   string
}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// Format writes a value with its unit as the interface does: three digits that
// count, and k, M, G from ten thousand on.
func Format(v float64, unit string) string { return withUnit(short(v, unit)) }

// roundsUp is the part of a prefix from which three digits read as all of it.
const roundsUp = 0.9995

// short returns the digits of v and the unit with its prefix.
func short(v float64, unit string) (digits, u string) {
	if !isNumber(v) {
		return "–", ""
	}
	prefix, from := "", 10_000.0
	unit = strings.TrimSpace(unit)
	what, per, rate := strings.Cut(unit, "/")
	if isBytes(what) {
		if unit, from = "B", 1000; rate {
			unit += "/" + per
		}
	}
	if math.Abs(v) >= from {
		for _, p := range prefixes {
			if math.Abs(v) >= p.factor*roundsUp {
				v, prefix = v/p.factor, p.name
				break
			}
		}
	}
	return significant(v), prefix + unit
}

func isBytes(unit string) bool {
	switch strings.ToLower(unit) {
	case "byte", "bytes":
		return true
	}
	return unit == "B"
}

// withUnit joins digits and unit: with a space, but for "/s".
func withUnit(digits, unit string) string {
	switch {
	case unit == "":
		return digits
	case unit[0] == '/':
		return digits + unit
	}
	return digits + gap + unit
}

// significant writes v with three digits that count, all of them before the
// point.
func significant(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1e18 || a < 1e-6:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 100:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	decimals := 2 - int(math.Floor(math.Log10(a)))
	return group(trimZeros(strconv.FormatFloat(v, 'f', decimals, 64)))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// group puts a comma between thousands, and a true minus before them.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return sign + whole
}
