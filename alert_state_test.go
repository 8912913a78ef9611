package tidemark

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestAlertStateNext plays stories, one character a minute.
//
//   - the conditions are met, by a new measurement
//     =  they are met, but no measurement came
//   - they are not
//     x  they are not, for want of measurements alone
//     e  met, but the conditions were changed
//     i  met, but the alert is inactive
//     z  met and new, but the alert is snoozed
//     s  not met, and snoozed
//     R  somebody resolves it by hand, before a minute like +
//
// and what happens: T triggered, t triggered but nobody is notified, r reminded,
// C cleared, c cleared but nobody is notified, and . for nothing.
func TestAlertStateNext(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		rearm Seconds
		story string
		want  string
	}{
		{"at once", 600, "-++--", ".T.C."},
		{"again", 600, "+-+-", "TCTC"},
		{"reminder after the rearm time", 300, "+++++++++++-", "T....r....rC"},
		{"no reminder without measurements", 120, "+====+====+", "T....r....r"},
		{"a new incident has its own time", 600, "++-++-", "T.CT.C"},
		{"no rearm time means every minute", 0, "+++-", "TrrC"},
		{"ten days of silence", 600, "+==x-", "T..C."},
		{"edited while firing", 600, "++e++", "T.CT."},
		{"edited while quiet", 600, "-e+-", "..TC"},
		{"switched off while firing", 600, "+ii-", "TC.."},
		{"switched off and on again", 600, "+ii-+", "TC..T"},
		{"resolved by hand, still violating", 600, "++R+-", "T.CTC"},
		{"resolved by hand, nothing to resolve", 600, "-R--", "...."},
		{"snoozed from before to after", 600, "zzz-", "t..c"},
		{"switched off while nobody was notified", 600, "zzi", "t.c"},
		{"edited while nobody was notified", 600, "zzez", "t.ct"},
		{"snooze ends while firing", 600, "zzz++-", "t..r.C"},
		{"snooze ends, no measurement since", 600, "zz=-", "t.rC"},
		{"snoozed after the notification, clears during the snooze", 600, "+zzs", "T..C"},
		{"snoozed over a reminder", 120, "+zzzz+", "T....r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := play(tt.story, tt.rearm); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.story, got, tt.want)
			}
		})
	}
}

func play(story string, rearm Seconds) string {
	s := AlertState{Conditions: "c0"}
	conditions := "c0"
	var got strings.Builder
	var seen int64
	for i := 0; i < len(story); i++ {
		now := int64(1000 + 60*i)
		c := story[i]
		if c == 'R' {
			var ev AlertTransition
			s, ev = s.Clear(ClearManual, now)
			got.WriteByte(letter(ev))
			continue
		}
		if c == 'e' {
			conditions += "'"
		}
		if strings.IndexByte("+ez", c) >= 0 {
			seen = now
		}
		e := Evaluation{
			Now: now, Active: c != 'i', Conditions: conditions, WrittenAt: now, Rearm: rearm, Expired: c == 'x',
			Met: strings.IndexByte("+=ez", c) >= 0, Snoozed: c == 'z' || c == 's',
		}
		if e.Met {
			e.Violations = []Violation{{Stream: "a=1", SeenAt: seen}}
		}
		var ev AlertTransition
		s, ev = s.Next(e)
		got.WriteByte(letter(ev))
	}
	return got.String()
}

func letter(ev AlertTransition) byte {
	letters := ".TrC"
	if !ev.Notify {
		letters = ".t?c"
	}
	return letters[ev.Kind]
}

