// Command release makes what is given away out of built binaries: archives,
// container images, bills of materials, licenses, the Homebrew formula and
// checksums. The same input gives the same bytes: names are sorted, times are
// those of the commit. It uses the standard library only.
//
//	release -version 0.1.0 -epoch 1700000000 -build dist/build -out dist STEP...
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is what all steps work with.
type release struct {
	version string
	date    time.Time // of the commit
	build   string    // PLATFORM/tidemark, and shared/ with manual, completions and licenses
	out     string
	roots   string // file with certificates of authorities, for images

	platforms []string // that binaries are built for, such as linux_amd64
}

func main() {
	r := &release{}
	epoch := flag.Int64("epoch", 0, "time of the commit, in seconds since 1970")
	flag.StringVar(&r.version, "version", "", "version")
	flag.StringVar(&r.build, "build", "dist/build", "where binaries are")
	flag.StringVar(&r.out, "out", "dist", "where to put what is made")
	flag.StringVar(&r.roots, "roots", "", "PEM file of certificate authorities for images")
	platforms := flag.String("platforms", "", "platforms, separated by commas: linux_amd64")
	flag.Parse()
	r.platforms = strings.Split(*platforms, ",")
	r.date = time.Unix(*epoch, 0).UTC()
	for _, step := range flag.Args() {
		if err := r.step(step); err != nil {
			fmt.Fprintf(os.Stderr, "release: %s: %v\n", step, err)
			os.Exit(1)
		}
	}
}

func (r *release) step(name string) error {
	switch name {
	case "licenses":
		return r.licenses()
	case "archives":
		return r.archives()
	case "images":
		return r.images()
	case "sbom":
		return r.boms()
	case "formula":
		return r.formula()
	case "checksums":
		return r.checksums()
	}
	return fmt.Errorf("there is no such step")
}

// binary is the program built for a platform.
func (r *release) binary(platform string) string { return r.program(platform, "tidemark") }

// agent is the agent built for a platform.
func (r *release) agent(platform string) string { return r.program(platform, "tidemark-agent") }

func (r *release) program(platform, name string) string {
	if isWindows(platform) {
		name += ".exe"
	}
	return filepath.Join(r.build, platform, name)
}

func isWindows(platform string) bool { return strings.HasPrefix(platform, "windows_") }

// archive is that of a platform, as its people unpack it.
func (r *release) archive(platform string) string {
	if isWindows(platform) {
		return r.name(platform, ".zip")
	}
	return r.name(platform, ".tar.gz")
}

// name is that of a file of the release: tidemark_0.1.0_linux_amd64.tar.gz.
func (r *release) name(platform, ext string) string {
	return filepath.Join(r.out, strings.Join([]string{"tidemark", r.version, platform}, "_")+ext)
}
