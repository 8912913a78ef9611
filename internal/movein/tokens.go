package movein

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// ReadTokens reads tokens with their values, so that agents keep theirs: JSON,
// a list or the api_tokens of an answer, or CSV with a line of headings. Each
// has a name, a role (admin, recorder, viewer, or as people say them) and a
// value, which may be called token, and perhaps active.
func ReadTokens(path string) ([]*Object, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // what spreadsheets write first
	var rows []body
	if start := bytes.TrimSpace(text); len(start) > 0 && (start[0] == '[' || start[0] == '{') {
		rows, err = jsonRows(text)
	} else {
		rows, err = csvRows(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	tokens := make([]*Object, len(rows))
	for i, row := range rows {
		if tokens[i], err = tokenOf(row); err != nil {
			return nil, fmt.Errorf("%s: token %d: %w", path, i+1, err)
		}
	}
	return tokens, nil
}

func jsonRows(text []byte) (rows []body, err error) {
	v, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("is no JSON: %w", err)
	}
	if answer, ok := v.(body); ok {
		v = answer["api_tokens"]
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("has no list of tokens")
	}
	for _, one := range list {
		row, ok := one.(body)
		if !ok {
			return nil, fmt.Errorf("has something in its list that is no token")
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func csvRows(text []byte) (rows []body, err error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err == nil && len(lines) == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("is neither JSON nor CSV with a line of headings: %w", err)
	}
	for _, line := range lines[1:] {
		row := body{}
		for i, key := range lines[0] {
			row[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(line[i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// roles are what people call the roles of tokens.
var roles = map[string]tidemark.Role{
	"full access": tidemark.FullAccess, "record only": tidemark.RecordOnly, "view only": tidemark.ViewOnly,
	"admin": tidemark.FullAccess, "recorder": tidemark.RecordOnly, "viewer": tidemark.ViewOnly,
}

func tokenOf(row body) (*Object, error) {
	name, value := textOf(row["name"]), textOf(row["value"])
	if value == "" {
		value = textOf(row["token"])
	}
	role, known := roles[strings.ToLower(textOf(row["role"]))]
	switch {
	case name == "":
		return nil, fmt.Errorf("name: is missing")
	case value == "":
		return nil, fmt.Errorf("value: is missing")
	case !known:
		return nil, fmt.Errorf("role: %q is none of admin, recorder and viewer", textOf(row["role"]))
	}
	b := body{"name": name, "role": string(role), "import_token": value}
	if active, ok := row["active"]; ok && (active == false || strings.EqualFold(textOf(active), "false")) {
		b["active"] = false
	}
	return &Object{Name: name, Body: b}, nil
}
