// Package client talks to a Tidemark server, or to any other that speaks the
// same API. It imports nothing of the project but its vocabulary.
//
//	c := client.New("https://metrics.example.org", client.Token(secret))
//	err := c.Record(ctx, client.Measurement{Name: "shop.orders", Value: 1, Tags: map[string]string{"region": "eu"}})
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Client is a connection to one organization of a server. It is safe for
// concurrent use.
type Client struct {
	base   string
	http   *http.Client
	header http.Header
	tries  int
	wait   time.Duration
}

// Option changes how a client works.
type Option func(*Client)

// Token makes the client authenticate with a token.
func Token(secret tidemark.Secret) Option {
	return func(c *Client) { c.header.Set("Authorization", "Bearer "+secret.Reveal()) }
}

// Header makes the client send a header with every request.
func Header(name, value string) Option { return func(c *Client) { c.header.Set(name, value) } }

// HTTP makes the client send its requests through h.
func HTTP(h *http.Client) Option { return func(c *Client) { c.http = h } }

// New returns a client of the server at base, such as "https://host".
func New(base string, options ...Option) *Client {
	c := &Client{base: strings.TrimSuffix(base, "/"), http: &http.Client{Timeout: time.Minute}, header: http.Header{}}
	c.header.Set("User-Agent", "tidemark-client")
	for _, o := range options {
		o(c)
	}
	h := *c.http // the caller's stays as it is
	h.CheckRedirect = onlyReads(h.CheckRedirect)
	c.http = &h
	return c
}

// onlyReads follows redirects of requests that read. Of others net/http would
// follow 301, 302 and 303 with a GET, whose answer passes for that of a write
// that never was.
func onlyReads(next func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		switch {
		case via[0].Method != http.MethodGet && via[0].Method != http.MethodHead:
			return http.ErrUseLastResponse
		case next != nil:
			return next(r, via)
		case len(via) >= maxRedirects:
			return fmt.Errorf("stopped after %d redirects", maxRedirects)
		}
		return nil
	}
}

// Retry makes the client try up to tries times where the server says that it
// did nothing and may be asked again (429, 503), and where the connection
// failed, unless the request might then be done twice. Between tries it waits
// for as long as the server says, else for wait, then twice that, and so on.
func Retry(tries int, wait time.Duration) Option {
	return func(c *Client) { c.tries, c.wait = tries, wait }
}

const (
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 256 << 20
	// minGzip is from how many bytes on a body is compressed.
	minGzip = 1400
	// maxRedirects is how many are followed, one after the other.
	maxRedirects = 10
	// maxWait is the longest wait between two tries, whatever the server says.
	maxWait = time.Minute
)

// Do sends a request with in as its JSON body, unless nil, and reads the
// answer into out, unless nil. An answer of 400 or more is a *tidemark.Error.
// Redirects are followed for GET and HEAD alone; of other methods they are an
// error.
func (c *Client) Do(ctx context.Context, method, path string, in, out any) error {
	b, err := newBody(in)
	if err != nil {
		return err
	}
	answer, err := c.try(ctx, method, path, b)
	if err != nil || out == nil || len(answer) == 0 {
		return err
	}
	return read(answer, out)
}

// try sends a request, again and again where that was asked for.
func (c *Client) try(ctx context.Context, method, path string, b body) ([]byte, error) {
	wait := min(c.wait, maxWait)
	for try := 1; ; try++ {
		answer, again, err := c.send(ctx, method, path, b)
		if err == nil {
			return answer, nil
		}
		if try >= c.tries || again == never {
			return nil, err
		}
		if again == unsaid {
			again = wait
		}
		wait = min(2*wait, maxWait)
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s %s: %w", method, path, ctx.Err())
		case <-time.After(again):
		}
	}
}

// When to send a request again, where the server did not say.
const (
	never  time.Duration = -1
	unsaid time.Duration = -2
)

// send sends a request once. Where it fails, it says when it may be sent again.
func (c *Client) send(ctx context.Context, method, path string, b body) (answer []byte, again time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(b.bytes))
	if err != nil {
		return nil, never, err
	}
	maps.Copy(req.Header, c.header)
	if b.bytes != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if b.packed {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := c.http.Do(req)
	if err == nil {
		defer resp.Body.Close()
		answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	}
	if err == nil && len(answer) > maxAnswer {
		return nil, never, fmt.Errorf("%s %s: the answer is longer than %d bytes", method, path, maxAnswer)
	}
	if err != nil {
		again = never
		if method != http.MethodPost && ctx.Err() == nil {
			again = unsaid
		}
		return nil, again, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if resp.StatusCode/100 == 3 {
		return nil, never, redirected(method, path, resp)
	}
	if resp.StatusCode >= 400 {
		return nil, retryAfter(resp), readError(resp.StatusCode, answer)
	}
	return answer, never, nil
}

// redirected is the error of an answer that names another address, or none.
func redirected(method, path string, resp *http.Response) error {
	to, err := resp.Location()
	if err != nil {
		return fmt.Errorf("%s %s: the answer is %s", method, path, resp.Status)
	}
	return fmt.Errorf("%s %s: nothing was changed: the server redirects to %s; give that address to New", method, path, to.Redacted())
}

// retryAfter is when a request that was refused may be sent again.
func retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return never
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return unsaid
	}
	return time.Duration(min(seconds, int(maxWait/time.Second))) * time.Second
}

