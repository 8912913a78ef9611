package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
)

// Endpoints that list, read, make, change or remove one resource, and do no
// more, differ only in the store method behind them. Each of these shapes is
// written once, here; all others are written out as endpoints of their own.

// A key finds, in the path of a request, the name of one resource. A segment
// that cannot name anything is NotFound: it names nothing.
type key[K any] func(r *http.Request) (K, error)

// ByID finds the id that the path ends in.
func ByID(r *http.Request) (int64, error) { return PathID(r, "id") }

// BySpace finds the id of a space.
func BySpace(r *http.Request) (int64, error) { return PathID(r, "space") }

// ByName finds the name of a metric or of a stream of annotations.
func ByName(r *http.Request) (string, error) {
	name := r.PathValue("name")
	if !tidemark.IsMetricName(name) {
		return "", ErrNotFound
	}
	return name, nil
}

// ByNewName is ByName where the name is about to be given: a wrong one is the
// caller's error.
func ByNewName(r *http.Request) (string, error) {
	name, err := ByName(r)
	if err != nil {
		return "", tidemark.InvalidField("name", "must be 1 to %d letters, digits and . : - _", tidemark.MaxName)
	}
	return name, nil
}

// ByChart finds a chart and its space.
func ByChart(r *http.Request) (k tidemark.ChartKey, err error) {
	if k.Space, err = PathID(r, "space"); err != nil {
		return k, err
	}
	k.Chart, err = PathID(r, "id")
	return k, err
}

// ByEvent finds an annotation and its stream.
func ByEvent(r *http.Request) (k tidemark.EventKey, err error) {
	if k.Stream, err = ByName(r); err != nil {
		return k, err
	}
	k.ID, err = PathID(r, "id")
	return k, err
}

// ByLink finds a link of an annotation.
func ByLink(r *http.Request) (k tidemark.LinkKey, err error) {
	if k.Event, err = ByEvent(r); err != nil {
		return k, err
	}
	k.Rel = r.PathValue("rel")
	if !utf8.ValidString(k.Rel) || strings.ContainsRune(k.Rel, 0) {
		return k, ErrNotFound
	}
	return k, nil
}

// ByAttachment finds an alert and a service of it.
func ByAttachment(r *http.Request) (k tidemark.AttachmentKey, err error) {
	if k.Alert, err = PathID(r, "id"); err != nil {
		return k, err
	}
	k.Service, err = PathID(r, "service")
	return k, err
}

// PathID reads a numeric segment.
func PathID(r *http.Request, name string) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, ErrNotFound
	}
	return id, nil
}

// A reveal shows of a T what only some may see to those who may.
type reveal[T any] func(tidemark.Identity, *T)

// to calls the reveals of v for who.
func to[T any](who tidemark.Identity, v *T, all []reveal[T]) {
	for _, f := range all {
		f(who, v)
	}
}

// List answers with a page of a list, under noun.
func List[T any](noun string, find func(context.Context, tidemark.OrgID, tidemark.Page) ([]*T, tidemark.Counts, error), show ...reveal[T]) Endpoint {
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		p, err := ReadPage(r)
		if err != nil {
			return Reply{}, err
		}
		items, n, err := find(r.Context(), who.Org, p)
		if err != nil {
			return Reply{}, err
		}
		for _, v := range items {
			to(who, v, show)
		}
		return OK(map[string]any{"query": PageOf(p, len(items), n), noun: items}), nil
	}
}

// Get answers with one resource.
func Get[K, T any](k key[K], find func(context.Context, tidemark.OrgID, K) (*T, error), show ...reveal[T]) Endpoint {
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		id, err := k(r)
		if err != nil {
			return Reply{}, err
		}
		v, err := find(r.Context(), who.Org, id)
		if err != nil {
			return Reply{}, err
		}
		to(who, v, show)
		return OK(v), nil
	}
}

// resource is something that has a URL.
type resource[T any] interface {
	*T
	ResourceID() string
}

// change is what a body asks to be made of a T.
type change[T any] interface{ Apply(*T) }

// Create makes a new T of what fresh returns and the body asks for.
func Create[U change[T], T any, R resource[T]](fresh func() *T, add func(context.Context, tidemark.OrgID, tidemark.Actor, *T) error, show ...reveal[T]) Endpoint {
	none := func(*http.Request) (struct{}, error) { return struct{}{}, nil }
	return CreateIn[U, struct{}, T, R](none, fresh, func(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, _ struct{}, v *T) error {
		return add(ctx, org, by, v)
	}, show...)
}

// CreateIn is Create for what lies inside something else.
func CreateIn[U change[T], K, T any, R resource[T]](k key[K], fresh func() *T, add func(context.Context, tidemark.OrgID, tidemark.Actor, K, *T) error, show ...reveal[T]) Endpoint {
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		in, err := k(r)
		if err != nil {
			return Reply{}, err
		}
		var u U
		if err := ReadInto(r, &u); err != nil {
			return Reply{}, err
		}
		v := fresh()
		u.Apply(v)
		if err := add(r.Context(), who.Org, who.Actor(), in, v); err != nil {
			return Reply{}, err
		}
		to(who, v, show)
		return Created(v, r.URL.EscapedPath()+"/"+R(v).ResourceID()), nil
	}
}

// Update makes the change the body asks for and says no more than that.
func Update[U change[T], K, T any](k key[K], save func(context.Context, tidemark.OrgID, tidemark.Actor, K, func(*T)) (*T, error)) Endpoint {
	do := UpdateShow[U](k, save)
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		_, err := do(r, who)
		return NoContent, err
	}
}

// UpdateShow is Update for the few that answer with the result.
func UpdateShow[U change[T], K, T any](k key[K], save func(context.Context, tidemark.OrgID, tidemark.Actor, K, func(*T)) (*T, error)) Endpoint {
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		id, err := k(r)
		if err != nil {
			return Reply{}, err
		}
		var u U
		if err := ReadInto(r, &u); err != nil {
			return Reply{}, err
		}
		by, err := ActorOf(r, who)
		if err != nil {
			return Reply{}, err
		}
		v, err := save(r.Context(), who.Org, by, id, u.Apply)
		return OK(v), err
	}
}

// Remove deletes one resource.
func Remove[K any](k key[K], del func(context.Context, tidemark.OrgID, tidemark.Actor, K) error) Endpoint {
	return func(r *http.Request, who tidemark.Identity) (Reply, error) {
		id, err := k(r)
		if err != nil {
			return Reply{}, err
		}
		return NoContent, del(r.Context(), who.Org, who.Actor(), id)
	}
}

// Every returns a list whole, page after page.
func Every[T any](ctx context.Context, org tidemark.OrgID, find func(context.Context, tidemark.OrgID, tidemark.Page) ([]*T, tidemark.Counts, error)) ([]*T, error) {
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
