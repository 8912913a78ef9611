package notify

import "context"

// newDead is the notifier of services whose destination was switched off. They
// are kept so that old set-ups can be imported as they are.
func newDead(settings, Options) (renderer, error) {
	return func(Notification) (message, error) { return dead{}, nil }, nil
}

// dead is a message that cannot be delivered.
type dead struct{}

const deadText = "this destination no longer exists"

func (dead) send(context.Context, exchanger) (string, error) { return "", permanent(deadText) }
func (dead) preview() Preview                                { return Preview{Type: "text/plain", Body: []byte(deadText)} }
