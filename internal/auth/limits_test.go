package auth

import (
	"fmt"
	"testing"
	"time"
)

// TestManyNames: one address that tries many people has to wait, whoever it
// tries to be next; others do not.
func TestManyNames(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	for i := range 50 {
		name := fmt.Sprintf("p%d@example.org", i)
		if !wrong.allowed(name, "192.0.2.1", now) {
			t.Fatalf("refused after %d", i)
		}
		wrong.made(name, "192.0.2.1", now)
	}
	if wrong.allowed("ann@example.org", "192.0.2.1", now) {
		t.Error("the 51st is allowed")
	}
	if !wrong.allowed("ann@example.org", "198.51.100.7", now) {
		t.Error("refused from elsewhere")
	}
	if !wrong.allowed("ann@example.org", "192.0.2.1", now.Add(2*time.Minute)) {
		t.Error("refused two minutes later")
	}
}

// TestTriesAreBounded: what is remembered of those who guess has an end.
func TestTriesAreBounded(t *testing.T) {
	t.Parallel()
	tr := &tries{perName: 5, perHost: 50, wait: time.Minute}
	for i := range maxTracked + 10 {
		tr.made(fmt.Sprint(i), fmt.Sprint(i%7), time.Now())
	}
	if len(tr.counts) > maxTracked+2 {
		t.Errorf("%d are remembered", len(tr.counts))
	}
}
