package clickhouse_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// fake is a ClickHouse that knows no SQL: it answers what it was told to, and
// notes what it was asked. Whatever it was told nothing about succeeds.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	answers []fakeAnswer
	asked   []question
}

// fakeAnswer is for statements with a text in them; later ones come first.
type fakeAnswer struct {
	part   string
	status int
	body   []byte
	do     func() // before the answer
}

// question is a statement as it arrived.
type question struct {
	sql      string
	settings url.Values
	header   http.Header
	path     string
	body     []byte // of an INSERT
	ids      []byte // the table that came with it
}

func newFake(t testing.TB) *fake {
	t.Helper()
	f := &fake{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	f.texts("SELECT version()", "24.8.1.1")
	f.fail("max(version)", 60, "no table")
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := question{settings: r.URL.Query(), header: r.Header, path: r.URL.Path}
	q.sql = q.settings.Get("query")
	body, _ := io.ReadAll(r.Body)
	switch {
	case q.sql == "":
		q.sql = string(body)
	case q.settings.Has("ids_format"):
		q.ids = part(r.Header.Get("Content-Type"), body)
	default:
		q.body = body
	}
	a := f.note(q)
	if a.do != nil {
		a.do()
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = w.Write(a.body)
}

// part is the one of a form.
func part(contentType string, body []byte) []byte {
	_, params, _ := mime.ParseMediaType(contentType)
	p, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).NextPart()
	if err != nil || p.FormName() != "ids" {
		return nil
	}
	rows, _ := io.ReadAll(p)
	return rows
}

func (f *fake) note(q question) fakeAnswer {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, q)
	for i := len(f.answers) - 1; i >= 0; i-- {
		if strings.Contains(q.sql, f.answers[i].part) {
			return f.answers[i]
		}
	}
	return fakeAnswer{}
}

func (f *fake) answer(a fakeAnswer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers = append(f.answers, a)
}

// fail has statements fail with an exception.
func (f *fake) fail(part string, code int, text string) {
	f.answer(fakeAnswer{part: part, status: http.StatusInternalServerError, body: []byte("Code: " + strconv.Itoa(code) + ". DB::Exception: " + text)})
}

// texts answers with a column x.
func (f *fake) texts(part string, all ...string) {
	var x proto.ColStr
	for _, text := range all {
		x.Append(text)
	}
	f.rows(part, len(all), proto.InputColumn{Name: "x", Data: x})
}

// rows answers with a block.
func (f *fake) rows(part string, n int, columns ...proto.InputColumn) {
	f.answer(fakeAnswer{part: part, body: native(n, columns...)})
}

// native is a block as ClickHouse sends it.
func native(n int, columns ...proto.InputColumn) []byte {
	var buf proto.Buffer
	block := proto.Block{Columns: len(columns), Rows: n}
	if err := block.EncodeRawBlock(&buf, 0, columns); err != nil {
		panic(err)
	}
	return buf.Buf
}

// take returns the statements with a text in them, and forgets all.
func (f *fake) take(part string) []question {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []question
	for _, q := range f.asked {
		if strings.Contains(q.sql, part) {
			found = append(found, q)
		}
	}
	f.asked = nil
	return found
}

// options are those of an engine that asks fakes.
func fakeOptions(fakes ...*fake) (clickhouse.Options, *ledger) {
	l := newLedger()
	o := clickhouse.Options{Ledger: l, Node: "a", CommitInterval: time.Millisecond, WriteWait: 5 * time.Second}
	for _, f := range fakes {
		o.URLs = append(o.URLs, f.URL)
	}
	return o, l
}

// onShards are options of an engine that asks a cluster, of so many shards and
// replicas ("2 1"), by fakes of which each is in the shard of that name.
func onShards(t *testing.T, shape string, shards ...string) (clickhouse.Options, []*fake) {
	t.Helper()
	fakes := make([]*fake, len(shards))
	for i, shard := range shards {
		fakes[i] = newFake(t)
		fakes[i].texts("system.clusters", shape)
		fakes[i].texts("SELECT macro AS x", "shard", "replica")
		fakes[i].texts("WHERE macro = 'shard'", shard)
	}
	o, _ := fakeOptions(fakes...)
	o.Cluster = "c"
	return o, fakes
}

// onFake opens an engine on one fake.
func onFake(t *testing.T) (*clickhouse.Engine, *fake, *ledger) {
	t.Helper()
	f := newFake(t)
	o, l := fakeOptions(f)
	e := open(t, o)
	f.take("")
	return e, f, l
}
