// Package s3 tries backups to storage that speaks S3 and is not ours, with the
// real binary. make test-s3 runs it.
package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/objects"
	"github.com/tidemark-metrics/tidemark/internal/objects/objectstest"
)

// TestBackups backs a server up twice under load, into one repository, and
// restores both: they answer with the same bytes, and have the load until one
// moment of the backup.
func TestBackups(t *testing.T) {
	startStorage(t)
	p := objectstest.Start(t)
	tide, data, where := newProgram(t, p), t.TempDir(), "s3://"+p.Bucket+"/tide+mark/a b"
	s := tide.serve(data)
	s.fill(t, begin)
	ctx, stop := context.WithCancel(t.Context())
	sent, done := new(atomic.Int64), make(chan struct{})
	go s.load(ctx, sent, done)
	var least, files []int64
	var want []string
	for i := range 2 {
		for sent.Load() < int64(20*(i+1)) {
			time.Sleep(time.Millisecond)
		}
		least, want = append(least, sent.Load()), append(want, s.answers(t))
		tide.run("backup", where, "--data", data)
		files = append(files, int64(len(list(t, p, where, "files/"))))
		s.fill(t, begin+120)
		time.Sleep(time.Second) // backups are called by the second
	}
	stop()
	<-done
	s.stop(t)
	names := strings.Fields(tide.run("backup", "list", where))
	if len(names) != 2 {
		t.Fatalf("%q", names)
	}
	t.Logf("%d measurements of load; files after each backup: %d", sent.Load(), files)
	for i, name := range names {
		said := tide.run("backup", "verify", where, "--backup", name)
		_, text, _ := strings.Cut(said, "is complete and undamaged: ")
		if n, err := strconv.ParseInt(strings.Fields(text + " ")[0], 10, 64); err != nil || i == 1 && files[1]-files[0] >= n {
			t.Errorf("%s; %d files after the first, %d after the second", said, files[0], files[1])
		}
		into := t.TempDir()
		tide.run("restore", where, "--backup", name, "--data", into)
		again := tide.serve(into)
		if again.answers(t) != want[i] {
			t.Errorf("%s answers with other bytes", name)
		}
		if n := again.loaded(t); n < least[i] || n > sent.Load() {
			t.Errorf("%s has %d measurements of the load, of which %d were acknowledged before it and %d were sent", name, n, least[i], sent.Load())
		}
		again.stop(t)
	}
}

