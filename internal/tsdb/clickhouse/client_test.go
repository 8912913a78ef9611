package clickhouse

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// address is a server that answers with what does returns: nothing, or an
// exception of ClickHouse.
type address struct {
	*httptest.Server
	asked atomic.Int64
	does  atomic.Pointer[string]
}

func (a *address) says(text string) { a.does.Store(&text) }

func addresses(t *testing.T, n int) (*client, []*address) {
	t.Helper()
	var o Options
	all := make([]*address, n)
	for i := range all {
		a := &address{}
		a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			a.asked.Add(1)
			if text := a.does.Load(); text != nil && *text != "" {
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, *text)
			}
		}))
		t.Cleanup(a.Close)
		all[i] = a
		o.URLs = append(o.URLs, a.URL)
	}
	c, err := newClient(&o)
	if err != nil {
		t.Fatal(err)
	}
	return c, all
}

// TestAddresses: an address that is no address is refused by name.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "clickhouse:8123", "tcp://clickhouse:9000", "http://", "http://a b/", "://x"} {
		_, err := newClient(&Options{URLs: []string{"http://ok:8123", text}})
		if want := `clickhouse.urls: "` + text + `" is not an address such as http://clickhouse:8123`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := newClient(&Options{}); err == nil || err.Error() != "clickhouse.urls: is empty" {
		t.Errorf("none: %v", err)
	}
}

// TestWhereToAsk: the first address that works is asked until it does not, or
// until one before it works again; an error that every server would give is not
// carried to the next.
func TestWhereToAsk(t *testing.T) {
	t.Parallel()
	c, all := addresses(t, 3)
	ask := func(want ...int64) error {
		t.Helper()
		err := c.exec(t.Context(), &statement{sql: "SELECT 1"})
		for i, a := range all {
			if got := a.asked.Swap(0); got != want[i] {
				t.Errorf("address %d was asked %d times, want %d", i, got, want[i])
			}
		}
		return err
	}
	if err := ask(1, 0, 0); err != nil {
		t.Error(err)
	}
	all[0].says("Code: 242. DB::Exception: read-only")
	all[1].says("Code: 243. DB::Exception: full")
	if err := ask(1, 1, 1); err != nil {
		t.Error(err)
	}
	if err := ask(0, 0, 1); err != nil {
		t.Error("it does not stay with the one that works:", err)
	}
	all[2].says("Code: 62. DB::Exception: Syntax error")
	if err := ask(0, 0, 1); code(err) != 62 {
		t.Error("every server would say so:", err)
	}
	all[2].says("Code: 210. DB::Exception: network")
	if err := ask(1, 1, 1); code(err) != codeNoSpace {
		t.Error("the last refusal is the answer:", err)
	}
	all[2].says("<html>502 Bad Gateway</html>") // by a proxy
	all[1].says("")
	if err := ask(1, 1, 1); err != nil {
		t.Error(err)
	}
	all[0].says("Code: 210. DB::Exception: network")
	c.use(2)
	c.home(t.Context())
	if c.current != 1 {
		t.Errorf("home is %d, want the first that works", c.current)
	}
	all[0].says("")
	c.home(t.Context())
	if c.current != 0 {
		t.Errorf("home is %d, want 0", c.current)
	}
}

// TestGivingUp: whoever gives up is told so, not what became of the question.
func TestGivingUp(t *testing.T) {
	t.Parallel()
	c, all := addresses(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.exec(ctx, &statement{sql: "SELECT 1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if all[0].asked.Load()+all[1].asked.Load() != 0 {
		t.Error("somebody was asked all the same")
	}
}

// TestNoAddressInErrors: what goes to users and logs has no question in it, nor
// the password of an address.
func TestNoAddressInErrors(t *testing.T) {
	t.Parallel()
	c, all := addresses(t, 1)
	all[0].Close()
	c.urls[0].RawQuery = "secret=hunter2"
	err := c.exec(t.Context(), &statement{sql: "SELECT 'private'", body: []byte("x")})
	if err == nil || strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
	refused := silent.unavailable("measurements cannot be read at present", err)
	if want := "measurements cannot be read at present: ClickHouse cannot be reached"; tidemark.KindOf(refused) != tidemark.Unavailable || !strings.HasPrefix(refused.Error(), want) {
		t.Errorf("got %v, want %s", refused, want)
	}
}

// TestRequest: a statement carries the database, the time that is left and who
// asks; a table comes as a form, and what is inserted as the body.
func TestRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := newClient(&Options{URLs: []string{"https://ch:8443/proxy/"}, User: "tide", Password: "s3cret", Database: "db"})
		if err != nil {
			t.Fatal(err)
		}
		req, err := c.request(t.Context(), 0, &statement{sql: "SELECT 1", settings: map[string]string{"final": "1"}})
		if err != nil {
			t.Fatal(err)
		}
		q := req.URL.Query()
		if req.URL.Path != "/proxy/" || q.Get("database") != "db" || q.Get("final") != "1" || q.Get("max_execution_time") != "60" || q.Has("query") {
			t.Errorf("the address is %s", req.URL)
		}
		if h := req.Header; h.Get("X-ClickHouse-User") != "tide" || h.Get("X-ClickHouse-Key") != "s3cret" || strings.Contains(req.URL.String(), "s3cret") {
			t.Errorf("the header is %v", h)
		}
		if body, _ := io.ReadAll(req.Body); string(body) != "SELECT 1" {
			t.Errorf("the body is %s", body)
		}
		for left, want := range map[time.Duration]string{-time.Second: "1", 0: "1", 500 * time.Millisecond: "1", 10 * time.Second: "11"} {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			req, err := c.request(ctx, 0, &statement{sql: "INSERT", body: []byte("rows"), nowhere: true})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if q := req.URL.Query(); q.Get("max_execution_time") != want || q.Has("database") || q.Get("query") != "INSERT" {
				t.Errorf("%s left: the address is %s", left, req.URL)
			}
		}
		req, err = c.request(t.Context(), 0, &statement{sql: "SELECT id FROM ids", table: "\x00\x01", structure: "id UInt16"})
		if err != nil {
			t.Fatal(err)
		}
		file, _, err := req.FormFile("ids")
		if err != nil {
			t.Fatal(err)
		}
		if rows, _ := io.ReadAll(file); string(rows) != "\x00\x01" || req.URL.Query().Get("ids_structure") != "id UInt16" {
			t.Errorf("rows %q of %s", rows, req.URL)
		}
	})
}

// TestExceptions: the code of an exception is found in the header or in the
// text, old and new ways of writing it.
func TestExceptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header, text string
		code         int
		want         string
	}{
		{"", "Code: 60. DB::Exception: Table x.y does not exist.\n", 60, "Code: 60. DB::Exception: Table x.y does not exist."},
		{"", "Code: 241, e.displayText() = DB::Exception: Memory", 241, "Code: 241, e.displayText() = DB::Exception: Memory"},
		{"516", "Code: 60. not this one", 516, "Code: 60. not this one"},
		{"", "<html>502 Bad Gateway</html>", 0, "<html>502 Bad Gateway</html>"},
		{"", "", 0, "status 502 Bad Gateway"},
		{"", "Code: many. DB::Exception", 0, "Code: many. DB::Exception"},
	} {
		resp := &http.Response{Status: "502 Bad Gateway", Header: http.Header{}}
		if tt.header != "" {
			resp.Header.Set("X-ClickHouse-Exception-Code", tt.header)
		}
		err := parseException(resp, tt.text)
		if code(err) != tt.code || err.Error() != tt.want {
			t.Errorf("%q: got %d, %q", tt.text, code(err), err)
		}
	}
}
