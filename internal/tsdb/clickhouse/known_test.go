package clickhouse

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestKnownFinds: whatever came before it in a batch, a stream is found if it was
// added, as it was added last, and only for its organization.
func TestKnownFinds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var k known
	model := make(map[string]*stream)
	for round := range 2000 {
		org := tidemark.OrgID(1 + rng.IntN(2))
		var b tsdb.Batch
		for i, n := rng.IntN(6), rng.IntN(6); n > 0; i, n = i+1+rng.IntN(2), n-1 {
			b.Add("cpu", tidemark.Tags{{Name: "host", Value: fmt.Sprint(i % 6)}}, int64(round), 1)
		}
		var fresh []*stream
		for i, st := range k.streams(org, &b) {
			key := string(cacheKey(nil, org, b.Key(i)))
			if st != model[key] {
				t.Fatalf("round %d, record %d: got %v, want %v", round, i, st, model[key])
			}
			if st == nil || rng.IntN(20) == 0 { // it is new, or its metric was deleted
				fresh = append(fresh, &stream{cacheKey: key, gen: int64(round)})
			}
		}
		k.add(fresh)
		for _, st := range fresh {
			model[st.cacheKey] = st
		}
	}
}

// TestKnownForgets: streams that are used stay, whether they are looked for or
// follow one another; of others nothing remains.
func TestKnownForgets(t *testing.T) {
	t.Parallel()
	var k known
	var used, unused tsdb.Batch
	for i := range 3 {
		used.Add("cpu", tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}, 1, 1)
		unused.Add("mem", tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}, 1, 1)
	}
	for _, b := range []*tsdb.Batch{&used, &unused} {
		for i := range b.Records {
			k.add([]*stream{{cacheKey: string(cacheKey(nil, 1, b.Key(i)))}})
		}
		k.streams(1, b)
	}
	for range 3 {
		k.forget()
		for i, st := range k.streams(1, &used) {
			if st == nil {
				t.Fatalf("record %d: what is used was forgotten", i)
			}
		}
	}
	for i, st := range k.streams(1, &unused) {
		if st != nil {
			t.Errorf("record %d is still known", i)
		}
	}
	used.Records = used.Records[:2]
	if last := k.streams(1, &used)[1]; last.next != nil {
		t.Error("the last of a batch keeps what followed it before")
	}
}
