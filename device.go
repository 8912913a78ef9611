package tidemark

import (
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
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
	// Fingerprint tells subscriptions apart without saying where they are: a
	// device finds itself by it.
	Fingerprint string `json:"fingerprint"`
	CreatedAt   int64  `json:"created_at"`

	Subscription Subscription `json:"-"`
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
	return s
}

// DeviceOf returns the device that s is.
func DeviceOf(s *Service) *Device {
	return &Device{
		ID: s.ID, Name: s.Title, CreatedAt: s.CreatedAt, Severity: s.Settings[settingSeverity], Cleared: s.Settings[settingCleared] != "",
		Fingerprint:  s.Settings[settingFingerprint],
		Subscription: Subscription{s.Settings[settingEndpoint], s.Settings[settingP256DH], s.Settings[settingAuth]},
	}
}

// Wants reports whether d is notified of n.
func (d *Device) Wants(n *Notice) bool {
	if n.Kind == NoticeClear && !d.Cleared {
		return false
	}
	// The worst severity is the first.
	least, is := slices.Index(Severities, d.Severity), slices.Index(Severities, n.Severity)
	return least < 0 || is >= 0 && is <= least
}

// DeviceUpdate is a partial change: fields left out stay as they are.
type DeviceUpdate struct {
	Name     Opt[string] `json:"name"`
	Severity Opt[string] `json:"severity" wire:"all|warning|critical"`
	Cleared  Opt[bool]   `json:"cleared"`
}

// Apply makes the change to d.
func (u DeviceUpdate) Apply(d *Device) {
	u.Name.To(&d.Name)
	u.Severity.To(&d.Severity)
	u.Cleared.To(&d.Cleared)
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