var kinds = map[int]tidemark.Kind{
	http.StatusBadRequest: tidemark.Invalid, http.StatusUnauthorized: tidemark.Unauthenticated,
	http.StatusForbidden: tidemark.Forbidden, http.StatusNotFound: tidemark.NotFound,
	http.StatusUnprocessableEntity: tidemark.Conflict, http.StatusRequestEntityTooLarge: tidemark.TooLarge,
	http.StatusUnsupportedMediaType: tidemark.Unsupported, http.StatusTooManyRequests: tidemark.TooMany,
	http.StatusServiceUnavailable: tidemark.Unavailable, http.StatusPreconditionFailed: tidemark.Stale,
}

// readError makes an error of an answer, whichever of the API's shapes it has.
func readError(status int, answer []byte) error {
	e := &tidemark.Error{Kind: kinds[status], Msg: http.StatusText(status)}
	var body struct {
		Errors  json.RawMessage `json:"errors"`
		Message string          `json:"message"`
		Error   string          `json:"error"`
	}
	if json.Unmarshal(answer, &body) != nil {
		return e
	}
	if msg := body.Message + body.Error; msg != "" {
		e.Msg = msg
	}
	var list []any
	if json.Unmarshal(body.Errors, &list) == nil && len(list) > 0 {
		e.Msg = joined(list)
		return e
	}
	var shaped struct {
		Params  map[string]any `json:"params"`
		Request any            `json:"request"`
		System  any            `json:"system"`
	}
	if json.Unmarshal(body.Errors, &shaped) != nil {
		return e
	}
	if msg := texts(shaped.Request) + texts(shaped.System); msg != "" {
		e.Msg = msg
	}
	for field, v := range shaped.Params {
		if e.Fields == nil {
			e.Fields = make(map[string][]string)
			e.Msg = "the server refused it"
		}
		addFields(e.Fields, field, v)
	}
	return e
}

func addFields(fields map[string][]string, name string, v any) {
	if below, ok := v.(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(below)) {
			addFields(fields, name+"."+key, below[key])
		}
		return
	}
	fields[name] = append(fields[name], texts(v))
}

// texts joins a text or a list of texts.
func texts(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		return joined(v)
	}
	return ""
}

func joined(list []any) string {
	parts := make([]string, len(list))
	for i, item := range list {
		if s, ok := item.(string); ok {
			parts[i] = s
			continue
		}
		b, _ := json.Marshal(item)
		parts[i] = string(b)
	}
	return strings.Join(parts, "; ")
}

// create adds something, and reads the answer into made. One without an id is
// not from the API.
func (c *Client) create(ctx context.Context, path string, in, made any) error {
	var answer json.RawMessage
	if err := c.Do(ctx, http.MethodPost, path, in, &answer); err != nil {
		return err
	}
	var has struct{ ID json.Number }
	if err := json.Unmarshal(answer, &has); err != nil || has.ID == "" || has.ID == "0" {
		return fmt.Errorf("POST %s: the answer has no id: is this the address of the API? %.100q", path, answer)
	}
	return read(answer, made)
}

// all reads every page of a list.
func all[T any](ctx context.Context, c *Client, path, noun string, params url.Values) ([]T, error) {
	items := []T{}
	for {
		q := url.Values{}
		maps.Copy(q, params)
		q.Set("offset", fmt.Sprint(len(items)))
		q.Set("length", fmt.Sprint(tidemark.MaxPageLength))
		var answer map[string]json.RawMessage
		if err := c.Do(ctx, http.MethodGet, path+"?"+q.Encode(), nil, &answer); err != nil {
			return nil, err
		}
		var page []T
		if err := read(answer[noun], &page); err != nil {
			return nil, fmt.Errorf("read %s: %w", noun, err)
		}
		items = append(items, page...)
		var query struct{ Found int }
		if err := json.Unmarshal(answer["query"], &query); err != nil {
			return nil, fmt.Errorf("read %s: %w", noun, err)
		}
		if len(page) == 0 || len(items) >= query.Found {
			return items, nil
		}
	}
}
