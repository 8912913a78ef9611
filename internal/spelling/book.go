// Package spelling knows how tags are shown. Storage has their names and values
// in lower case, and compares them so; people and programs get them back as they
// were first written. Names of metrics need nothing of it: the control store has
// them as they were first called.
package spelling

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
)

// Store keeps spellings.
type Store interface {
	// Spellings returns those of org with an ID above one, in order of these.
	Spellings(ctx context.Context, org tidemark.OrgID, after int64) ([]*tidemark.Spelling, error)
	// AddSpellings adds those of list whose text org has in no spelling yet.
	AddSpellings(ctx context.Context, org tidemark.OrgID, list []*tidemark.Spelling) error
}

// Book has the spellings of all organizations, each read when it is first
// needed. It is safe for concurrent use. A nil Book has none.
type Book struct {
	store   Store
	most    int
	onFull  func(tidemark.OrgID)
	version atomic.Int64 // counts what may have changed elsewhere
	mu      sync.RWMutex
	orgs    map[tidemark.OrgID]*Words
}

// New returns a book of what store has. OnFull, which may be nil, is called
// once for each organization whose texts are no longer noted.
func New(store Store, onFull func(tidemark.OrgID)) *Book {
	b := &Book{store: store, most: tidemark.MaxSpellings, onFull: onFull, orgs: make(map[tidemark.OrgID]*Words)}
	b.version.Store(1)
	return b
}

// Invalidate makes b look for spellings that others added.
func (b *Book) Invalidate() { b.version.Add(1) }

// Of returns the spellings of an organization.
func (b *Book) Of(ctx context.Context, org tidemark.OrgID) (*Words, error) {
	if b == nil {
		return nil, nil
	}
	w := b.words(org)
	if w.version.Load() == b.version.Load() {
		return w, nil
	}
	return w, b.read(ctx, org, w)
}

func (b *Book) words(org tidemark.OrgID) *Words {
	b.mu.RLock()
	w := b.orgs[org]
	b.mu.RUnlock()
	if w != nil {
		return w
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.orgs[org] == nil {
		b.orgs[org] = &Words{texts: make(map[Text]string)}
	}
	return b.orgs[org]
}

// read adds to w what is new in the store.
func (b *Book) read(ctx context.Context, org tidemark.OrgID, w *Words) error {
	w.reading.Lock()
	defer w.reading.Unlock()
	version := b.version.Load()
	list, err := b.store.Spellings(ctx, org, w.last)
	if err != nil {
		return err
	}
	w.add(list)
	w.version.Store(version)
	return nil
}

// Text is a name or a value of a tag, in lower case.
type Text struct {
	Tag string // whose value it is; "" for a name
	Key string
}

// Note keeps the spellings of list that are the first of their texts. InUse
// tells which of some texts streams have already: they came in lower case, and
// stay so. What there is no room for stays in lower case too. A text is asked
// about once, however many streams have it.
func (b *Book) Note(ctx context.Context, org tidemark.OrgID, list []*tidemark.Spelling, inUse func([]Text) ([]bool, error)) error {
	w, err := b.Of(ctx, org)
	if err != nil {
		return err
	}
	list = b.fitting(org, w, w.undecided(list))
	if len(list) == 0 {
		return nil
	}
	texts := make([]Text, len(list))
	for i, s := range list {
		texts[i] = Text{s.Tag, s.Key()}
	}
	used, err := inUse(texts)
	if err != nil {
		return err
	}
	var first []*tidemark.Spelling
	var lower []Text
	for i, s := range list {
		if used[i] {
			lower = append(lower, texts[i])
		} else {
			first = append(first, s)
		}
	}
	w.keepLower(lower, b.most)
	if len(first) == 0 {
		return nil
	}
	if err := b.store.AddSpellings(ctx, org, first); err != nil {
		return err
	}
	return b.read(ctx, org, w) // others may have been first
}

// fitting returns those of list that there is room for.
func (b *Book) fitting(org tidemark.OrgID, w *Words, list []*tidemark.Spelling) []*tidemark.Spelling {
	room := max(0, b.most-w.len())
	if len(list) <= room {
		return list
	}
	if w.full.CompareAndSwap(false, true) && b.onFull != nil {
		b.onFull(org)
	}
	return list[:room]
}
