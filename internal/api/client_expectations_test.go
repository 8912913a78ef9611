package api

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
)

// clientProblems returns what the client would stumble over in an answer: what the
// clients' own code demands of bodies, beyond the status.
func clientProblems(client string, c capture, rec *httptest.ResponseRecorder) (problems []string) {
	body := rec.Body.Bytes()
	check := func(ok bool, problem string) {
		if !ok {
			problems = append(problems, problem)
		}
	}
	if len(body) == 0 {
		check(!wantsBody(c, rec.Code), "needs a body")
		return problems
	}
	var tree any
	check(json.Unmarshal(body, &tree) == nil, "is not JSON")
	check(strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json"), "does not say that it is JSON")
	check(rec.Code != 204, "204 has a body")
	object, _ := tree.(map[string]any)
	if rec.Code >= 400 {
		_, a := object["errors"]
		_, b := object["error"]
		_, m := object["message"]
		check(a || b || m, "an error needs errors, error or message")
		return problems
	}
	_, hasErrors := object["errors"]
	check(!hasErrors || strings.Contains(c.Path, "/jobs/"), "errors on success")
	for _, problem := range keys(c, tree) {
		check(false, problem)
	}
	if strings.HasPrefix(client, "appoptics-api-go") || strings.HasPrefix(client, "terraform") {
		check(integers(tree, ""), "an id, time, period or count is not an integer")
	}
	return problems
}

// wantsBody tells the answers that typed clients decode.
func wantsBody(c capture, status int) bool {
	if status >= 400 || status == 204 {
		return false
	}
	legacy := c.Method == "POST" && c.Path == "/v1/metrics"
	return !legacy
}

// required are the keys that clients index without asking.
var required = map[string][]string{
	"metrics":    {"name", "period", "attributes", "type"},
	"services":   {"id", "title", "type", "settings"},
	"alerts":     {"id", "name", "version", "description", "conditions", "services", "active", "rearm_seconds", "attributes", "md"},
	"spaces":     {"id", "name"},
	"charts":     {"id", "name", "type", "streams"},
	"api_tokens": {"id", "name", "token", "active", "role"},
}

// keys checks the keys of the resources in an answer.
func keys(c capture, tree any) (problems []string) {
	parts := strings.Split(strings.Trim(c.Path, "/"), "/")
	family := parts[1]
	if slices.Contains(parts, "charts") {
		family = "charts"
	}
	items := []any{tree}
	if list, ok := tree.([]any); ok {
		items = list
	}
	if object, ok := tree.(map[string]any); ok && object["query"] != nil && object["measurements"] == nil {
		list, ok := object[family].([]any)
		if !ok {
			return []string{"a list needs the key " + family}
		}
		items = list
		query, _ := object["query"].(map[string]any)
		for _, key := range []string{"found", "length", "offset", "total"} {
			if _, ok := query[key].(float64); !ok {
				problems = append(problems, "query needs "+key)
			}
		}
		if query["length"] != float64(len(list)) {
			problems = append(problems, "query.length is not the length of the page")
		}
	}
	if len(parts) > 3 && family != "charts" {
		return problems // status, links and the like
	}
	for _, item := range items {
		object, _ := item.(map[string]any)
		for _, key := range required[family] {
			if _, ok := object[key]; !ok {
				problems = append(problems, "needs "+key)
			}
		}
	}
	return problems
}

// whole are the keys whose values typed clients decode as integers.
var whole = []string{"id", "created_at", "updated_at", "rearm_seconds", "duration", "period", "found", "length", "offset", "total", "start_time", "end_time"}

func integers(v any, key string) bool {
	switch v := v.(type) {
	case float64:
		return !slices.Contains(whole, key) || v == float64(int64(v))
	case string:
		// Tokens and snapshots have their times as texts.
		return !slices.Contains(whole, key) || strings.HasSuffix(v, "UTC") || strings.HasSuffix(v, "Z")
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !integers(item, key) })
	case map[string]any:
		for k, item := range v {
			if !integers(item, k) {
				return false
			}
		}
	}
	return true
}
