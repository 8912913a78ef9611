package tidemark

import "testing"

func TestReminderDue(t *testing.T) {
	t.Parallel()
	delivered := func(at int64) *Delivery { return &Delivery{Status: DeliveryDelivered, FinishedAt: at} }
	tests := []struct {
		name    string
		earlier []*Delivery
		due     int64
		ok      bool
	}{
		{"notified a rearm time ago", []*Delivery{delivered(400)}, 1000, true},
		{"notified a little late", []*Delivery{delivered(430)}, 1030, true},
		{"notified much later", []*Delivery{delivered(700)}, 0, false},
		{"not notified yet", []*Delivery{{Status: DeliveryWaiting}}, 0, false},
		{"the last one waits", []*Delivery{delivered(100), {Status: DeliveryWaiting}}, 0, false},
		{"could not be notified", []*Delivery{{Status: DeliveryFailed, FinishedAt: 990}}, 1000, true},
		{"attached since", nil, 1000, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			due, ok := ReminderDue(tt.earlier, 600, 1000)
			if ok != tt.ok || ok && due != tt.due {
				t.Errorf("due %d %v, want %d %v", due, ok, tt.due, tt.ok)
			}
		})
	}
}

func TestServiceFallback(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"": 0, "7": 7, "x": 0, "-1": 0, "5": 0} {
		s := &Service{ID: 5, Settings: map[string]string{FallbackSetting: text}}
		if got := s.Fallback(); got != want {
			t.Errorf("fallback %q = %d, want %d", text, got, want)
		}
	}
}
