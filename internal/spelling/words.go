package spelling

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
)

// Words are the spellings of one organization. They grow while they are used.
// Nil Words have none.
type Words struct {
	version atomic.Int64 // of the book, when the store was last asked
	full    atomic.Bool  // it was said that there is no room
	reading sync.Mutex   // guards last
	last    int64        // ID of the latest that was read
	mu      sync.RWMutex
	texts   map[Text]string
	lower   map[Text]bool // texts that came in lower case first, and were asked about since
}

func (w *Words) add(list []*tidemark.Spelling) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range list {
		w.texts[Text{s.Tag, s.Key()}] = s.Text
		w.last = max(w.last, s.ID)
	}
}

func (w *Words) len() int {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return len(w.texts)
}

// undecided returns those of list of which it is not known how they are shown.
func (w *Words) undecided(list []*tidemark.Spelling) (left []*tidemark.Spelling) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for _, s := range list {
		t := Text{s.Tag, s.Key()}
		if _, known := w.texts[t]; !known && !w.lower[t] {
			left = append(left, s)
		}
	}
	return left
}

// keepLower remembers that texts stay in lower case, at most so many.
func (w *Words) keepLower(texts []Text, most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lower == nil || len(w.lower)+len(texts) > most {
		w.lower = make(map[Text]bool)
	}
	for _, t := range texts {
		w.lower[t] = true
	}
}

// IsEmpty reports whether all texts are shown as storage has them.
func (w *Words) IsEmpty() bool { return w == nil || w.len() == 0 }

// Name returns how the name of a tag is shown that storage has.
func (w *Words) Name(name string) string { return w.find(Text{"", name}) }

// Value returns how a value of a tag is shown, both as storage has them.
func (w *Words) Value(tag, value string) string { return w.find(Text{tag, value}) }

func (w *Words) find(t Text) string {
	if w == nil {
		return t.Key
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.at(t)
}

func (w *Words) at(t Text) string {
	if shown, ok := w.texts[t]; ok {
		return shown
	}
	return t.Key
}

// Tags returns tags as they are shown, in the order of storage: the same where
// that is how storage has them, and otherwise a copy.
func (w *Words) Tags(tags tidemark.Tags) tidemark.Tags {
	if w == nil {
		return tags
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if len(w.texts) == 0 {
		return tags
	}
	shown := tags
	for i, t := range tags {
		as := tidemark.Tag{Name: w.at(Text{"", t.Name}), Value: w.at(Text{t.Name, t.Value})}
		if as == t {
			continue
		}
		if &shown[0] == &tags[0] {
			shown = slices.Clone(tags)
		}
		shown[i] = as
	}
	return shown
}
