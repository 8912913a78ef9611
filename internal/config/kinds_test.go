package config

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestDurations: what time.ParseDuration takes, and days; never one that wraps
// around to a shorter one, for times say what is deleted.
func TestDurations(t *testing.T) {
	t.Parallel()
	var v time.Duration
	st := duration("x", "", "", &v)
	for text, want := range map[string]time.Duration{
		"8d": 192 * time.Hour, "0d": 0, "0s": 0, "36h": 36 * time.Hour, "1h30m": 90 * time.Minute, "106751d": 106751 * 24 * time.Hour, "48h": 48 * time.Hour,
	} {
		if err := st.set(text); err != nil || v != want {
			t.Errorf("%s is %s, %v", text, v, err)
		}
	}
	for text, want := range map[string]string{
		"": `"" is not a time such as 8d or 12h`, "8": `"8" is not a time such as 8d or 12h`, "-1d": `"-1d" is not a time such as 8d or 12h`, "-1h": `"-1h" is not a time such as 8d or 12h`,
		"1.5d": `"1.5d" is not a time such as 8d or 12h`, "d": `"d" is not a time such as 8d or 12h`, "1d12h": `"1d12h" is not a time such as 8d or 12h`,
		"106752d": `"106752d" is longer than 106751d`, "365000d": `"365000d" is longer than 106751d`, "213504d": `"213504d" is longer than 106751d`,
	} {
		v = time.Second
		if err := st.set(text); err == nil || err.Error() != want || v != time.Second {
			t.Errorf("%s: %v, and the time is %s", text, err, v)
		}
	}
}

// TestSizes: a number with its unit, never one that wraps around.
func TestSizes(t *testing.T) {
	t.Parallel()
	var v int64
	st := size("x", "", "", &v)
	for text, want := range map[string]int64{"0B": 0, "256MiB": 256 << 20, "1 GiB": 1 << 30, "7KiB": 7 << 10, "3B": 3, "8589934591GiB": 8589934591 << 30} {
		if err := st.set(text); err != nil || v != want {
			t.Errorf("%s is %d, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "3", "256MB", "-1MiB", "1.5GiB", "MiB", "8589934592GiB", "9999999999GiB", "1GiBB", "0x10B"} {
		v = 5
		if err := st.set(text); err == nil || err.Error() != `"`+text+`" is not a size such as 256MiB` || v != 5 {
			t.Errorf("%s: %v, and the size is %d", text, err, v)
		}
	}
}

// TestShownIsRead: a setting that is shown can be copied into a file and means
// the same there.
func TestShownIsRead(t *testing.T) {
	t.Parallel()
	var d, d2 time.Duration
	var n, n2, b, b2 int64
	var w, w2 []string
	from := []setting{duration("", "", "", &d), number("", "", "", &n), size("", "", "", &b), words("", "", "", &w)}
	to := []setting{duration("", "", "", &d2), number("", "", "", &n2), size("", "", "", &b2), words("", "", "", &w2)}
	rapid.Check(t, func(t *rapid.T) {
		d = time.Duration(rapid.Int64Min(0).Draw(t, "duration"))
		n, b = rapid.Int64Min(0).Draw(t, "number"), rapid.Int64Min(0).Draw(t, "bytes")
		if rapid.Bool().Draw(t, "round") {
			d, b = d/(24*time.Hour)*24*time.Hour, b>>20<<20
		}
		w = rapid.SliceOf(rapid.StringMatching(`[a-z]{1,3}`)).Draw(t, "words")
		for i, st := range from {
			if err := to[i].set(st.get()); err != nil || to[i].get() != st.get() {
				t.Fatalf("%s: %v, read back %s", st.get(), err, to[i].get())
			}
		}
		if d2 != d || n2 != n || b2 != b || strings.Join(w2, " ") != strings.Join(w, " ") {
			t.Fatalf("read back %v %v %v %v", d2, n2, b2, w2)
		}
	})
}

// TestNumbers: whole numbers from 0 on, with the underlines that YAML allows.
func TestNumbers(t *testing.T) {
	t.Parallel()
	var v int64
	st := number("x", "", "", &v)
	for text, want := range map[string]int64{"0": 0, "42": 42, "200_000": 200_000, "9223372036854775807": math.MaxInt64, "007": 7} {
		if err := st.set(text); err != nil || v != want {
			t.Errorf("%s is %d, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "1e6", "many", "9223372036854775808", "_", "0x10"} {
		v = 5
		if err := st.set(text); err == nil || err.Error() != `"`+text+`" is not a number` || v != 5 {
			t.Errorf("%s: %v, and the number is %d", text, err, v)
		}
	}
}

// TestNearestIsClose: a suggestion is a name that differs by less than a quarter
// of what was typed, and the nearest of them.
func TestNearestIsClose(t *testing.T) {
	t.Parallel()
	names := []string{"listen", "data", "log_level", "log_format", "smtp.host", "smtp.port"}
	for typed, want := range map[string]string{
		"listen": "listen", "lisen": "listen", "listenn": "listen", "log_levle": "log_level", "smtp.hots": "smtp.host", "smpt.port": "smtp.port", "date": "data",
		"": "", "x": "", "password": "", "db": "", "entirely.other": "",
	} {
		if got := nearest(names, typed); got != want {
			t.Errorf("%q is taken for %q, want %q", typed, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := rapid.StringMatching(`[a-c]{0,6}`).Draw(t, "a"), rapid.StringMatching(`[a-c]{0,6}`).Draw(t, "b"), rapid.StringMatching(`[a-c]{0,6}`).Draw(t, "c")
		ab, ba, ac, cb := distance(a, b), distance(b, a), distance(a, c), distance(c, b)
		if ab != ba || (ab == 0) != (a == b) || ab > ac+cb || ab > max(len(a), len(b)) {
			t.Fatalf("%q to %q is %d, back %d, by way of %q %d+%d", a, b, ab, ba, c, ac, cb)
		}
	})
}
