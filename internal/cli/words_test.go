package cli

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestWhenever: a date, a moment in any zone, or how long ago.
func TestWhenever(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-01-31":                time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		"2026-01-31T18:00:00Z":      time.Date(2026, 1, 31, 18, 0, 0, 0, time.UTC),
		"2026-01-31T18:00:00+02:00": time.Date(2026, 1, 31, 16, 0, 0, 0, time.UTC),
		"720h":                      now.Add(-720 * time.Hour),
		"90s":                       now.Add(-90 * time.Second),
		"0s":                        now,
		"1970-01-01":                time.Unix(0, 0),
	} {
		if got, err := whenever(text, 5, now); err != nil || got != want.Unix() {
			t.Errorf("%s is %s, %v", text, time.Unix(got, 0).UTC(), err)
		}
	}
	if got, err := whenever("", 5, now); got != 5 || err != nil {
		t.Errorf("nothing is %d, %v", got, err)
	}
	for _, text := range []string{"yesterday", "2026-02-30", "30d", "1969-12-31", "1700000000", "2026-01-31 18:00"} {
		if _, err := whenever(text, 5, now); err == nil || !strings.HasPrefix(err.Error(), `"`+text+`" is no time: write`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestExportRefusals: what makes no sense is refused before anything is opened
// or written.
func TestExportRefusals(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]exportCmd{
		`--from: "soon" is no time: write 2026-01-31, 2026-01-31T18:00:00Z or how long ago, such as 720h`: {From: "soon"},
		`--to: "late" is no time: write 2026-01-31, 2026-01-31T18:00:00Z or how long ago, such as 720h`:   {To: "late"},
		"--from: is not before --to": {From: "1h", To: "2h"},
		"--resume needs a file":      {Resume: true},
	} {
		if err := c.Run(&run{}); message(err) != want {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
	if err := (&exportCmd{From: "1h", To: "1h"}).Run(&run{}); err == nil {
		t.Error("an export of no time is made")
	}
	if err := (&exportCmd{Resume: true, File: "-"}).Run(&run{}); message(err) != "--resume needs a file" {
		t.Errorf("standard output is gone on with: %v", err)
	}
	if err := (&importOld{}).Run(&run{}); message(err) != "give files, or --tokens" {
		t.Errorf("nothing is imported: %v", err)
	}
}

// TestResumable: whoever is interrupted learns how to go on, if there is
// something to go on with.
func TestResumable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out")
	failed := errors.New("disk full")
	for _, p := range []string{"", path} {
		if err := resumable(p, failed); message(err) != "disk full" {
			t.Errorf("%q without a cursor: %v", p, err)
		}
	}
	if err := os.WriteFile(path+".cursor", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := resumable(path, failed); message(err) != "disk full (continue with --resume)" || !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	if hint := resumeHint(path) + resumeHint(path+".other") + resumeHint(""); hint != "; continue with --resume" {
		t.Errorf("of an interruption: %q", hint)
	}
}

// TestProgress: a line for each percent, none twice.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &run{IO: IO{Err: &out}}
	for _, done := range []int64{0, 1, 2, 3, 500, 1000} {
		r.progress("copying", done, 1000)
	}
	r.progress("nothing", 0, 0)
	if want := "copying: 0 %\ncopying: 50 %\ncopying: 100 %\nnothing: 100 %\n"; out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

// TestRefused: points that were refused make the command fail, with the reasons.
func TestRefused(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &run{IO: IO{Err: &out}}
	if err := r.refused(movein.Imported{Recorded: 5}); err != nil || out.String() != "" {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := r.refused(movein.Imported{Refused: 3, Problems: []string{"cpu: too old", "mem: too new"}}); message(err) != "3 points were refused" {
		t.Errorf("%v", err)
	}
	if out.String() != "  cpu: too old\n  mem: too new\n" {
		t.Errorf("reasons: %q", out.String())
	}
}

// TestObjectsEnd: a trial says what would be, and only refusals of the real run
// make the command fail.
func TestObjectsEnd(t *testing.T) {
	t.Parallel()
	did := func(list ...string) *movein.Report {
		report := new(movein.Report)
		for _, d := range list {
			report.Outcomes = append(report.Outcomes, movein.Outcome{Did: d})
		}
		return report
	}
	mixed := []string{movein.Made, movein.Made, movein.Filled, movein.There, movein.Refused}
	for _, tt := range []struct {
		apply       bool
		did         []string
		said, fails string
	}{
		{false, mixed, "Nothing was changed. 3 would be made or completed, 1 would be refused; --apply does it.\n", ""},
		{true, mixed, "3 made or completed, 1 there already, 1 refused.\n", "1 were refused"},
		{true, mixed[:4], "3 made or completed, 1 there already, 0 refused.\n", ""},
		{true, nil, "0 made or completed, 0 there already, 0 refused.\n", ""},
	} {
		var out strings.Builder
		err := (&objectFlags{Apply: tt.apply}).end(&run{IO: IO{Err: &out}}, did(tt.did...))
		if out.String() != tt.said || message(err) != tt.fails {
			t.Errorf("apply %v, %v: %q, %v", tt.apply, tt.did, out.String(), err)
		}
	}
}

// TestKeyNotes: an operator is told what is missing, open to others, unfinished
// or not encrypted, and always where the file is.
func TestKeyNotes(t *testing.T) {
	t.Parallel()
	first := "Key file: k. Keep a copy of it, but not where the backups are."
	there, gone := store.KeyStatus{ID: "a1", There: true}, store.KeyStatus{ID: "b2"}
	missing := "Key b2 is missing: put the key file back, or its line into the key file. If it is lost, run tidemark secrets new-key and enter the secrets again."
	for _, tt := range []struct {
		status store.SecretsStatus
		want   []string
	}{
		{store.SecretsStatus{File: "k", Private: true, Keys: []store.KeyStatus{there}}, []string{first}},
		{store.SecretsStatus{File: "k", Private: true, Keys: []store.KeyStatus{there, gone}}, []string{first, missing}},
		{store.SecretsStatus{File: "k", Keys: []store.KeyStatus{there}}, []string{first, "Others on this machine can read the key file: chmod 600 k"}},
		{store.SecretsStatus{File: "k", Private: true, Rotating: true, Clear: 2}, []string{first, "A rotation is not done: tidemark secrets rotate resumes it.",
			"2 services have secrets of an earlier version that are not encrypted yet; a server does that when it runs."}},
	} {
		if diff := cmp.Diff(tt.want, keyNotes(&tt.status)); diff != "" {
			t.Errorf("%+v: %s", tt.status, diff)
		}
	}
	s := &store.SecretsStatus{Current: "a1", Prepared: "c3"}
	if got, want := []string{keyUse(s, "a1"), keyUse(s, "c3"), keyUse(s, "b2")}, []string{"encrypts", "prepared for the next rotation", "decrypts"}; !slices.Equal(got, want) {
		t.Errorf("keys are used so: %q", got)
	}
}

// TestRotationInWords: every key that was retired is named with what becomes of
// it, and secrets that could not be read are not passed over.
func TestRotationInWords(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &run{IO: IO{Out: &out}}
	r.printRotation(&store.Rotation{Key: "c3", Sealed: 4, Retired: []string{"a1", "b2"}, Lost: 1})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || lines[0] != "Key c3 encrypts now; 4 secrets were encrypted again. Copy the key file to where you keep it." ||
		!strings.HasPrefix(lines[1], "Key a1 is retired.") || !strings.Contains(lines[2], "ends with .b2.retired") || !strings.HasPrefix(lines[3], "1 secrets could not be decrypted") {
		t.Errorf("%s", out.String())
	}
}

// TestRefusalOfTheServer: its own words where it has some, else its status.
func TestRefusalOfTheServer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"errors":{"request":["no key file","try again"]}}`: "no key file; try again",
		`{"errors":{"request":[]}}`:                          `the server answered 503 Service Unavailable: {"errors":{"request":[]}}`,
		"gone fishing":                                       "the server answered 503 Service Unavailable: gone fishing",
		"":                                                   "the server answered 503 Service Unavailable: ",
	} {
		resp := &http.Response{Status: "503 Service Unavailable", Body: io.NopCloser(strings.NewReader(body))}
		if got := message(refusal(resp)); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

// TestWelcome: a new server shows its token and its link once, and how to use
// the token; one that was started before shows neither.
func TestWelcome(t *testing.T) {
	t.Parallel()
	cfg := &config.Config{Data: "d"}
	if got, want := welcome(cfg, app.Started{URL: "http://h:1"}), "Tidemark answers at http://h:1 (data in d)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got := welcome(cfg, app.Started{URL: "http://h:1", Setup: "http://h:1/setup/k", Secret: "tmk_abc"})
	for _, part := range []string{"\n    http://h:1/setup/k\n", "\n    tmk_abc\n", "curl -u tmk_abc: ", "http://h:1/v1/measurements\n",
		"Watch this machine", "\n    curl -fsSL http://h:1/agent.sh | sh -s -- --token tmk_abc\n"} {
		if strings.Count(got, part) != 1 {
			t.Errorf("%q is not said once in\n%s", part, got)
		}
	}
}
