package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// settled are sets of tags, by a hash of them in lower case, of which it is known how
// each text is shown. Streams come again with every request: what they are
// called is looked at once.
type settled struct {
	mu sync.RWMutex
	m  map[uint64]struct{}
}

// maxSettled is how many sets of tags of one organization are remembered.
const maxSettled = 200_000

func (s *settled) has(key []byte) bool {
	_, has := s.m[xxhash.Sum64(tagsOfKey(key))]
	return has
}

func (s *settled) add(key []byte) {
	if s.m == nil || len(s.m) >= maxSettled {
		s.m = make(map[uint64]struct{})
	}
	s.m[xxhash.Sum64(tagsOfKey(key))] = struct{}{}
}

// tagsOfKey is the end of a stream's key.
func tagsOfKey(key []byte) []byte {
	if i := bytes.IndexByte(key, 0); i >= 0 {
		return key[i:]
	}
	return nil
}

// noteSpellings keeps how the tags of the batch are written, where they are the
// first of their text. It comes before the write: after a crash in between
// streams would be there, and what came first could not be told.
func (r *Recorder) noteSpellings(ctx context.Context, org tidemark.OrgID, d *intake) error {
	if r.Spellings == nil || !d.spelled {
		return nil
	}
	if d.unsettled() {
		if err := r.note(ctx, org, d.firstSpellings()); err != nil {
			return err
		}
		d.settle()
	}
	d.settleSenders()
	return nil
}

// settle remembers that the spellings of the batch are decided.
func (d *intake) settle() {
	s := &d.org.settled
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range d.sentCount() {
		if key, upper := d.placedKey(i); upper {
			s.add(key)
		}
	}
}

// settleSenders is settle for what senders repeat: the tags that are likely to
// be at their place again, and the labels that are remembered. Then they need
// not even be looked up. It is left out where what was sent is not what was
// kept: the rest of it may be kept another time.
func (d *intake) settleSenders() {
	if d.scope != nil || len(d.dropped.drops) > 0 {
		return
	}
	for i := range d.points {
		if len(d.items) == 0 || d.items[i].flaw == flawNone {
			d.points[i].Upper.Settle(d.sender)
		}
	}
	if len(d.memos) == 0 || len(d.points) > 0 {
		return
	}
	for i := range d.items {
		m := &d.memos[(i+1)%memoSlots] // as of when it was read
		if it := &d.items[i]; it.flaw == flawNone && it.upper && bytes.Equal(m.raw, it.tagsRaw.of(d.b)) {
			m.settled = d.sender
		}
	}
}

// note keeps those of list that are the first of their text.
func (r *Recorder) note(ctx context.Context, org tidemark.OrgID, list []*tidemark.Spelling) error {
	err := r.Spellings.Note(ctx, org, list, func(texts []spelling.Text) ([]bool, error) {
		return r.textsInUse(ctx, org, texts)
	})
	if err != nil {
		return fmt.Errorf("note spellings: %w", err)
	}
	return nil
}

// sentCount is how much was sent: items, or points that went into the batch
// directly.
func (d *intake) sentCount() int { return max(len(d.items), len(d.points)) }

// placedKey returns the key of the record that was made of the i-th of what was
// sent, or nil if it was refused, and whether its tags have letters in upper case.
func (d *intake) placedKey(i int) (key []byte, upper bool) {
	if len(d.items) == 0 {
		return d.batch.Key(i), !d.points[i].Upper.IsSettled(d.sender)
	}
	it := &d.items[i]
	if it.flaw != flawNone {
		return nil, false
	}
	return d.batch.Key(int(it.record)), d.tagsOf(it).upper
}

// unsettled reports whether there are tags in upper case of which it is not
// known how they are shown.
func (d *intake) unsettled() bool {
	s := &d.org.settled
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i := range d.sentCount() {
		if key, upper := d.placedKey(i); upper && !s.has(key) {
			return true
		}
	}
	return false
}

// firstSpellings returns the texts that the request has first in upper case.
func (d *intake) firstSpellings() (list []*tidemark.Spelling) {
	seen := make(map[spelling.Text]bool)
	for i := range d.sentCount() {
		key, upper := d.placedKey(i)
		_, tags, _ := tsdb.ParseKey(key)
		var sent tidemark.Tags
		if upper {
			sent = d.sentTags(i)
		}
		list = append(list, spellingsOf(tags, sent, seen)...)
	}
	return list
}

