package ports

import (
	"context"
	"errors"
	"net"
	"time"
)

// What of UDP waits to be handled: so many packets, of at most that length.
const (
	maxQueued   = 4096
	maxPacket   = 64 << 10
	packetSize  = 2 << 10 // of nearly all packets
	maxAtOnce   = 256     // packets that are handled together
	socketQueue = 8 << 20 // bytes that the kernel keeps, if it may
)

// datagrams reads packets as fast as it can into a queue. What does not fit is
// dropped, and counted: anyone who sends by UDP does not wait.
type datagrams struct {
	*port
	conn   net.PacketConn
	handle func(context.Context, [][]byte)
	queue  chan []byte
	free   chan []byte // buffers of the usual size, to be used again
}

func newDatagrams(p *port, conn net.PacketConn, handle func(context.Context, [][]byte)) *datagrams {
	return &datagrams{port: p, conn: conn, handle: handle, queue: make(chan []byte, maxQueued), free: make(chan []byte, maxQueued)}
}

// run handles packets until ctx is done, and then those that came before.
func (d *datagrams) run(ctx context.Context) error {
	if udp, ok := d.conn.(*net.UDPConn); ok {
		_ = udp.SetReadBuffer(socketQueue) // it may be less than that
	}
	stop := context.AfterFunc(ctx, func() { _ = d.conn.SetReadDeadline(time.Now()) })
	defer stop()
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		d.handleAll(ctx)
	}()
	d.read(ctx)
	close(d.queue)
	<-handled
	return d.conn.Close()
}

// read fills the queue. When ctx is done, it takes what the kernel has still.
func (d *datagrams) read(ctx context.Context) {
	packet := make([]byte, maxPacket)
	for stopping := false; ; {
		n, _, err := d.conn.ReadFrom(packet)
		var slow net.Error
		switch {
		case err == nil:
			d.enqueue(packet[:n])
		case errors.Is(err, net.ErrClosed), stopping:
			return
		case ctx.Err() != nil:
			stopping = true
			_ = d.conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		case !errors.As(err, &slow):
			d.warn(ctx, "cannot read packets", err)
		}
	}
}

func (d *datagrams) enqueue(packet []byte) {
	d.counters.packets.Add(1)
	var b []byte
	select {
	case b = <-d.free:
	default:
		b = make([]byte, 0, packetSize)
	}
	select {
	case d.queue <- append(b[:0], packet...):
	default:
		d.counters.droppedPackets.Add(1)
	}
}

// handleAll empties the queue, many packets at a time.
func (d *datagrams) handleAll(ctx context.Context) {
	packets := make([][]byte, 0, maxAtOnce)
	for first := range d.queue {
		packets = append(packets[:0], first)
	more:
		for len(packets) < maxAtOnce {
			select {
			case b, ok := <-d.queue:
				if !ok {
					break more
				}
				packets = append(packets, b)
			default:
				break more
			}
		}
		d.handle(ctx, packets)
		for _, b := range packets {
			d.release(b)
		}
	}
}

// release keeps a buffer for later, unless it is larger than most.
func (d *datagrams) release(b []byte) {
	if cap(b) > packetSize {
		return
	}
	select {
	case d.free <- b:
	default:
	}
}
