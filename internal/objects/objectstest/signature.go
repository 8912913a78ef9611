package objectstest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// credential is what a request says that it is signed by.
type credential struct{ key, date, region, headers, signature string }

func credentialOf(r *http.Request) credential {
	var c credential
	said, _ := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	for part := range strings.SplitSeq(said, ", ") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "Credential":
			if scope := strings.Split(value, "/"); len(scope) == 5 {
				c.key, c.date, c.region = scope[0], scope[1], scope[2]
			}
		case "SignedHeaders":
			c.headers = value
		case "Signature":
			c.signature = value
		}
	}
	return c
}

// signed is the signature that a request should have: Amazon's version 4,
// worked out here anew and not by what signs it.
func (c credential) signed(r *http.Request) string {
	hash := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	canonical := sha256.Sum256([]byte(c.canonical(r)))
	scope := strings.Join([]string{c.date, c.region, "s3", "aws4_request"}, "/")
	key := []byte("AWS4" + SecretKey)
	for part := range strings.SplitSeq(scope, "/") {
		key = hash(key, part)
	}
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hex.EncodeToString(canonical[:])}, "\n")
	return hex.EncodeToString(hash(key, text))
}

// canonical is the form of a request that is signed.
func (c credential) canonical(r *http.Request) string {
	var query []string
	values := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		query = append(query, escaped(name, "")+"="+escaped(values.Get(name), ""))
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(c.headers, ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strconv.FormatInt(r.ContentLength, 10)
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, value)
	}
	return strings.Join([]string{r.Method, escaped(r.URL.Path, "/"), strings.Join(query, "&"), headers.String(), c.headers, r.Header.Get("X-Amz-Content-Sha256")}, "\n")
}

// escaped has each byte of text as %XX but letters, digits and a few others.
func escaped(text, others string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"+others, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
