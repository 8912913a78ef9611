package tidemark

import (
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

const (
	maxPersonDevices = 20 // of a person in an organization
	maxEndpoint      = 2048
)

// PushService is the type of service that a device is.
const PushService = "push"

// Device is a browser or a telephone on which a person is notified of the
// alerts of an organization. It is kept and delivered to as a service that is
// theirs alone.
type Device struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Severity says of which alerts it is notified: of all, of those that are
	// warning or critical, or of critical ones.
	Severity string `json:"severity" wire:"all|warning|critical"`
	// Cleared has it notified also when they clear.
	Cleared bool `json:"cleared"`
	// Labels are what alerts must have for it to be notified of them; none is
	// of all.
	Labels map[string]string `json:"labels"`
	// Quiet is when it is notified of critical alerts alone; null is never.
	Quiet *QuietHours `json:"quiet"`
	// Fingerprint tells subscriptions apart without saying where they are: a
	// device finds itself by it.
	Fingerprint string `json:"fingerprint"`
	CreatedAt   int64  `json:"created_at"`

	Subscription Subscription `json:"-"`
}

// QuietHours are a part of every day, by the clocks of a time zone.
type QuietHours struct {
	From string `json:"from"` // 22:00
	To   string `json:"to"`   // 07:00; before the start, it is on the next day
	Zone string `json:"zone"` // Europe/Berlin
}

// Validate reports what is wrong with q, or nil.
func (q *QuietHours) Validate() error {
	var p Problems
	for _, t := range []struct{ field, text string }{{"from", q.From}, {"to", q.To}} {
		_, ok := minuteOf(t.text)
		p.Check(ok, t.field, "must be a time of day, such as 22:00")
	}
	p.Check(q.From != q.To, "to", "must be another time than from")
	checkZone(&p, "zone", q.Zone)
	return p.Err()
}

// on reports whether now is in q.
func (q *QuietHours) on(now time.Time) bool {
	zone, err := time.LoadLocation(q.Zone)
	if err != nil {
		return false // a zone that is gone from the list hides nothing
	}
	from, _ := minuteOf(q.From)
	to, _ := minuteOf(q.To)
	local := now.In(zone)
	at := local.Hour()*60 + local.Minute()
	if from < to {
		return at >= from && at < to
	}
	return at >= from || at < to
}

// Subscription is where the browser of a device takes messages, and how they
// are encrypted for it, as RFC 8291 has it. Whoever knows it can send to it.
type Subscription struct {
	Endpoint string
	P256DH   string // the public key of the browser
	Auth     string // a secret that the browser made
}

// The settings of a service that is a device.
const (
	settingEndpoint    = "endpoint"
	settingP256DH      = "p256dh"
	settingAuth        = "auth"
	settingSeverity    = "severity"
	settingCleared     = "cleared"
	settingFingerprint = "fingerprint"
	settingLabels      = "labels" // as JSON
	settingQuiet       = "quiet"  // as JSON
)

// deviceSeverities are what Device.Severity can be, that of the fewest alerts
// last.
var deviceSeverities = []string{"all", Warning, Critical}

// fingerprint is half of the hash of where a subscription is.
func fingerprint(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:16])
}

// Service returns d as a service of user, and sets its fingerprint.
func (d *Device) Service(user int64) *Service {
	d.Fingerprint = fingerprint(d.Subscription.Endpoint)
	s := &Service{ID: d.ID, Type: PushService, Title: d.Name, CreatedAt: d.CreatedAt, Person: user, Settings: Settings{
		settingEndpoint: d.Subscription.Endpoint, settingP256DH: d.Subscription.P256DH, settingAuth: d.Subscription.Auth,
		settingSeverity: d.Severity, settingFingerprint: d.Fingerprint,
	}}
	if d.Cleared {
		s.Settings[settingCleared] = "1"
	}
	if len(d.Labels) > 0 {
		s.Settings[settingLabels] = asText(d.Labels)
	}
	if d.Quiet != nil {
		s.Settings[settingQuiet] = asText(d.Quiet)
	}
	return s
}

// asText is v as JSON, in a setting.
func asText(v any) string {
	text, _ := json.Marshal(v) // what is in v was read from JSON
	return string(text)
}

// DeviceOf returns the device that s is.
func DeviceOf(s *Service) *Device {
	d := &Device{
		ID: s.ID, Name: s.Title, CreatedAt: s.CreatedAt, Severity: s.Settings[settingSeverity], Cleared: s.Settings[settingCleared] != "",
		Fingerprint:  s.Settings[settingFingerprint],
		Subscription: Subscription{s.Settings[settingEndpoint], s.Settings[settingP256DH], s.Settings[settingAuth]},
		Labels:       map[string]string{},
	}
	if text := s.Settings[settingLabels]; text != "" {
		_ = json.Unmarshal([]byte(text), &d.Labels)
	}
	if text := s.Settings[settingQuiet]; text != "" {
		_ = json.Unmarshal([]byte(text), &d.Quiet)
	}
	return d
}

// Wants reports whether d is notified of n at a time.
func (d *Device) Wants(n *Notice, now time.Time) bool {
	if n.Kind == NoticeClear && !d.Cleared || !isPart(d.Labels, n.Labels) {
		return false
	}
	// The worst severity is the first.
	least, is := slices.Index(Severities, d.Severity), slices.Index(Severities, n.Severity)
	if least >= 0 && (is < 0 || is > least) {
		return false
	}
	// Last, since it looks a time zone up.
	return d.Quiet == nil || n.Severity == Critical || !d.Quiet.on(now)
}

// DeviceUpdate is a partial change: fields left out stay as they are.
type DeviceUpdate struct {
	Name     Opt[string] `json:"name"`
	Severity Opt[string] `json:"severity" wire:"all|warning|critical"`
	Cleared  Opt[bool]   `json:"cleared"`

	Labels Opt[map[string]string] `json:"labels"`
	Quiet  Opt[QuietHours]        `json:"quiet" wire:"null"`
}

// Apply makes the change to d.
func (u DeviceUpdate) Apply(d *Device) {
	u.Name.To(&d.Name)
	u.Severity.To(&d.Severity)
	u.Cleared.To(&d.Cleared)
	u.Labels.To(&d.Labels)
	u.Quiet.ToPtr(&d.Quiet)
}

// Validate reports what is wrong with d, or nil.
func (d *Device) Validate() error {
	var p Problems
	p.Text("name", d.Name, 1, maxTitle)
	p.Text("endpoint", d.Subscription.Endpoint, 1, maxEndpoint)
	p.Check(webURL(d.Subscription.Endpoint) == "", "endpoint", "must begin with https:// or http://")
	p.Check(isPushKey(d.Subscription.P256DH), "p256dh", "must be a point of the curve P-256 in base64url")
	p.Check(isPushAuth(d.Subscription.Auth), "auth", "must be 16 bytes in base64url")
	p.Check(slices.Contains(deviceSeverities, d.Severity), "severity", "must be all, warning or critical")
	checkLabels(&p, "labels", d.Labels)
	if d.Quiet != nil {
		p.Add("quiet.", d.Quiet.Validate())
	}
	return p.Err()
}

// isPushKey reports whether v is the public key of a browser.
func isPushKey(v string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(v)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(raw)
	}
	return err == nil
}

// isPushAuth reports whether v is the secret of a subscription.
func isPushAuth(v string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(v)
	return err == nil && len(raw) == 16
}
