package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

var rewrite = flag.Bool("update", false, "rewrite the answers in testdata")

// TestTranscripts replays testdata/*.txt: conversations with the API, each
// against a server of its own. A block is a request (comments, the request
// line, headers after >, the body), a line "---" and the answer. NOW is a
// minute of the run, <<256*a>> an a 256 times; "x 3" sends a request three
// times and shows the last answer. Run with
// -update to accept the answers as they are, then read the diff.
func TestTranscripts(t *testing.T) { replayAll(t, newWorld) }

// replayAll replays every transcript, each in a new world.
func replayAll(t *testing.T, world func(testing.TB) *world) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := world(t)
			switch kind, _, _ := strings.Cut(filepath.Base(file), "_"); kind {
			case "interface", "interface.txt", "admin.txt":
				w.withPeople(t)
				w.withResetKey(t)
			case "setup.txt":
				w.withSetupKey(t)
			case "refuse":
				w.Store.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitCharts: 20})) // sooner there
			}
			golden(t, file, replay(t, w, string(want)))
		})
	}
}

// golden compares got with what a file has, or makes it what the file has.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run go test -update and read the diff\n%s", file, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "want:\n" + w[i] + "\n\ngot:\n" + g[i]
		}
	}
	return "one is longer than the other"
}

var requestLine = regexp.MustCompile(`^(GET|POST|PUT|DELETE|PATCH) (\S+) as (\w+)(?: x (\d+))?$`)

// replay returns text with its answers replaced by those of w.
func replay(t *testing.T, w *world, text string) string {
	var out strings.Builder
	for i, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			out.WriteString("\n\n")
		}
		question, _, isRequest := strings.Cut(block, "\n---")
		if !isRequest {
			out.WriteString(block) // a comment of its own
			continue
		}
		out.WriteString(question + "\n---\n" + converse(t, w, question))
	}
	return out.String() + "\n"
}

func converse(t *testing.T, w *world, question string) string {
	var lines, headers []string
	for line := range strings.SplitSeq(question, "\n") {
		switch name, value, isHeader := strings.Cut(strings.TrimPrefix(line, "> "), ": "); {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "> ") && isHeader:
			headers = append(headers, name, value)
		default:
			lines = append(lines, line)
		}
	}
	m := requestLine.FindStringSubmatch(lines[0])
	if m == nil {
		t.Fatalf("not a request: %q", lines[0])
	}
	target := w.timely(w.keyed(repeated(m[2])))
	body := w.timely(repeated(strings.Join(lines[1:], "\n")))
	headers, body = asSent(t, headers, body)
	for times, _ := strconv.Atoi(m[4]); times > 1; times-- {
		w.ask(m[3], m[1], target, body, headers...)
	}
	rec := w.ask(m[3], m[1], target, body, headers...)
	checkAgainstOpenAPI(t, w, m[1], target, rec)
	checkContract(t, w, m[1], target, rec)
	w.keepKeys(rec)
	return w.show(rec)
}

// keyed puts the keys of links where a path names them: SHAREKEY, INVITEKEY and
// SNAPSHOTKEY are those in the last answer that had such a link, RESETKEY is the
// Stranger's.
func (w *world) keyed(target string) string {
	for name, key := range w.keys {
		target = strings.ReplaceAll(target, name, key)
	}
	return target
}

func (w *world) keepKeys(rec *httptest.ResponseRecorder) {
	for _, m := range linkText.FindAllStringSubmatch(rec.Body.String(), -1) {
		w.keys[map[string]string{"s": "SHAREKEY", "reset": "RESETKEY", "setup": "SETUPKEY", "invite": "INVITEKEY", "snapshots": "SNAPSHOTKEY", "heartbeat": "HEARTBEATKEY"}[m[1]]] = m[2]
	}
}

func (w *world) withResetKey(t *testing.T) {
	t.Helper()
	key, err := w.Auth.NewResetKey(t.Context(), tidemark.ServerActor(), 4)
	if err != nil {
		t.Fatal(err)
	}
	w.keys["RESETKEY"] = key.Reveal()
}

func (w *world) withSetupKey(t *testing.T) {
	t.Helper()
	key, err := w.Auth.NewSetupKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.keys["SETUPKEY"] = key.Reveal()
}

// asSent does to a body what the header Body asks for, which is not sent: gzip,
// and half for what breaks off.
func asSent(t *testing.T, headers []string, body string) ([]string, string) {
	var sent []string
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] != "Body" {
			sent = append(sent, headers[i], headers[i+1])
			continue
		}
		if strings.Contains(headers[i+1], "gzip") {
			body = zipped(t, body)
		}
		if strings.Contains(headers[i+1], "half") {
			body = body[:len(body)/2]
		}
	}
	return sent, body
}

var repeatText = regexp.MustCompile(`<<(\d+)\*(.*?)>>`)

