package clickhouse

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// client speaks to ClickHouse over HTTP. All servers use the addresses in one
// order and stay with the first that works, so that they read where they
// write: replicas lag behind each other.
type client struct {
	http     *http.Client
	urls     []*url.URL
	user     string
	password string
	database string

	mu      sync.Mutex
	current int // of urls
	synced  int // that which has all that was written elsewhere; -1 if unknown
	// arrive is called before the first question to another address, so that
	// a replica has what was written elsewhere; nil where there are none.
	arrive func(ctx context.Context, at int) error
}

func newClient(o *Options) (*client, error) {
	c := &client{synced: -1, user: o.User, password: o.Password, database: o.Database}
	for _, text := range o.URLs {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("clickhouse.urls: %q is not an address such as http://clickhouse:8123", text)
		}
		c.urls = append(c.urls, u)
	}
	if len(c.urls) == 0 {
		return nil, errors.New("clickhouse.urls: is empty")
	}
	c.http = &http.Client{Transport: o.Transport}
	if o.Transport == nil {
		c.http.Transport = network(o.TLS, len(c.urls) > 1)
	}
	return c, nil
}

// network is the way to ClickHouse.
func network(secured *tls.Config, others bool) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}
	t := &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: secured, TLSHandshakeTimeout: dialTimeout,
		MaxIdleConnsPerHost: 32, IdleConnTimeout: 5 * time.Second, DisableCompression: true,
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
	if others { // there is somebody else to ask
		t.ResponseHeaderTimeout = statementTimeout / 2
	}
	return t
}

const (
	// dialTimeout is how long a server that does not answer holds a question
	// up before the next one is asked.
	dialTimeout = 2 * time.Second
	// statementTimeout bounds a statement whose caller has no deadline.
	statementTimeout = 60 * time.Second
	// maxException is how much of what ClickHouse says is read.
	maxException = 4096
)

// statement is one thing to be done.
type statement struct {
	sql      string
	settings map[string]string
	// body is what an INSERT inserts.
	body []byte
	// table is a table by the name of ids that comes with the question.
	table, structure string
	// nowhere is for statements that are not about our database.
	nowhere bool
}

// exception is an error of ClickHouse.
type exception struct {
	code int
	text string
}

func (e *exception) Error() string { return e.text }

// code returns that of the exception in err's chain, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*exception](err); ok {
		return e.code
	}
	return 0
}

// ask runs a statement at the address in use or, if that fails, at the next
// one that works, which is in use from then on. It returns the body of the
// answer.
func (c *client) ask(ctx context.Context, st *statement) (io.ReadCloser, error) {
	c.mu.Lock()
	first, synced := c.current, c.synced
	c.mu.Unlock()
	var last error
	for i := range c.urls {
		at := (first + i) % len(c.urls)
		reads := c.arrive != nil && st.body == nil && !st.nowhere
		if reads && at != synced {
			if last = c.arrive(ctx, at); last != nil {
				continue
			}
		}
		body, err := c.try(ctx, at, st)
		if err == nil {
			c.use(at, reads)
			return body, nil
		}
		if ctx.Err() != nil || !isElsewhere(err) {
			return nil, ended(ctx, err)
		}
		last = err
	}
	return nil, ended(ctx, last)
}

// tryFor is how long an insert waits for one of several servers: one that is
// frozen must not use up the time of the others.
const tryFor = 4 * time.Second

// try is askAt, for inserts with an answer that has come whole.
func (c *client) try(ctx context.Context, at int, st *statement) (io.ReadCloser, error) {
	if st.body == nil || len(c.urls) == 1 {
		return c.askAt(ctx, at, st)
	}
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	return io.NopCloser(strings.NewReader("")), c.run(ctx, at, st)
}

// use makes an address the one in use.
func (c *client) use(at int, synced bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at != c.current {
		c.current, c.synced = at, -1
	}
	if synced {
		c.synced = at
	}
}

// ended prefers the end of the caller's patience over what came of it.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// only is a client of one of the addresses.
func (c *client) only(at int) *client {
	return &client{http: c.http, urls: c.urls[at : at+1], user: c.user, password: c.password, database: c.database}
}

// home goes back to the first address that works.
func (c *client) home(ctx context.Context) {
	c.mu.Lock()
	current := c.current
	c.mu.Unlock()
	for at := range current {
		if c.run(ctx, at, &statement{sql: "SELECT 1", nowhere: true}) != nil {
			continue
		}
		if c.arrive == nil || c.arrive(ctx, at) == nil {
			c.use(at, true)
		}
		return
	}
}

// run runs a statement at one address, whose answer is of no interest.
func (c *client) run(ctx context.Context, at int, st *statement) error {
	body, err := c.askAt(ctx, at, st)
	if err != nil {
		return err
	}
	defer body.Close()
	_, err = io.Copy(io.Discard, body)
	return ended(ctx, err)
}

// exec runs a statement whose answer is of no interest.
func (c *client) exec(ctx context.Context, st *statement) error {
	body, err := c.ask(ctx, st)
	if err != nil {
		return err
	}
	defer body.Close()
	_, err = io.Copy(io.Discard, body)
	return ended(ctx, err)
}

// askAt runs a statement at one address.
func (c *client) askAt(ctx context.Context, at int, st *statement) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req, err := c.request(ctx, at, st)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.urls[at].Host, withoutURL(err))
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxException))
	return nil, parseException(resp, string(text))
}

// withoutURL takes the address out of an error: it has the whole question.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// unavailable is err as callers get it: try later, and why in general.
func (e *Engine) unavailable(doing string, err error) error {
	if err == nil || tidemark.KindOf(err) != tidemark.Internal || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.tell(err)
	return &tidemark.Error{Kind: kindOf(err), Msg: doing + ": " + reason(err), Err: err}
}
