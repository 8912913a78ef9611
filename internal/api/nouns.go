package api

import (
	"strings"
)

// nounOf is what a route is about, as people say it: the last word of its
// path that is not part of a name.
func nounOf(pattern string) string {
	path := strings.Split(strings.TrimPrefix(strings.Fields(pattern)[1], "/v1/"), "/")
	switch {
	case path[0] == "api_tokens":
		return "tokens"
	case path[0] == "spaces" && len(path) > 2 && path[2] == "charts":
		return "charts"
	}
	return strings.ReplaceAll(path[0], "_", " ")
}
