package embedded

import "slices"

// split keeps as parts large chunks that do not overlap, and puts the records
// of the others, which are few and late as a rule, over them; those
// of memory from i to j come last.
func (r *reader) split(i, j int) {
	late, kept := r.late[:0], 0
	for n := range r.parts { // in order of start
		p := &r.parts[n]
		if kept > 0 && p.start <= r.parts[kept-1].end {
			last := &r.parts[kept-1]
			if p.h.n <= last.h.n {
				late = append(late, *p)
				continue
			}
			late = append(late, *last)
			kept--
		}
		r.parts[kept] = *p
		kept++
	}
	r.parts, r.late = r.parts[:kept], late
	slices.SortStableFunc(late, func(a, b part) int { return int(int64(a.gen) - int64(b.gen)) })
	r.a.reset()
	r.ranks = r.ranks[:0]
	for k := range late {
		if r.decode(&late[k]) {
			r.a.pushChunk(&r.c, late[k].op)
			r.ranks = appendTimes(r.ranks, late[k].gen, len(r.c.t))
		}
	}
	r.a.pushAll(&r.head, i, j)
	r.ranks = appendTimes(r.ranks, 1<<32-1, j-i)
	r.sortOver()
}

// appendTimes appends x n times.
func appendTimes(dst []uint32, x uint32, n int) []uint32 {
	for range n {
		dst = append(dst, x)
	}
	return dst
}

// sortOver makes of r.a, in order of arrival, r.over in order of time.
func (r *reader) sortOver() {
	keys := r.over.keys[:0]
	for i, t := range r.a.t {
		keys = append(keys, uint64(t)<<32|uint64(i))
	}
	slices.Sort(keys)
	r.over.reset()
	r.over.keys, r.rank = keys, r.rank[:0]
	for _, key := range keys {
		i := int(uint32(key))
		r.over.push(&r.a, i)
		r.rank = append(r.rank, r.ranks[i])
	}
}

// feed gives s the parts, with the records i to j of over, which are in order
// of time, put over them. A part under which nothing lies is fed as it is.
func (r *reader) feed(over *run, rank []uint32, i, j int, s sink) {
	for n := range r.parts {
		p := &r.parts[n]
		k := i
		for k < j && over.t[k] < p.start {
			k++
		}
		r.flush(over, rank, i, k, s)
		for i = k; k < j && over.t[k] <= p.end; k++ {
		}
		if i == k {
			if err := s.chunk(r.data[p.off:p.stop], p.start, &p.h); err != nil {
				r.aside(p, err)
			}
			continue
		}
		switch {
		case r.weaveDecimals(p, over, rank, i, k):
			s.decimals(&r.dec)
		case r.decode(p):
			r.weave(p, over, rank, i, k)
			s.run(&r.b, 0, len(r.b.t))
		default:
			r.flush(over, rank, i, k, s)
		}
		i = k
	}
	r.flush(over, rank, i, j, s)
}

// flush gives s records below which there is nothing.
func (r *reader) flush(over *run, rank []uint32, i, j int, s sink) {
	if i >= j {
		return
	}
	if over.ascendsIn(i, j) { // one a second already
		s.run(over, i, j)
		return
	}
	r.b.reset()
	for ; i < j; i++ {
		r.b.add(over, i)
	}
	s.run(&r.b, 0, len(r.b.t))
}

// weaveDecimals is weave for a few decimals over a chunk of decimals, as most
// late data is: the rest of the chunk stays as it is. It leaves the result in
// r.dec, and reports false for anything else.
func (r *reader) weaveDecimals(p *part, over *run, rank []uint32, i, j int) bool {
	if p.op != 0 || over.has || j-i > fewRecords {
		return false
	}
	ok, err := r.dec.read(r.data[p.off:p.stop], p.start, &p.h)
	return err == nil && ok && r.dec.k <= sumDecimals && r.dec.put(p.gen, over, rank, i, j)
}

// weave puts the records i to j of over and the decoded part p together, in
// order of time and for each second in order of arrival.
func (r *reader) weave(p *part, over *run, rank []uint32, i, j int) {
	if r.c.flags&flagSummary == 0 && p.op == 0 && !over.has {
		r.weavePlain(p.gen, over, rank, i, j)
		return
	}
	r.a.reset()
	r.a.pushChunk(&r.c, p.op)
	base := &r.a
	r.b.reset()
	k := 0
	for ; i < j; i++ {
		from := k
		for k < len(base.t) && base.t[k] < over.t[i] {
			k++
		}
		if from < k {
			r.b.add(base, from) // it may be of the second pushed last
			r.b.pushAll(base, from+1, k)
		}
		if k < len(base.t) && base.t[k] == over.t[i] && (rank == nil || rank[i] > p.gen) {
			r.b.add(base, k)
			k++
		}
		r.b.add(over, i)
	}
	for ; k < len(base.t); k++ {
		r.b.add(base, k)
	}
}

// weavePlain is weave for values that replace each other: of each second the
// one that came last stays.
func (r *reader) weavePlain(gen uint32, over *run, rank []uint32, i, j int) {
	t, v := r.c.t, r.c.v
	n := len(t) + j - i
	out := &r.b
	out.reset()
	out.t, out.v, out.op = grow(out.t, n), grow(out.v, n), grow(out.op, n)
	n = 0
	for k := 0; ; i++ {
		for k < len(t) && (i == j || t[k] < over.t[i]) {
			out.t[n], out.v[n] = t[k], v[k]
			n++
			k++
		}
		if i == j {
			break
		}
		for i+1 < j && over.t[i+1] == over.t[i] {
			i++
		}
		out.t[n], out.v[n] = over.t[i], over.v[i]
		if k < len(t) && t[k] == over.t[i] {
			if rank != nil && rank[i] < gen {
				out.v[n] = v[k]
			}
			k++
		}
		n++
	}
	out.t, out.v, out.op = out.t[:n], out.v[:n], out.op[:n]
	clear(out.op)
}
