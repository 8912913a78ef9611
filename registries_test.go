package tidemark_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoRegistry: no file names the host of a package registry or mirror. Which
// one is asked is a setting of the machine that builds, such as a proxy that
// its company has. The names are put together here, so that this file passes.
func TestNoRegistry(t *testing.T) {
	t.Parallel()
	hosts := make(map[string][]byte)
	for _, labels := range [][]string{
		{"proxy", "golang"}, {"sum", "golang"}, {"registry", "npmjs"}, {"registry", "yarnpkg"}, {"pypi", "org"}, {"files", "pythonhosted"},
		{"static", "crates", "io"}, {"index", "crates", "io"}, {"rubygems", "org"}, {"repo1", "maven"},
		{"deb", "debian"}, {"ftp", "debian"}, {"security", "debian"}, {"snapshot", "debian"}, {"archive", "ubuntu"}, {"dl-cdn", "alpinelinux"},
	} {
		host := strings.Join(labels, ".")
		hosts[host] = []byte(host)
	}
	out, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("built from an archive of the source, without git")
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) { // removed, not yet committed
			t.Error(err)
		}
		for host, name := range hosts {
			if bytes.Contains(text, name) {
				t.Errorf("%s names %s", path, host)
			}
		}
	}
}
