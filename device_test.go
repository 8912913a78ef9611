package tidemark

import (
	"maps"
	"testing"
	"time"
)

func TestDevice(t *testing.T) {
	t.Parallel()
	checkRefusals(t, func() *Device {
		return &Device{Name: "phone", Severity: "all", Subscription: Subscription{
			"https://push.example.org/x", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg",
		}}
	}, (*Device).Validate, []refusal[Device]{
		{"as it is", func(*Device) {}, ""},
		{"no name", func(v *Device) { v.Name = "" }, "name"},
		{"another severity", func(v *Device) { v.Severity = "info" }, "severity"},
		{"no severity", func(v *Device) { v.Severity = "" }, "severity"},
		{"no address", func(v *Device) { v.Subscription.Endpoint = "push.example.org" }, "endpoint"},
		{"a long address", func(v *Device) { v.Subscription.Endpoint += "/" + long(maxEndpoint) }, "endpoint"},
		{"a key of another curve", func(v *Device) { v.Subscription.P256DH = "BAAA" }, "p256dh"},
		{"no key", func(v *Device) { v.Subscription.P256DH = "" }, "p256dh"},
		{"quiet at night", func(v *Device) { v.Quiet = &QuietHours{"22:00", "07:00", "Asia/Kolkata"} }, ""},
		{"quiet at no time", func(v *Device) { v.Quiet = &QuietHours{"22:00", "22:00", "UTC"} }, "quiet.to"},
		{"quiet from a time that is none", func(v *Device) { v.Quiet = &QuietHours{"24:00", "07:00", "UTC"} }, "quiet.from"},
		{"quiet nowhere", func(v *Device) { v.Quiet = &QuietHours{"22:00", "07:00", "Local"} }, "quiet.zone"},
		{"a label without a value", func(v *Device) { v.Labels = map[string]string{"team": ""} }, "labels"},
		{"a short secret", func(v *Device) { v.Subscription.Auth = "AAAA" }, "auth"},
	})
}

// TestDeviceWants: who asked for bad ones only is not notified of others.
func TestDeviceWants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		severity string
		cleared  bool
		notice   Notice
		want     bool
	}{
		{"all", false, Notice{Kind: NoticeTrigger}, true},
		{"all", false, Notice{Kind: NoticeReminder, Severity: Info}, true},
		{"all", false, Notice{Kind: NoticeClear}, false},
		{"all", true, Notice{Kind: NoticeClear}, true},
		{Warning, false, Notice{Kind: NoticeTrigger}, false},
		{Warning, false, Notice{Kind: NoticeTrigger, Severity: Info}, false},
		{Warning, false, Notice{Kind: NoticeTrigger, Severity: Warning}, true},
		{Warning, false, Notice{Kind: NoticeTrigger, Severity: Critical}, true},
		{Critical, true, Notice{Kind: NoticeClear, Severity: Warning}, false},
		{Critical, true, Notice{Kind: NoticeClear, Severity: Critical}, true},
	} {
		d := Device{Severity: c.severity, Cleared: c.cleared}
		if got := d.Wants(&c.notice, time.Now()); got != c.want {
			t.Errorf("%s, cleared %v, of %s %q: %v", c.severity, c.cleared, c.notice.Kind, c.notice.Severity, got)
		}
	}
}

// TestQuietHours: within them, by the clocks of their zone, a device is
// notified of critical alerts alone.
func TestQuietHours(t *testing.T) {
	t.Parallel()
	night := &QuietHours{"22:00", "07:00", "Europe/Berlin"}
	noon := &QuietHours{"12:00", "13:30", "Asia/Kolkata"}
	for _, c := range []struct {
		quiet *QuietHours
		at    string
		want  bool
	}{
		{night, "2026-01-15T20:59:59Z", true}, // 21:59:59
		{night, "2026-01-15T21:00:00Z", false},
		{night, "2026-01-16T05:59:59Z", false},
		{night, "2026-01-16T06:00:00Z", true},
		{night, "2026-07-16T05:00:00Z", true}, // in summer
		{night, "2026-07-16T04:59:00Z", false},
		{noon, "2026-01-15T06:29:00Z", true}, // 11:59
		{noon, "2026-01-15T06:30:00Z", false},
		{noon, "2026-01-15T08:00:00Z", true},
		{&QuietHours{"00:00", "23:59", "No/Where"}, "2026-01-15T08:00:00Z", true},
	} {
		now, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		d := Device{Severity: "all", Quiet: c.quiet}
		if got := d.Wants(&Notice{Kind: NoticeTrigger, Severity: Warning}, now); got != c.want {
			t.Errorf("%v at %s: %v", *c.quiet, c.at, got)
		}
		if !d.Wants(&Notice{Kind: NoticeTrigger, Severity: Critical}, now) {
			t.Errorf("%v at %s: of a critical alert it is notified at any time", *c.quiet, c.at)
		}
	}
}

// TestDeviceLabels: alerts must have all labels that a device names, and it is
// kept as a service with all it has.
func TestDeviceLabels(t *testing.T) {
	t.Parallel()
	d := &Device{Severity: "all", Labels: map[string]string{"team": "shop", "tier": "1"}, Quiet: &QuietHours{"22:00", "07:00", "UTC"}}
	kept := DeviceOf(d.Service(1))
	if !maps.Equal(kept.Labels, d.Labels) || kept.Quiet == nil || *kept.Quiet != *d.Quiet {
		t.Errorf("it is kept as %+v", kept)
	}
	kept.Quiet = nil
	for _, c := range []struct {
		labels map[string]string
		want   bool
	}{
		{nil, false}, {map[string]string{"team": "shop"}, false}, {map[string]string{"team": "shop", "tier": "2"}, false},
		{map[string]string{"team": "shop", "tier": "1", "zone": "a"}, true},
	} {
		if got := kept.Wants(&Notice{Kind: NoticeTrigger, Labels: c.labels}, time.Now()); got != c.want {
			t.Errorf("%v: %v", c.labels, got)
		}
	}
}
