package chunk

import "slices"

// decimals are plain values that are integers in units of 10^-k, as most data
// is: their sums are exact, and quick.
type decimals struct {
	t0   int64
	step int64   // between times that are regular, if only but for gaps
	gaps bool    // they have
	n    int     // then: how many slots, and
	in   slots   // which of them have a record
	off  []int64 // the times after t0 if they are irregular
	x    []int64
	k    int

	room []int64 // of off
	sums []int64 // of prefixes
}

// read decodes a chunk that starts at t0. It reports false for one that holds
// anything else.
func (d *decimals) read(e Encoded, t0 uint32, h *Header) (ok bool, err error) {
	if h.flags&flagSummary != 0 {
		return false, nil
	}
	_, b, err := readHeader(e.b)
	if err != nil {
		return false, err
	}
	d.t0, d.step, d.off, d.gaps = int64(t0), max(1, int64(h.step)), nil, h.flags&flagGaps != 0
	switch {
	case d.gaps:
		d.n = h.slots()
		if b, err = d.in.read(b, h); err != nil {
			return false, err
		}
	case h.flags&flagRegular == 0:
		d.room = grow(d.room, h.N)
		d.off, d.step = d.room, 0
		if b, err = readInts(b, d.off); err == nil && !areOffsets(d.off, h.Span) {
			err = ErrDamaged
		}
		if err != nil {
			return false, err
		}
	}
	if len(b) == 0 || b[0] > maxDecimals {
		return false, nil
	}
	d.x, d.k = grow(d.x, h.N), int(b[0])
	_, err = readInts(b[1:], d.x)
	return err == nil, err
}

// areOffsets reports whether x ascends from 0 to span.
func areOffsets(x []int64, span uint32) bool {
	prev := int64(-1)
	for _, y := range x {
		if y <= prev {
			return false
		}
		prev = y
	}
	return x[0] == 0 && prev == int64(span)
}

// take makes d the records i to j of r, which are plain, if they have few
// decimals.
func (d *decimals) take(r *Run, i, j int) bool {
	if i >= j {
		return false
	}
	if d.k = decimalsOfAll(r.V[i:j]); d.k < 0 {
		return false
	}
	d.room, d.x = grow(d.room, j-i), grow(d.x, j-i)
	d.t0, d.step, d.gaps, d.off = int64(r.T[i]), 0, false, d.room
	for n := range d.x {
		d.off[n] = int64(r.T[i+n]) - d.t0
		d.x[n], _ = scaled(r.V[i+n], pow10[d.k])
	}
	return true
}

// fewRecords is how many records are put into a chunk one by one.
const fewRecords = 32

// put puts the records i to j of over, which are plain, in order of time and
// for each second in order of arrival, over d, which is of generation gen. It
// reports false if there are too many of them, or other than d holds: then d
// is good for nothing.
func (d *decimals) put(gen uint32, over *Run, rank []uint32, i, j int) bool {
	if j-i > fewRecords {
		return false
	}
	for ; i < j; i++ {
		if i+1 < j && over.T[i+1] == over.T[i] {
			continue // the last one stays
		}
		x, ok := scaled(over.V[i], pow10[d.k])
		if !ok {
			return false
		}
		at, found, ok := d.place(int64(over.T[i]))
		switch {
		case !ok:
			return false
		case !found:
			d.x = slices.Insert(d.x, at, x)
		case rank == nil || rank[i] >= gen:
			d.x[at] = x
		}
	}
	return true
}

// place returns the position of time t, which lies within d, makes room for it
// if there is none, and reports whether there was. It reports !ok if d cannot
// hold that time.
func (d *decimals) place(t int64) (at int, found, ok bool) {
	if d.step == 0 {
		if at, found = slices.BinarySearch(d.off, t-d.t0); !found {
			d.off = slices.Insert(d.off, at, t-d.t0)
			d.room = d.off
		}
		return at, found, true
	}
	slot := int((t - d.t0) / d.step)
	if d.t0+int64(slot)*d.step != t {
		return 0, false, false
	}
	if !d.gaps {
		return slot, true, true
	}
	if found = d.in.has(slot); !found {
		d.in.set(slot, slot+1)
	}
	return d.in.count(0, slot), found, true
}

// decimalsOfAll returns the fewest decimals, up to 6, that hold all of v, or -1.
func decimalsOfAll(v []float64) int {
	k := 0
	for i := 0; i < len(v); {
		if _, ok := scaled(v[i], pow10[k]); ok {
			i++
		} else if k++; k > sumDecimals {
			return -1
		}
	}
	return k
}

// at returns the time of record i, unless there are gaps.
func (d *decimals) at(i int) int64 {
	if d.step > 0 {
		return d.t0 + int64(i)*d.step
	}
	return d.t0 + d.off[i]
}

// find returns the first record at or after t, unless there are gaps.
func (d *decimals) find(t int64) int {
	if t <= d.t0 {
		return 0
	}
	if d.step > 0 {
		return int((t - d.t0 + d.step - 1) / d.step)
	}
	i, _ := slices.BinarySearch(d.off, t-d.t0)
	return i
}

// prefixes returns the sums of the first 0, 1, 2... values. They may overflow;
// differences of those up to safeSum apart are right all the same.
func (d *decimals) prefixes() []int64 {
	sums := grow(d.sums, len(d.x)+1)
	d.sums = sums
	sum := int64(0)
	sums[0] = 0
	for i, x := range d.x {
		sum += x
		sums[i+1] = sum
	}
	return sums
}

// slot returns the first slot at or after t, if there are gaps.
func (d *decimals) slot(t int64) int {
	if t <= d.t0 {
		return 0
	}
	return int(min((t-d.t0+d.step-1)/d.step, int64(d.n)))
}

// windows calls add for each window of the given length that has records, as
// far as it is in [lo, hi), with the time of its first record, if there are gaps.
func (d *decimals) windows(lo, hi, length int64, add func(t int64, x []int64)) {
	s := d.slot(lo)
	for x := d.x[d.in.count(0, s):]; ; {
		s = d.in.next(s)
		t := d.t0 + int64(s)*d.step
		if s >= d.n || t >= hi {
			return
		}
		end := d.slot(min(t-t%length+length, hi))
		n := d.in.count(s, end)
		add(t, x[:n])
		x, s = x[n:], end
	}
}

// next returns the first record at or after t, which is not far behind i,
// unless there are gaps.
func (d *decimals) next(i int, t int64) int {
	if d.step > 0 {
		return min(len(d.x), int((t-d.t0+d.step-1)/d.step))
	}
	t -= d.t0
	for i < len(d.off) && d.off[i] < t {
		i++
	}
	return i
}
