package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/tidemark-metrics/tidemark"
)

const (
	// MaxBody bounds every body but that of measurements, decompressed.
	MaxBody = 4 << 20
	// MaxShortBody bounds those of people who have not signed in.
	MaxShortBody = 16 << 10
	// maxBodyValues bounds how many values a body holds: as a tree, each takes many
	// times the memory of its text.
	maxBodyValues = 100_000
)

// ReadBody returns the body of r, decompressed, of at most limit bytes. One
// client says gzip on every request, also on those without a body.
func ReadBody(r *http.Request, limit int64) ([]byte, error) {
	switch enc := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); enc {
	case "", "identity":
		return readLimited(r, r.Body, limit)
	case "gzip":
		packed, err := readLimited(r, r.Body, limit)
		if err != nil || len(packed) == 0 {
			return packed, err
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, BadGzip(err)
		}
		body, err := readLimited(r, z, limit)
		if err != nil && tidemark.KindOf(err) == tidemark.Internal {
			return nil, BadGzip(err)
		}
		return body, err
	default:
		return nil, tidemark.Errorf(tidemark.Unsupported, "Content-Encoding must be gzip or left out")
	}
}

// BadGzip is the refusal of a body that cannot be unpacked.
func BadGzip(err error) error {
	return &tidemark.Error{Kind: tidemark.Invalid, Msg: "the body says it is gzip, but is not", Err: err}
}

// readLimited returns what from has, of r's body or made of it.
func readLimited(r *http.Request, from io.Reader, limit int64) ([]byte, error) {
	body, err := ReadGrowing(r, nil, from, limit)
	if int64(len(body)) > limit {
		return nil, tidemark.Errorf(tidemark.TooLarge, "the body is longer than %d bytes", limit)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &tidemark.Error{Kind: tidemark.Invalid, Msg: "the body ends before it should", Err: err}
	}
	return body, err
}

// readTree reads the body of r as a tree of map[string]any, []any, string,
// json.Number, bool and nil: the same whether it was sent as JSON or as a
// form. Some clients send JSON and say it is a form, so the body decides.
func readTree(r *http.Request, limit int64) (any, error) {
	body, err := ReadBody(r, limit)
	if err != nil {
		return nil, err
	}
	return ParseTree(r.Header.Get("Content-Type"), body, maxBodyValues)
}

// ParseTree makes a tree of a body that has at most so many values.
func ParseTree(contentType string, body []byte, values int) (any, error) {
	body = bytes.TrimSpace(WithoutMark(body))
	if len(body) == 0 {
		return map[string]any{}, nil
	}
	kind, params, _ := mime.ParseMediaType(contentType)
	isForm := kind == "application/x-www-form-urlencoded" || kind == ""
	switch {
	case kind == "multipart/form-data":
		return parseMultipart(body, params["boundary"])
	case isForm && body[0] != '{' && body[0] != '[':
		return ParseForm(string(body))
	}
	return parseJSON(body, values)
}

// WithoutMark drops the byte order mark with which some editors begin a file.
func WithoutMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")) }

// maxDepth is how deep bodies may nest; deeper is nonsense or an attack.
const maxDepth = 64

func parseJSON(body []byte, most int) (any, error) {
	depth, values := measure(body)
	if depth > maxDepth {
		return nil, tidemark.Errorf(tidemark.Invalid, "the body is nested more than %d levels deep", maxDepth)
	}
	if values > most {
		return nil, tidemark.Errorf(tidemark.TooLarge, "the body holds more than %d values", most)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, &tidemark.Error{Kind: tidemark.Invalid, Msg: "the body is not valid JSON" + at(err), Err: err}
	}
	if dec.More() {
		return nil, tidemark.Errorf(tidemark.Invalid, "the body is not valid JSON: there is something after its end")
	}
	return tree, nil
}

// at says where JSON is wrong, if the decoder knows.
func at(err error) string {
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return " (at byte " + strconv.FormatInt(e.Offset, 10) + ")"
	}
	return ""
}

// measure returns how deep the brackets of a JSON text nest, and at most how
// many values it has: objects, lists, and what follows a comma or a colon.
func measure(body []byte) (deepest, values int) {
	level, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			values++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		case c == ',' || c == ':':
			values++
		}
	}
	return deepest, values
}

// ReadObject reads a body that must be an object, and the query string below
// it: some clients send all they have to say in the address.
func ReadObject(r *http.Request) (map[string]any, error) { return readObjectOf(r, MaxBody) }

func readObjectOf(r *http.Request, limit int64) (map[string]any, error) {
	tree, err := readTree(r, limit)
	if err != nil {
		return nil, err
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return nil, tidemark.Errorf(tidemark.Invalid, "the body must be an object")
	}
	return object, AddQuery(r, object)
}

// AddQuery adds what the query string has and object has not. The interface's
// own API takes bodies alone: addresses end up in logs, passwords should not.
func AddQuery(r *http.Request, object map[string]any) error {
	if r.URL.RawQuery == "" || !strings.HasPrefix(r.URL.Path, "/v1/") {
		return nil
	}
	query, err := ParseForm(r.URL.RawQuery)
	if err != nil {
		return err
	}
	for name, v := range query {
		if _, there := object[name]; !there {
			object[name] = v
		}
	}
	return nil
}

// ReadInto reads the body of r into v, a pointer to a struct.
func ReadInto(r *http.Request, v any) error {
	object, err := ReadObject(r)
	if err != nil {
		return err
	}
	return Decode(object, v)
}

// ReadShort is ReadInto for the doors that take requests of anybody.
func ReadShort(r *http.Request, v any) error {
	object, err := readObjectOf(r, MaxShortBody)
	if err != nil {
		return err
	}
	return Decode(object, v)
}
