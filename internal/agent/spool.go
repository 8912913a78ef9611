package agent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark/internal/durable"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

// spool keeps requests in files, oldest first, until they are sent. Where the
// files become too many, the oldest are dropped and what they held is counted.
// What cannot be written is kept in memory: on a full disk measurements are
// wanted most.
type spool struct {
	dir   string
	limit int64
	lock  *os.File

	mu      sync.Mutex
	waiting []*entry
	bytes   int64
	seq     uint64
	dropped int64
	wake    chan struct{} // has something where there is something to send
}

// entry is a request that waits: in a file, or in memory where data is set.
type entry struct {
	path  string
	data  []byte
	size  int64
	count int
	to    string // the path of the request
}

// spoolSuffixes say where files go, by the ends of their names.
var spoolSuffixes = map[string]string{measurementsPath: ".json.gz", findingsPath: ".checks.gz"}

const (
	// unreadable ends the names of files that were set aside.
	unreadable = ".unreadable"
	// maxInMemory is how many requests are kept where the disk takes none.
	maxInMemory = 32
)

// openSpool returns the spool in dir with what an agent before left there. No
// other agent may use it.
func openSpool(dir string, limit int64) (*spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "LOCK"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	if err := system.Lock(lock); err != nil {
		return nil, errors.Join(fmt.Errorf("spool: another agent works in %s", dir), lock.Close())
	}
	s := &spool{dir: dir, limit: limit, lock: lock, wake: make(chan struct{}, 1)}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

// load finds the files that are there. A file that was not finished has
// another name, and is removed: its agent was killed before it counted.
func (s *spool) load() error {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(s.dir, f.Name())
		seq, count, to, ok := parseSpoolName(f.Name())
		info, err := f.Info()
		switch {
		case ok && err == nil:
			s.waiting = append(s.waiting, &entry{path: path, size: info.Size(), count: count, to: to})
			s.bytes += info.Size()
			s.seq = max(s.seq, seq)
		case strings.HasSuffix(f.Name(), ".tmp"):
			_ = os.Remove(path)
		}
	}
	slices.SortFunc(s.waiting, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	s.notify()
	return nil
}

// parseSpoolName takes 00000000000000000042-117.json.gz apart.
func parseSpoolName(name string) (seq uint64, count int, to string, ok bool) {
	for path, suffix := range spoolSuffixes {
		rest, is := strings.CutSuffix(name, suffix)
		number, measurements, dash := strings.Cut(rest, "-")
		seq, err1 := strconv.ParseUint(number, 10, 64)
		count, err2 := strconv.Atoi(measurements)
		if is && dash && len(number) == 20 && err1 == nil && err2 == nil {
			return seq, count, path, true
		}
	}
	return 0, 0, "", false
}

// add keeps a request. It returns an error where it is in memory only.
func (s *spool) add(p part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	e := &entry{path: filepath.Join(s.dir, fmt.Sprintf("%020d-%d%s", s.seq, p.count, spoolSuffixes[p.to])), size: int64(len(p.data)), count: p.count, to: p.to}
	err := writeDurably(e.path, p.data)
	if err != nil {
		e.path, e.data = "", p.data
	}
	s.waiting = append(s.waiting, e)
	s.bytes += e.size
	s.shrink()
	s.notify()
	return err
}

// shrink drops the oldest while there is more than may be.
func (s *spool) shrink() {
	inMemory := 0
	for _, e := range s.waiting {
		if e.data != nil {
			inMemory++
		}
	}
	for len(s.waiting) > 1 && s.bytes > s.limit {
		s.dropped += int64(s.waiting[0].count)
		if s.waiting[0].data != nil {
			inMemory--
		}
		s.removeLocked(s.waiting[0])
	}
	for i := 0; inMemory > maxInMemory && i < len(s.waiting); i++ {
		if e := s.waiting[i]; e.data != nil {
			s.dropped += int64(e.count)
			s.removeLocked(e)
			inMemory--
			i--
		}
	}
}

// writeDurably writes a file that is either there as a whole or not at all.
func writeDurably(path string, data []byte) error {
	tmp := path + ".tmp"
	err := durable.WriteFile(tmp, data)
	if err == nil {
		err = durable.Replace(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // gone already where it was renamed
	}
	return err
}

// oldest returns the request that waits the longest, or nil.
func (s *spool) oldest() *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return nil
	}
	return s.waiting[0]
}

// read returns the request itself.
func (e *entry) read() ([]byte, error) {
	if e.data != nil {
		return e.data, nil
	}
	return os.ReadFile(e.path)
}

// remove forgets a request that was sent or cannot be.
func (s *spool) remove(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeLocked(e)
}

func (s *spool) removeLocked(e *entry) {
	if s.forget(e) && e.data == nil {
		_ = os.Remove(e.path) // one that stays is sent again, which does no harm
	}
}

// setAside lets the others go on without a file that cannot be read. It stays
// under another name, for whoever looks into why.
func (s *spool) setAside(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forget(e) {
		s.dropped += int64(e.count)
		_ = os.Rename(e.path, e.path+unreadable) // one that keeps its name is tried again after a start
	}
}

// forget takes a request off the list, and reports whether it was on it: it
// may have been dropped meanwhile.
func (s *spool) forget(e *entry) bool {
	i := slices.Index(s.waiting, e)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.bytes -= e.size
	return true
}

func (s *spool) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

// takeDropped returns how many measurements were dropped since the last call.
func (s *spool) takeDropped() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.dropped
	s.dropped = 0
	return n
}

func (s *spool) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *spool) close() { _ = s.lock.Close() }
