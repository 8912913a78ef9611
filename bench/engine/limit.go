package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/jsonout"
)

// What is moved for one sample: JSON with five tags in requests of 1000, as
// bench/http sends it, and what the engine makes of it.
const (
	limitBatch   = 1000
	limitBody    = 113 // bytes of a sample in a request
	limitKey     = 57  // of its metric and tags
	limitLogged  = 10  // in the log
	limitStored  = 1.3 // in a table, merged
	limitPoint   = 43  // of a point in an answer
	limitStreams = 10_000
)

// part is what some part of the work takes at least.
type part struct {
	name string
	what string
	ns   float64 // of processor time, of a sample or of a point
}

// limit prints what a sample and a point must cost on this machine at least:
// each part done once, by the plainest code that does it, with nothing around.
func (p *parent) limit() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	synced, took, err := p.synced()
	if err != nil {
		return err
	}
	received, err := received()
	if err != nil {
		return err
	}
	printParts("a sample", []part{
		received,
		scanned(),
		hashed(),
		found(),
		kept(),
		synced,
		moved("sealed", "read from memory and written as a chunk, moved twice", 2*12),
		moved("stored", "a chunk is written, read to be merged, and written", 3*limitStored),
	})
	fmt.Printf("an fsync of %d bytes takes %.2f ms\n\n", limitBatch*limitLogged, took.Seconds()*1000)
	printParts("a point", []part{
		moved("read", "its bytes are read", limitStored),
		summed(),
		written(),
		moved("sent", "its text is copied to the kernel", limitPoint),
	})
	return nil
}

func printParts(of string, parts []part) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\t\tns\t\n", of)
	total := 0.0
	for _, p := range parts {
		fmt.Fprintf(table, "%s\t%s\t%.1f\t\n", p.name, p.what, p.ns)
		total += p.ns
	}
	fmt.Fprintf(table, "at least\t\t%.1f\t\n", total)
	_ = table.Flush()
}

// threadCPU returns the processor time of this thread, user's and kernel's.
func threadCPU() time.Duration {
	const thread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// each returns the nanoseconds of one of n things that do does, the best of
// some rounds.
func each(n int, do func()) float64 {
	const rounds, least = 7, 30 * time.Millisecond
	best := 0.0
	for range rounds {
		times := 0
		before := threadCPU()
		for begin := time.Now(); time.Since(begin) < least; times++ {
			do()
		}
		if ns := float64(threadCPU()-before) / float64(times*n); best == 0 || ns < best {
			best = ns
		}
	}
	return best
}

// sink keeps results from being left out by the compiler.
var sink uint64

// received is what a request costs to get from the kernel: over TCP on this
// machine, the end that reads.
func received() (part, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return part{}, err
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		body := make([]byte, limitBatch*limitBody)
		for {
			if _, err := c.Write(body); err != nil {
				return
			}
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return part{}, err
	}
	defer c.Close()
	buf := make([]byte, limitBatch*limitBody)
	ns := each(limitBatch, func() { _, err = io.ReadFull(c, buf) })
	return part{"received", fmt.Sprintf("%d bytes from a socket", limitBody), ns}, err
}

// scanned is what looking at every byte once costs: one load of a table each.
func scanned() part {
	var class [256]uint8
	for i := range class {
		class[i] = uint8(i * 7)
	}
	body := bytes.Repeat([]byte(`{"name":"cpu.load","value":12.25,"tags":{"host":"web-1"}},`), limitBatch*limitBody/58)
	ns := each(len(body), func() {
		n := uint64(0)
		for _, b := range body {
			n += uint64(class[b])
		}
		sink += n
	})
	return part{"scanned", "every byte looked at once", ns * limitBody}
}

func hashed() part {
	key, seed := make([]byte, limitKey), maphash.MakeSeed()
	ns := each(limitBatch, func() {
		h := uint64(0)
		for range limitBatch {
			h += maphash.Bytes(seed, key)
		}
		sink += h
	})
	return part{"hashed", fmt.Sprintf("%d bytes of name and tags", limitKey), ns}
}

// found is two loads that depend on what came before, among as many streams.
func found() part {
	next := make([]uint32, 32*limitStreams) // 128 bytes apart, as blocks of records are
	order := rand.Perm(limitStreams)
	for i, n := range order {
		next[32*n] = uint32(32 * order[(i+1)%len(order)])
	}
	at := uint32(0)
	ns := each(limitStreams, func() {
		for range limitStreams {
			at = next[at]
		}
	})
	sink += uint64(at)
	return part{"found", fmt.Sprintf("two loads among %d streams", limitStreams), 2 * ns}
}

// kept is a record put where those of its stream are.
func kept() part {
	type record struct {
		t uint32
		v float64
	}
	blocks := make([]record, 8*limitStreams)
	order := rand.Perm(limitStreams)
	n := 0
	ns := each(limitStreams, func() {
		for _, i := range order {
			blocks[8*i+n&7] = record{uint32(n), float64(n)}
		}
		n++
	})
	return part{"kept", "12 bytes written to its block", ns}
}

// synced is what the log costs: a checksum, a write and an fsync of as many
// records as a request has; and how long that takes.
func (p *parent) synced() (part, time.Duration, error) {
	file, err := os.Create(filepath.Join(p.Dir, "limit"))
	if err != nil {
		return part{}, 0, err
	}
	defer file.Close()
	group, table := make([]byte, limitBatch*limitLogged), crc32.MakeTable(crc32.Castagnoli)
	times, begin := 0, time.Now()
	ns := each(limitBatch, func() {
		sink += uint64(crc32.Checksum(group, table))
		if _, werr := file.Write(group); werr != nil {
			err = werr
		}
		if serr := syscall.Fdatasync(int(file.Fd())); serr != nil {
			err = serr
		}
		times++
	})
	return part{"logged", fmt.Sprintf("%d bytes: checksum, write, an fsync for %d", limitLogged, limitBatch), ns}, time.Since(begin) / time.Duration(max(1, times)), err
}

// moved is what copying so many bytes costs, from memory that no cache has.
func moved(name, what string, n float64) part {
	const size = 64 << 20
	from, to := bytes.Repeat([]byte{1}, size), make([]byte, size)
	return part{name, what, each(size, func() { copy(to, from) }) * n}
}

// summed is what a point of a sum takes once values are whole numbers.
func summed() part {
	values := make([]int64, 1<<12)
	ns := each(len(values), func() {
		s := int64(0)
		for _, v := range values {
			s += v
		}
		sink += uint64(s)
	})
	return part{"summed", "one value added", ns}
}

// written is a time and a value as text.
func written() part {
	var buf []byte
	ns := each(limitBatch, func() {
		buf = buf[:0]
		for i := range int64(limitBatch) {
			buf = strconv.AppendInt(buf, 1_794_941_795+i, 10)
			buf = jsonout.AppendFloat(buf, float64(i)/100)
		}
	})
	return part{"written", "a time and a value as text", ns}
}