// repeated writes out <<3*x>> as xxx; {#} in it is the number of each.
func repeated(s string) string {
	return repeatText.ReplaceAllStringFunc(s, func(m string) string {
		part := repeatText.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[1])
		if !strings.Contains(part[2], "{#}") {
			return strings.Repeat(part[2], n)
		}
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(part[2], "{#}", strconv.Itoa(i)))
		}
		return b.String()
	})
}

var nowText = regexp.MustCompile(`NOW([+-]\d+)?`)

// timely replaces NOW, NOW-60 and the like by such a time; NOW is the minute
// before the one in which the world began, so that no time of the run is it.
func (w *world) timely(s string) string {
	return nowText.ReplaceAllStringFunc(s, func(m string) string {
		offset, _ := strconv.ParseInt(strings.TrimPrefix(m, "NOW"), 10, 64)
		return strconv.FormatInt(w.minute+offset, 10)
	})
}

// shownHeaders are the headers that clients look at.
var shownHeaders = []string{"Location", "WWW-Authenticate", "X-Partial-Failure", "Retry-After"}

func (w *world) show(rec *httptest.ResponseRecorder) string {
	answer := fmt.Sprintf("%d %s", rec.Code, http.StatusText(rec.Code))
	for _, name := range shownHeaders {
		if v := rec.Header().Get(name); v != "" {
			answer += "\n" + name + ": " + v
		}
	}
	var body bytes.Buffer
	switch {
	case rec.Body.Len() == 0:
	case json.Indent(&body, rec.Body.Bytes(), "", "  ") == nil:
		answer += "\n" + strings.TrimSpace(body.String())
	case strings.HasPrefix(rec.Header().Get("Content-Type"), "image/"):
		answer += "\n(" + rec.Header().Get("Content-Type") + ")"
	default:
		for line := range strings.Lines(rec.Body.String()) {
			answer += "\n" + strings.TrimSpace("| "+line)
		}
	}
	return w.steady(answer)
}

var (
	secretText = regexp.MustCompile(`tmk_[0-9A-Za-z]{49}`)
	signingKey = regexp.MustCompile(`tms_[0-9A-Za-z]{43}`)
	maskText   = regexp.MustCompile(`tmk_\.\.\.[0-9A-Za-z]{4}`)
	last4Text  = regexp.MustCompile(`"(last4|from|to)":( ?)"[0-9A-Za-z]{4}"`)
	dateText   = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
	rfcText    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	linkText   = regexp.MustCompile(`/(s|reset|setup|invite|snapshots|heartbeat)/([A-Z2-7]{52})`)
	requestIDs = regexp.MustCompile(`request [0-9a-f]{16}`)
	seedText   = regexp.MustCompile(`\b[A-Z2-7]{32}\b`)
	keyText    = regexp.MustCompile(`"key":( ?)"[A-Z2-7]{52}"`)
	challenges = regexp.MustCompile(`\\"challenge\\":\\"[\w-]+\\"`)
	stampText  = regexp.MustCompile(`"(\w+_at|at|since|old_until|request_time)":( ?)1\d{9}\b`)
	timeText   = regexp.MustCompile(`\b1\d{9}\b`)
)

// steady replaces what differs from run to run: secrets and times of today.
func (w *world) steady(answer string) string {
	answer = secretText.ReplaceAllString(answer, "tmk_SECRET")
	answer = signingKey.ReplaceAllString(answer, "tms_SECRET")
	answer = maskText.ReplaceAllString(answer, "tmk_...LAST")
	answer = last4Text.ReplaceAllString(answer, `"$1":${2}"LAST"`)
	answer = linkText.ReplaceAllString(answer, "/$1/KEY")
	answer = seedText.ReplaceAllString(answer, "SEED")
	answer = keyText.ReplaceAllString(answer, `"key":$1"KEY"`)
	answer = challenges.ReplaceAllString(answer, `\"challenge\":\"RANDOM\"`)
	answer = dateText.ReplaceAllString(answer, "DATE UTC")
	answer = rfcText.ReplaceAllString(answer, "DATE")
	answer = requestIDs.ReplaceAllString(answer, "request ID")
	answer = stampText.ReplaceAllString(answer, `"$1":${2}TIME`)
	const week = 7 * 86400
	return timeText.ReplaceAllStringFunc(answer, func(m string) string {
		at, _ := strconv.ParseInt(m, 10, 64)
		switch past := at - w.minute; {
		case past < -week || past > week:
			return m
		case past < -6*86400 || past > -86400 && past < -85800: // a week or a day before some moment of this run
			return "TIME"
		case past == 0:
			return "NOW"
		case past%10 == 0 && (past < 0 || past > 3000):
			return fmt.Sprintf("NOW%+d", past)
		default:
			return "TIME" // of this run, whenever in it
		}
	})
}
