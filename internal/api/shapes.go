package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
)

// Most endpoints have one of a few shapes and differ only in the store method
// behind them. Each shape is written once, here; what does not fit a shape is
// written out as an endpoint of its own.

// A key finds, in the path of a request, the name of one resource. A segment
// that cannot name anything is NotFound: it names nothing.
type key[K any] func(r *http.Request) (K, error)

func byID(r *http.Request) (int64, error) { return pathID(r, "id") }

func bySpace(r *http.Request) (int64, error) { return pathID(r, "space") }

func byName(r *http.Request) (string, error) {
	name := r.PathValue("name")
	if !tidemark.IsMetricName(name) {
		return "", errNotFound
	}
	return name, nil
}

// byNewName is byName where the name is about to be given: a wrong one is a
// mistake to tell.
func byNewName(r *http.Request) (string, error) {
	name, err := byName(r)
	if err != nil {
		return "", tidemark.InvalidField("name", "must be 1 to %d letters, digits and . : - _", tidemark.MaxName)
	}
	return name, nil
}

func byChart(r *http.Request) (k tidemark.ChartKey, err error) {
	if k.Space, err = pathID(r, "space"); err != nil {
		return k, err
	}
	k.Chart, err = pathID(r, "id")
	return k, err
}

func byEvent(r *http.Request) (k tidemark.EventKey, err error) {
	if k.Stream, err = byName(r); err != nil {
		return k, err
	}
	k.ID, err = pathID(r, "id")
	return k, err
}

func byLink(r *http.Request) (k tidemark.LinkKey, err error) {
	if k.Event, err = byEvent(r); err != nil {
		return k, err
	}
	k.Rel = r.PathValue("rel")
	if !utf8.ValidString(k.Rel) || strings.ContainsRune(k.Rel, 0) {
		return k, errNotFound
	}
	return k, nil
}

func byAttachment(r *http.Request) (k tidemark.AttachmentKey, err error) {
	if k.Alert, err = pathID(r, "id"); err != nil {
		return k, err
	}
	k.Service, err = pathID(r, "service")
	return k, err
}

// pathID reads a numeric segment.
func pathID(r *http.Request, name string) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, errNotFound
	}
	return id, nil
}

func list[T any](noun string, find func(context.Context, tidemark.OrgID, tidemark.Page) ([]*T, tidemark.Counts, error)) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		p, err := readPage(r)
		if err != nil {
			return reply{}, err
		}
		items, n, err := find(r.Context(), who.Org, p)
		if err != nil {
			return reply{}, err
		}
		return ok(map[string]any{"query": pageInfo(p, len(items), n), noun: items}), nil
	}
}

func get[K, T any](k key[K], find func(context.Context, tidemark.OrgID, K) (*T, error)) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		id, err := k(r)
		if err != nil {
			return reply{}, err
		}
		v, err := find(r.Context(), who.Org, id)
		return ok(v), err
	}
}

// resource is something that has a URL.
type resource[T any] interface {
	*T
	ResourceID() string
}

// change is what a body asks to be made of a T.
type change[T any] interface{ Apply(*T) }

// create makes a new T of what fresh returns and the body asks for.
func create[U change[T], T any, R resource[T]](fresh func() *T, add func(context.Context, tidemark.OrgID, *T) error) endpoint {
	none := func(*http.Request) (struct{}, error) { return struct{}{}, nil }
	return createIn[U, struct{}, T, R](none, fresh, func(ctx context.Context, org tidemark.OrgID, _ struct{}, v *T) error {
		return add(ctx, org, v)
	})
}

// createIn is create for what lies inside something else.
func createIn[U change[T], K, T any, R resource[T]](k key[K], fresh func() *T, add func(context.Context, tidemark.OrgID, K, *T) error) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		in, err := k(r)
		if err != nil {
			return reply{}, err
		}
		var u U
		if err := readInto(r, &u); err != nil {
			return reply{}, err
		}
		v := fresh()
		u.Apply(v)
		if err := add(r.Context(), who.Org, in, v); err != nil {
			return reply{}, err
		}
		return created(v, r.URL.EscapedPath()+"/"+R(v).ResourceID()), nil
	}
}

// update makes the change the body asks for and says no more than that.
func update[U change[T], K, T any](k key[K], save func(context.Context, tidemark.OrgID, K, func(*T)) (*T, error)) endpoint {
	do := updateShow[U](k, save)
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		_, err := do(r, who)
		return noContent, err
	}
}

// updateShow is update for the few that answer with the result.
func updateShow[U change[T], K, T any](k key[K], save func(context.Context, tidemark.OrgID, K, func(*T)) (*T, error)) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		id, err := k(r)
		if err != nil {
			return reply{}, err
		}
		var u U
		if err := readInto(r, &u); err != nil {
			return reply{}, err
		}
		v, err := save(r.Context(), who.Org, id, u.Apply)
		return ok(v), err
	}
}

func remove[K any](k key[K], del func(context.Context, tidemark.OrgID, K) error) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		id, err := k(r)
		if err != nil {
			return reply{}, err
		}
		return noContent, del(r.Context(), who.Org, id)
	}
}

// every returns a list whole, page after page.
func every[T any](ctx context.Context, org tidemark.OrgID, find func(context.Context, tidemark.OrgID, tidemark.Page) ([]*T, tidemark.Counts, error)) ([]*T, error) {
	var all []*T
	for {
		page, n, err := find(ctx, org, tidemark.Page{Offset: len(all), Length: tidemark.MaxPageLength})
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) == 0 || len(all) >= n.Found {
			return all, nil
		}
	}
}
