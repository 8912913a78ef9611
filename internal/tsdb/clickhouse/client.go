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

// client speaks to ClickHouse over HTTP: at the address in use until that
// fails, then at the next one that works.
type client struct {
	http     *http.Client
	urls     []*url.URL
	user     string
	password string
	database string
	// settings are those of every statement about our tables.
	settings map[string]string

	// agreement is the one about the replica in use; nil where there are none.
	agreement *agreement

	mu      sync.Mutex
	current int // of urls
}

func newClient(o *Options) (*client, error) {
	c := &client{user: o.User, password: o.Password, database: o.Database}
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
	// body is what an INSERT inserts, sent how often it was sent.
	body []byte
	sent int
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

// ask runs a statement and returns the body of the answer.
func (c *client) ask(ctx context.Context, st *statement) (body io.ReadCloser, err error) {
	if c.agreement != nil && !st.nowhere {
		return c.askAgreed(ctx, st)
	}
	at, err := c.anywhere(ctx, c.inUse(), func(at int) (err error) {
		body, err = c.try(ctx, at, st)
		return err
	})
	if err == nil {
		c.use(at)
	}
	return body, err
}

// anywhere does something at an address or, if that fails, at the next one
// where it does not, and returns at which.
func (c *client) anywhere(ctx context.Context, first int, do func(at int) error) (int, error) {
	var err error
	for i := range c.urls {
		at := (first + i) % len(c.urls)
		if err = do(at); err == nil {
			return at, nil
		}
		if ctx.Err() != nil || !isElsewhere(err) {
			break
		}
	}
	return 0, ended(ctx, err)
}

// tryFor is how long an insert waits for one of several servers: one that is
// frozen must not use up the time of the others.
const tryFor = 4 * time.Second

// try is askAt, for inserts with an answer that has come whole.
func (c *client) try(ctx context.Context, at int, st *statement) (io.ReadCloser, error) {
	if st.body == nil || len(c.urls) == 1 {
		return c.askAt(ctx, at, st)
	}
	return io.NopCloser(strings.NewReader("")), c.insertAt(ctx, at, st)
}

// insertAt runs an insert at one of several addresses.
func (c *client) insertAt(ctx context.Context, at int, st *statement) error {
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	return c.run(ctx, at, st)
}

// inUse is the address that is asked first.
func (c *client) inUse() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current
}

// use makes an address the one in use.
func (c *client) use(at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = at
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
	return &client{http: c.http, urls: c.urls[at : at+1], user: c.user, password: c.password, database: c.database, settings: c.settings}
}

// home goes back to the first address that works. Of replicas none is home.
func (c *client) home(ctx context.Context) {
	if c.agreement != nil {
		return
	}
	for at := range c.inUse() {
		if c.run(ctx, at, &statement{sql: "SELECT 1", nowhere: true}) == nil {
			c.use(at)
			return
		}
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
	if c.agreement != nil && !st.nowhere {
		return c.execAgreed(ctx, st)
	}
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
	st.sent++
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
