package spelling

import (
	"context"
	"iter"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Reader returns r such that tags are shown as b has them, and can be asked for
// in any case. Names of metrics stay as storage has them, and so does the order.
// Without a reader or a book it returns r.
func Reader(r tsdb.Reader, b *Book) tsdb.Reader {
	if r == nil || b == nil {
		return r
	}
	return &reader{r, b}
}

type reader struct {
	all  tsdb.Reader
	book *Book
}

func (r *reader) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		w, err := r.book.Of(ctx, org)
		if err != nil {
			yield(nil, err)
			return
		}
		lowered := *q
		lowered.Filter, lowered.GroupBy = lowerFilter(q.Filter), lowerAll(q.GroupBy)
		for s, err := range w.Series(r.all.Select(ctx, org, &lowered)) {
			if !yield(s, err) {
				return
			}
		}
	}
}

// Series shows what in yields.
func (w *Words) Series(in iter.Seq2[*tsdb.Series, error]) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		for s, err := range in {
			if err == nil {
				shown := *s
				shown.Tags = w.Tags(s.Tags)
				s = &shown
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

func (r *reader) Streams(ctx context.Context, org tidemark.OrgID, metric string, filter tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) {
		w, err := r.book.Of(ctx, org)
		if err != nil {
			yield(nil, err)
			return
		}
		for s, err := range r.all.Streams(ctx, org, metric, lowerFilter(filter)) {
			if err == nil {
				shown := *s
				shown.Tags = w.Tags(s.Tags)
				s = &shown
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

func (r *reader) TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]tsdb.TagCount, error) {
	counts, err := r.all.TagNames(ctx, org, metric)
	if err != nil {
		return nil, err
	}
	return r.shown(ctx, org, "", counts)
}

func (r *reader) TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]tsdb.TagCount, error) {
	tag = strings.ToLower(tag)
	counts, err := r.all.TagValues(ctx, org, metric, tag)
	if err != nil {
		return nil, err
	}
	return r.shown(ctx, org, tag, counts)
}

// shown spells the values of a tag, or the names of tags where it is "".
func (r *reader) shown(ctx context.Context, org tidemark.OrgID, tag string, counts []tsdb.TagCount) ([]tsdb.TagCount, error) {
	w, err := r.book.Of(ctx, org)
	for i := range counts {
		counts[i].Name = w.find(Text{tag, counts[i].Name})
	}
	return counts, err
}

func (r *reader) Stats(ctx context.Context) (tsdb.Stats, error) { return r.all.Stats(ctx) }

func (r *reader) Tiers() []tsdb.Tier { return r.all.Tiers() }

func lowerFilter(f tsdb.Filter) tsdb.Filter {
	f.Tag, f.Patterns = strings.ToLower(f.Tag), lowerAll(f.Patterns)
	if len(f.Args) == 0 {
		return f
	}
	args := make([]tsdb.Filter, len(f.Args))
	for i := range f.Args {
		args[i] = lowerFilter(f.Args[i])
	}
	f.Args = args
	return f
}

func lowerAll(texts []string) []string {
	var lowered []string
	for i, text := range texts {
		if tidemark.HasUpper(text) && lowered == nil {
			lowered = append(lowered, texts...)
		}
		if lowered != nil {
			lowered[i] = strings.ToLower(text)
		}
	}
	if lowered == nil {
		return texts
	}
	return lowered
}
