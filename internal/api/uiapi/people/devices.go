package people

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

// deviceList is the devices on which somebody is notified.
type deviceList struct {
	Devices []*tidemark.Device `json:"devices"`
	// Key is what a browser subscribes with.
	Key string `json:"key"`
}

// deviceBody is a browser that is to be notified, with its subscription.
type deviceBody struct {
	Name     string `json:"name"`
	Severity string `json:"severity" wire:"all|warning|critical"`
	Cleared  bool   `json:"cleared"`

	Labels map[string]string    `json:"labels"`
	Quiet  *tidemark.QuietHours `json:"quiet"`

	Endpoint string `json:"endpoint"`
	P256DH   string `json:"p256dh"`
	Auth     string `json:"auth"`
}

func (b *deviceBody) device() *tidemark.Device {
	if b.Labels == nil {
		b.Labels = map[string]string{}
	}
	return &tidemark.Device{
		Name: b.Name, Severity: b.Severity, Cleared: b.Cleared, Labels: b.Labels, Quiet: b.Quiet,
		Subscription: tidemark.Subscription{Endpoint: b.Endpoint, P256DH: b.P256DH, Auth: b.Auth},
	}
}

// devices answers GET /ui/api/devices.
func (s *API) devices(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.Devices(r.Context(), who.Org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.PushKey == nil {
		return rest.Reply{}, shared.ErrNoAlerting
	}
	key, err := s.Alerting.PushKey(r.Context())
	return rest.OK(deviceList{Devices: found, Key: key}), err
}

// addDevice answers POST /ui/api/devices.
func (s *API) addDevice(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body deviceBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v := body.device()
	if err := v.Validate(); err != nil {
		return rest.Reply{}, err
	}
	if err := notify.Check(r.Context(), v.Service(who.User), s.Guard); err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.CreateDevice(r.Context(), who.Org, who.Actor(), who.User, v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/ui/api/devices"), nil
}

// updateDevice answers PUT /ui/api/devices/:id.
func (s *API) updateDevice(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.DeviceUpdate
	if err := rest.ReadShort(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.UpdateDevice(r.Context(), who.Org, who.Actor(), who.User, id, u.Apply)
	return rest.OK(v), err
}

// removeDevice answers DELETE /ui/api/devices/:id.
func (s *API) removeDevice(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteDevice(r.Context(), who.Org, who.Actor(), who.User, id)
}

// testDevice answers POST /ui/api/devices/:id/test: it sends one's own device a
// test notification.
func (s *API) testDevice(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.DeviceService(r.Context(), who.Org, who.User, id)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.TryService(r, who, v)
}
