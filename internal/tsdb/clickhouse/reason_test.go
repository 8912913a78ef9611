package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// silent tells nobody of errors.
var silent = &Engine{o: Options{Unknown: func(int, error) {}}}

// TestReasons: each error that an operator can do something about has words of
// its own, and is tried again or elsewhere where that may help, and not where
// it cannot.
func TestReasons(t *testing.T) {
	t.Parallel()
	of := func(code int) error { return fmt.Errorf("write: %w", &exception{code: code, text: "secret SQL"}) }
	const (
		never = iota
		later
		anywhere // and later
	)
	for _, tt := range []struct {
		err   error
		words string
		retry int
		kind  tidemark.Kind
	}{
		{of(codeUnknownTable), "the tables are missing in ClickHouse", never, tidemark.Unavailable},
		{of(codeUnknownDatabase), "the tables are missing in ClickHouse", never, tidemark.Unavailable},
		{of(codeTimeout), "ClickHouse was too slow", later, tidemark.Unavailable},
		{of(codeCancelled), "ClickHouse was too slow", later, tidemark.Unavailable},
		{of(codeTooManyQueries), "ClickHouse has too much to do", later, tidemark.Unavailable},
		{of(codeNoConnection), "ClickHouse has too much to do", anywhere, tidemark.Unavailable},
		{of(codeMemory), "ClickHouse has not enough memory for it", later, tidemark.TooLarge},
		{of(codeTooManyRowsOrBytes), "ClickHouse reports an error", never, tidemark.TooLarge},
		{of(codeReadOnlyTable), "the replica is read-only: it has lost its keeper", anywhere, tidemark.Unavailable},
		{of(codeNoZooKeeper), "the replica is read-only: it has lost its keeper", anywhere, tidemark.Unavailable},
		{of(codeKeeper), "the replica is read-only: it has lost its keeper", anywhere, tidemark.Unavailable},
		{of(codeNoReplica), "a shard of ClickHouse cannot be reached", anywhere, tidemark.Unavailable},
		{of(codeReadOnlyMode), "ClickHouse is read-only", anywhere, tidemark.Unavailable},
		{of(codeDatabaseReadOnly), "ClickHouse is read-only", anywhere, tidemark.Unavailable},
		{of(codeNoSpace), "the disk of ClickHouse is full", anywhere, tidemark.Unavailable},
		{of(codeTooManyParts), "more comes in than ClickHouse can merge", later, tidemark.Unavailable},
		{of(codeFewReplicas), "too few replicas are there", later, tidemark.Unavailable},
		{of(codeUnknownInsert), "too few replicas are there", later, tidemark.Unavailable},
		{of(codeWrongPassword), "ClickHouse does not know clickhouse.user, or not with that password", never, tidemark.Unavailable},
		{of(codeAuthentication), "ClickHouse does not know clickhouse.user, or not with that password", never, tidemark.Unavailable},
		{of(codeNoRights), "clickhouse.user may not do that in ClickHouse", never, tidemark.Unavailable},
		{of(62), "ClickHouse reports an error", never, tidemark.Unavailable},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), "ClickHouse was too slow", anywhere, tidemark.Unavailable},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, "ClickHouse cannot be reached", anywhere, tidemark.Unavailable},
		{errors.New("the answer broke off"), "ClickHouse cannot be reached", anywhere, tidemark.Unavailable},
	} {
		if got := reason(tt.err); got != tt.words {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.words)
		}
		if isAgain(tt.err) != (tt.retry >= later) || isElsewhere(tt.err) != (tt.retry == anywhere) {
			t.Errorf("%v: again %v, elsewhere %v", tt.err, isAgain(tt.err), isElsewhere(tt.err))
		}
		if got := kindOf(tt.err); got != tt.kind {
			t.Errorf("%v: kind %v, want %v", tt.err, got, tt.kind)
		}
	}
}

// TestUnavailable: what the caller did, or has been told already, stays as it
// is; the rest is to be tried later.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	invalid := tidemark.Errorf(tidemark.Invalid, "step 0 is not 1 or more")
	for _, err := range []error{nil, invalid, context.Canceled, fmt.Errorf("x: %w", context.DeadlineExceeded)} {
		if got := silent.unavailable("reading", err); !errors.Is(got, err) || (got != nil && got.Error() != err.Error()) {
			t.Errorf("%v became %v", err, got)
		}
	}
	plain := errors.New("connection refused")
	for _, tt := range []struct {
		got  error
		want string
	}{
		{refusal(nil), ""},
		{refusal(plain), "measurements cannot be stored at present: ClickHouse cannot be reached"},
		{refusal(ledgerError(plain)), "measurements cannot be stored at present: the database is not available"},
		{refusal(ledgerError(invalid)), "measurements cannot be stored at present: the database is not available"},
		{silent.unavailable("statistics are not available", plain), "statistics are not available: ClickHouse cannot be reached"},
	} {
		var said string
		if e, ok := errors.AsType[*tidemark.Error](tt.got); ok {
			said = e.Msg
			if e.Kind != tidemark.Unavailable {
				t.Errorf("%s: kind %v", said, e.Kind)
			}
		}
		if said != tt.want {
			t.Errorf("got %q, want %q", said, tt.want)
		}
	}
}
