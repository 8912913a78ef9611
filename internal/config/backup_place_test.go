package config

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBackupPlace: where the README and docs/running.md make backups, the
// unit lets the server write, and the script of every package makes that the
// server's own; what removes a package leaves it.
func TestBackupPlace(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	documented := regexp.MustCompile(`(?m)^    tidemark backup (/\S+)/\$\(date|^      to: (/\S+)$`)
	places := documented.FindAllStringSubmatch(read("README.md")+read("docs/running.md"), -1)
	if len(places) != 2 {
		t.Fatalf("documented are %v, want one of README.md and one of docs/running.md", places)
	}
	var writable []string
	for line := range strings.Lines(read("packaging/tidemark.service")) {
		if list, ok := strings.CutPrefix(line, "ReadWritePaths="); ok {
			writable = append(writable, strings.Fields(list)...)
		}
	}
	for _, m := range places {
		place := m[1] + m[2]
		if !slices.Contains(writable, "-"+place) { // a package may be older than it, or an operator remove it
			t.Errorf("%s is documented; the unit allows %v", place, writable)
		}
		made := regexp.MustCompile(`(?m)^install -d -o tidemark -g tidemark -m 0700 .*` + regexp.QuoteMeta(place) + `$`)
		for _, script := range []string{"deb-postinst", "rpm-post", "apk-post-install"} {
			if !made.MatchString(read(path.Join("packaging/scripts", script))) {
				t.Errorf("%s does not make %s", script, place)
			}
		}
		for _, script := range []string{"deb-prerm", "deb-postrm", "rpm-preun", "rpm-postun"} {
			if regexp.MustCompile(`rm -.*` + regexp.QuoteMeta(path.Dir(place))).MatchString(read(path.Join("packaging/scripts", script))) {
				t.Errorf("%s removes backups", script)
			}
		}
	}
}
