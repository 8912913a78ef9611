package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

func (c *client) request(ctx context.Context, at int, st *statement) (*http.Request, error) {
	q := url.Values{}
	if !st.nowhere {
		q.Set("database", c.database)
		for name, value := range c.settings {
			q.Set(name, value)
		}
	}
	for name, value := range st.settings {
		q.Set(name, value)
	}
	q.Set("max_query_size", "1000000")
	q.Set("max_execution_time", strconv.Itoa(secondsLeft(ctx)))
	body, contentType := []byte(st.sql), "text/plain"
	switch {
	case st.body != nil:
		q.Set("query", st.sql)
		body = st.body
	case st.table != "":
		q.Set("query", st.sql)
		q.Set("ids_structure", st.structure)
		q.Set("ids_format", "RowBinary")
		body, contentType = withTable(st.table)
	}
	u := *c.urls[at]
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	u.RawQuery = q.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	if c.user != "" {
		req.Header.Set("X-ClickHouse-User", c.user)
		req.Header.Set("X-ClickHouse-Key", c.password)
	}
	return req, nil
}

// secondsLeft is how long ClickHouse may work for a caller.
func secondsLeft(ctx context.Context) int {
	if deadline, ok := ctx.Deadline(); ok {
		return max(1, int(time.Until(deadline).Seconds()+1))
	}
	return int(statementTimeout.Seconds())
}

// withTable is the body of a question that brings a table.
func withTable(rows string) (body []byte, contentType string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, _ := w.CreateFormFile("ids", "ids") // a buffer takes everything
	_, _ = io.WriteString(part, rows)
	_ = w.Close()
	return b.Bytes(), w.FormDataContentType()
}

// parseException reads "Code: 60. DB::Exception: ...". What has no code is not
// ClickHouse's but of a proxy before it, and worth trying elsewhere and again.
func parseException(resp *http.Response, text string) error {
	e := &exception{text: strings.TrimSpace(text)}
	e.code, _ = strconv.Atoi(resp.Header.Get("X-ClickHouse-Exception-Code"))
	if _, after, ok := strings.Cut(text, "Code: "); ok && e.code == 0 {
		digits, _, _ := strings.Cut(after, ".")
		digits, _, _ = strings.Cut(digits, ",")
		e.code, _ = strconv.Atoi(digits)
	}
	if e.text == "" {
		e.text = "status " + resp.Status
	}
	if e.code == 0 {
		return errors.New(e.text)
	}
	return e
}
