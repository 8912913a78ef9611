package alerting

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

const base = 1_700_000_100 - 1_700_000_100%3600 // a whole hour

// TestJudge plays stories: one character a step, a digit for a reading and _
// for none. The verdict after each step is ! where the stream violates.
func TestJudge(t *testing.T) {
	t.Parallel()
	above := rule{kind: tidemark.Above, threshold: 5, function: "average"}
	below := rule{kind: tidemark.Below, threshold: 5, function: "average"}
	above5 := rule{kind: tidemark.Above, threshold: 5, function: "average", duration: 300}
	above1 := rule{kind: tidemark.Above, threshold: 5, function: "average", duration: 60}
	growth := rule{kind: tidemark.Above, threshold: 1, function: "derivative", reset: true}
	plain := rule{kind: tidemark.Below, threshold: 0, function: "derivative"}
	absent := rule{kind: tidemark.Absent, duration: 180, function: "average"}
	tests := []struct {
		name   string
		rule   rule
		step   int64
		offset int64 // of the first step from a whole minute
		story  string
		want   string
	}{
		{"above is strict", above, 60, 0, "4565", "..!."},
		{"below is strict", below, 60, 0, "6545", "..!."},
		{"one is enough", above, 60, 0, "9", "!"},
		{"violates until a reading says otherwise", above, 60, 0, "9____1", "!!!!!."},
		{"five minutes, a reading a minute", above5, 60, 0, "9999999", ".....!!"},
		{"five minutes, a reading a minute, not on the minute", above5, 60, 17, "9999999", ".....!!"},
		{"interrupted", above5, 60, 0, "99991999999", "..........!"},
		{"interrupted at the last moment", above5, 60, 0, "99999199", "........"},
		{"back to normal clears at once", above5, 60, 0, "9999991999999", ".....!......!"},
		{"at the threshold is normal", above5, 60, 0, "999995999999", "...........!"},
		{"a normal reading early in the first minute", above1, 10, 0, "199999999", ".......!!"},
		{"the first reading late in its minute", above1, 10, 30, "99999999", "......!!"},
		{"the first reading at the end of its minute", above5, 60, 59, "9999999", ".....!!"},
		{"a second too short", above1, 59, 0, "999", "..!"},
		{"every ten seconds", above1, 10, 0, "99999999", "......!!"},
		{"few readings", above1, 300, 0, "199", "..!"},
		{"the first reading proves nothing", above1, 300, 0, "9", "."},
		{"a pause does not interrupt", above5, 60, 0, "999___9", "......!"},
		{"nor does it help", above5, 60, 0, "1______9999", "..........."},
		{"difference to the one before", growth, 60, 0, "12355", "..." + "!."},
		{"a reset counts nothing", growth, 60, 0, "0902", ".!.!"},
		{"without resets a drop is negative", plain, 60, 0, "2312", "..!."},
		{"difference over a pause", growth, 60, 0, "1__4", "...!"},
		{"silent for three minutes", absent, 60, 0, "1__" + "___1_", "...!!!.."},
		{"never seen", absent, 60, 0, "______", "......"},
		{"silent again", absent, 60, 0, "1___1___", "...!...!"},
		{"not for long enough", absent, 60, 0, "1__1__1", "......."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &signal{stream: "a=1"}
			var got strings.Builder
			for i := range len(tt.story) {
				now := base + tt.offset + int64(i)*tt.step
				if c := tt.story[i]; c != '_' {
					s.add(&tt.rule, now, now, float64(c-'0'))
				}
				s.advance(&tt.rule, now)
				got.WriteByte(map[bool]byte{true: '!', false: '.'}[s.violating])
			}
			if got.String() != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.story, got.String(), tt.want)
			}
		})
	}
}

// TestWindowPayload has the shape of the one windowed notification that is
// documented: readings every ten seconds, the last of them some seconds into
// the minute.
func TestWindowPayload(t *testing.T) {
	t.Parallel()
	r := rule{id: 7, metric: "m", kind: tidemark.Above, threshold: 5, function: "average", duration: 300}
	s := &signal{stream: "a=1"}
	begin := int64(base + 120)
	for at := begin; at < begin+310; at += 10 {
		s.add(&r, at, at, 9)
	}
	s.add(&r, begin+314, begin+319, 10)
	want := tidemark.Violation{
		Stream: "a=1", Metric: "m", Value: 10, RecordedAt: begin + 314, Condition: 7, Since: begin + 300, SeenAt: begin + 319,
		Count: 31, Begin: begin, End: begin + 300,
	}
	if diff := cmp.Diff(want, s.violation(&r, begin+319)); diff != "" {
		t.Error(diff)
	}
}

