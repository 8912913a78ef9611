package jsonout

import (
	"errors"
	"strings"
	"testing"
)

// written is what do writes.
func written(t *testing.T, do func(out *Writer)) string {
	t.Helper()
	var b strings.Builder
	out := New(&b)
	do(out)
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPointsWithAnotherHead: lists at the same times may begin differently.
func TestPointsWithAnotherHead(t *testing.T) {
	got := written(t, func(out *Writer) {
		out.Points([]int64{60, 120}, []float64{1, 2.5})
		out.PointsAfter(`,{"measure_time":`, []int64{60, 120}, []float64{3, 4})
		out.Points([]int64{60, 120}, []float64{5, 6})
	})
	want := `[{"time":60,"value":1},{"time":120,"value":2.5}]` +
		`[{"measure_time":60,"value":3},{"measure_time":120,"value":4}]` +
		`[{"time":60,"value":5},{"time":120,"value":6}]`
	if got != want {
		t.Errorf("wrote %s, want %s", got, want)
	}
}

// TestMembers: an object can be written as a part of another, whatever was
// written before it.
func TestMembers(t *testing.T) {
	long := strings.Repeat("x", 3*bufferSize)
	got := written(t, func(out *Writer) {
		out.Text("{")
		out.Members(struct {
			A string
			B int
		}{long, 2})
		out.Text(`,"c":3}`)
	})
	if want := `{"A":"` + long + `","B":2,"c":3}`; got != want {
		t.Errorf("wrote %d letters, want %d; the end is %s", len(got), len(want), got[len(got)-20:])
	}
}

func TestMembersOfWhatIsNoObject(t *testing.T) {
	for _, v := range []any{nil, 7, []int{1}, func() {}} {
		out := New(&strings.Builder{})
		out.Members(v)
		if out.Err() == nil {
			t.Errorf("%T: no error", v)
		}
	}
}

type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

// TestFirstErrorSticks: anyone who writes much may stop when Err says so, and is
// told of it in any case.
func TestFirstErrorSticks(t *testing.T) {
	out := New(brokenPipe{})
	out.Text(strings.Repeat("x", bufferSize))
	out.Text("y")
	if !errors.Is(out.Err(), errBroken) || !errors.Is(out.Flush(), errBroken) {
		t.Errorf("the error is %v", out.Err())
	}
	out.Reset(&strings.Builder{})
	if err := out.Flush(); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}
