package client

import (
	"bytes"
	"compress/gzip"
	"encoding/json"

	"github.com/tidemark-metrics/tidemark"
)

// body is what a request sends: JSON, perhaps compressed.
type body struct {
	bytes  []byte // nil where there is none
	packed bool
}

func newBody(in any) (body, error) {
	if in == nil {
		return body{}, nil
	}
	text, err := json.Marshal(writable(in))
	if err != nil || len(text) < minGzip {
		return body{bytes: text}, err
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // to memory
	_ = z.Close()
	return body{bytes: b.Bytes(), packed: true}, nil
}

// writable is in as a request has it. The nouns are written as JSON for those
// who read them: secrets as masks, which keep what is stored where they are sent
// back, and the services of an alert whole, which are named by their ids.
func writable(in any) any {
	switch v := in.(type) {
	case tidemark.Service:
		v.Reveal()
		return v
	case *tidemark.Service:
		if v != nil {
			return writable(*v)
		}
	case tidemark.Settings:
		return v.Reveal()
	case tidemark.Alert:
		return alertBody{&v, attached(&v)}
	case *tidemark.Alert:
		if v != nil {
			return writable(*v)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, below := range v {
			out[key] = writable(below)
		}
		return out
	}
	return in
}

// alertBody is an alert with the ids of its services in their place.
type alertBody struct {
	*tidemark.Alert
	Services []int64 `json:"services"`
}

// read reads what a server wrote. Of alerts it fills ServiceIDs, which JSON
// leaves out.
func read(answer []byte, out any) error {
	if err := json.Unmarshal(answer, out); err != nil {
		return err
	}
	switch v := out.(type) {
	case *tidemark.Alert:
		v.ServiceIDs = serviceIDs(v)
	case *[]tidemark.Alert:
		for i := range *v {
			(*v)[i].ServiceIDs = serviceIDs(&(*v)[i])
		}
	}
	return nil
}

func serviceIDs(a *tidemark.Alert) []int64 {
	ids := make([]int64, len(a.Services))
	for i, s := range a.Services {
		ids[i] = s.ID
	}
	return ids
}

// attached are the services to attach: ServiceIDs, or those of an alert that
// was put together with Services alone.
func attached(a *tidemark.Alert) []int64 {
	if a.ServiceIDs != nil {
		return a.ServiceIDs
	}
	return serviceIDs(a)
}
