package tidemark

import (
	"fmt"
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	s := NewSecret()
	if len(s) != 53 || !strings.HasPrefix(s.Reveal(), "tmk_") {
		t.Errorf("secret has %d characters", len(s))
	}
	if _, err := ParseSecret(s.Reveal()); err != nil {
		t.Errorf("a fresh secret is refused: %v", err)
	}
	for _, shown := range []string{fmt.Sprint(s), fmt.Sprintf("%v %s %#v %q", s, s, s, s)} {
		if strings.Contains(shown, s.Reveal()) {
			t.Errorf("%q shows the secret", shown)
		}
	}
	if NewSecret() == s || NewSecret().Hash() == s.Hash() {
		t.Error("two secrets are the same")
	}
}

func TestParseSecret(t *testing.T) {
	ours := NewSecret().Reveal()
	flipped := []byte(ours)
	flipped[10] ^= 1
	tests := []struct {
		name, in string
		ok       bool
	}{
		{"ours", ours, true},
		{"ours, mistyped", string(flipped), false},
		{"ours, cut off", ours[:40], false},
		{"of the old service", strings.Repeat("0123456789abcdef", 4), true},
		{"too short", "0123456789abcde", false},
		{"with a blank", "0123456789 abcdef", false},
		{"with a colon, which ends a user name", "0123456789:abcdef", false},
		{"too long", strings.Repeat("a", 257), false},
		{"empty", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseSecret(tt.in); (err == nil) != tt.ok {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// FuzzParseSecret: no text makes it panic, and one that it takes is short,
// has no blanks and can be sent in a header.
func FuzzParseSecret(f *testing.F) {
	f.Add("tmk_")
	f.Add(NewSecret().Reveal())
	f.Add("\x00")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := ParseSecret(in)
		if err != nil {
			return
		}
		if len(in) > maxSecret || strings.ContainsAny(in, " :\r\n") || s.Reveal() != in || len(s.Last4()) != 4 {
			t.Fatalf("%q is taken", in)
		}
	})
}
