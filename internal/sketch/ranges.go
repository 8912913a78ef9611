package sketch

// Scale is how wide the ranges are that values are counted in for a picture:
// so many buckets of a sketch that was never coarsened.
type Scale int32

// Ranges start again at every power of two as buckets do, and those of a scale
// lie within those of every wider one. Five of the fine ones to a doubling are
// rows of a picture that can be told apart where values reach over thousands.
const (
	finest Scale = 1
	fine   Scale = 7
	octave Scale = perOctave
)

// ScaleFor returns the finest scale with which no more than most ranges are
// between the least and the largest value; most is 3 or more.
func (s *Sketch) ScaleFor(most int) Scale {
	for _, scale := range []Scale{finest, fine, octave} {
		if s.span(scale) <= most {
			return scale
		}
	}
	scale := octave
	for s.span(scale) > most {
		scale *= 2
	}
	return scale
}

// span returns how many ranges there are from the least to the largest value.
func (s *Sketch) span(scale Scale) (n int) {
	buckets := s.appendBuckets(nil)
	for i, b := range buckets {
		at := scale.rangeOf(b.key, s.level)
		switch {
		case i == 0 || at == 0 || scale.rangeOf(buckets[i-1].key, s.level) == 0:
			n++
		case at > 0 && buckets[i-1].key < 0: // from the negatives over to the positives
			n++
		default:
			n += int(at - scale.rangeOf(buckets[i-1].key, s.level))
		}
	}
	return n
}

// rangeOf returns the number of the range that a bucket is in, by its middle.
// As with keys, 0 is for zero alone.
func (c Scale) rangeOf(key int32, level uint8) int32 {
	switch {
	case key < 0:
		return -c.rangeOf(-key, level)
	case key == 0:
		return 0
	}
	width := int32(1) << level
	return ((key-1)*width+(width-1)/2)/int32(c) + 1
}

// bounds returns the numbers between which a range lies.
func (c Scale) bounds(at int32) (lower, upper float64) {
	switch {
	case at < 0:
		lower, upper = c.bounds(-at)
		return -upper, -lower
	case at == 0:
		return 0, 0
	}
	return lowest((at-1)*int32(c) + 1), lowest(at*int32(c) + 1)
}

// Ranges counts the values in ranges of a scale: those that hold something, in
// order of values. Which of two neighbours a value is in is known within the
// error of s.
func (s *Sketch) Ranges(scale Scale) (ranges []Bucket) {
	last := int32(0)
	for i, b := range s.appendBuckets(nil) {
		at, n := scale.rangeOf(b.key, s.level), float64(b.n)/(1<<unitBits)
		if i > 0 && at == last {
			ranges[len(ranges)-1].Count += n
			continue
		}
		lower, upper := scale.bounds(at)
		ranges, last = append(ranges, Bucket{lower, upper, n}), at
	}
	return ranges
}
