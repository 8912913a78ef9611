package chunk

import "slices"

// Upper is records of one stream that lie over chunks, collected in order of
// arrival.
type Upper struct {
	Run           // in order of time, and for each second in order of arrival
	Rank []uint32 // generation of each

	in     Run // in order of arrival
	inRank []uint32
	c      Decoded
	sc     Scratch
}

func (u *Upper) Reset() {
	u.in.Reset()
	u.inRank = u.inRank[:0]
}

// AddChunk adds the records of a chunk.
func (u *Upper) AddChunk(p *Piece) error {
	if err := u.c.Read(p.Data, p.Start, &u.sc, true); err != nil {
		return err
	}
	u.in.PushChunk(&u.c, p.Op)
	u.inRank = appendTimes(u.inRank, p.Gen, len(u.c.T))
	return nil
}

// AddRun adds the records i to j of r, which came after all chunks.
func (u *Upper) AddRun(r *Run, i, j int) {
	u.in.pushAll(r, i, j)
	u.inRank = appendTimes(u.inRank, 1<<32-1, j-i)
}

// appendTimes appends x n times.
func appendTimes(dst []uint32, x uint32, n int) []uint32 {
	for range n {
		dst = append(dst, x)
	}
	return dst
}

// Sort puts what was added in order of time.
func (u *Upper) Sort() {
	keys := u.keys[:0]
	for i, t := range u.in.T {
		keys = append(keys, uint64(t)<<32|uint64(i))
	}
	slices.Sort(keys)
	u.Run.Reset()
	u.keys, u.Rank = keys, u.Rank[:0]
	for _, key := range keys {
		i := int(uint32(key))
		u.push(&u.in, i)
		u.Rank = append(u.Rank, u.inRank[i])
	}
}

// Weaver feeds sinks with records that lie over chunks. Those are a run in
// order of time, and for each second in order of arrival; rank has the
// generation of each, or is nil if all of them came after every chunk.
type Weaver struct {
	c    Decoded
	dec  decimals
	sc   Scratch
	a, b Run
}

// Feed gives s the chunk p with the records i to j of over put over it.
func (w *Weaver) Feed(p *Piece, over *Run, rank []uint32, i, j int, s Sink) error {
	if w.weaveDecimals(p, over, rank, i, j) {
		s.decimals(&w.dec)
		return nil
	}
	if err := w.c.Read(p.Data, p.Start, &w.sc, true); err != nil {
		return err
	}
	w.weave(p, over, rank, i, j)
	s.run(&w.b, 0, len(w.b.T))
	return nil
}

// Flush gives s records below which there is nothing.
func (w *Weaver) Flush(over *Run, i, j int, s Sink) {
	if i >= j {
		return
	}
	if over.ascendsIn(i, j) { // one a second already
		s.run(over, i, j)
		return
	}
	w.b.Reset()
	for ; i < j; i++ {
		w.b.add(over, i)
	}
	s.run(&w.b, 0, len(w.b.T))
}

// weaveDecimals is weave for a few decimals over a chunk of decimals, as most
// late data is: the rest of the chunk stays as it is. The result is w.dec. It
// reports false for anything else.
func (w *Weaver) weaveDecimals(p *Piece, over *Run, rank []uint32, i, j int) bool {
	if p.Op != 0 || over.Has || j-i > fewRecords {
		return false
	}
	ok, err := w.dec.read(p.Data, p.Start, &p.Header)
	return err == nil && ok && w.dec.k <= sumDecimals && w.dec.put(p.Gen, over, rank, i, j)
}

// weave puts the records i to j of over and the chunk p, which w.c has decoded,
// together, in order of time and for each second in order of arrival. The
// result is w.b.
func (w *Weaver) weave(p *Piece, over *Run, rank []uint32, i, j int) {
	if w.c.flags&flagSummary == 0 && p.Op == 0 && !over.Has {
		w.weavePlain(p.Gen, over, rank, i, j)
		return
	}
	w.a.Reset()
	w.a.PushChunk(&w.c, p.Op)
	base := &w.a
	w.b.Reset()
	k := 0
	for ; i < j; i++ {
		from := k
		for k < len(base.T) && base.T[k] < over.T[i] {
			k++
		}
		if from < k {
			w.b.add(base, from) // it may be of the second pushed last
			w.b.pushAll(base, from+1, k)
		}
		if k < len(base.T) && base.T[k] == over.T[i] && (rank == nil || rank[i] > p.Gen) {
			w.b.add(base, k)
			k++
		}
		w.b.add(over, i)
	}
	for ; k < len(base.T); k++ {
		w.b.add(base, k)
	}
}

// weavePlain is weave for values that replace each other: of each second the
// one that came last stays.
func (w *Weaver) weavePlain(gen uint32, over *Run, rank []uint32, i, j int) {
	t, v := w.c.T, w.c.v
	n := len(t) + j - i
	out := &w.b
	out.Reset()
	out.T, out.V, out.Op = grow(out.T, n), grow(out.V, n), grow(out.Op, n)
	n = 0
	for k := 0; ; i++ {
		for k < len(t) && (i == j || t[k] < over.T[i]) {
			out.T[n], out.V[n] = t[k], v[k]
			n++
			k++
		}
		if i == j {
			break
		}
		for i+1 < j && over.T[i+1] == over.T[i] {
			i++
		}
		out.T[n], out.V[n] = over.T[i], over.V[i]
		if k < len(t) && t[k] == over.T[i] {
			if rank != nil && rank[i] < gen {
				out.V[n] = v[k]
			}
			k++
		}
		n++
	}
	out.T, out.V, out.Op = out.T[:n], out.V[:n], out.Op[:n]
	clear(out.Op)
}
