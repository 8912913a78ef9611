// Package notify sends notifications to services. notifiers is the list of the
// kinds of service there are; each kind has a file of its own, which says what its
// message looks like and where it goes. What they share (the exchange itself,
// which failures are worth another try, keeping secrets out of everything that
// is shown) is written once, in http.go, retry.go and secret.go. A test keeps
// the list in step with the vocabulary's.
//
// Senders make one attempt. The caller retries.
package notify

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// sendTimeout bounds one attempt, whatever the destination does.
const sendTimeout = 20 * time.Second

// Result is what the delivery log keeps of an attempt.
type Result struct {
	Status   string // what the destination answered, in its own words
	Duration time.Duration
}

// Doer sends HTTP requests: the guarded client of package outbound.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Options are what notifiers need of the server.
type Options struct {
	Client Doer
	// Dial connects to the mail server.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Mail Mail
	// BaseURL is where people reach the web interface, for links where a
	// notification brings none.
	BaseURL string
	// Push is how push services know the server; nil if none is to be reached.
	Push *VAPID
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// kind is one kind of service.
type kind struct {
	new func(settings settings, o Options) (renderer, error)
	// streams and bytes limit the size of a message. Destinations refuse what
	// is too large, and an incident of ten thousand streams is better reported
	// in part than not at all.
	streams, bytes int
}

// notifiers are the kinds of service, but for mail, which has a notifier of its own.
var notifiers = map[string]kind{
	"alertmanager": {newAlertmanager, 500, 256 << 10},
	"bigpanda":     {newBigPanda, 100, 32 << 10},
	"campfire":     {newDead, 1, 1},
	"discord":      {newDiscord, chatStreams, chatBytes},
	"flowdock":     {newDead, 1, 1},
	"googlechat":   {newGoogleChat, chatStreams, chatBytes},
	"gotify":       {newGotify, chatStreams, chatBytes},
	"hipchat":      {newDead, 1, 1},
	"jira":         {newJira, 100, 16 << 10},
	"mail":         {newMail, 100, 64 << 10},
	"matrix":       {newMatrix, chatStreams, chatBytes},
	"msteams":      {newMSTeams, chatStreams, chatBytes},
	"neptune":      {newDead, 1, 1},
	"ntfy":         {newNtfy, chatStreams, chatBytes},
	"opsgenie":     {newOpsgenie, 100, 64 << 10},
	"pagerduty":    {newPagerDuty, 100, 64 << 10},
	"push":         {newPush, chatStreams, chatBytes},
	"pushover":     {newPushover, chatStreams, chatBytes},
	"slack":        {newSlack, chatStreams, 8 << 10},
	"sns":          {newSNS, 100, 64 << 10},
	"telegram":     {newTelegram, chatStreams, chatBytes},
	"victorops":    {newVictorOps, 100, 16 << 10},
	"webhook":      {newWebhook, 10_000, 4 << 20},
	"webhook_json": {newWebhookJSON, 1000, 512 << 10},
	"zapier":       {newZapier, 100, 32 << 10},
}

// uploaders are the kinds of service whose messages carry the picture itself.
// The others have a link to it, or show none.
var uploaders = map[string]bool{"discord": true, "mail": true, "pushover": true, "telegram": true}

// What a chat message holds: a list of more than ten streams is not read.
const (
	chatStreams = 10
	chatBytes   = 2 << 10
)

// settings are a service's settings.
type settings map[string]string

// or returns the setting called key, or other where it is empty.
func (s settings) or(key, other string) string {
	if v := s[key]; v != "" {
		return v
	}
	return other
}

// New returns the Notifier of s, which must be valid. A service whose
// destination no longer exists gets one that always fails.
func New(s *tidemark.Service, o Options) (*Notifier, error) {
	k, ok := notifiers[s.Type]
	if !ok {
		return nil, fmt.Errorf("no notifier for services of type %q", s.Type)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	render, err := k.new(s.Settings.Reveal(), o)
	if err != nil {
		return nil, err
	}
	made := &Notifier{kind: s.Type, limits: k, render: render, options: o, secrets: secretsOf(s, o), signing: s.Signing}
	if r, ok := reporters[s.Type]; ok {
		made.report = r.new(s.Settings.Reveal(), o)
	}
	return made, nil
}

// Notifier delivers notifications to one service: it makes the message, sends it
// by the renderer's way, and lets nothing out that is secret. It is safe for
// concurrent use.
type Notifier struct {
	kind    string
	limits  kind
	render  renderer
	report  renderer // of pictures of spaces; nil where none can be shown
	options Options
	secrets redactor
	signing *tidemark.Signing
}

// Uploads reports whether messages carry the picture itself, and not just a
// link to it: only then does somebody need to draw it before they are sent.
func (s *Notifier) Uploads() bool { return uploaders[s.kind] }

// Send makes one attempt to deliver n, and gives up when ctx is done. An
// error that a retry cannot mend satisfies errors.Is(err, ErrPermanent);
// RetryAfter gives the destination's wish for the others. The result is filled
// in either way. Neither holds a secret.
func (s *Notifier) Send(ctx context.Context, n Notification) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	start := s.options.Now()
	status, err := s.send(ctx, n)
	result := Result{Status: s.secrets.redact(status), Duration: max(0, s.options.Now().Sub(start))}
	if err != nil {
		err = s.secrets.err(err)
		if result.Status == "" {
			result.Status = err.Error()
		}
	}
	return result, err
}

func (s *Notifier) send(ctx context.Context, n Notification) (status string, err error) {
	message, err := s.message(n)
	if err != nil {
		return "", err
	}
	if n.Report != nil && reporters[s.kind].byLink && n.pictureURL() == "" {
		return "", errNoAddress
	}
	return message.send(ctx, exchanger{kind: s.kind, options: s.options, signing: s.signing})
}

// message renders n, cut to what the kind takes.
func (s *Notifier) message(n Notification) (message, error) {
	n = n.complete(s.options.BaseURL).cut(s.limits.streams, s.limits.bytes)
	switch {
	case n.Report == nil:
		return s.render(n)
	case s.report == nil:
		return nil, permanent("this kind of service shows no pictures")
	}
	return s.report(n)
}

// renderer makes the message of a notification.
type renderer func(n Notification) (message, error)

// message is something ready to be sent.
type message interface {
	// send makes the attempt and returns the destination's answer.
	send(ctx context.Context, x exchanger) (status string, err error)
	// preview returns what would be sent. It may hold secrets.
	preview() Preview
}

// nothing is the message where there is nothing to send.
type nothing struct{ why string }

func (m nothing) send(context.Context, exchanger) (string, error) { return m.why, nil }
func (m nothing) preview() Preview                                { return Preview{Type: "text/plain", Body: []byte(m.why)} }
