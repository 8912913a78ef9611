package client

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
)

// Measurement is one observation to record.
type Measurement struct {
	Name       string            `json:"name"`
	Value      float64           `json:"value"`
	Time       int64             `json:"time,omitempty"` // seconds; now if 0
	Tags       map[string]string `json:"tags,omitempty"`
	Period     int64             `json:"period,omitempty"`
	Attributes map[string]any    `json:"attributes,omitempty"`
}

// Record sends measurements. Those that the server refuses are an error that
// says which; the others are kept.
func (c *Client) Record(ctx context.Context, ms ...Measurement) error {
	var answer struct {
		Errors []any `json:"errors"`
	}
	if err := c.Do(ctx, http.MethodPost, "/v1/measurements", map[string]any{"measurements": ms}, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("%d of %d measurements were refused: %s", len(answer.Errors), len(ms), joined(answer.Errors))
	}
	return nil
}

// Series is one stream of an answer.
type Series struct {
	Tags         map[string]string `json:"tags"`
	Measurements []Point           `json:"measurements"`
}

// Point is one value of a series.
type Point struct {
	Time  int64   `json:"time"`
	Value float64 `json:"value"`
}

// Measurements reads a metric back, whole: where one answer does not hold
// everything, it asks for the rest. Params are those of the API: resolution,
// duration, start_time, tags_search and so on.
func (c *Client) Measurements(ctx context.Context, metric string, params url.Values) ([]Series, error) {
	all, places := []Series{}, make(map[string]int)
	for query, more := params.Encode(), true; more; {
		var answer struct {
			Series []Series `json:"series"`
			Links  []struct{ Rel, Href string }
		}
		if err := c.Do(ctx, http.MethodGet, "/v1/measurements/"+url.PathEscape(metric)+"?"+query, nil, &answer); err != nil {
			return nil, err
		}
		for _, s := range answer.Series {
			key := fmt.Sprint(s.Tags) // maps are printed in order
			i, known := places[key]
			if !known {
				i, places[key] = len(all), len(all)
				all = append(all, Series{Tags: s.Tags})
			}
			all[i].Measurements = append(all[i].Measurements, s.Measurements...)
		}
		more = false
		for _, link := range answer.Links {
			next, err := url.Parse(link.Href)
			if err != nil {
				return nil, fmt.Errorf("read the link to the rest: %w", err)
			}
			if link.Rel == "next" {
				// Only what is asked differs: the server's address may be another
				// than the one it calls itself by.
				query, more = next.RawQuery, true
			}
		}
	}
	return all, nil
}

// Compose computes a composite expression.
func (c *Client) Compose(ctx context.Context, expression string, params url.Values) ([]Series, error) {
	q := url.Values{"compose": {expression}}
	maps.Copy(q, params)
	var answer struct {
		Series []Series `json:"series"`
	}
	err := c.Do(ctx, http.MethodGet, "/v1/measurements?"+q.Encode(), nil, &answer)
	return answer.Series, err
}
