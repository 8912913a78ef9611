package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

// Lines returns measurements of one metric as lines of JSON, from start to
// before end, about as many as one answer should have. Next is where to go on;
// 0 where these are the last. It works only through the operator's door.
func (c *Client) Lines(ctx context.Context, metric string, start, end int64) (lines []byte, next int64, err error) {
	q := url.Values{"metric": {metric}, "start": {strconv.FormatInt(start, 10)}, "end": {strconv.FormatInt(end, 10)}}
	answer, err := c.try(ctx, http.MethodGet, "/admin/measurements?"+q.Encode(), body{})
	if err != nil {
		return nil, 0, err
	}
	at := bytes.LastIndexByte(bytes.TrimRight(answer, "\n"), '\n') + 1
	var last struct{ Next *int64 }
	if err := json.Unmarshal(answer[at:], &last); err != nil || last.Next == nil {
		return nil, 0, errors.New("the server's answer was cut off")
	}
	return answer[:at], *last.Next, nil
}

// Restored is what became of lines of measurements.
type Restored struct {
	Recorded, Refused int64
	Problems          []string
}

// Restore records lines of measurements as they are. It works only through the
// operator's door.
func (c *Client) Restore(ctx context.Context, lines []byte) (Restored, error) {
	var r Restored
	answer, err := c.try(ctx, http.MethodPost, "/admin/measurements", body{bytes: lines})
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(answer, &r)
}

// Settle makes the server compute the summaries of what was imported, and
// returns when they are stored.
func (c *Client) Settle(ctx context.Context) error {
	answer, err := c.try(ctx, http.MethodPost, "/admin/settle", body{})
	if err != nil {
		return err
	}
	_, err = ReadProgress(json.NewDecoder(bytes.NewReader(answer)), "the summaries were made", nil)
	return err
}

// AnnotationStreams returns the organization's streams of annotations.
func (c *Client) AnnotationStreams(ctx context.Context) ([]tidemark.AnnotationStream, error) {
	return all[tidemark.AnnotationStream](ctx, c, "/v1/annotations", "annotations", nil)
}

// Annotations returns the events of a stream that start in [start, end], the
// latest of them where there are many. Before is the end of the page that
// comes before, or 0.
func (c *Client) Annotations(ctx context.Context, stream string, start, end int64) (events []tidemark.AnnotationEvent, before int64, err error) {
	var answer struct {
		Events map[string][]tidemark.AnnotationEvent
		Links  []struct{ Rel, Href string }
	}
	path := fmt.Sprintf("/v1/annotations/%s?start_time=%d&end_time=%d", url.PathEscape(stream), start, end)
	if err := c.Do(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return nil, 0, err
	}
	for _, some := range answer.Events {
		events = append(events, some...)
	}
	for _, l := range answer.Links {
		if u, err := url.Parse(l.Href); err == nil && l.Rel == "next" {
			before, _ = strconv.ParseInt(u.Query().Get("end_time"), 10, 64)
		}
	}
	return events, before, nil
}

// PutAnnotationStream changes a stream of annotations.
func (c *Client) PutAnnotationStream(ctx context.Context, name string, body any) error {
	return c.Do(ctx, http.MethodPut, "/v1/annotations/"+url.PathEscape(name), body, nil)
}