// TestRearmPerSignal plays a story per stream; each line of the answer says
// which streams are notified of.
func TestRearmPerSignal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		a, b string // + violates, - does not
		want string
	}{
		{"a second stream notifies at once", "+++++", "--+++", "a, ,b,a, "},
		{"each has its own time", "+++++++", "-++++++", "a,b, ,a,b, ,a"},
		{"back within its time", "+++++++", "+-+++++", "ab, , ,ab, , ,ab"},
		{"both gone and back is a new incident", "+-+", "+-+", "ab,C,ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := AlertState{Conditions: "c"}
			var got []string
			for i := range tt.a {
				e := Evaluation{Now: int64(1000 + 60*i), Active: true, Conditions: "c", Rearm: 180, PerSignal: true}
				for stream, story := range map[string]string{"a": tt.a, "b": tt.b} {
					if story[i] == '+' {
						e.Violations = append(e.Violations, Violation{Stream: stream, SeenAt: e.Now})
					}
				}
				e.Met = len(e.Violations) > 0
				slices.SortFunc(e.Violations, func(x, y Violation) int { return strings.Compare(x.Stream, y.Stream) })
				var ev AlertTransition
				s, ev = s.Next(e)
				switch {
				case ev.Kind == Cleared:
					got = append(got, "C")
				case ev.Notify:
					got = append(got, strings.Join(ev.Signals, ""))
				default:
					got = append(got, " ")
				}
			}
			if g := strings.Join(got, ","); g != tt.want {
				t.Errorf("a %s\nb %s\ngot  %s\nwant %s", tt.a, tt.b, g, tt.want)
			}
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	one := []Condition{{ID: 1, Type: Above, MetricName: "cpu", Threshold: new(1.0)}}
	other := []Condition{{ID: 2, Type: Above, MetricName: "cpu", Threshold: new(1.0)}}
	if Fingerprint(one) != Fingerprint(other) {
		t.Error("ids make a difference")
	}
	other[0].Threshold = new(2.0)
	if Fingerprint(one) == Fingerprint(other) {
		t.Error("thresholds make no difference")
	}
	if one[0].ID != 1 {
		t.Error("the conditions were changed")
	}
	if Fingerprint(nil) == "" {
		t.Error("no conditions look like no fingerprint")
	}
}

// TestToldIsBounded has streams violate by turns, each a new one, under a
// rearm time of a month.
func TestToldIsBounded(t *testing.T) {
	t.Parallel()
	s := AlertState{Conditions: "c"}
	e := Evaluation{Active: true, Conditions: "c", Met: true, Rearm: 30 * 24 * 3600, PerSignal: true}
	for i := range MaxNotified + 50 {
		e.Now++
		e.Violations = []Violation{{Stream: "old", SeenAt: e.Now}, {Stream: strconv.Itoa(i), SeenAt: e.Now}}
		var transition AlertTransition
		if s, transition = s.Next(e); i > 0 && slices.Contains(transition.Signals, "old") {
			t.Fatalf("a stream that violates all the time is notified of again after %d others", i)
		}
	}
	if len(s.LastNotified) > MaxNotified {
		t.Errorf("%d streams are remembered", len(s.LastNotified))
	}
	if _, there := s.LastNotified[strconv.Itoa(MaxNotified+48)]; !there {
		t.Error("the latest are forgotten")
	}
}

// TestClockSetBack has an incident be notified of by a clock that is a day
// ahead: its reminders come on time by the one that is right.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	for _, perSignal := range []bool{false, true} {
		const now, ahead = 1_000_000, 1_000_000 + 86400
		e := Evaluation{Now: ahead, Active: true, Conditions: "c", Met: true, Rearm: 600, PerSignal: perSignal, Violations: []Violation{{Stream: "a", SeenAt: ahead}}}
		s, _ := AlertState{Conditions: "c"}.Next(e)
		for at := int64(now); at <= now+600; at += 60 {
			e.Now, e.Violations = at, []Violation{{Stream: "a", SeenAt: at}}
			var transition AlertTransition
			if s, transition = s.Next(e); transition.Kind == Reminded && at < now+600 {
				t.Errorf("per signal %v: reminded after %d seconds", perSignal, at-now)
			} else if at == now+600 && transition.Kind != Reminded {
				t.Errorf("per signal %v: not reminded", perSignal)
			}
		}
	}
}

// TestAcknowledged reminds nobody of an incident that somebody took on, until
// the next one.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	for _, perSignal := range []bool{false, true} {
		e := Evaluation{Now: 1000, Active: true, Conditions: "c", Met: true, Rearm: 60, PerSignal: perSignal, Violations: []Violation{{Stream: "a", SeenAt: 1000}}}
		s, _ := AlertState{Conditions: "c"}.Next(e)
		s.AcknowledgedAt = 1010
		var transition AlertTransition
		for range 10 {
			e.Now += 60
			e.Violations = []Violation{{Stream: "a", SeenAt: e.Now}, {Stream: "b", SeenAt: e.Now}}
			if s, transition = s.Next(e); transition.Notify {
				t.Fatalf("per signal %v: reminded at %d", perSignal, e.Now)
			}
		}
		e.Met = false
		if s, transition = s.Next(e); transition.Kind != Cleared || !transition.Notify {
			t.Errorf("nobody is notified of the end: %+v", transition)
		}
		e.Met = true
		if _, transition = s.Next(e); transition.Kind != Triggered || !transition.Notify {
			t.Errorf("nobody is notified of the next incident: %+v", transition)
		}
	}
}

