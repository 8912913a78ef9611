package engine_test

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// disk is a file system whose power can be cut. Its Link takes a lock twice,
// which never ends if CrashClone wants it in between: so one waits for the
// other here.
type disk struct {
	*vfs.MemFS
	links sync.RWMutex
}

// newDisk returns an empty file system with a data directory that lasts.
func newDisk() *disk {
	fs := &disk{MemFS: vfs.NewCrashableMem()}
	if err := fs.MkdirAll("data", 0o755); err != nil {
		panic(err)
	}
	root, err := fs.OpenDir("")
	if err != nil {
		panic(err)
	}
	defer root.Close()
	if err := root.Sync(); err != nil {
		panic(err)
	}
	return fs
}

func (d *disk) Link(from, to string) error {
	d.links.RLock()
	defer d.links.RUnlock()
	return d.MemFS.Link(from, to)
}

// crash returns what is left after the power was cut.
func (d *disk) crash(c vfs.CrashCloneCfg) *disk {
	d.links.Lock()
	defer d.links.Unlock()
	return &disk{MemFS: d.MemFS.CrashClone(c)}
}

// faultyFS is a file system whose calls fail when its plan says so.
type faultyFS struct {
	vfs.FS
	plan *plan
}

// plan says which calls fail: those numbered from first on, until last. It is
// about calls that change something, or about those that read. The zero plan
// counts calls and lets all of them pass.
type plan struct {
	reads       bool
	calls       atomic.Int64
	first, last atomic.Int64
	tried       atomic.Int64  // calls until it was cleared
	torn        bool          // a failing call has done the first half
	err         syscall.Errno // EIO if 0
	hits        atomic.Int64
	mu          sync.Mutex
	made, sites map[string]int // calls, and those that failed, by kind
}

func newPlan(reads bool) *plan {
	return &plan{reads: reads, made: make(map[string]int), sites: make(map[string]int)}
}

// fail makes the calls numbered from first to before last fail.
func (p *plan) fail(first, last int64) { p.first.Store(first); p.last.Store(last) }

// clear lets all calls pass from now on.
func (p *plan) clear() {
	p.fail(0, 0)
	p.tried.CompareAndSwap(0, p.calls.Load())
}

// call is asked before something is changed, and read before it is read.
func (p *plan) call(op, name string) error { return p.next(op, name, !p.reads) }
func (p *plan) read(op, name string) error { return p.next(op, name, p.reads) }

func (p *plan) next(op, name string, counts bool) error {
	if !counts {
		return nil
	}
	n := p.calls.Add(1) - 1
	fails := n >= p.first.Load() && n < p.last.Load()
	p.note(op, fails)
	if !fails {
		return nil
	}
	p.hits.Add(1)
	return &os.PathError{Op: op, Path: name, Err: p.errno()}
}

func (p *plan) note(op string, fails bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made[op]++
	if fails {
		p.sites[op]++
	}
}

func (p *plan) errno() syscall.Errno {
	if p.err == 0 {
		return syscall.EIO
	}
	return p.err
}

func (f *faultyFS) Unwrap() vfs.FS { return f.FS }

func (f *faultyFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := f.plan.call("create", name); err != nil {
		return nil, err
	}
	return f.file(name)(f.FS.Create(name, c))
}

func (f *faultyFS) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if err := f.plan.call("open to write", name); err != nil {
		return nil, err
	}
	return f.file(name)(f.FS.OpenReadWrite(name, c, opts...))
}

func (f *faultyFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := f.plan.call("reuse", to); err != nil {
		return nil, err
	}
	return f.file(to)(f.FS.ReuseForWrite(from, to, c))
}

func (f *faultyFS) OpenDir(name string) (vfs.File, error) {
	if err := f.plan.read("open directory", name); err != nil {
		return nil, err
	}
	return f.file(name)(f.FS.OpenDir(name))
}

func (f *faultyFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if err := f.plan.read("open", name); err != nil {
		return nil, err
	}
	return f.file(name)(f.FS.Open(name, opts...))
}

func (f *faultyFS) List(dir string) ([]string, error) {
	if err := f.plan.read("list", dir); err != nil {
		return nil, err
	}
	return f.FS.List(dir)
}

func (f *faultyFS) Stat(name string) (vfs.FileInfo, error) {
	if err := f.plan.read("stat", name); err != nil {
		return nil, err
	}
	return f.FS.Stat(name)
}

func (f *faultyFS) Link(from, to string) error {
	if err := f.plan.call("link", to); err != nil {
		return err
	}
	return f.FS.Link(from, to)
}

func (f *faultyFS) Remove(name string) error {
	if err := f.plan.call("remove", name); err != nil {
		return err
	}
	return f.FS.Remove(name)
}

