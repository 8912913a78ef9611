package outbound

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// nameServer answers questions for addresses from a list: each question for a
// name takes the next answer, and the last one stays.
type nameServer struct {
	mu      sync.Mutex
	answers map[string][]string
}

// resolver returns a resolver that asks ns over loopback.
func (ns *nameServer) resolver(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go ns.serve(conn)
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func (ns *nameServer) serve(conn net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if answer := ns.answer(buf[:n]); answer != nil {
			_, _ = conn.WriteTo(answer, from)
		}
	}
}

const (
	typeA    = 1
	typeAAAA = 28
)

// answer builds the reply to one question: the header, the question again,
// and at most one record.
func (ns *nameServer) answer(q []byte) []byte {
	name, end := question(q)
	if end+4 > len(q) {
		return nil
	}
	kind := binary.BigEndian.Uint16(q[end:])
	addr := ns.next(name, kind)
	reply := append([]byte{}, q[:2]...)
	reply = append(reply, 0x84, 0x00, 0, 1, 0, 0, 0, 0, 0, 0) // an authoritative answer to one question
	reply = append(reply, q[12:end+4]...)
	if !addr.IsValid() {
		return reply
	}
	reply[7] = 1
	reply = append(reply, 0xc0, 12) // the name in the question
	reply = binary.BigEndian.AppendUint16(reply, kind)
	reply = append(reply, 0, 1, 0, 0, 0, 0) // Internet, not to be kept
	raw := addr.AsSlice()
	reply = binary.BigEndian.AppendUint16(reply, uint16(len(raw)))
	return append(reply, raw...)
}

// next returns the next answer for name if it is of the kind asked for.
func (ns *nameServer) next(name string, kind uint16) netip.Addr {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	list := ns.answers[name]
	if len(list) == 0 {
		return netip.Addr{}
	}
	addr := netip.MustParseAddr(list[0])
	if addr.Is4() != (kind == typeA) || addr.Is6() != (kind == typeAAAA) {
		return netip.Addr{}
	}
	if len(list) > 1 {
		ns.answers[name] = list[1:]
	}
	return addr
}

// question returns the name asked for and where it ends.
func question(q []byte) (string, int) {
	var labels []string
	i := 12
	for i < len(q) && q[i] != 0 {
		n := int(q[i])
		if i+1+n > len(q) {
			return "", len(q)
		}
		labels = append(labels, string(q[i+1:i+1+n]))
		i += 1 + n
	}
	return strings.ToLower(strings.Join(labels, ".")), i + 1
}
