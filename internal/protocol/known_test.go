package protocol

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// learn makes b remember a text as decoders do, with one label of the same text.
func learn(b *Batch, form Form, text string) *Labels {
	if l := b.Recall(form, text); l != nil {
		return l
	}
	b.StartLabels()
	b.AddLabel("l", text)
	if tags, ok := b.FinishLabels("cpu"); ok {
		b.Remember(form, text, "cpu", tags, Counter)
	}
	return nil
}

func TestKnown(t *testing.T) {
	k := NewKnown(tidemark.Tags.String)
	body := []byte("a;b")
	b := k.NewBatch(DefaultLimits)
	learn(b, 'g', pb.Text(body))
	copy(body, "xxx") // the body is lent, what is remembered is not
	got := k.NewBatch(DefaultLimits).Recall('g', "a;b")
	if got == nil {
		t.Fatal("not known to another batch")
	}
	want := &Labels{Name: "cpu", Tags: tidemark.Tags{{Name: "l", Value: "a_x3b_b"}}, Key: got.Tags.String(), Kind: Counter}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Labels{}, streamref.Ref{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, form := range map[string]Form{"a;b": 'i', "a;c": 'g', "xxx": 'g', "": 'g'} {
		if l := b.Recall(form, text); l != nil {
			t.Errorf("%c %q is known as %v", form, text, l)
		}
	}
	if NewBatch(DefaultLimits).Recall('g', "a;b") != nil {
		t.Error("known to a batch without a memory")
	}
}

// TestNotRemembered: what is told of every time is not, nor what is too long, nor
// what was not asked for just now.
func TestNotRemembered(t *testing.T) {
	b := NewKnown(tidemark.Tags.String).NewBatch(DefaultLimits)
	b.Recall('g', "twice")
	b.StartLabels()
	b.AddLabel("l", "1")
	b.AddLabel("l", "2")
	tags, _ := b.FinishLabels("cpu")
	b.Remember('g', "twice", "cpu", tags, Gauge)
	long := strings.Repeat("x", maxKnownText+1)
	learn(b, 'g', long)
	b.Recall('g', "before")
	b.Reset()
	b.Remember('g', "before", "cpu", nil, Gauge)
	for _, text := range []string{"twice", long, "before"} {
		if b.Recall('g', text) != nil {
			t.Errorf("%.10s is remembered", text)
		}
	}
}

// TestKnownIsBounded: of more texts than there is room for some are known when
// they come again, in the order in which they came, and what comes no more makes
// room.
func TestKnownIsBounded(t *testing.T) {
	k := NewKnown(tidemark.Tags.String)
	k.most = 30_000
	b := k.NewBatch(DefaultLimits)
	text := func(of string, i int) string { return fmt.Sprintf("%s %05d %0500d", of, i, i) }
	const n = 30_000 * knownShards / 1000
	round := func(of string) (hits int) {
		for i := range n {
			if learn(b, 'g', text(of, i)) != nil {
				hits++
			}
			b.Reset()
		}
		return hits
	}
	round("a")
	if hits := round("a"); hits < n/3 {
		t.Errorf("%d of %d are known", hits, n)
	}
	for range 2 * admitEvery {
		round("b")
	}
	if hits := round("b"); hits < n/3 {
		t.Errorf("%d of %d that came later are known", hits, n)
	}
	total := 0
	for i := range k.shards {
		s, sum := &k.shards[i], 0
		for _, l := range s.m {
			sum += l.size()
		}
		if sum != s.bytes {
			t.Errorf("a shard of %d bytes counts %d", sum, s.bytes)
		}
		total += sum
	}
	if most := k.most * knownShards; total > most || total < most/2 {
		t.Errorf("%d bytes are remembered", total)
	}
}

// TestKnownInOrder: what came next before is found as what is looked for is, and
// what was forgotten leads to nothing.
func TestKnownInOrder(t *testing.T) {
	k := NewKnown(tidemark.Tags.String)
	b := k.NewBatch(DefaultLimits)
	for _, order := range []string{"abcabc", "acbacb", "abab", "aab"} {
		for text := range strings.SplitSeq(order, "") {
			if l := learn(b, 'g', text); l != nil && l.Tags[0].Value != text {
				t.Errorf("%s: %s is known as %v", order, text, l.Tags)
			}
		}
		b.Reset()
	}
	first, second := b.Recall('g', "a"), b.Recall('g', "b")
	if first.next.Load() != second {
		t.Error("what comes next is not remembered")
	}
	for i := range k.shards {
		s := &k.shards[i]
		for hash, l := range s.m {
			if l == second {
				s.drop(hash, l)
			}
		}
	}
	if second.next.Load() != nil {
		t.Error("what was forgotten leads on")
	}
	b.Reset()
	if b.Recall('g', "a") != first || b.Recall('g', "b") != nil {
		t.Error("what was forgotten is known")
	}
}

func TestKnownConcurrently(t *testing.T) {
	k := NewKnown(tidemark.Tags.String)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := k.NewBatch(DefaultLimits)
			for i := range 5000 {
				text := fmt.Sprint("t", i%500)
				if l := learn(b, 'g', text); l != nil && l.Tags[0].Value != text {
					t.Errorf("%s is known as %v", text, l.Tags)
				}
			}
		})
	}
	wg.Wait()
}

// TestNext: what came next before is recognized at the beginning of a text, if it
// ends there, and only in its form and order.
func TestNext(t *testing.T) {
	k := NewKnown(tidemark.Tags.String)
	blank := func(rest string) bool { return strings.HasPrefix(rest, " ") }
	b := k.NewBatch(DefaultLimits)
	for range 2 { // the second time in order
		b.Reset()
		for _, text := range []string{"a", "ab", "c"} {
			learn(b, 'g', text)
		}
	}
	for _, c := range []struct {
		before, text string
		form         Form
		want         bool
	}{
		{"a", "ab 1", 'g', true}, {"ab", "c  ", 'g', true},
		{"a", "abc 1", 'g', false}, {"a", "ab", 'g', false}, {"a", "a 1", 'g', false}, {"a", "", 'g', false},
		{"a", "ab 1", 'i', false}, {"ab", "ab 1", 'g', false}, {"c", "a 1", 'g', false}, {"", "a 1", 'g', false},
	} {
		b := k.NewBatch(DefaultLimits)
		b.Recall('g', c.before)
		got := b.Next(c.form, c.text, blank)
		if (got != nil) != c.want {
			t.Errorf("%q after %q: %v", c.text, c.before, got)
			continue
		}
		if c.want && c.text[:got.Len()] != got.text {
			t.Errorf("%q is %q", c.text, got.text)
		}
	}
	b.Recall('g', "a")
	next := k.find(xxhash.Sum64String("ab")+'g', 'g', "ab")
	next.gone.Store(true)
	if b.Next('g', "ab 1", blank) != nil {
		t.Error("what was forgotten comes next")
	}
}
