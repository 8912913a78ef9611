package chunk

import "testing"

// BenchmarkSinks makes points and records of a tier of one chunk, by 60 s.
func BenchmarkSinks(b *testing.B) {
	times, values := walk(2000)
	var s Scratch
	gaps := append(times[:700:700], times[703:]...)
	light, lasts, full, u := &Sums{steps: steps{Step: 60}}, &Lasts{steps: steps{Step: 60}}, &Summaries{steps: steps{Step: 60}}, &Rollup{Window: 60}
	for name, v := range map[string][]byte{
		"regular": appendChunk(nil, times, values, 0, &s), "gappy": appendChunk(nil, gaps, values[:len(gaps)], 0, &s),
	} {
		p := pieceOf(b, v, times[0])
		benchSink(b, name+"/sums", light, func() error { light.Reset(); return light.Chunk(p) })
		benchSink(b, name+"/lasts", lasts, func() error { lasts.Reset(); return lasts.Chunk(p) })
		benchSink(b, name+"/summaries", full, func() error { full.Reset(); return full.Chunk(p) })
		benchSink(b, name+"/rollup", u, func() error { u.Reset(); defer u.Flush(); return u.Chunk(p) })
	}
	each, p := &Sums{steps: steps{Step: 1}}, pieceOf(b, appendChunk(nil, times, values, 0, &s), times[0])
	benchSink(b, "a step each/sums", each, func() error { each.Reset(); each.Bounds(int64(times[1]), 1<<40); return each.Chunk(p) })
	r := &Run{T: times, V: values, Op: make([]uint8, len(times))}
	benchSink(b, "memory/sums", light, func() error { light.Reset(); light.run(r, 0, len(r.T)); return nil })
	benchSink(b, "memory/summaries", full, func() error { full.Reset(); full.run(r, 0, len(r.T)); return nil })
}

func pieceOf(b *testing.B, v []byte, start uint32) *Piece {
	h, err := HeaderOf(v)
	if err != nil {
		b.Fatal(err)
	}
	return &Piece{Data: Pad(v), Header: h, Start: start}
}

func benchSink(b *testing.B, name string, s Sink, feed func() error) {
	b.Run(name, func(b *testing.B) {
		s.Bounds(0, 1<<40)
		for b.Loop() {
			if err := feed(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
