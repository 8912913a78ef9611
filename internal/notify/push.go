package notify

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// maxPushText is how long the sentence of a push message is: browsers show
	// two or three lines, and push services take 4096 bytes in all.
	maxPushText  = 300
	maxPushTitle = 200
	// pushTTL is how long a push service keeps a message for a device that is
	// off: an alert of yesterday evening is still news in the morning.
	pushTTL = 12 * time.Hour
	// pushRecord is the size of record that the encryption names.
	pushRecord = 4096
)

// pushMessage is what the interface's service worker is sent, and shows.
type pushMessage struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	// Tag is the same for all messages of an incident: the latest stands for
	// those before it.
	Tag string `json:"tag"`
	// Path is the page of the incident, from where the interface is.
	Path string `json:"path"`
	// Acknowledge is the link that acknowledges, or empty.
	Acknowledge string `json:"acknowledge,omitempty"`
	// Snooze is where the alert is snoozed by whoever is signed in, likewise, or
	// empty.
	Snooze string `json:"snooze,omitempty"`
	// Silent messages make no sound.
	Silent bool `json:"silent,omitempty"`
}

func (n Notification) pushMessage() pushMessage {
	path := fmt.Sprintf("o/%d/alerts", n.Org)
	if n.Alert.ID != 0 {
		path += "/" + strconv.FormatInt(n.Alert.ID, 10)
	}
	if n.Incident != 0 {
		path += "?incident=" + strconv.FormatInt(n.Incident, 10)
	}
	snooze := ""
	if n.Alert.ID != 0 && !n.Test && !n.cleared() {
		snooze = fmt.Sprintf("o/%d/v1/alerts/%d/snooze", n.Org, n.Alert.ID)
	}
	return pushMessage{
		Title: shorten(n.title(), maxPushTitle), Body: shorten(n.pushText(), maxPushText), Tag: n.IncidentKey, Path: path,
		Acknowledge: n.acknowledgeURL(), Snooze: snooze, Silent: n.cleared(),
	}
}

// pushText is when the alert fires, and what made it.
func (n Notification) pushText() string {
	switch {
	case n.cleared():
		return n.clearedAfter()
	case n.Test:
		return testNotice
	}
	return strings.Join(append([]string{n.Sentence}, n.lines()...), "\n")
}

// urgency is how much a device that saves its battery should hurry.
func (n Notification) urgency() string {
	if n.cleared() || n.Alert.Severity == tidemark.Info {
		return "normal"
	}
	return "high"
}

// newPush is the notifier of a device: a browser that subscribed to messages, by
// the push service of its maker (RFC 8030), encrypted for it (RFC 8291).
func newPush(s settings, o Options) (renderer, error) {
	to, err := parseSubscription(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		shown, err := jsonRequest(s["endpoint"], n.pushMessage())
		if err != nil {
			return nil, err
		}
		body, err := to.encrypt(shown.body)
		if err != nil {
			return nil, err
		}
		return &request{
			url: s["endpoint"], contentType: "application/octet-stream", body: body, shown: shown, sign: o.Push.sign,
			header: map[string]string{
				"Content-Encoding": "aes128gcm", "TTL": strconv.Itoa(int(pushTTL.Seconds())), "Urgency": n.urgency(), "Topic": topic(n.IncidentKey),
			},
		}, nil
	}, nil
}

// topic names an incident such that what waits for a device is replaced by what
// comes after it: at most 32 characters of base64url.
func topic(incident string) string {
	sum := sha256.Sum256([]byte(incident))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// subscription is what messages for a browser are encrypted with.
type subscription struct {
	key  *ecdh.PublicKey
	auth []byte
}

func parseSubscription(s settings) (subscription, error) {
	raw, err := base64.RawURLEncoding.DecodeString(s["p256dh"])
	if err != nil {
		return subscription{}, fmt.Errorf("key of the subscription: %w", err)
	}
	key, err := ecdh.P256().NewPublicKey(raw)
	if err != nil {
		return subscription{}, fmt.Errorf("key of the subscription: %w", err)
	}
	auth, err := base64.RawURLEncoding.DecodeString(s["auth"])
	if err != nil {
		return subscription{}, fmt.Errorf("secret of the subscription: %w", err)
	}
	return subscription{key, auth}, nil
}

// encrypt encrypts a message with a key of its own.
func (to subscription) encrypt(plain []byte) ([]byte, error) {
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	return to.encryptWith(plain, own, salt)
}

// encryptWith encrypts as sections 3.3 and 3.4 of RFC 8291 say, into one record
// of RFC 8188.
func (to subscription) encryptWith(plain []byte, own *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	shared, err := own.ECDH(to.key)
	if err != nil {
		return nil, err
	}
	sender := own.PublicKey().Bytes()
	secret, err := hkdf.Key(sha256.New, shared, to.auth, "WebPush: info\x00"+string(to.key.Bytes())+string(sender), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(append([]byte{}, salt...), pushRecord)
	head = append(append(head, byte(len(sender))), sender...)
	const last = 2 // marks the end of the last record
	return gcm.Seal(head, nonce, append(append([]byte{}, plain...), last), nil), nil
}

// isGone reports whether a push service says that a subscription ended.
func isGone(kind string, a answer) bool {
	return kind == tidemark.PushService && (a.code == http.StatusNotFound || a.code == http.StatusGone)
}
