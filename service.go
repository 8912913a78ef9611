package tidemark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

const (
	maxTitle    = 255
	maxText     = 32 << 10
	maxSettings = 64
)

// Service is a destination for notifications: a mailbox, a chat channel, a URL.
type Service struct {
	ID        int64    `json:"id"`
	Type      string   `json:"type"`
	Settings  Settings `json:"settings"`
	Title     string   `json:"title"`
	CreatedAt int64    `json:"-"`
	UpdatedAt int64    `json:"-"`
	// Revealed has the JSON show secrets, for those who may see them.
	Revealed bool `json:"-"`
	// Unreadable says why the secrets are not among the settings, or "".
	Unreadable string `json:"unreadable,omitempty"`
	// Signing is what requests to the service are signed with, or nil.
	Signing *Signing `json:"-"`
	// Person is the user whose device it is; 0 of those of the organization.
	Person int64 `json:"-"`
}

// Settings are those of a service. As JSON they are masks, since they do not
// know which of them are secret; Service, which does, shows the others.
type Settings map[string]string

// MarshalJSON masks all that is set.
func (s Settings) MarshalJSON() ([]byte, error) {
	return json.Marshal(s.masked(func(string) bool { return false }))
}

// String keeps secrets out of logs.
func (s Settings) String() string {
	return fmt.Sprint(s.masked(func(string) bool { return false }))
}

// GoString keeps secrets out of %#v.
func (s Settings) GoString() string { return s.String() }

// Reveal returns the settings as they are, for those who may see them, for
// what keeps them and for what uses them.
func (s Settings) Reveal() map[string]string { return s }

func (s Settings) masked(public func(name string) bool) map[string]string {
	shown := make(map[string]string, len(s))
	for name, v := range s {
		if v != "" && !public(name) {
			v = MaskedSetting
		}
		shown[name] = v
	}
	return shown
}

// Reveal has the JSON of s show its secrets.
func (s *Service) Reveal() { s.Revealed = true }

// MarshalJSON masks the secrets of s unless they are revealed.
func (s Service) MarshalJSON() ([]byte, error) {
	shown := s.Settings.Reveal()
	if !s.Revealed {
		shown = s.Masked()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the outer encoder decides
	err := enc.Encode(struct {
		ID       int64             `json:"id"`
		Type     string            `json:"type"`
		Settings map[string]string `json:"settings"`
		Title    string            `json:"title"`
		// Left out while all is well.
		Unreadable string `json:"unreadable,omitempty"`
	}{s.ID, s.Type, shown, s.Title, s.Unreadable})
	return b.Bytes(), err
}

// ResourceID is the last segment of the service's URL.
func (s *Service) ResourceID() string { return strconv.FormatInt(s.ID, 10) }

// Validate reports what is wrong with s, or nil.
func (s *Service) Validate() error {
	var p Problems
	p.Text("title", s.Title, 1, maxTitle)
	p.Check(len(s.Settings) <= maxSettings, "settings", "has more than %d keys", maxSettings)
	for key, v := range s.Settings {
		p.Text("settings", key, 1, maxTitle)
		p.Text(key, v, 0, maxText)
	}
	t, known := LookupServiceType(s.Type)
	if s.Type == "" {
		p.Check(false, "type", "is not present")
	} else {
		known = known && t.personal == (s.Person != 0)
		p.Check(known, "type", "%q is not a type of service", s.Type)
	}
	if known {
		t.check(&p, s.Settings)
	}
	return p.Err()
}

// MaskedSetting stands for a secret that is set.
const MaskedSetting = "********"

// Masked returns the settings of s as those see them who may not see secrets.
func (s *Service) Masked() map[string]string {
	t, _ := LookupServiceType(s.Type)
	return s.Settings.masked(t.isPublic)
}

// ValidateSecrets reports masks in the place of secrets, or nil. What is only
// shown, such as a message before it is sent, may have them.
func (s *Service) ValidateSecrets() error {
	var p Problems
	t, _ := LookupServiceType(s.Type)
	for key, v := range s.Settings {
		p.Check(v != MaskedSetting || t.isPublic(key), key, "is a mask, and there is no secret that it stands for")
	}
	return p.Err()
}

// SplitSettings returns the settings that may be kept as they are, and those
// that are secret.
func (s *Service) SplitSettings() (public, secret map[string]string) {
	t, _ := LookupServiceType(s.Type)
	public, secret = make(map[string]string), make(map[string]string)
	for name, v := range s.Settings {
		if v == "" || t.isPublic(name) {
			public[name] = v
		} else {
			secret[name] = v
		}
	}
	return public, secret
}

// ServiceUpdate is a partial change: fields left out stay as they are.
type ServiceUpdate struct {
	Type     Opt[string]            `json:"type"`
	Title    Opt[string]            `json:"title"`
	Settings Opt[map[string]string] `json:"settings"`
}

// Apply makes the change to s.
func (u ServiceUpdate) Apply(s *Service) {
	u.Type.To(&s.Type)
	u.Title.To(&s.Title)
	u.Settings.To((*map[string]string)(&s.Settings))
}