// TestStandIn: what is otherwise tried on objectstest's stand-in holds here too.
func TestStandIn(t *testing.T) {
	startStorage(t)
	for dir, which := range map[string]string{"objects": ".", "app": "ScheduledDrill/SQLite_to_S3|RepositoryTrim|RepositoryRefuses"} {
		if out, err := exec.Command("go", "test", "-count", "1", "-run", which, "../../internal/"+dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// filled is a data directory that no server runs on, with something to send.
func filled(t *testing.T, tide *program) string {
	t.Helper()
	data := t.TempDir()
	s := tide.serve(data)
	s.fill(t, begin)
	s.stop(t)
	return data
}

// TestRefused: what is wrong with the settings is said.
func TestRefused(t *testing.T) {
	startStorage(t)
	p := objectstest.Start(t)
	tide, where := newProgram(t, p), "s3://"+p.Bucket+"/tidemark"
	data := filled(t, tide)
	nobody := "127.0.0.1:" + freePort(t)
	for want, other := range map[string]*program{
		"SignatureDoesNotMatch":                tide.with("TIDEMARK_BACKUP_S3_SECRET_KEY", "wrong-secret"),
		"access key":                           tide.with("TIDEMARK_BACKUP_S3_ACCESS_KEY", "nobody"),
		p.Region:                               tide.with("TIDEMARK_BACKUP_S3_REGION", "us-west-1"),
		"connection refused":                   tide.with("TIDEMARK_BACKUP_S3_ENDPOINT", "http://"+nobody),
		"needs an access key and a secret key": tide.with("TIDEMARK_BACKUP_S3_SECRET_KEY", ""),
	} {
		other.refused(want, "backup", where, "--data", data)
		other.refused(want, "backup", "list", where)
		other.refused(want, "restore", where, "--data", t.TempDir())
	}
	tide.refused("NoSuchBucket", "backup", "s3://no-such-bucket/tidemark", "--data", data)
	tide.refused("NoSuchBucket", "backup", "list", "s3://no-such-bucket/tidemark")
	tide.refused("there is no backup in", "backup", "verify", where)
	tide.refused("there is no backup 20260501T120000Z in", "restore", where, "--backup", "20260501T120000Z", "--data", t.TempDir())
}

// TestKilled: of a backup during which the storage dies there is nothing, and
// the next one is good; a storage that comes back in time does no harm.
func TestKilled(t *testing.T) {
	st := startStorage(t)
	p := objectstest.Start(t)
	tide, where := newProgram(t, p), "s3://"+p.Bucket+"/tidemark"
	data := filled(t, tide)
	endpoint, passed := st.before(0)
	tide.with("TIDEMARK_BACKUP_S3_ENDPOINT", endpoint).refused("store files/", "backup", where, "--data", data)
	if _, err := os.Stat(filepath.Join(data, "backup-staging")); !os.IsNotExist(err) {
		t.Errorf("the staging directory is still there: %v", err)
	}
	st.start()
	tide.refused("there is no backup in", "backup", "verify", where)
	tide.run("backup", where, "--data", data)
	tide.run("backup", "verify", where)
	whole := passed.Load()

	where += "-again"
	endpoint, passed = st.before(2 * time.Second)
	tide.with("TIDEMARK_BACKUP_S3_ENDPOINT", endpoint).run("backup", where, "--data", data)
	tide.run("backup", "verify", where)
	t.Logf("the first was killed after %d bytes; the second had %d with a pause", whole, passed.Load())
}

// TestDamaged: an object that is gone, changed or rotten is named, and nothing
// is restored of the backup; the next backup sends what is gone once more.
func TestDamaged(t *testing.T) {
	st := startStorage(t)
	p := objectstest.Start(t)
	tide, where := newProgram(t, p), "s3://"+p.Bucket+"/tidemark"
	data := filled(t, tide)
	refuse := func(want string) {
		t.Helper()
		tide.refused(want, "backup", "verify", where)
		into := t.TempDir()
		tide.refused(want, "restore", where, "--data", into)
		if _, err := os.Stat(filepath.Join(into, "measurements")); !os.IsNotExist(err) {
			t.Errorf("a failed restore left measurements: %v", err)
		}
	}
	tide.run("backup", where, "--data", data)
	all, remote := list(t, p, where, "files/"), open(t, p, where)
	name := all[0].Name
	for _, o := range all {
		if o.Size > 1000 {
			name = o.Name
		}
	}
	content := read(t, remote, name)
	if err := remote.Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	refuse("(" + name + ") is missing")
	time.Sleep(time.Second)
	tide.run("backup", where, "--data", data)
	tide.run("backup", "verify", where)

	content[len(content)/2] ^= 1
	put(t, remote, name, content)
	refuse("(" + name + ") is damaged: its checksum is wrong")
	put(t, remote, name, content[:len(content)/2])
	refuse("(" + name + ") has ")
	content[len(content)/2] ^= 1
	put(t, remote, name, content)
	tide.run("backup", "verify", where)

	st.rot()
	refuse("files/")
}

func open(t *testing.T, p objectstest.Place, where string) objects.Storage {
	t.Helper()
	s, err := objects.Open(where, objects.Options{Endpoint: p.Endpoint, Region: p.Region, AccessKey: p.AccessKey, SecretKey: p.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func list(t *testing.T, p objectstest.Place, where, prefix string) []objects.Object {
	t.Helper()
	all, err := open(t, p, where).List(t.Context(), prefix)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, s objects.Storage, name string) []byte {
	t.Helper()
	r, err := s.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func put(t *testing.T, s objects.Storage, name string, content []byte) {
	t.Helper()
	sum := sha256.Sum256(content)
	c := objects.Content{Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(string(content))), nil
	}}
	if err := s.Put(t.Context(), name, c); err != nil {
		t.Fatal(err)
	}
}
