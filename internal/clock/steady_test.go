package clock

import (
	"testing"
	"time"
)

// TestSteady has a clock jump: ahead it is believed after an hour, back at
// once, and after a long pause of the server after an hour too.
func TestSteady(t *testing.T) {
	t.Parallel()
	var even, jump time.Duration
	start := time.Unix(1_790_000_000, 0)
	wall := func() time.Time { return start.Add(even + jump) }
	c := Over(wall, func() time.Duration { return even })
	is := func(what string, want time.Duration) {
		t.Helper()
		if got := c.Now().Sub(start); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	const year = 365 * 24 * time.Hour
	is("at first", 0)
	even, jump = time.Minute, slack
	is("corrected a little", even+slack)
	jump = 0
	is("and back", even)
	jump = year
	is("ahead", even)
	even += 50 * time.Minute
	is("still ahead", even)
	jump = 0
	is("right again", even)
	even, jump = even+30*time.Minute, year
	is("ahead once more", even)
	even += trust - time.Second
	is("after nearly an hour", even)
	even += time.Second
	is("after an hour", even+year)
	jump = -time.Hour
	is("set back", even-time.Hour)
	c, jump = Over(c.wall, c.even), 0
	c.Start(start.Add(even - 24*time.Hour))
	is("a day after the last time", even)
	c.Start(start.Add(even - 30*24*time.Hour))
	is("a month after", even-30*24*time.Hour)
	even += trust
	is("an hour later", even)
	c.Start(time.Unix(0, 0))
	is("a last time that is not known", even)
	if got := Over(wall, nil).Now(); !got.Equal(wall()) {
		t.Errorf("without another clock: %v", got)
	}
}
