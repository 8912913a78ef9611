package rest

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

// maxNumber is the largest offset or length that is taken for a number; more
// is a mistake worth telling.
const maxNumber = 1 << 31

// ReadPage reads the pagination parameters. It is the only reader of them.
func ReadPage(r *http.Request) (tidemark.Page, error) {
	q := r.URL.Query()
	var p tidemark.Problems
	number := func(name string, low, def int) int {
		s := q.Get(name)
		if s == "" {
			return def
		}
		n, err := strconv.Atoi(s)
		p.Check(err == nil && n >= low && n < maxNumber, name, "must be a number from %d", low)
		return n
	}
	page := tidemark.Page{
		Offset:  number("offset", 0, 0),
		Length:  min(number("length", 1, tidemark.MaxPageLength), tidemark.MaxPageLength),
		OrderBy: q.Get("orderby"),
		Desc:    q.Get("sort") == "desc",
		Name:    q.Get("name"),
	}
	p.Check(q.Get("sort") == "" || q.Get("sort") == "asc" || q.Get("sort") == "desc", "sort", "must be asc or desc")
	p.Text("name", page.Name, 0, tidemark.MaxName)
	return page, p.Err()
}

// PageInfo says which part of a list an answer has.
type PageInfo struct {
	Found  int `json:"found"`  // entries that the search matches
	Length int `json:"length"` // entries in this answer
	Offset int `json:"offset"` // entries before them
	Total  int `json:"total"`  // entries there are
}

// PageOf describes an answer with n entries of page p.
func PageOf(p tidemark.Page, n int, counts tidemark.Counts) PageInfo {
	return PageInfo{Found: counts.Found, Length: n, Offset: p.Offset, Total: counts.Total}
}

// QueryInt reads a whole number from the query; def where there is none.
func QueryInt(p *tidemark.Problems, r *http.Request, name string, def int64) int64 {
	return IntOf(p, r.URL.Query(), name, def)
}

// IntOf is QueryInt for a query that was taken apart already, which is most of
// the work.
func IntOf(p *tidemark.Problems, q url.Values, name string, def int64) int64 {
	s := q.Get(name)
	if s == "" {
		return def
	}
	f, ok := Number(s)
	p.Check(ok && f > -MaxSeconds && f < MaxSeconds, name, "is not a number")
	return int64(f)
}

// MaxSeconds keeps times within what every client can read as a date.
const MaxSeconds = 1 << 40
