package query

import "slices"

// fold makes one value of those that a set of series has at one time.
type fold struct {
	two  func(a, b float64) float64
	row  func(dst, src []float64) // two for each place; src is as long as dst
	mean bool                     // divide by the number of values in the end
	all  bool                     // only where every series has a value
}

var (
	foldSum      = &fold{two: func(a, b float64) float64 { return a + b }, row: addRow}
	foldMean     = &fold{two: foldSum.two, row: addRow, mean: true}
	foldMin      = &fold{two: func(a, b float64) float64 { return min(a, b) }}
	foldMax      = &fold{two: func(a, b float64) float64 { return max(a, b) }}
	foldMultiply = &fold{two: func(a, b float64) float64 { return a * b }, all: true}
)

// addRow is the loop that most queries spend their time in. It goes four places
// at a time: how fast a shorter loop is depends on where the linker puts it.
func addRow(dst, src []float64) {
	src = src[:len(dst)]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		d, s := (*[4]float64)(dst[i:i+4]), (*[4]float64)(src[i:i+4])
		d[0] += s[0]
		d[1] += s[1]
		d[2] += s[2]
		d[3] += s[3]
	}
	for ; i < len(dst); i++ {
		dst[i] += src[i]
	}
}

// sameTimes reports whether a, moved by shift, is b. It is a loop like addRow.
func sameTimes(a, b []int64, shift int64) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := (*[4]int64)(a[i:i+4]), (*[4]int64)(b[i:i+4])
		if ((x[0]+shift)^y[0])|((x[1]+shift)^y[1])|((x[2]+shift)^y[2])|((x[3]+shift)^y[3]) != 0 {
			return false
		}
	}
	for ; i < len(a); i++ {
		if a[i]+shift != b[i] {
			return false
		}
	}
	return true
}

// fold folds src into dst, place by place.
func (f *fold) fold(dst, src []float64) {
	if f.row != nil {
		f.row(dst, src)
		return
	}
	for i := range dst {
		dst[i] = f.two(dst[i], src[i])
	}
}

// accumulator folds series one after the other, and keeps nothing of them but
// the outcome.
//
// Most series of a set have the same times, so the first one's are the base
// and others are added to it in place. Points at other times are put aside in
// layers that are merged like the runs of a merge sort: whatever the times
// are, n points of k series cost O(n log k) and never more memory than n.
type accumulator struct {
	fold   *fold
	out    Series // all but times and values
	count  int    // of series
	base   layer
	whole  int32   // series folded into all of base, on top of its n
	aside  layer   // of the series being added
	layers []layer // each at least twice as long as the next
}

// layer is a series of partial results: n values were folded into each.
type layer struct {
	times  []int64
	values []float64
	n      []int32
}

func newAccumulator(f *fold) *accumulator { return &accumulator{fold: f} }

// add folds the points of a series into a, and returns how many more it holds
// now. It keeps neither slice.
func (a *accumulator) add(s *Series, times []int64, values []float64) (more int) {
	a.out.inheritOne(s, a.count == 0)
	a.count++
	if len(a.base.times) == 0 {
		a.base = layer{slices.Clone(times), slices.Clone(values), make([]int32, len(times))}
		for i := range a.base.n {
			a.base.n[i] = 1
		}
		return len(times)
	}
	if sameTimes(times, a.base.times, 0) {
		a.fold.fold(a.base.values, values)
		a.whole++
		return 0
	}
	a.addTo(&a.base, times, values)
	more = len(a.aside.times)
	if more > 0 {
		a.push(a.aside)
		a.aside = layer{}
	}
	return more
}

// addTo folds points into those of b that are at the same time, and puts the
// others aside.
func (a *accumulator) addTo(b *layer, times []int64, values []float64) {
	two := a.fold.two
	at := 0
	for i, t := range times {
		if at >= len(b.times) || b.times[at] != t {
			skip, found := slices.BinarySearch(b.times[at:], t)
			at += skip
			if !found {
				a.aside.append(t, values[i], 1)
				continue
			}
		}
		b.values[at] = two(b.values[at], values[i])
		b.n[at]++
		at++
	}
}

func (l *layer) append(t int64, v float64, n int32) {
	l.times, l.values, l.n = append(l.times, t), append(l.values, v), append(l.n, n)
}

// push adds a layer, and merges it with those that are not much longer.
func (a *accumulator) push(l layer) {
	for n := len(a.layers); n > 0 && len(a.layers[n-1].times) < 2*len(l.times); n-- {
		l = a.merge(a.layers[n-1], l)
		a.layers = a.layers[:n-1]
	}
	a.layers = append(a.layers, l)
}

// merge returns the fold of two layers.
func (a *accumulator) merge(x, y layer) layer {
	size := len(x.times) + len(y.times)
	out := layer{make([]int64, 0, size), make([]float64, 0, size), make([]int32, 0, size)}
	i, j := 0, 0
	for i < len(x.times) && j < len(y.times) {
		switch {
		case x.times[i] < y.times[j]:
			out.append(x.times[i], x.values[i], x.n[i])
			i++
		case x.times[i] > y.times[j]:
			out.append(y.times[j], y.values[j], y.n[j])
			j++
		default:
			out.append(x.times[i], a.fold.two(x.values[i], y.values[j]), x.n[i]+y.n[j])
			i, j = i+1, j+1
		}
	}
	for ; i < len(x.times); i++ {
		out.append(x.times[i], x.values[i], x.n[i])
	}
	for ; j < len(y.times); j++ {
		out.append(y.times[j], y.values[j], y.n[j])
	}
	return out
}

// finish returns the outcome. a cannot be used again.
func (a *accumulator) finish() *Series {
	for i := range a.base.n {
		a.base.n[i] += a.whole
	}
	for _, l := range slices.Backward(a.layers) {
		a.base = a.merge(a.base, l)
	}
	out := a.out
	out.combined = true
	out.Times, out.Values = a.base.times, a.base.values
	kept := 0
	for i, v := range a.base.values {
		n := a.base.n[i]
		if a.fold.mean {
			v /= float64(n)
		}
		if a.fold.all && int(n) != a.count || !isFinite(v) {
			continue
		}
		out.Times[kept], out.Values[kept] = out.Times[i], v
		kept++
	}
	out.Times, out.Values = out.Times[:kept], out.Values[:kept]
	return &out
}
