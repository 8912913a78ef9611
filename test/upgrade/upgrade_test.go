// Package upgrade keeps a data directory of every release and wants today's
// program to answer from it what the release answered.
//
// A new release adds its own: go test ./test/upgrade -make 0.2.0, with the
// program of that release in TIDEMARK_BIN.
package upgrade

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var makeVersion = flag.String("make", "", "version whose data and answers to keep")

// asked are the requests whose answers are kept.
func asked(from, to int64) []string {
	span := window(from, to)
	return []string{
		"/v1/metrics?length=100", "/v1/measurements/shop.requests?resolution=1&" + span, "/v1/measurements/shop.requests?resolution=60&" + span,
		"/v1/measurements/shop.requests?resolution=60&group_by=host&group_by_function=sum&" + span,
		"/v1/measurements/shop.latency?resolution=60&summary_function=max&" + span,
		"/v1/measurements?resolution=60&compose=" + escape(`sum(s("shop.requests", "host=*"))`) + "&" + span,
		"/v1/alerts?length=100", "/v1/services?length=100", "/v1/spaces?length=100", "/v1/spaces/1/charts", "/v1/annotations/deploys?" + span, "/v1/api_tokens?length=100",
	}
}

// kept is what is known of a release: its answers at the time.
type kept struct {
	Version  string
	From, To int64
	Answers  map[string]json.RawMessage
}

func TestMake(t *testing.T) {
	if *makeVersion == "" {
		t.Skip("only with -make")
	}
	dir := t.TempDir()
	s := start(t, dir)
	k := &kept{Version: *makeVersion, Answers: make(map[string]json.RawMessage)}
	k.From, k.To = s.fill(t)
	for _, path := range asked(k.From, k.To) {
		k.Answers[path] = s.get(t, path)
	}
	s.stop(t)
	b, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", k.Version+".json"), append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	pack(t, dir, filepath.Join("testdata", k.Version+".tar.gz"))
}

// TestOpenOlder opens the data of every release with today's program, twice:
// what the first start changed must be as good the second time.
func TestOpenOlder(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	releases, err := filepath.Glob("testdata/*.json")
	if err != nil || len(releases) == 0 {
		t.Fatalf("%d releases, %v", len(releases), err)
	}
	for _, file := range releases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var k kept
			if err := json.Unmarshal(b, &k); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			unpack(t, strings.TrimSuffix(file, ".json")+".tar.gz", dir)
			for range 2 {
				s := start(t, dir)
				s.compare(t, &k)
				s.stop(t)
			}
		})
	}
}

// compare wants every answer to hold what it held: more is welcome.
func (s *server) compare(t *testing.T, k *kept) {
	t.Helper()
	for path, was := range k.Answers {
		var before, now any
		if err := json.Unmarshal(was, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(s.get(t, path), &now); err != nil {
			t.Fatal(err)
		}
		if lost := missing(before, now, ""); lost != "" {
			t.Errorf("%s of %s: %s", path, k.Version, lost)
		}
	}
}

// changing are fields that follow the clock or the request.
var changing = []string{"last_used_at", "updated_at", "href", "last_seen_at"}

// TestEveryReleaseIsKept: whoever releases a version keeps its data here.
func TestEveryReleaseIsKept(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindAllStringSubmatch(string(text), -1)
	if len(sections) == 0 {
		t.Fatal("CHANGELOG.md has no versions")
	}
	for i, m := range sections {
		if i == 0 && len(sections) > 1 && strings.Contains(string(text), "## "+m[1]+" (unreleased)") {
			continue
		}
		for _, ext := range []string{".json", ".tar.gz"} {
			if _, err := os.Stat(filepath.Join("testdata", m[1]+ext)); err != nil {
				t.Errorf("%s: %v; go test ./test/upgrade -make %s makes it", m[1], err, m[1])
			}
		}
	}
}