// spellingsOf returns the texts of tags, in lower case, that are in upper case
// in sent, but for those that were seen before.
func spellingsOf(tags, sent tidemark.Tags, seen map[spelling.Text]bool) (list []*tidemark.Spelling) {
	note := func(tag, key, text string) {
		if t := (spelling.Text{Tag: tag, Key: key}); !seen[t] {
			seen[t] = true
			if text != key {
				list = append(list, &tidemark.Spelling{Tag: tag, Text: text})
			}
		}
	}
	for _, t := range tags {
		as := t
		// Of several with one name the last counts.
		for _, s := range slices.Backward(sent) {
			if strings.EqualFold(s.Name, t.Name) {
				as = s
				break
			}
		}
		note("", t.Name, as.Name)
		if strings.EqualFold(as.Value, t.Value) {
			note(t.Name, t.Value, as.Value)
		}
	}
	return list
}

// textsInUse tells which of texts a stream has.
func (r *Recorder) textsInUse(ctx context.Context, org tidemark.OrgID, texts []spelling.Text) ([]bool, error) {
	tags := make([]tidemark.Tag, len(texts))
	for i, t := range texts {
		tags[i] = tidemark.Tag{Name: t.Tag, Value: t.Key}
		if t.Tag == "" {
			tags[i] = tidemark.Tag{Name: t.Key}
		}
	}
	return r.Engine.TagsInUse(ctx, org, tags)
}

// tagsOf is where the tags of it are: its own, or those of the whole request.
func (d *intake) tagsOf(it *item) *shared {
	if it.hasTags != absent {
		return &it.shared
	}
	return &d.top
}

// sentTags returns the tags of the i-th of what was sent, as they were written.
func (d *intake) sentTags(i int) (tags tidemark.Tags) {
	if len(d.points) > 0 {
		tags = slices.Clone(d.points[i].Labels)
	} else if from := d.tagsOf(&d.items[i]); !from.sent.empty() {
		for pair := range bytes.SplitSeq(from.sent.of(d.arena), []byte{0}) {
			name, value, _ := bytes.Cut(pair, []byte{1})
			tags = append(tags, tidemark.Tag{Name: string(name), Value: string(value)})
		}
	} else {
		tags = parseTags(from.tagsRaw.of(d.b))
	}
	return append(tags, added(d.scope)...)
}

// added are the tags that a scope adds, if there is one.
func added(scope *tidemark.TokenScope) (tags tidemark.Tags) {
	if scope == nil {
		return nil
	}
	for _, t := range scope.Add {
		tags = append(tags, tidemark.Tag(t))
	}
	return tags
}

// parseTags reads an object of tags that was found to be one.
func parseTags(object []byte) (tags tidemark.Tags) {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	_, _ = dec.Token() // the brace
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			break
		}
		value, err := dec.Token()
		if err != nil {
			break
		}
		tags = append(tags, tidemark.Tag{Name: fmt.Sprint(name), Value: fmt.Sprint(value)})
	}
	return tags
}

// keep puts text into the arena.
func (d *decoder) keep(text string) span {
	off := uint32(len(d.arena))
	d.arena = append(d.arena, text...)
	return span{off, uint32(len(d.arena))}
}

func hasUpper(text []byte) bool {
	return bytes.ContainsFunc(text, func(c rune) bool { return c >= 'A' && c <= 'Z' })
}

// pointUpper reports whether the labels of a point have letters in upper case
// of which it is not known how they are shown.
func (d *decoder) pointUpper(p *protocol.Point) bool {
	return !p.Upper.IsSettled(d.sender) || p.Key == "" && tagsUpper(p.Labels)
}

// addsUpper reports whether a scope adds tags with letters in upper case.
func addsUpper(scope *tidemark.TokenScope) bool { return tagsUpper(added(scope)) }

func tagsUpper(tags tidemark.Tags) bool {
	return slices.ContainsFunc(tags, func(t tidemark.Tag) bool { return tidemark.HasUpper(t.Name) || tidemark.HasUpper(t.Value) })
}
