package ports

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/graphite"
)

// graphitePort takes lines and pickles of Graphite.
type graphitePort struct{ *port }

// serveConn takes what one connection sends: pickles where its first byte is
// that of the length of one, which is never that of a line.
func (g *graphitePort) serveConn(ctx context.Context, c net.Conn) {
	batch := g.Recorder.NewBatch(protocol.DefaultLimits)
	if !g.waitFor(ctx, c) {
		return
	}
	var first [1]byte
	if _, err := io.ReadFull(c, first[:]); err != nil {
		return
	}
	if first[0] == 0 {
		g.pickles(ctx, c, batch)
		return
	}
	g.eachChunk(ctx, c, first[:], func(lines []byte) {
		batch.Reset()
		_ = graphite.Decode(lines, batch) // what is wrong with it is counted in the batch
		g.lose(ctx, batch, "TCP", host(c.RemoteAddr()))
	})
}

// pickles takes pickles, each after its length.
func (g *graphitePort) pickles(ctx context.Context, c net.Conn, batch *protocol.Batch) {
	r := bufio.NewReader(io.MultiReader(bytes.NewReader([]byte{0}), c))
	var body []byte
	for {
		var header [4]byte
		if !g.waitFor(ctx, c) {
			return
		}
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return
		}
		n, err := graphite.PickleLength(header)
		if err != nil {
			g.counters.unreadable.Add(1)
			g.warn(ctx, "a pickle is refused", err)
			return
		}
		if cap(body) < n {
			body = make([]byte, n)
		}
		if _, err := io.ReadFull(r, body[:n]); err != nil {
			return
		}
		batch.Reset()
		if err := graphite.DecodePickle(body[:n], batch); err != nil {
			g.counters.unreadable.Add(1)
			g.warn(ctx, "a pickle is refused", err)
			continue
		}
		g.lose(ctx, batch, "TCP", host(c.RemoteAddr()))
	}
}

// mostLines is how many lines a packet may have: the shortest is "a 1\n".
const mostLines = maxPacket / 4

// packets takes lines that came by UDP.
func (g *graphitePort) packets(ctx context.Context, packets [][]byte) {
	batch := g.Recorder.NewBatch(protocol.DefaultLimits)
	for _, p := range packets {
		if len(batch.Points)+mostLines > batch.Limits.Points {
			g.lose(ctx, batch, "UDP", "")
			batch.Reset()
		}
		_ = graphite.Decode(p, batch) // what is wrong with it is counted in the batch
	}
	g.lose(ctx, batch, "UDP", "")
}
