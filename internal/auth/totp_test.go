package auth

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestTOTPCodes: the codes of RFC 6238, appendix B, as far as six digits go.
func TestTOTPCodes(t *testing.T) {
	t.Parallel()
	key := []byte("12345678901234567890")
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if got := totpCode(key, at/totpSeconds); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

// TestTOTPSkew: a code of the interval before or after works, none further off.
func TestTOTPSkew(t *testing.T) {
	t.Parallel()
	seed, now := newSeed(), time.Unix(3_000_000_000, 0)
	key, err := seedText.DecodeString(seed.Reveal())
	if err != nil || len(key) != seedBytes {
		t.Fatal(len(key), err)
	}
	current := now.Unix() / totpSeconds
	for off := int64(-3); off <= 3; off++ {
		step, ok := totpStep(seed, totpCode(key, current+off), now)
		if want := off >= -1 && off <= 1; ok != want || ok && step != current+off {
			t.Errorf("%d intervals off: step %d, %v", off, step, ok)
		}
	}
	for _, code := range []string{"", "000", "00000000", "abcdef"} {
		if _, ok := totpStep(seed, code, now); ok {
			t.Errorf("%q works", code)
		}
	}
}

// TestTOTPURI: apps read the account and the seed from it.
func TestTOTPURI(t *testing.T) {
	t.Parallel()
	got := totpURI("ABC", "ann+x@example.org")
	if got != "otpauth://totp/Tidemark:ann+x@example.org?secret=ABC&issuer=Tidemark" {
		t.Error(got)
	}
}

// TestCleanCode: a recovery code works however it is typed.
func TestCleanCode(t *testing.T) {
	t.Parallel()
	code := newCode()
	for _, typed := range []string{code, strings.ToUpper(code), strings.ReplaceAll(code, "-", ""), " " + code + " ", code[:2] + " " + code[2:]} {
		if got := cleanCode(typed); got != code {
			t.Errorf("%q is %q, want %q", typed, got, code)
		}
	}
	if cleanCode("abc") != "" || cleanCode(code+"x") != "" {
		t.Error("others are codes")
	}
}

// CodeOf is the code of an authenticator app at a time, for tests outside.
func CodeOf(seed tidemark.Secret, at time.Time) string {
	key, _ := seedText.DecodeString(seed.Reveal())
	return totpCode(key, at.Unix()/totpSeconds)
}