func (f *faultyFS) RemoveAll(name string) error {
	if err := f.plan.call("remove all", name); err != nil {
		return err
	}
	return f.FS.RemoveAll(name)
}

func (f *faultyFS) Rename(from, to string) error {
	if err := f.plan.call("rename", to); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f *faultyFS) MkdirAll(name string, perm os.FileMode) error {
	if err := f.plan.call("mkdir", name); err != nil {
		return err
	}
	return f.FS.MkdirAll(name, perm)
}

func (f *faultyFS) file(name string) func(vfs.File, error) (vfs.File, error) {
	return func(file vfs.File, err error) (vfs.File, error) {
		if err != nil {
			return nil, err
		}
		return &faultyFile{File: file, name: name, plan: f.plan}, nil
	}
}

type faultyFile struct {
	vfs.File
	name string
	plan *plan
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.plan.call("write", f.name); err != nil {
		n := 0
		if f.plan.torn {
			n, _ = f.File.Write(p[:len(p)/2])
		}
		return n, err
	}
	return f.File.Write(p)
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if err := f.plan.read("read", f.name); err != nil {
		n := 0
		if f.plan.torn {
			n, _ = f.File.Read(p[:len(p)/2])
		}
		return n, err
	}
	return f.File.Read(p)
}

func (f *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.plan.read("read", f.name); err != nil {
		n := 0
		if f.plan.torn {
			n, _ = f.File.ReadAt(p[:len(p)/2], off)
		}
		return n, err
	}
	return f.File.ReadAt(p, off)
}

func (f *faultyFile) Stat() (vfs.FileInfo, error) {
	if err := f.plan.read("stat", f.name); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultyFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.plan.call("write", f.name); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f *faultyFile) Preallocate(off, length int64) error {
	if err := f.plan.call("preallocate", f.name); err != nil {
		return err
	}
	return f.File.Preallocate(off, length)
}

func (f *faultyFile) Sync() error {
	if err := f.plan.call("sync", f.name); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) SyncData() error {
	if err := f.plan.call("sync", f.name); err != nil {
		return err
	}
	return f.File.SyncData()
}

func (f *faultyFile) SyncTo(length int64) (bool, error) {
	if err := f.plan.call("sync", f.name); err != nil {
		return false, err
	}
	return f.File.SyncTo(length)
}

// smallFS is a file system of limited size.
type smallFS struct {
	vfs.FS
	used, size atomic.Int64
}

func (f *smallFS) Unwrap() vfs.FS { return f.FS }

// take uses n bytes, unless they are not there.
func (f *smallFS) take(n int64, name string) error {
	if f.used.Add(n) > f.size.Load() {
		f.used.Add(-n)
		return &os.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	return nil
}

func (f *smallFS) sizeOf(name string) int64 {
	if info, err := f.FS.Stat(name); err == nil && !info.IsDir() {
		return info.Size()
	}
	return 0
}

func (f *smallFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := f.take(0, name); err != nil {
		return nil, err
	}
	f.used.Add(-f.sizeOf(name)) // it replaces what is there
	return f.file(name)(f.FS.Create(name, c))
}

func (f *smallFS) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return f.file(name)(f.FS.OpenReadWrite(name, c, opts...))
}

func (f *smallFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(to)(f.FS.ReuseForWrite(from, to, c))
}

func (f *smallFS) Link(from, to string) error {
	err := f.FS.Link(from, to)
	if err == nil {
		f.used.Add(f.sizeOf(to)) // given back by whichever name goes first
	}
	return err
}

func (f *smallFS) Remove(name string) error {
	n := f.sizeOf(name)
	err := f.FS.Remove(name)
	if err == nil {
		f.used.Add(-n)
	}
	return err
}

func (f *smallFS) Rename(from, to string) error {
	n := f.sizeOf(to)
	err := f.FS.Rename(from, to)
	if err == nil {
		f.used.Add(-n)
	}
	return err
}

func (f *smallFS) file(name string) func(vfs.File, error) (vfs.File, error) {
	return func(file vfs.File, err error) (vfs.File, error) {
		if err != nil {
			return nil, err
		}
		return &smallFile{File: file, name: name, fs: f}, nil
	}
}

type smallFile struct {
	vfs.File
	name string
	fs   *smallFS
}

func (f *smallFile) Write(p []byte) (int, error) {
	if err := f.fs.take(int64(len(p)), f.name); err != nil {
		// A disk fills up within a write, not between two.
		half := len(p) / 2
		if f.fs.take(int64(half), f.name) != nil {
			return 0, err
		}
		n, _ := f.File.Write(p[:half])
		return n, err
	}
	return f.File.Write(p)
}