// TestWindowWithinMinute is about a stream that begins to violate within a
// minute: the window that is named holds nothing from before.
func TestWindowWithinMinute(t *testing.T) {
	t.Parallel()
	r := rule{kind: tidemark.Above, threshold: 5, function: "average", duration: 60}
	s := &signal{}
	s.add(&r, base+20, base+20, 1)
	for at := int64(base + 30); at <= base+90; at += 10 {
		s.add(&r, at, at, 9)
	}
	if v := s.violation(&r, base+90); !s.violating || v.Begin != base+30 || v.End != base+90 || v.Count != 7 {
		t.Errorf("violating %v, %d readings in [%d, %d]", s.violating, v.Count, v.Begin-base, v.End-base)
	}
}

// TestLateReadings lets readings come in another order than they were made:
// each is "minute:value".
func TestLateReadings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		duration int64
		story    string
		want     string
	}{
		{"at once, the latest decides", 0, "5:1 3:9", ".."},
		{"at once, the same again", 0, "5:1 5:9 5:1", ".!."},
		{"a window filled backwards", 120, "5:9 4:9 3:9", "..!"},
		{"a hole filled with a violation", 120, "3:9 5:9", ".!"},
		{"a late normal one breaks what has not fired", 240, "1:9 2:9 4:9 3:1 5:9 6:9 7:9 8:9", ".......!"},
		{"a late normal one breaks the window", 120, "1:9 2:9 3:9 2:1", "..!."},
		{"a correction of the last one", 120, "1:9 2:9 3:1 3:9", "...!"},
		{"a correction back to normal", 120, "1:9 2:9 3:9 3:1", "..!."},
		{"far too late", 120, "1:9 10:9 2:1 11:9 12:9", ".!!!!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := rule{kind: tidemark.Above, threshold: 5, function: "average", duration: tt.duration}
			s := &signal{}
			var got strings.Builder
			for i, w := range strings.Fields(tt.story) {
				m, v, _ := strings.Cut(w, ":")
				at := int64(base)
				for _, d := range m {
					at = base + 10*(at-base) + 60*int64(d-'0')
				}
				s.add(&r, at, base+1000+int64(i), float64(v[0]-'0'))
				got.WriteByte(map[bool]byte{true: '!', false: '.'}[s.violating])
			}
			if got.String() != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.story, got.String(), tt.want)
			}
		})
	}
}

// TestAcknowledge is the rule that what is resolved by hand fires again with
// the next violating reading.
func TestAcknowledge(t *testing.T) {
	t.Parallel()
	add := func(s *signal, r *rule, minutes int64, v float64) { s.add(r, base+60*minutes, base+60*minutes, v) }
	t.Run("at once", func(t *testing.T) {
		r, s := &rule{kind: tidemark.Above, threshold: 5}, &signal{}
		add(s, r, 0, 9)
		s.acknowledge()
		if s.violating {
			t.Error("still violating")
		}
		if add(s, r, 1, 9); !s.violating {
			t.Error("not violating again")
		}
	})
	t.Run("a window needs but one more", func(t *testing.T) {
		r, s := &rule{kind: tidemark.Above, threshold: 5, duration: 120}, &signal{}
		for m := range int64(3) {
			add(s, r, m, 9)
		}
		s.acknowledge()
		if add(s, r, 3, 9); !s.violating {
			t.Error("not violating again")
		}
	})
	t.Run("silence must begin anew", func(t *testing.T) {
		r, s := &rule{kind: tidemark.Absent, duration: 120}, &signal{}
		add(s, r, 0, 1)
		s.advance(r, base+200)
		s.acknowledge()
		if s.advance(r, base+4000); s.violating {
			t.Error("violating without a reading")
		}
		add(s, r, 100, 1)
		if s.advance(r, base+102*60); !s.violating {
			t.Error("not violating after a new silence")
		}
	})
}

// TestRecentIsBounded feeds a day of readings a second.
func TestRecentIsBounded(t *testing.T) {
	t.Parallel()
	r, s := &rule{kind: tidemark.Above, threshold: 5, duration: 3600}, &signal{}
	for i := range int64(86400) {
		s.add(r, base+i, base+i, 9)
	}
	if n := cap(s.recent); n > 2*3660+1024 {
		t.Errorf("%d readings are kept", n)
	}
	if v := s.violation(r, base+86400); v.Count != 3601 {
		t.Errorf("count = %d, want 3601", v.Count)
	}
}
