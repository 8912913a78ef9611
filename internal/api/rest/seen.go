package rest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// ActorOf returns who asks for a change, and which version of the thing they
// changed if the header If-Match says so. Without it, or with *, whatever there
// is is changed, as ever.
func ActorOf(r *http.Request, who tidemark.Identity) (tidemark.Actor, error) {
	by := who.Actor()
	said := strings.TrimSpace(r.Header.Get("If-Match"))
	if said == "" || said == "*" {
		return by, nil
	}
	n, err := strconv.ParseInt(strings.Trim(said, `"`), 10, 64)
	if err != nil || n <= 0 {
		return by, tidemark.InvalidField("If-Match", "must be the number of a version, such as \"3\"")
	}
	by.Seen = n
	return by, nil
}
