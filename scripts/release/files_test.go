package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// small is a release of stand-ins alone, for two platforms, in the project's
// own folder, whose documents it takes.
func small(t *testing.T) *release {
	t.Helper()
	t.Chdir("../..")
	dir := t.TempDir()
	r := &release{version: "1.2.3", date: time.Unix(1_700_000_000, 0).UTC(), build: filepath.Join(dir, "build"), out: filepath.Join(dir, "out"),
		roots: filepath.Join(dir, "roots.pem"), platforms: []string{"linux_amd64", "darwin_arm64"}}
	put(t, map[string]string{
		r.binary("linux_amd64"): "program", r.binary("darwin_arm64"): "another", r.roots: "roots",
		r.agent("linux_amd64"): "agent", r.agent("darwin_arm64"): "agent",
		r.build + "/shared/THIRD-PARTY-LICENSES.txt": "licenses", r.build + "/shared/man/tidemark.1": "manual", r.build + "/shared/man/tidemark.1.gz": "zipped",
		r.out + "/build/x": "no file of the release",
	})
	return r
}

// put writes files with what they hold.
func put(t *testing.T, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// outputs are all files that a release has made.
func outputs(t *testing.T, r *release) map[string]string {
	t.Helper()
	found := make(map[string]string)
	files, err := os.ReadDir(r.out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(filepath.Join(r.out, f.Name())); err == nil {
			found[f.Name()] = string(b)
		}
	}
	return found
}

// TestArchives: each platform has its program, which can be run, with manual,
// documents and licenses, all below one folder; what packages alone need is not
// in it.
func TestArchives(t *testing.T) {
	r := small(t)
	if err := r.step("archives"); err != nil {
		t.Fatal(err)
	}
	for platform, program := range map[string]string{"linux_amd64": "program", "darwin_arm64": "another"} {
		f, err := os.Open(r.name(platform, ".tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		gz, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(gz)
		if err != nil || gz.Name != "" || !gz.ModTime.IsZero() {
			t.Errorf("%s: %v, with the name %q and the time %v inside", platform, err, gz.Name, gz.ModTime)
		}
		files, root := unpacked(t, b), "tidemark_1.2.3_"+platform+"/"
		for name, want := range map[string]string{"tidemark": program, "tidemark-agent": "agent", "man/tidemark.1": "manual", "THIRD-PARTY-LICENSES.txt": "licenses"} {
			if got := string(files[root+name]); got != want {
				t.Errorf("%s: %s is %q", platform, name, got)
			}
		}
		for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
			if len(files[root+name]) == 0 {
				t.Errorf("%s has no %s", platform, name)
			}
		}
		if len(files) != 7 {
			t.Errorf("%s has %d files", platform, len(files))
		}
	}
}

// TestZip: for Windows the archive is a zip, in which programs end with .exe.
func TestZip(t *testing.T) {
	r := small(t)
	r.platforms = []string{"windows_amd64"}
	put(t, map[string]string{r.binary("windows_amd64"): "program", r.agent("windows_amd64"): "agent"})
	if err := r.step("archives"); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(r.out, "tidemark_1.2.3_windows_amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for name, want := range map[string]string{"tidemark.exe": "program", "tidemark-agent.exe": "agent", "THIRD-PARTY-LICENSES.txt": "licenses"} {
		f, err := z.Open("tidemark_1.2.3_windows_amd64/" + name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, f := range z.File {
		if !f.Modified.Equal(r.date) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
}

// TestTheSameBytes: a release that is made twice is the same, so that anybody
// can check that it is what the source says.
func TestTheSameBytes(t *testing.T) {
	r := small(t)
	var made []map[string]string
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	for range 2 {
		for _, step := range []string{"archives", "images", "checksums"} {
			if err := r.step(step); err != nil {
				t.Fatal(err)
			}
		}
		made = append(made, outputs(t, r))
		time.Local = time.FixedZone("elsewhere", 3*3600) // another machine's clock
	}
	for name, content := range made[0] {
		if made[1][name] != content {
			t.Errorf("%s differs", name)
		}
	}
	if len(made[0]) != 5 || len(made[1]) != 5 {
		t.Errorf("%d and %d files", len(made[0]), len(made[1]))
	}
}

// TestChecksums: sha256sum can check every file of the release by the list,
// which has neither itself nor signatures.
func TestChecksums(t *testing.T) {
	r := small(t)
	put(t, map[string]string{r.out + "/b.deb": "b", r.out + "/a.tar.gz": "", r.out + "/SHA256SUMS": "old", r.out + "/SHA256SUMS.asc": "signature", r.out + "/b.deb.asc": "signature"})
	if err := r.step("checksums"); err != nil {
		t.Fatal(err)
	}
	want := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.tar.gz\n" +
		"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b.deb\n"
	if got := outputs(t, r)["SHA256SUMS"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFormula: Homebrew is given the version and the checksum of each archive
// that it downloads.
func TestFormula(t *testing.T) {
	r := small(t)
	r.platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"}
	for _, p := range r.platforms {
		put(t, map[string]string{r.name(p, ".tar.gz"): "archive of " + p})
	}
	if err := r.step("formula"); err != nil {
		t.Fatal(err)
	}
	text := outputs(t, r)["tidemark.rb"]
	for _, p := range r.platforms {
		if !strings.Contains(text, "/tidemark_1.2.3_"+p+".tar.gz\"") || strings.Count(text, digest([]byte("archive of "+p))) != 1 {
			t.Errorf("%s is not in\n%s", p, text)
		}
	}
	if strings.Contains(text, "<no value>") || !strings.Contains(text, "1.2.3") {
		t.Errorf("something is missing in\n%s", text)
	}
	r.platforms = append(r.platforms, "plan9_amd64")
	if err := r.step("formula"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without an archive: %v", err)
	}
}

// TestWhatIsMissing: a release without one of its parts is not made.
func TestWhatIsMissing(t *testing.T) {
	r := small(t)
	if err := r.step("publish"); err == nil || err.Error() != "there is no such step" {
		t.Errorf("%v", err)
	}
	for step, file := range map[string]string{"archives": r.binary("linux_amd64"), "images": r.roots, "sbom": r.binary("linux_amd64"), "licenses": r.binary("linux_amd64")} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := r.step(step); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s without %s: %v", step, filepath.Base(file), err)
		}
		put(t, map[string]string{file: string(content)})
	}
	if err := r.step("sbom"); err == nil {
		t.Error("what is no program has a bill of materials")
	}
}

// TestLicenseTexts: license, notice and patents of a module are found however
// their files are called, and nothing else is taken for them.
func TestLicenseTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, name := range []string{"COPYING", "LICENCE.txt", "LICENSE", "LICENSE-MIT", "License.md", "NOTICE", "PATENTS", "license.go.txt"} {
		put(t, map[string]string{filepath.Join(dir, name): string(rune('a' + i))})
	}
	put(t, map[string]string{dir + "/README.md": "x", dir + "/licenses.go": "x", dir + "/LICENSES/MIT.txt": "x", dir + "/UNLICENSED": "x"})
	found, err := licenseTexts(dir)
	if slices.Sort(found); err != nil || strings.Join(found, "") != "abcdefgh" {
		t.Errorf("%q, %v", found, err)
	}
	if _, err := licenseTexts(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestComponents: a part of the program has its license as an expression and
// the checksum that Go keeps of it, as far as both are known.
func TestComponents(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]part{
		`{"type":"library","bom-ref":"pkg:npm/a@1","name":"a","version":"1","licenses":[{"expression":"MIT OR Apache-2.0"}],"purl":"pkg:npm/a@1"}`: {name: "a", version: "1", purl: "pkg:npm/a@1", license: "(MIT OR Apache-2.0)"},
		`{"type":"library","bom-ref":"p","name":"m","version":"v2","hashes":[{"alg":"SHA-256","content":"` + strings.Repeat("00", 32) + `"}],"purl":"p"}`: {
			name: "m", version: "v2", purl: "p", sum: "h1:" + strings.Repeat("A", 43) + "="},
		`{"type":"library","bom-ref":"p","name":"m","version":"v2","purl":"p"}`: {name: "m", version: "v2", purl: "p", sum: "h1:short"},
	} {
		if got, err := json.Marshal(p.component()); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	one, other := uuid("a"), uuid("b")
	if one == other || one != uuid("a") || len(one) != 36 || one[14] != '8' || !strings.ContainsRune("89ab", rune(one[19])) {
		t.Errorf("identifiers %s and %s", one, other)
	}
}

// TestPartsAreThereOnce: no two parts of the interface have the same name in the
// bill of materials, which would not be valid.
func TestPartsAreThereOnce(t *testing.T) {
	t.Chdir("../..")
	parts, err := uiParts()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]string)
	for _, p := range parts {
		if seen[p.purl] != "" {
			t.Errorf("%s is there twice: %s and %s", p.purl, seen[p.purl], p.dir)
		}
		seen[p.purl] = p.dir
		if p.version == "" || p.license == "" {
			t.Errorf("%s has the version %q and the license %q", p.name, p.version, p.license)
		}
	}
}

// TestTarIsSorted: entries are in the order of their names, folders end with a
// slash, and nobody of the machine that made it owns anything.
func TestTarIsSorted(t *testing.T) {
	t.Parallel()
	b, err := writeTar([]entry{{name: "b", mode: 0o755, content: []byte("x")}, {name: "a", mode: 0o700, owner: owner, isDir: true}, {name: "a/c", mode: 0o600}}, time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	if files := unpacked(t, b); len(files) != 3 || files["a/"] == nil || string(files["b"]) != "x" {
		t.Errorf("%v", files)
	}
	if a, c, b2 := bytes.Index(b, []byte("a/\x00")), bytes.Index(b, []byte("a/c\x00")), bytes.Index(b, []byte("b\x00")); a < 0 || c < a || b2 < c {
		t.Errorf("a/ is at %d, a/c at %d, b at %d", a, c, b2)
	}
	if _, err := writeTar([]entry{{name: strings.Repeat("x", 300)}}, time.Unix(0, 0)); err == nil {
		t.Error("a name that the format cannot hold is written")
	}
}
