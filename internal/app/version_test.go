package app

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	vcs := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-11-15T19:08:17Z"}, {Key: "vcs.modified", Value: "true"},
	}
	tests := []struct {
		name        string
		linked      build
		main        string
		settings    []debug.BuildSetting
		short, long string
	}{
		{"a release", build{"v1.2.0", "abc", "2026-11-01"}, "(devel)", vcs, "v1.2.0", "v1.2.0 (commit abc, 2026-11-01, go"},
		{"the script without a tag", build{"", "abc", "2026-11-01"}, "(devel)", nil, "devel-abc", "devel-abc (commit abc, 2026-11-01, go"},
		{"go install", build{}, "v1.2.0", nil, "v1.2.0", "v1.2.0 (commit unknown, date unknown, go"},
		{"go build", build{}, "(devel)", vcs, "devel-0123456789ab-modified", "(commit 0123456789ab-modified, 2026-11-15, go"},
		{"nothing known", build{}, "(devel)", nil, "devel", "devel (commit unknown, date unknown, go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.linked
			b.fill(&debug.BuildInfo{Main: debug.Module{Version: tt.main}, Settings: tt.settings})
			if b.short() != tt.short || !strings.Contains(b.long(), tt.long) {
				t.Errorf("%q, %q, want %q, %q", b.short(), b.long(), tt.short, tt.long)
			}
		})
	}
}
