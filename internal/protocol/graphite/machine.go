package graphite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

type kind uint8

const (
	aNumber kind = iota
	aText
	aList // or a tuple
	aMark
	aNone
)

type object struct {
	kind  kind
	num   float64
	text  string
	items []*object
}

// number returns o as a number; texts that are one count, as carbon has it.
func (o *object) number() (float64, bool) {
	if o.kind == aText {
		return protocol.ParseFloat(o.text)
	}
	return o.num, o.kind == aNumber
}

// machine runs a pickle.
type machine struct {
	b     []byte
	i     int
	stack []*object
	memo  map[uint64]*object
	made  int // operations, each of which makes an object at most
}

var (
	errEnd   = errors.New("ends too early")
	errStack = errors.New("takes more than there is")
	errShape = errors.New("is not a list")
)

func (m *machine) run() (*object, error) {
	m.memo = make(map[uint64]*object)
	for {
		op, err := m.take(1)
		if err != nil {
			return nil, err
		}
		if op[0] == '.' {
			break
		}
		if err := m.do(op[0]); err != nil {
			return nil, err
		}
		if m.made++; m.made > maxObjects {
			return nil, fmt.Errorf("has more than %d objects", maxObjects)
		}
	}
	if len(m.stack) != 1 || m.stack[0].kind != aList {
		return nil, errShape
	}
	return m.stack[0], nil
}

func (m *machine) do(op byte) error {
	if size, ok := numbers[op]; ok {
		return m.pushNumber(op, size)
	}
	if size, ok := texts[op]; ok {
		return m.pushText(size)
	}
	if size, ok := memos[op]; ok {
		return m.remember(op, size)
	}
	switch op {
	case 'I', 'L', 'F', 'S', 'V', 'p', 'g':
		return m.line(op)
	case '\x80': // the version
		_, err := m.take(1)
		return err
	case '\x95': // a frame
		_, err := m.take(8)
		return err
	}
	return m.build(op)
}

// The operations that are followed by a number of bytes.
var (
	numbers = map[byte]int{'J': 4, 'K': 1, 'M': 2, 'G': 8, '\x8a': 1}
	texts   = map[byte]int{'U': 1, 'T': 4, 'X': 4, '\x8c': 1, '\x8d': 8, 'C': 1, 'B': 4}
	memos   = map[byte]int{'q': 1, 'r': 4, 'h': 1, 'j': 4}
)

func (m *machine) build(op byte) error {
	switch op {
	case '(':
		m.push(&object{kind: aMark})
	case ']', ')':
		m.push(&object{kind: aList})
	case 'N':
		m.push(&object{kind: aNone})
	case '\x88', '\x89': // true, false
		m.push(&object{num: float64('\x89' - op)})
	case '\x94':
		return m.save(uint64(len(m.memo)))
	case 'a', 'e':
		return m.extend(op == 'e')
	case 't', 'l':
		items, err := m.popMark()
		if err == nil {
			m.push(&object{kind: aList, items: items})
		}
		return err
	case '\x85', '\x86', '\x87':
		return m.tuple(int(op - '\x84'))
	default:
		return fmt.Errorf("has the operation %q, which measurements have no use for", op)
	}
	return nil
}

func (m *machine) push(o *object) { m.stack = append(m.stack, o) }

func (m *machine) take(n int) ([]byte, error) {
	if n > len(m.b)-m.i || n < 0 {
		return nil, errEnd
	}
	m.i += n
	return m.b[m.i-n : m.i], nil
}

// uint reads a number with the least byte first.
func (m *machine) uint(size int) (uint64, error) {
	b, err := m.take(size)
	var padded [8]byte
	copy(padded[:], b)
	return binary.LittleEndian.Uint64(padded[:]), err
}

func (m *machine) pushNumber(op byte, size int) error {
	if op == 'G' {
		b, err := m.take(size)
		if err == nil {
			m.push(&object{num: math.Float64frombits(binary.BigEndian.Uint64(b))})
		}
		return err
	}
	v, err := m.uint(size)
	switch {
	case err != nil:
		return err
	case op == 'J':
		m.push(&object{num: float64(int32(v))})
	case op == '\x8a':
		return m.pushLong(int(v))
	default:
		m.push(&object{num: float64(v)})
	}
	return nil
}

