package clickhouse

import (
	"context"
	"errors"
	"net"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// The codes of ClickHouse's exceptions that mean something to us.
const (
	codeUnknownTable       = 60
	codeUnknownDatabase    = 81
	codeTimeout            = 159
	codeReadOnlyMode       = 164
	codeTooManyQueries     = 202
	codeNoConnection       = 203
	codeSocketTimeout      = 209
	codeNetwork            = 210
	codeNoZooKeeper        = 225
	codeAborted            = 236
	codeMemory             = 241
	codeReadOnlyTable      = 242
	codeNoSpace            = 243
	codeTooManyParts       = 252
	codeNoReplica          = 279 // of a shard
	codeFewReplicas        = 285
	codeQuorumBefore       = 286
	codeUnknownInsert      = 319
	codeCancelled          = 394
	codeUnauthenticated    = 192 // before 20.3
	codeWrongPassword      = 193
	codeNoRights           = 497
	codeAuthentication     = 516
	codeKeeper             = 999
	codeDatabaseReadOnly   = 291
	codeUnknownSetting     = 115
	codeTooManyRowsOrBytes = 396
)

// elsewhere are the codes with which another server may do what this one
// cannot.
var elsewhere = []int{
	codeReadOnlyTable, codeNoZooKeeper, codeKeeper, codeNoConnection, codeSocketTimeout, codeNetwork, codeNoReplica, codeAborted,
	codeReadOnlyMode, codeDatabaseReadOnly, codeNoSpace,
}

// isElsewhere reports whether another server may succeed.
func isElsewhere(err error) bool {
	if _, ok := errors.AsType[*behindError](err); ok {
		return true
	}
	e, ok := errors.AsType[*exception](err)
	return !ok || slices.Contains(elsewhere, e.code)
}

// again are the codes with which an insert may succeed a little later. The
// same rows with the same numbers may be sent as often as one likes.
var again = append([]int{
	codeTimeout, codeTooManyQueries, codeMemory, codeTooManyParts, codeFewReplicas, codeQuorumBefore, codeUnknownInsert, codeCancelled,
}, elsewhere...)

func isAgain(err error) bool {
	e, ok := errors.AsType[*exception](err)
	return !ok || slices.Contains(again, e.code)
}

func kindOf(err error) tidemark.Kind {
	if code(err) == codeMemory || code(err) == codeTooManyRowsOrBytes {
		return tidemark.TooLarge
	}
	return tidemark.Unavailable
}

// reason says what is wrong, without names of hosts and without SQL.
func reason(err error) string {
	switch code(err) {
	case codeUnknownTable, codeUnknownDatabase:
		return "the tables are missing in ClickHouse"
	case codeTimeout, codeCancelled:
		return "ClickHouse was too slow"
	case codeTooManyQueries, codeNoConnection:
		return "ClickHouse has too much to do"
	case codeMemory:
		return "ClickHouse has not enough memory for it"
	case codeReadOnlyTable, codeNoZooKeeper, codeKeeper:
		return "the replica is read-only: it has lost its keeper"
	case codeNoReplica:
		return "a shard of ClickHouse cannot be reached"
	case codeReadOnlyMode, codeDatabaseReadOnly:
		return "ClickHouse is read-only"
	case codeNoSpace:
		return "the disk of ClickHouse is full"
	case codeTooManyParts:
		return "more comes in than ClickHouse can merge"
	case codeFewReplicas, codeQuorumBefore, codeUnknownInsert:
		return "too few replicas are there"
	case codeUnauthenticated, codeWrongPassword, codeAuthentication:
		return "ClickHouse does not know clickhouse.user, or not with that password"
	case codeNoRights:
		return "clickhouse.user may not do that in ClickHouse"
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "ClickHouse was too slow"
	}
	if _, ok := errors.AsType[net.Error](err); ok || code(err) == 0 {
		return "ClickHouse cannot be reached"
	}
	return unknownReason
}

// unknownReason is what is said of an error that has no words of its own.
const unknownReason = "ClickHouse reports an error"

// tell tells the operator of an error of which callers learn no more than that
// there is one.
func (e *Engine) tell(err error) {
	if code(err) != 0 && reason(err) == unknownReason {
		e.o.Unknown(code(err), err)
	}
}
