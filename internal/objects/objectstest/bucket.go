// Package objectstest has storage that speaks S3, in memory. It is for tests
// only.
package objectstest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Region and the keys are what requests to a Bucket must be signed with.
const (
	Region    = "eu-central-1"
	AccessKey = "KEY"
	SecretKey = "SECRET"
)

// Bucket answers as storage that speaks S3 does, as far as it is used: for the
// bucket named backups.
type Bucket struct {
	mu      sync.Mutex
	objects map[string]string
	failing int // how many requests more fail
	asked   int
}

// New returns a bucket with nothing in it.
func New() *Bucket { return &Bucket{objects: make(map[string]string)} }

// Fail has the next n requests answered with 503.
func (b *Bucket) Fail(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = n
}

// Asked is how many requests there were.
func (b *Bucket) Asked() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

// Objects is a copy of what the bucket holds, by name.
func (b *Bucket) Objects() map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.objects)
}

// ServeHTTP implements http.Handler.
func (b *Bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	sum := sha256.Sum256(body)
	name, inBucket := strings.CutPrefix(r.URL.Path, "/backups")
	switch c := credentialOf(r); {
	case b.failing > 0:
		b.failing--
		w.WriteHeader(http.StatusServiceUnavailable)
	case c.key != AccessKey:
		say(w, http.StatusForbidden, "InvalidAccessKeyId", "Nobody has this access key")
	case c.region != Region:
		say(w, http.StatusBadRequest, "AuthorizationHeaderMalformed", "The region is "+Region)
	case c.signature != c.signed(r):
		say(w, http.StatusForbidden, "SignatureDoesNotMatch", "The signature is wrong")
	case r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		say(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch", "The body is not what was signed")
	case !inBucket:
		say(w, http.StatusNotFound, "NoSuchBucket", "There is no such bucket")
	case name == "":
		b.list(w, r.URL.Query())
	default:
		b.object(w, r.Method, strings.TrimPrefix(name, "/"), string(body))
	}
}

func say(w http.ResponseWriter, status int, code, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
}

func (b *Bucket) object(w http.ResponseWriter, method, name, body string) {
	content, there := b.objects[name]
	switch {
	case method == http.MethodPut:
		b.objects[name] = body
	case method == http.MethodDelete:
		delete(b.objects, name)
		w.WriteHeader(http.StatusNoContent)
	case !there:
		say(w, http.StatusNotFound, "NoSuchKey", "There is no such key")
	default:
		_, _ = io.WriteString(w, content)
	}
}

// list has two names a page, and says that all were written just now.
func (b *Bucket) list(w http.ResponseWriter, q url.Values) {
	fmt.Fprint(w, `<?xml version="1.0"?><ListBucketResult>`)
	defer fmt.Fprint(w, `</ListBucketResult>`)
	n := 0
	for _, name := range slices.Sorted(maps.Keys(b.objects)) {
		if !strings.HasPrefix(name, q.Get("prefix")) || name <= q.Get("continuation-token") {
			continue
		}
		if n++; n > 2 {
			break
		}
		text := html.EscapeString(name)
		fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><LastModified>%s</LastModified></Contents>", text, len(b.objects[name]), time.Now().UTC().Format(time.RFC3339))
		if n == 2 {
			fmt.Fprintf(w, "<NextContinuationToken>%s</NextContinuationToken>", text)
		}
	}
}
