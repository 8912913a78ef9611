package alerting

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// linkDays is how long the link of a notification acknowledges.
const linkDays = 7

// AcknowledgeLinks makes and reads the links in notifications that
// acknowledge: each is signed, good for one incident and for a week.
type AcknowledgeLinks struct {
	key  []byte
	base string
}

// NewAcknowledgeLinks returns an AcknowledgeLinks. Without a base URL there
// are no links.
func NewAcknowledgeLinks(ctx context.Context, st PictureStore, baseURL string) (*AcknowledgeLinks, error) {
	fresh := make([]byte, 32)
	rand.Read(fresh) // never fails
	key, err := st.PictureKey(ctx, fresh)
	if err != nil {
		return nil, fmt.Errorf("key of links that acknowledge: %w", err)
	}
	// A key of its own, so that no name of a picture is one of a link.
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("links that acknowledge"))
	return &AcknowledgeLinks{key: mac.Sum(nil), base: strings.TrimRight(baseURL, "/")}, nil
}

// Link returns the link for a delivery, or "" if it is about no incident that
// could be acknowledged.
func (l *AcknowledgeLinks) Link(d *tidemark.Delivery) string {
	if l.base == "" || d.Incident == 0 || d.Kind == tidemark.NoticeClear {
		return ""
	}
	return l.base + "/acknowledge/" + l.sign(d.Org, d.Incident, d.CreatedAt+linkDays*24*3600)
}

func (l *AcknowledgeLinks) sign(org tidemark.OrgID, incident, expires int64) string {
	text := fmt.Sprintf("%d-%d-%d", org, incident, expires)
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte(text))
	return text + "-" + hex.EncodeToString(mac.Sum(nil)[:16])
}

var (
	errNoLink  = tidemark.Errorf(tidemark.NotFound, "there is no such link")
	errOldLink = tidemark.Errorf(tidemark.NotFound, "this link has expired; sign in to acknowledge")
)

// Open returns the incident that a link is for. One that is not signed by us
// or has expired is NotFound.
func (l *AcknowledgeLinks) Open(name string) (tidemark.OrgID, int64, error) {
	parts := strings.Split(name, "-")
	if len(parts) != 4 {
		return 0, 0, errNoLink
	}
	var numbers [3]int64
	for i := range numbers {
		n, err := strconv.ParseInt(parts[i], 10, 64)
		if err != nil {
			return 0, 0, errNoLink
		}
		numbers[i] = n
	}
	org := tidemark.OrgID(numbers[0])
	if !hmac.Equal([]byte(l.sign(org, numbers[1], numbers[2])), []byte(name)) {
		return 0, 0, errNoLink
	}
	if time.Now().Unix() > numbers[2] {
		return 0, 0, errOldLink
	}
	return org, numbers[1], nil
}
