package store

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strconv"
)

// jsonColumn stores a Go value as JSON text.
type jsonColumn[T any] struct{ v *T }

func asJSON[T any](v *T) jsonColumn[T] { return jsonColumn[T]{v} }

// Value writes the JSON without escaping <, > and &: composites are full of
// them, and what searches the column searches for them as they are.
func (c jsonColumn[T]) Value() (driver.Value, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.v); err != nil {
		return nil, err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// Scan reads the JSON back. Numbers in a map[string]any come back as int64
// where they were written as integers, else as float64.
func (c jsonColumn[T]) Scan(src any) error {
	text, err := textOf(src)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(c.v); err != nil {
		return err
	}
	if m, ok := any(c.v).(*map[string]any); ok {
		for k, v := range *m {
			(*m)[k] = plain(v)
		}
	}
	return nil
}

func textOf(src any) ([]byte, error) {
	switch src := src.(type) {
	case string:
		return []byte(src), nil
	case []byte:
		return src, nil
	}
	return nil, fmt.Errorf("cannot read JSON from a %T", src)
}

// plain returns v with its numbers as int64 or float64, at any depth.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64() // we wrote it, so it can be read
		return f
	case map[string]any:
		for k, e := range v {
			v[k] = plain(e)
		}
	case []any:
		for i, e := range v {
			v[i] = plain(e)
		}
	}
	return v
}

// tolerant has columns of JSON that cannot be read stay as they are, and why
// said in reason: one such row must not keep the others from being read.
func tolerant(reason *string, dest []any) []any {
	for i, d := range dest {
		if column, ok := d.(sql.Scanner); ok {
			dest[i] = tolerantColumn{column, reason}
		}
	}
	return dest
}

type tolerantColumn struct {
	sql.Scanner
	reason *string
}

// Scan reads the column, or says why it cannot.
func (c tolerantColumn) Scan(src any) error {
	if err := c.Scanner.Scan(src); err != nil {
		*c.reason = err.Error()
	}
	return nil
}
