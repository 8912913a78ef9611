package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// made is a release of this test's own program, with stand-ins for the rest.
func made(t *testing.T) *release {
	t.Helper()
	dir := t.TempDir()
	r := &release{version: "1.2.3", date: time.Unix(1_700_000_000, 0).UTC(), build: filepath.Join(dir, "build"), out: dir,
		roots: filepath.Join(dir, "roots.pem"), platforms: []string{"linux_amd64"}}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		r.binary("linux_amd64"): string(program), r.agent("linux_amd64"): "agent", filepath.Join(r.build, "shared", "THIRD-PARTY-LICENSES.txt"): "licenses", r.roots: "roots",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// unpacked returns the files of a tar.
func unpacked(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for tr := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Unix(1_700_000_000, 0)) {
			t.Errorf("%s has the time %v", h.Name, h.ModTime)
		}
		if files[h.Name], err = io.ReadAll(tr); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage follows an image from its index to its files, as a runtime does.
func TestImage(t *testing.T) {
	r := made(t)
	if err := r.images(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tidemark_1.2.3_linux_amd64_image.tar", "tidemark_1.2.3_oci.tar"} {
		b, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			t.Fatal(err)
		}
		files := unpacked(t, b)
		var index struct{ Manifests []descriptor }
		follow(t, files["index.json"], &index)
		at := index.Manifests[0]
		if got := at.Annotations["io.containerd.image.name"]; got != "docker.io/library/tidemark:1.2.3" {
			t.Errorf("%s is loaded as %q", name, got)
		}
		if at.MediaType == typeIndex {
			follow(t, blobOf(t, files, at), &index)
			at = index.Manifests[0]
		}
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		follow(t, blobOf(t, files, at), &manifest)
		var config struct {
			Config struct{ User string }
			Rootfs struct {
				DiffIDs []string `json:"diff_ids"`
			}
		}
		follow(t, blobOf(t, files, manifest.Config), &config)
		if config.Config.User != "65532:65532" {
			t.Errorf("%s runs as %q", name, config.Config.User)
		}
		gz, err := gzip.NewReader(bytes.NewReader(blobOf(t, files, manifest.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(gz)
		if err != nil {
			t.Fatal(err)
		}
		if got := "sha256:" + digest(layer); got != config.Rootfs.DiffIDs[0] {
			t.Errorf("%s: the layer is %s, the image says %s", name, got, config.Rootfs.DiffIDs[0])
		}
		if root := unpacked(t, layer); len(root["tidemark"]) == 0 || string(root["tidemark-agent"]) != "agent" || string(root["etc/ssl/certs/ca-certificates.crt"]) != "roots" {
			t.Errorf("%s lacks the program, the agent or the certificates", name)
		}
	}
}

func follow(t *testing.T, b []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
}

// blobOf returns what a descriptor names, if it is what it says.
func blobOf(t *testing.T, files map[string][]byte, d descriptor) []byte {
	t.Helper()
	b := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
	if "sha256:"+digest(b) != d.Digest || len(b) != d.Size {
		t.Fatalf("no blob %+v", d)
	}
	return b
}

// TestBOM: the bill of materials names the program's modules, the standard
// library, and the packages of the interface.
func TestBOM(t *testing.T) {
	t.Chdir("../..")
	r := made(t)
	if err := r.boms(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(r.name("linux_amd64", ".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"purl": "pkg:golang/std@`, `"purl": "pkg:npm/react@`, `"purl": "pkg:npm/%40tanstack/react-query@`, `"timestamp": "2023-11-14T22:13:20Z"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the bill of materials has no %s", want)
		}
	}
	if strings.Contains(string(b), "pkg:npm/vite@") {
		t.Error("the bill of materials has a tool that is not in the program")
	}
}
