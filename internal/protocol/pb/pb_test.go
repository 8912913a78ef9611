package pb_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// message is: 1 varint 300, 2 double 1.5, 3 text "abc", 4 message {1: 7},
// 5 packed varints 1 2 300, 5 again one alone, 6 packed doubles 1 2,
// 6 again one alone, 7 fixed32, 8 zigzag -2, 9 packed zigzags -1 1.
const message = "\x08\xac\x02" + "\x11\x00\x00\x00\x00\x00\x00\xf8\x3f" + "\x1a\x03abc" + "\x22\x02\x08\x07" +
	"\x2a\x04\x01\x02\xac\x02" + "\x28\x09" +
	"\x32\x10\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\x40" + "\x31\x00\x00\x00\x00\x00\x00\x08\x40" +
	"\x3d\x01\x00\x00\x00" + "\x40\x03" + "\x4a\x02\x01\x02"

func TestReader(t *testing.T) {
	var number uint64
	var double, doubles float64
	var text string
	var inner, zig, zigs int64
	var numbers []uint64
	r := pb.New([]byte(message))
	for r.Next() {
		switch r.Field {
		case 1:
			number = r.Uint()
		case 2:
			double = r.Double()
		case 3:
			text = r.Text()
		case 4:
			m := r.Message()
			for m.Next() {
				inner = m.Int()
			}
			r.Close(&m)
		case 5:
			r.Numbers(func(v uint64) { numbers = append(numbers, v) })
		case 6:
			r.Doubles(func(v float64) { doubles = doubles*10 + v })
		case 8:
			zig = r.Zigzag()
		case 9:
			r.Zigzags(func(v int64) { zigs = zigs*10 + v })
		}
	}
	if r.Err != nil || number != 300 || double != 1.5 || text != "abc" || inner != 7 || len(numbers) != 4 || numbers[2] != 300 ||
		numbers[3] != 9 || doubles != 123 || zig != -2 || zigs != -9 {
		t.Error(r.Err, number, double, text, inner, numbers, doubles, zig, zigs)
	}
}

func TestReaderErrors(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a cut tag":          {"\x08\x01\x80", "at byte 2"},
		"no value":           {"\x08", "ends in the middle"},
		"a varint over 64":   {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "ends in the middle"},
		"a cut double":       {"\x11\x00\x00", "ends in the middle"},
		"a cut fixed32":      {"\x3d\x00", "ends in the middle"},
		"a cut text":         {"\x1a\x05abc", "ends in the middle"},
		"a text of 2^63":     {"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\x7fabc", "ends in the middle"},
		"field 0":            {"\x00\x01", "field number"},
		"a group":            {"\x0b", "type 3"},
		"another type":       {"\x1a\x01a\x09\x00\x00\x00\x00\x00\x00\x00\x00", "field 1 with type 1"},
		"inside a message":   {"\x1a\x01a\x22\x02\x08\x80", "at byte 6"},
		"text for a message": {"\x20\x01", "field 4 with type 0"},
	} {
		r := pb.New([]byte(c.body))
		for r.Next() {
			switch r.Field {
			case 1:
				r.Uint()
			case 4:
				m := r.Message()
				for m.Next() {
					m.Uint()
				}
				r.Close(&m)
			}
		}
		if r.Err == nil || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, r.Err, c.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(message))
	f.Fuzz(func(t *testing.T, body []byte) {
		left, seen := len(body), 0
		var walk func(r *pb.Reader, depth int)
		walk = func(r *pb.Reader, depth int) {
			for r.Next() {
				seen++
				switch {
				case r.Type == pb.Bytes && depth < 3:
					m := r.Message()
					walk(&m, depth+1)
					r.Zigzags(func(int64) {})
					r.Doubles(func(v float64) { _ = math.IsNaN(v) })
				case r.Type == pb.Bytes && len(r.Text()) > left:
					t.Fatal("a text longer than the body")
				}
			}
		}
		r := pb.New(body)
		walk(&r, 0)
		if seen > 4*len(body) {
			t.Errorf("%d fields in %d bytes", seen, len(body))
		}
	})
}

// FuzzPair holds that the short way to read a pair of texts finds the same as
// the long one.
func FuzzPair(f *testing.F) {
	for _, s := range []string{
		"\x0a\x01a\x12\x01b", "\x0a\x00\x12\x00", "\x0a\x01a\x12\x81\x01" + strings.Repeat("x", 129), "\x12\x01b\x0a\x01a",
		"\x0a\x01a\x12\x02b", "\x0a\x01a", "\x0a\x05a\x12\x01b", "\x0a\x01a\x12\x01b\x12\x01c",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, second, ok := pb.Pair(b)
		if !ok {
			return
		}
		r, a, z := pb.New(b), "", ""
		for r.Next() {
			switch r.Field {
			case 1:
				a = r.Text()
			case 2:
				z = r.Text()
			}
		}
		if r.Err != nil || a != first || z != second {
			t.Errorf("%q: %q and %q, want %q and %q, %v", b, first, second, a, z, r.Err)
		}
	})
}
