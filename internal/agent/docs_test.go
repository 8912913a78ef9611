package agent

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedSettings: the settings in the document make sense, and every
// setting and metric is in it.
func TestDocumentedSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/agent.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(text)
	if example == nil {
		t.Fatal("no settings in the document")
	}
	cfg := Defaults()
	if err := cfg.Read(strings.NewReader(string(example[1]))); err != nil {
		t.Fatal(err)
	}
	cfg.Token = "x"
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^#([a-z_]+):`).FindAllStringSubmatch(Template, -1) {
		if name := m[1]; name != "ca" && name != "host_off" && !strings.Contains(string(example[1]), name+":") {
			t.Errorf("%s is not in the document", name)
		}
	}
}
