package tidemark

import "testing"

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
		if got := d.Wants(&c.notice); got != c.want {
			t.Errorf("%s, cleared %v, of %s %q: %v", c.severity, c.cleared, c.notice.Kind, c.notice.Severity, got)
		}
	}
}
