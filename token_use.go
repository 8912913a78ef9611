package tidemark

import "encoding/json"

// TokenUse is how often a token was used, on one day, to do one thing to one
// kind of thing: read spaces, change alerts.
type TokenUse struct {
	Token    int64
	Action   Action
	Noun     string
	Day      int64 // midnight UTC
	Requests int64
}

// TokenClient is one program that uses a token: what it calls itself and where it
// sends from.
type TokenClient struct {
	Token     int64
	UserAgent string
	Sender    string // the tag host of what it sends, else its address
	Address   string // that it used last; "" of days before it was noted
	Day       int64  // midnight UTC
	Requests  int64
	LastAt    int64
	Old       bool            // it still uses a secret that was rotated out
	Sends     json.RawMessage // names of metrics, a few
}
