package tidemark

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestSettingsAreMasked: anyone who forgets that settings may be secret shows
// none.
func TestSettingsAreMasked(t *testing.T) {
	s := &Service{ID: 5, Type: "mail", Title: "ops", Settings: Settings{"addresses": "ops@example.org", "made_up": "s3cret", "empty": ""}}
	alert := &Alert{Name: "high", Services: []*Service{s}}
	list := map[string]any{"services": []*Service{s}, "one": *s, "settings": s.Settings, "alert": alert, "value": []Service{*s}}
	for name, v := range list {
		text, err := json.Marshal(v)
		if err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), MaskedSetting) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	for _, format := range []string{"%v", "%+v", "%s", "%#v"} {
		if text := fmt.Sprintf(format, s.Settings) + fmt.Sprintf(format, *s); strings.Contains(text, "s3cret") {
			t.Errorf("%s: %s", format, text)
		}
	}
	checkJSON(t, s, `{"id":5,"type":"mail","settings":{"addresses":"ops@example.org","empty":"","made_up":"********"},"title":"ops"}`)
	s.Reveal()
	checkJSON(t, s, `{"id":5,"type":"mail","settings":{"addresses":"ops@example.org","empty":"","made_up":"s3cret"},"title":"ops"}`)
}

func checkJSON(t *testing.T, v any, want string) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
