package app

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// What scripts/build.sh has the linker write here; empty in other builds.
var version, commit, date string

// build says where a program comes from.
type build struct{ version, commit, date string }

// Version is the version of the program: a release, or the commit it was
// built from.
func Version() string { return thisBuild().short() }

// LongVersion is the version with everything known of the build.
func LongVersion() string { return thisBuild().long() }

// BuildInfo is the same for programs.
type BuildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // empty if it is not known
	Date     string `json:"date"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Build is everything known of the build.
func Build() BuildInfo {
	b := thisBuild()
	return BuildInfo{b.short(), b.commit, b.date, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func thisBuild() build {
	b := build{version, commit, date}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.fill(info)
	}
	return b
}

// fill takes from the module and its version control what was not set with
// -ldflags: go install and a plain go build set nothing.
func (b *build) fill(info *debug.BuildInfo) {
	if v := info.Main.Version; v != "(devel)" {
		b.version = cmp.Or(b.version, v)
	}
	if b.commit != "" {
		return
	}
	vcs := make(map[string]string)
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	revision := vcs["vcs.revision"]
	b.commit = revision[:min(12, len(revision))]
	if b.commit != "" && vcs["vcs.modified"] == "true" {
		b.commit += "-modified"
	}
	day, _, _ := strings.Cut(vcs["vcs.time"], "T")
	b.date = cmp.Or(b.date, day)
}

func (b build) short() string {
	switch {
	case b.version != "":
		return b.version
	case b.commit != "":
		return "devel-" + b.commit
	}
	return "devel"
}

func (b build) long() string {
	return fmt.Sprintf("%s (commit %s, %s, %s, %s/%s)", b.short(), cmp.Or(b.commit, "unknown"), cmp.Or(b.date, "date unknown"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
