package tidemark

import "strconv"

const (
	maxTitle    = 255
	maxText     = 32 << 10
	maxSettings = 64
)

// Service is a destination for notifications: a mailbox, a chat channel, a URL.
type Service struct {
	ID        int64             `json:"id"`
	Type      string            `json:"type"`
	Settings  map[string]string `json:"settings"`
	Title     string            `json:"title"`
	CreatedAt int64             `json:"-"`
	UpdatedAt int64             `json:"-"`
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
		p.Check(known, "type", "%q is not a type of service", s.Type)
	}
	if known {
		t.check(&p, s.Settings)
	}
	return p.Err()
}

// MaskedSetting stands for a secret that is set.
const MaskedSetting = "********"

// Masked returns s as it is shown to those who may not see secrets.
func (s *Service) Masked() *Service {
	t, _ := LookupServiceType(s.Type)
	masked := *s
	masked.Settings = make(map[string]string, len(s.Settings))
	for key, v := range s.Settings {
		if v != "" && !t.isPublic(key) {
			v = MaskedSetting
		}
		masked.Settings[key] = v
	}
	return &masked
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
	u.Settings.To(&s.Settings)
}
