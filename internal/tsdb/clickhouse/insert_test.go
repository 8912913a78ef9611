package clickhouse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// TestInsertAgain: an insert that may succeed later is sent again, the same
// rows with the same numbers; one that cannot is refused at the first try.
func TestInsertAgain(t *testing.T) {
	t.Parallel()
	for code, tries := range map[int]int64{252: 3, 241: 3, 285: 3, 242: 3, 0: 3, 60: 1, 497: 1, 62: 1} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			e, f, _ := onFake(t)
			var n atomic.Int64
			f.answer(fakeAnswer{part: "INTO records", status: http.StatusBadGateway, body: fmt.Appendf(nil, "Code: %d. DB::Exception: no", code), do: func() {
				if n.Add(1) == 2 { // the third is taken
					f.answer(fakeAnswer{part: "INTO records"})
				}
			}})
			err := e.Write(t.Context(), org, one("cpu", "a", 60, 1))
			sent := f.take("INTO records")
			if tries == 1 {
				if tidemark.KindOf(err) != tidemark.Unavailable || len(sent) != 1 {
					t.Errorf("%d tries, %v", len(sent), err)
				}
				return
			}
			if err != nil || int64(len(sent)) != tries {
				t.Fatalf("%d tries, %v", len(sent), err)
			}
			for _, q := range sent {
				if !bytes.Equal(q.body, sent[0].body) {
					t.Error("other rows were sent the second time")
				}
			}
			if e.Spare() != 0 {
				t.Error("memory that an earlier try may still read is used again")
			}
			write(t, e, one("cpu", "a", 61, 1))
			if e.Spare() != 1 {
				t.Error("the memory of a commit is not used again")
			}
		})
	}
}

// TestInsertSettings: an insert waits for a quorum where there are replicas,
// and for all shards where there are some.
func TestInsertSettings(t *testing.T) {
	t.Parallel()
	for cluster, want := range map[string]map[string]string{
		"":    {"insert_quorum": "", "insert_distributed_sync": "", "async_insert": "0", "optimize_on_insert": "0"},
		"1 2": {"insert_quorum": "2", "insert_quorum_timeout": "5000", "insert_distributed_sync": ""},
		"1 3": {"insert_quorum": "2"},
		"1 4": {"insert_quorum": "3"},
		"2 1": {"insert_quorum": "", "insert_distributed_sync": "1", "load_balancing": ""},
		"2 2": {"insert_quorum": "2", "insert_distributed_sync": "1", "load_balancing": "in_order"},
	} {
		o, fakes := onShards(t, cluster, "1", "2")
		if cluster == "" {
			o.Cluster = ""
		}
		write(t, open(t, o), one("cpu", "a", 60, 1))
		settings := fakes[0].take("INTO records")[0].settings
		for name, value := range want {
			if settings.Get(name) != value {
				t.Errorf("%q: %s is %q, want %q", cluster, name, settings.Get(name), value)
			}
		}
	}
}

// TestSamplesAreKept: what could not be counted in the ledger is counted later.
func TestSamplesAreKept(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	l := &forgetful{ledger: newLedger()}
	o, _ := fakeOptions(f)
	o.Ledger = l
	e, err := clickhouse.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	l.away.Store(true)
	write(t, e, batch("cpu", 3))
	if _, err := e.Stats(t.Context()); err == nil || tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("statistics without a ledger: %v", err)
	}
	write(t, e, batch("cpu", 2))
	l.away.Store(false)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if l.samples[org] != 5 {
		t.Errorf("%d samples were counted, want 5", l.samples[org])
	}
}

// forgetful is a ledger that may not count samples.
type forgetful struct {
	*ledger
	away atomic.Bool
}

func (l *forgetful) AddSamples(ctx context.Context, samples map[tidemark.OrgID]int64) error {
	if l.away.Load() {
		return errors.New("away")
	}
	return l.ledger.AddSamples(ctx, samples)
}
