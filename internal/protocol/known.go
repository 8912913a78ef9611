package protocol

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// Known remembers what was made of the texts by which senders name streams: the
// same come again with every request, and taking them apart is most of the work
// of a sample. It is safe for concurrent use.
//
// What it remembers depends on the text alone, so that it is shared by all
// senders, whoever they are.
type Known struct {
	key    func(tidemark.Tags) string
	most   int // bytes of a shard
	shards [knownShards]knownShard
}

// knownShard has a part of the texts, by their hashes.
type knownShard struct {
	mu     sync.RWMutex
	m      map[uint64]*Labels
	bytes  int
	passed int // how many were not taken since it is full
}

const (
	knownShards = 32
	// maxKnownBytes bounds the memory, all shards together: some 50,000 streams
	// with five labels each.
	maxKnownBytes = 32 << 20
	// admitEvery is how often a text is taken by a shard that is full, in the
	// place of another. Were it every one, of more streams than there is room for
	// none would be known when it comes again.
	admitEvery = 16
	// maxKnownText is how long a text may be to be remembered.
	maxKnownText = 16 << 10
	// knownOverhead is what a text takes beside its bytes, and tagSize what a tag
	// does.
	knownOverhead = 200
	tagSize       = 32
)

// Form is a protocol's way of naming streams: the same text may mean something
// else in another.
type Form byte

// Labels is what was made of one text. What others see of it never changes, but
// for the Ref.
type Labels struct {
	Name  string // of the metric, or of what its name is made of
	Tags  tidemark.Tags
	Key   string // the tags, as whoever made the Known writes them
	Kind  Kind
	Upper *Upper        // nil where the tags have no letters in upper case
	Ref   streamref.Ref // of the stream, where Name is that of the metric
	form  Form
	text  string
	next  atomic.Pointer[Labels] // what came after it the last time
	gone  atomic.Bool            // it made room for another
}

// Upper belongs to labels with letters in upper case. It remembers for which
// organization it was last decided how they are shown, so that the next points
// with them need not be looked at.
type Upper struct{ org atomic.Int64 }

// IsSettled reports whether that was decided for org. It may be asked of nil:
// of lower case there is nothing to decide.
func (u *Upper) IsSettled(org tidemark.OrgID) bool {
	return u == nil || u.org.Load() == int64(org)
}

// Settle remembers that it is decided for org. Nil does not.
func (u *Upper) Settle(org tidemark.OrgID) {
	if u != nil {
		u.org.Store(int64(org))
	}
}

// NewKnown returns an empty memory. What key makes of tags comes with every
// point of theirs.
func NewKnown(key func(tidemark.Tags) string) *Known {
	return &Known{key: key, most: maxKnownBytes / knownShards}
}

func (k *Known) shard(hash uint64) *knownShard { return &k.shards[hash>>59] }

func (k *Known) find(hash uint64, form Form, text string) *Labels {
	s := k.shard(hash)
	s.mu.RLock()
	l := s.m[hash]
	s.mu.RUnlock()
	if l == nil || !l.is(form, text) {
		return nil
	}
	return l
}

// add remembers l, unless there is no room.
func (k *Known) add(hash uint64, l *Labels) {
	size := l.size()
	s := k.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[uint64]*Labels)
	}
	if s.bytes+size > k.most && !s.makeRoom(k.most-size) {
		return
	}
	if had := s.m[hash]; had != nil {
		s.drop(hash, had)
	}
	s.m[hash] = l
	s.bytes += size
}

// makeRoom drops what comes first, which with a map is by chance, until no more
// than most bytes are left. It reports false where it is not yet time for that.
func (s *knownShard) makeRoom(most int) bool {
	if s.passed++; s.passed%admitEvery != 0 {
		return false
	}
	for hash, l := range s.m {
		if s.bytes <= most {
			break
		}
		s.drop(hash, l)
	}
	return true
}

// drop forgets l. It may still be what comes after another, but leads no
// further: or what is forgotten would stay in memory, one behind the other.
func (s *knownShard) drop(hash uint64, l *Labels) {
	s.bytes -= l.size()
	delete(s.m, hash)
	l.gone.Store(true)
	l.next.Store(nil)
}

func (l *Labels) is(form Form, text string) bool { return l.form == form && l.text == text }

func (l *Labels) size() int {
	return 2*len(l.text) + len(l.Key) + len(l.Tags)*tagSize + knownOverhead
}

// Recall returns what was made of a text in that form, or nil. Then it is for
// the caller to make it, and to Remember it.
//
// Senders name their streams in the same order each time: what comes next is
// most often what came next before, and needs not be looked for.
func (b *Batch) Recall(form Form, text string) *Labels {
	b.hash = 0
	if b.known == nil || text == "" || len(text) > maxKnownText {
		b.last = nil
		return nil
	}
	last := b.last
	if last != nil {
		if l := last.next.Load(); l != nil && l.is(form, text) && !l.gone.Load() {
			b.last = l
			return l
		}
	}
	hash := xxhash.Sum64String(text) + uint64(form)
	b.last = b.known.find(hash, form, text)
	if b.last == nil {
		b.hash = hash
	} else if last != nil {
		last.next.Store(b.last)
	}
	return b.last
}

// Next returns what came after the last one that was recalled, if text begins
// with it and it ends there, which ends tells from the rest. Then where it ends
// needs not be looked for, nor what it is. Otherwise it is nil, and to be
// recalled.
func (b *Batch) Next(form Form, text string, ends func(rest string) bool) *Labels {
	if b.last == nil {
		return nil
	}
	l := b.last.next.Load()
	if l == nil || l.form != form || !strings.HasPrefix(text, l.text) || !ends(text[len(l.text):]) || l.gone.Load() {
		return nil
	}
	b.hash, b.last = 0, l
	return l
}

// Len is the length of the text that it was made of.
func (l *Labels) Len() int { return len(l.text) }

// Remember keeps what was made of the text that was not recalled just now. It
// does not where something was left out, since that is to be counted each time.
func (b *Batch) Remember(form Form, text, name string, tags tidemark.Tags, kind Kind) {
	if b.hash == 0 || b.lossy {
		return
	}
	key := b.known.key(tags)
	var all strings.Builder // one piece of memory for all texts
	all.Grow(len(text) + len(key) + len(name) + tagBytes(tags))
	keep := func(s string) string {
		at := all.Len()
		all.WriteString(s)
		return all.String()[at:]
	}
	l := &Labels{text: keep(text), Key: keep(key), Name: keep(name), Kind: kind, form: form}
	for _, t := range tags {
		l.Tags = append(l.Tags, tidemark.Tag{Name: keep(t.Name), Value: keep(t.Value)})
		if l.Upper == nil && (tidemark.HasUpper(t.Name) || tidemark.HasUpper(t.Value)) {
			l.Upper = new(Upper)
		}
	}
	b.known.add(b.hash, l)
	b.hash = 0
}

func tagBytes(tags tidemark.Tags) (n int) {
	for _, t := range tags {
		n += len(t.Name) + len(t.Value)
	}
	return n
}