// pushLong reads an integer of up to 8 bytes with its sign in the last.
func (m *machine) pushLong(size int) error {
	if size > 8 {
		return fmt.Errorf("has an integer of %d bytes", size)
	}
	v, err := m.uint(size)
	if err == nil {
		shift := 64 - 8*size
		m.push(&object{num: float64(int64(v<<shift) >> shift)})
	}
	return err
}

func (m *machine) pushText(size int) error {
	n, err := m.uint(size)
	if err != nil || n > uint64(len(m.b)) {
		return errEnd
	}
	b, err := m.take(int(n))
	if err == nil {
		m.push(&object{kind: aText, text: string(b)})
	}
	return err
}

func (m *machine) remember(op byte, size int) error {
	key, err := m.uint(size)
	switch {
	case err != nil:
		return err
	case op == 'h' || op == 'j':
		return m.recall(key)
	}
	return m.save(key)
}

func (m *machine) save(key uint64) error {
	if len(m.stack) == 0 {
		return errStack
	}
	m.memo[key] = m.stack[len(m.stack)-1]
	return nil
}

func (m *machine) recall(key uint64) error {
	o := m.memo[key]
	if o == nil {
		return fmt.Errorf("refers to object %d, which is not there", key)
	}
	m.push(o)
	return nil
}

// extend appends to a list one item, or all since the mark.
func (m *machine) extend(many bool) error {
	var items []*object
	var err error
	if many {
		items, err = m.popMark()
	} else {
		items, err = m.pop(1)
	}
	if err != nil {
		return err
	}
	if len(m.stack) == 0 || m.stack[len(m.stack)-1].kind != aList {
		return errShape
	}
	list := m.stack[len(m.stack)-1]
	list.items = append(list.items, items...)
	return nil
}

// pop takes n objects from the stack; they are valid until the next push.
func (m *machine) pop(n int) ([]*object, error) {
	if n > len(m.stack) {
		return nil, errStack
	}
	items := m.stack[len(m.stack)-n:]
	m.stack = m.stack[:len(m.stack)-n]
	return items, nil
}

// popMark takes what is above the last mark, and the mark, as a list of its
// own.
func (m *machine) popMark() ([]*object, error) {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if m.stack[i].kind == aMark {
			items := append([]*object(nil), m.stack[i+1:]...)
			m.stack = m.stack[:i]
			return items, nil
		}
	}
	return nil, errStack
}

func (m *machine) tuple(n int) error {
	items, err := m.pop(n)
	if err == nil {
		m.push(&object{kind: aList, items: append([]*object(nil), items...)})
	}
	return err
}

// line does an operation whose argument is the rest of a line, as the oldest
// version of pickles has them.
func (m *machine) line(op byte) error {
	end := strings.IndexByte(string(m.b[m.i:min(len(m.b), m.i+4096)]), '\n')
	if end < 0 {
		return errEnd
	}
	b, err := m.take(end + 1)
	if err != nil {
		return err
	}
	text := strings.TrimSuffix(string(b[:end]), "\r")
	switch op {
	case 'S':
		if len(text) < 2 || text[0] != text[len(text)-1] || strings.Contains(text, `\`) {
			return errors.New("has a text that is not in quotes, or has a \\")
		}
		m.push(&object{kind: aText, text: text[1 : len(text)-1]})
	case 'V':
		m.push(&object{kind: aText, text: text})
	case 'p', 'g':
		key, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return errors.New("has a reference that is no number")
		}
		if op == 'g' {
			return m.recall(key)
		}
		return m.save(key)
	default:
		v, ok := protocol.ParseFloat(strings.TrimSuffix(text, "L"))
		if !ok {
			return errors.New("has a number that is none")
		}
		m.push(&object{num: v})
	}
	return nil
}