// TestWork: escalation counts from the first notification, an acknowledgement
// ends it, maintenance holds notifications back until it is over.
func TestWork(t *testing.T) {
	t.Parallel()
	bad := func(now int64) []Violation { return []Violation{{Stream: "host=a", SeenAt: now}} }
	look := func(now, window int64) Evaluation {
		e := Evaluation{Now: now, Active: true, Conditions: "c", Met: true, Violations: bad(now), Rearm: 86400, Escalation: []Seconds{300, 900}, Window: window}
		if window != 0 {
			e.Windows = []int64{window}
		}
		return e
	}
	s := AlertState{Conditions: "c"}
	step := func(now, window int64, want AlertTransition) {
		t.Helper()
		var got AlertTransition
		if s, got = s.Next(look(now, window)); !reflect.DeepEqual(got, want) {
			t.Errorf("at %d: %+v, want %+v", now, got, want)
		}
	}
	step(1000, 9, AlertTransition{Kind: Triggered, Window: true})
	step(2000, 9, AlertTransition{})
	step(3000, 0, AlertTransition{Kind: Reminded, Notify: true, Resumed: true, Window: true})
	step(3299, 0, AlertTransition{})
	step(3300, 0, AlertTransition{Steps: []int{0}})
	step(3301, 0, AlertTransition{})
	step(3400, 9, AlertTransition{Window: true})
	step(3900, 9, AlertTransition{})
	step(4000, 0, AlertTransition{Kind: Reminded, Notify: true, Resumed: true, Window: true, Steps: []int{1}})
	s, _ = s.Next(Evaluation{Now: 5000, Active: true, Conditions: "c"})
	step(6000, 0, AlertTransition{Kind: Triggered, Notify: true})
	s.AcknowledgedAt, s.AcknowledgedBy = 6100, "ann"
	step(7000, 0, AlertTransition{})
	step(6000+2*86400, 0, AlertTransition{})
	if s, _ = s.Clear(ClearNormal, 7100); s.AcknowledgedBy != "" || s.NotifiedAt != 0 || s.Escalated != 0 || s.Window != 0 {
		t.Errorf("after the end %+v", s)
	}
	step(8000, 0, AlertTransition{Kind: Triggered, Notify: true})
	step(9000, 0, AlertTransition{Steps: []int{0, 1}})
}

// TestMutedStreams: with rearm per signal, streams in maintenance are told of
// when it is over, and the others at once.
func TestMutedStreams(t *testing.T) {
	t.Parallel()
	e := Evaluation{Now: 1000, Active: true, Conditions: "c", Met: true, PerSignal: true, Rearm: 600,
		Violations: []Violation{{Stream: "host=a"}, {Stream: "host=b"}}, Windows: []int64{9}, Muted: map[string]bool{"host=a": true}}
	s, transition := AlertState{Conditions: "c"}.Next(e)
	if !transition.Notify || !slices.Equal(transition.Signals, []string{"host=b"}) {
		t.Errorf("%+v", transition)
	}
	e.Now, e.Windows, e.Muted = 1060, nil, nil
	if _, transition = s.Next(e); !slices.Equal(transition.Signals, []string{"host=a"}) {
		t.Errorf("after maintenance %+v", transition)
	}
}

// TestSuspendedAlert neither fires nor clears, and says once that it is in
// maintenance; what still fires afterwards is notified of.
func TestSuspendedAlert(t *testing.T) {
	t.Parallel()
	met := []Violation{{Stream: "a", SeenAt: 1000}}
	e := Evaluation{Now: 1000, Active: true, Conditions: "c", Met: true, Violations: met, Window: 7, Windows: []int64{7}, Suspended: true}
	quiet, transition := AlertState{Conditions: "c"}.Next(e)
	if quiet.Firing || !transition.IsNothing() {
		t.Errorf("it fires in the window: %+v, %+v", quiet, transition)
	}
	firing := AlertState{Conditions: "c", Firing: true, TriggeredAt: 900, LastNotifiedAt: 900, Violations: met}
	e.Met, e.Violations = false, nil
	held, transition := firing.Next(e)
	if !held.Firing || len(held.Violations) != 1 || transition.Kind != Nothing || transition.Notify || !transition.Window || held.Window != 7 {
		t.Errorf("in the window: %+v, %+v", held, transition)
	}
	if _, transition := held.Next(e); !transition.IsNothing() {
		t.Errorf("in the window, again: %+v", transition)
	}
	over := Evaluation{Now: 1001, Active: true, Conditions: "c", Met: true, Violations: met}
	if s, transition := held.Next(over); !transition.Notify || !transition.Resumed || s.Window != 0 {
		t.Errorf("it fires after the window: %+v, %+v", s, transition)
	}
	over.Met, over.Violations = false, nil
	if _, transition := held.Next(over); transition.Kind != Cleared {
		t.Errorf("it does not fire after the window: %+v", transition)
	}
	e.Active = false
	if s, transition := held.Next(e); s.Firing || transition.Kind != Cleared {
		t.Errorf("it was switched off in the window: %+v, %+v", s, transition)
	}
}
