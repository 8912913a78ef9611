package objects

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/objects/objectstest"
)

func inBucket(t *testing.T) (*objectstest.Bucket, *s3) {
	t.Helper()
	b := objectstest.New()
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	s, err := Open("s3://backups/tide mark", Options{Endpoint: server.URL, Region: objectstest.Region, AccessKey: objectstest.AccessKey, SecretKey: objectstest.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	s.(*s3).pause = time.Millisecond
	return b, s.(*s3)
}

// somewhere is a bucket, and storage below a prefix of it, with letters that an
// address of HTTP and its signature spell each in their way: in memory, or in a
// server that is not ours.
func somewhere(t *testing.T) (objectstest.Place, *s3) {
	t.Helper()
	p := objectstest.Start(t)
	s, err := Open("s3://"+p.Bucket+"/tide mark/a+b=c&d$e@f:g,h;i!j~k'(l)*ü", options(p))
	if err != nil {
		t.Fatal(err)
	}
	s.(*s3).pause = time.Millisecond
	return p, s.(*s3)
}

func options(p objectstest.Place) Options {
	return Options{Endpoint: p.Endpoint, Region: p.Region, AccessKey: p.AccessKey, SecretKey: p.SecretKey}
}

func content(text string) Content {
	sum := sha256.Sum256([]byte(text))
	return Content{
		Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
	}
}

// TestStorage: both kinds do what Storage promises.
func TestStorage(t *testing.T) {
	t.Parallel()
	_, remote := somewhere(t)
	local, err := Open("file://"+t.TempDir()+"/new", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Storage{remote, local} {
		if all, err := s.List(t.Context(), "objects/"); err != nil || len(all) != 0 {
			t.Errorf("%v: empty: %v, %v", s, all, err)
		}
		for _, name := range []string{"objects/c", "objects/a", "objects/sub dir/b+1", "objects/d", "objects/e", "objectsnot/x"} {
			if err := s.Put(t.Context(), name, content("old")); err != nil {
				t.Fatal(err)
			}
			if err := s.Put(t.Context(), name, content("of "+name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Put(t.Context(), "objects/empty", content("")); err != nil {
			t.Fatal(err)
		}
		var names []string
		all, err := s.List(t.Context(), "objects/")
		for _, o := range all {
			names = append(names, fmt.Sprint(o.Name, " ", o.Size))
			if o.Modified.IsZero() {
				t.Errorf("%v: %s has no time", s, o.Name)
			}
		}
		want := []string{"objects/a 12", "objects/c 12", "objects/d 12", "objects/e 12", "objects/empty 0", "objects/sub dir/b+1 22"}
		if slices.Sort(names); err != nil || !slices.Equal(names, want) {
			t.Errorf("%v: %q, %v", s, names, err)
		}
		if got := read(t, s, "objects/sub dir/b+1"); got != "of objects/sub dir/b+1" {
			t.Errorf("%v: %q", s, got)
		}
		for range 2 {
			if err := s.Delete(t.Context(), "objects/a"); err != nil {
				t.Errorf("%v: %v", s, err)
			}
		}
		if _, err := s.Get(t.Context(), "objects/a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func read(t *testing.T, s Storage, name string) string {
	t.Helper()
	r, err := s.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPages: a list of several pages is whole.
func TestPages(t *testing.T) {
	t.Parallel()
	p, s := somewhere(t)
	for i := range p.Page + 3 {
		if err := s.Put(t.Context(), fmt.Sprintf("objects/%04d", i), content("x")); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List(t.Context(), "objects/")
	if err != nil || len(all) != p.Page+3 {
		t.Errorf("%d objects, %v", len(all), err)
	}
	for i, o := range all {
		if o.Name != fmt.Sprintf("objects/%04d", i) {
			t.Errorf("object %d is %s", i, o.Name)
		}
	}
}

// TestRetry: a server that is away for a while does no harm; one that refuses
// is not asked again.
func TestRetry(t *testing.T) {
	t.Parallel()
	b, s := inBucket(t)
	b.Fail(attempts - 1)
	if err := s.Put(t.Context(), "objects/a", content("text")); err != nil || read(t, s, "objects/a") != "text" {
		t.Errorf("%v", err)
	}
	b.Fail(attempts)
	if err := s.Put(t.Context(), "objects/b", content("text")); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("%v", err)
	}
	before := b.Asked()
	wrong := content("text")
	wrong.SHA256 = emptySum
	if err := s.Put(t.Context(), "objects/c", wrong); err == nil || !strings.Contains(err.Error(), "The body is not what was signed") {
		t.Errorf("%v", err)
	}
	if b.Asked() != before+1 {
		t.Errorf("asked %d times", b.Asked()-before)
	}
}

// TestRefusals: what is wrong is said, and secrets are not.
func TestRefusals(t *testing.T) {
	t.Parallel()
	p, _ := somewhere(t)
	for want, change := range map[string]func(o *Options, bucket *string){
		"NoSuchBucket: ":          func(_ *Options, bucket *string) { *bucket = "other" },
		"SignatureDoesNotMatch: ": func(o *Options, _ *string) { o.SecretKey = "WRONG" },
		"access key":              func(o *Options, _ *string) { o.AccessKey = "NOBODY" },
		p.Region:                  func(o *Options, _ *string) { o.Region = "us-west-1" },
	} {
		o, bucket := options(p), p.Bucket
		change(&o, &bucket)
		s, err := newS3(bucket, "p", o)
		if err != nil {
			t.Fatal(err)
		}
		_, list := s.List(t.Context(), "objects/")
		_, get := s.Get(t.Context(), "objects/a")
		for what, err := range map[string]error{"list": list, "get": get, "put": s.Put(t.Context(), "objects/a", content("x"))} {
			if err == nil || !strings.Contains(err.Error(), "the storage answered 4") || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) || strings.Contains(err.Error(), o.SecretKey) {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		}
	}
	s, err := newS3("other", "tide mark", options(p))
	if text := fmt.Sprint(s); err != nil || text != "s3://other/tide mark" {
		t.Errorf("%q, %v", text, err)
	}
	for address, o := range map[string]Options{
		"s3://":           {AccessKey: "k", SecretKey: "s"},
		"s3://bucket":     {},
		"file://host/dir": {},
		"file:///":        {},
		"https://host":    {},
		"s3://b/p":        {Endpoint: "minio:9000", AccessKey: "k", SecretKey: "s"},
	} {
		if _, err := Open(address, o); err == nil {
			t.Errorf("%s was taken", address)
		}
	}
}

// TestPartial: what was not written whole is not there.
func TestPartial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open("file://"+dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cut := content("text")
	cut.Size = 5
	if err := s.Put(t.Context(), "objects/a", cut); err == nil {
		t.Error("a cut object was stored")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Put(stopped, "objects/b", content("text")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(dir+"/objects/c"+partial, nil, 0o600); err != nil { // of one that was killed
		t.Fatal(err)
	}
	if all, err := s.List(t.Context(), "objects/"); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}
