# Sourced by what compiles with the race detector, so that all share one cache.
#
# SQLite is C that was translated to Go, and so is the library it calls.
# Watching each of their accesses takes more time than all tests of ours
# together and says nothing about our code, which meets them through
# database/sql only. The driver between is watched, but for pointers into what C
# allocated.
#
# Paths are left out, so that what was compiled in one checkout need not be again
# in another: that is an eighth of what all tests take. So is what debuggers
# want, which is a good part of linking.
race=(-race -trimpath "-ldflags=-s -w")
for c in sqlite/lib libc memory; do
	race+=("-gcflags=modernc.org/$c=-race=false -d=checkptr=0")
done
race+=(-gcflags=modernc.org/sqlite=-d=checkptr=0)
# The same of what packs, sums, hashes, draws, matches and parses: it works through
# megabytes that one goroutine handed to it, and shares nothing of its own but an
# expression that nobody changes.
for c in compress/flate go/parser go/scanner hash/adler32 hash/crc32 image/draw image/png regexp regexp/syntax golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b golang.org/x/image/... github.com/klauspost/compress/...; do
	race+=("-gcflags=$c=-race=false")
done
# And of Pebble, which one package of ours meets. It says itself who may use what
# of it at the same time: RACE_WHOLE=1, which make soak sets, watches that too.
if [ -z "${RACE_WHOLE:-}" ]; then
	race+=("-gcflags=github.com/cockroachdb/pebble/v2/...=-race=false -d=checkptr=0")
	# But for those that have a sync.Map somewhere in what they use: its code is
	# generic, so that each has a copy (go tool nm says HashTrieMap), and one that
	# is not watched would be linked for all.
	for c in "" /sstable/block /vfs; do
		race+=("-gcflags=github.com/cockroachdb/pebble/v2$c=-d=checkptr=0")
	done
fi

# Garbage is collected a third as often: of what tests, servers of journeys and
# the compiler take that is a tenth. Tests of how much memory is used set it back.
export GOGC=${GOGC:-300}

# The detector sets back what it knows of each large block that is allocated by
# mapping memory anew, which then faults in page by page: writing zeros takes a
# tenth less of what tests of the API take. And at the end of each of eighty
# programs it waits for a second for what others still do.
export GORACE=${GORACE:-clear_shadow_mmap_threshold=67108864 atexit_sleep_ms=100}
