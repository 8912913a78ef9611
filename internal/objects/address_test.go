package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAddresses: an address says where objects are or is refused; no part of it
// is passed over.
func TestAddresses(t *testing.T) {
	t.Parallel()
	o := Options{Region: "eu-central-1", AccessKey: "KEY", SecretKey: "SECRET"}
	for address, want := range map[string]string{
		"file:///var/backups":         "file:///var/backups",
		"file:///mnt/my%20disk":       "file:///mnt/my disk",
		"s3://bucket":                 "s3://bucket",
		"s3://bucket/":                "s3://bucket",
		"s3://bucket/a/b/":            "s3://bucket/a/b",
		"s3://KEY:SECRET@bucket/a":    "!keys do not belong into the address of storage, which is shown: backup.s3_access_key and backup.s3_secret_key are for them",
		"s3://bucket/a#1":             `!"s3://bucket/a#1" has ? or # in it, which no name of a place may`,
		"file:///mnt/what?":           `!"file:///mnt/what?" has ? or # in it, which no name of a place may`,
		"file://mnt/backups":          `!"file://mnt/backups" is neither s3://BUCKET/PREFIX nor file:///DIRECTORY`,
		"/var/backups":                `!"/var/backups" is neither s3://BUCKET/PREFIX nor file:///DIRECTORY`,
		"":                            `!"" is neither s3://BUCKET/PREFIX nor file:///DIRECTORY`,
		"S3://bucket/a":               "s3://bucket/a",
		"https://s3.example.org/b":    `!"https://s3.example.org/b" is neither s3://BUCKET/PREFIX nor file:///DIRECTORY`,
		"s3://bucket/" + string("\n"): "!is no address",
	} {
		s, err := Open(address, o)
		if said, fails := strings.CutPrefix(want, "!"); fails {
			if err == nil || !strings.Contains(err.Error(), said) || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%q: %v", address, err)
			}
			continue
		}
		if err != nil || s.String() != want {
			t.Errorf("%q is %v, %v", address, s, err)
		}
	}
	for text, want := range map[string]bool{"s3://b": true, "file:///d": true, "/d": false, "d": false, "https://x": false, "s3:/b": false} {
		if IsAddress(text) != want {
			t.Errorf("%q is an address: %v", text, !want)
		}
	}
}

// TestEndpoints: Amazon's in the region where none is given; one that is no
// address, or without keys, is refused before anything is sent.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		o    Options
		want string // where an object is, or what is wrong
	}{
		{Options{AccessKey: "k", SecretKey: "s"}, "https://s3.us-east-1.amazonaws.com/bucket/p/a%20b/c%2Bd"},
		{Options{AccessKey: "k", SecretKey: "s", Region: "eu-west-3"}, "https://s3.eu-west-3.amazonaws.com/bucket/p/a%20b/c%2Bd"},
		{Options{AccessKey: "k", SecretKey: "s", Endpoint: "http://minio:9000/"}, "http://minio:9000/bucket/p/a%20b/c%2Bd"},
		{Options{AccessKey: "k", SecretKey: "s", Endpoint: "minio:9000"}, `the endpoint "minio:9000" is no address: https://s3.example.org`},
		{Options{AccessKey: "k", SecretKey: "s", Endpoint: "ftp://minio"}, `the endpoint "ftp://minio" is no address: https://s3.example.org`},
		{Options{AccessKey: "k"}, "storage that speaks S3 needs an access key and a secret key"},
		{Options{SecretKey: "s"}, "storage that speaks S3 needs an access key and a secret key"},
	} {
		got := ""
		if s, err := newS3("bucket", "p", tt.o); err != nil {
			got = err.Error()
		} else {
			got = s.address("a b/c+d")
		}
		if got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.o, got, tt.want)
		}
	}
}

// TestOrder: both kinds list by the whole name, in which / is a letter.
func TestOrder(t *testing.T) {
	t.Parallel()
	_, remote := somewhere(t)
	local, err := Open("file://"+t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"backups/a-1", "backups/a.txt", "backups/a/b", "backups/a/c", "backups/a0"}
	for _, s := range []Storage{remote, local} {
		for _, name := range []string{"backups/a0", "backups/a/c", "backups/a.txt", "backups/a/b", "backups/a-1"} {
			if err := s.Put(t.Context(), name, content("x")); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		all, err := s.List(t.Context(), "backups/")
		for _, o := range all {
			names = append(names, o.Name)
		}
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%v: %q, %v", s, names, err)
		}
	}
}

// TestWhatCannotBeRead: a source that fails leaves nothing behind, and what was
// there before stays.
func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, remote := somewhere(t)
	dir := t.TempDir()
	local, err := Open("file://"+dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	gone, torn := content("new text"), content("new text")
	gone.Open = func() (io.ReadCloser, error) { return nil, fs.ErrPermission }
	torn.Open = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("new"), failing{})), nil
	}
	for _, s := range []Storage{remote, local} {
		if err := s.Put(t.Context(), "objects/a", content("old")); err != nil {
			t.Fatal(err)
		}
		for want, c := range map[error]Content{fs.ErrPermission: gone, errTorn: torn} {
			if err := s.Put(t.Context(), "objects/a", c); !errors.Is(err, want) {
				t.Errorf("%v: %v, want %v", s, err, want)
			}
		}
		if got := read(t, s, "objects/a"); got != "old" {
			t.Errorf("%v: now %q", s, got)
		}
	}
	if left, _ := filepath.Glob(dir + "/objects/*" + partial); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

var errTorn = errors.New("torn")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errTorn }

// TestTooLarge: what one request cannot carry is refused before it is opened.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	b, s := inBucket(t)
	c := Content{Size: maxPut + 1, Open: func() (io.ReadCloser, error) { t.Error("it was opened"); return nil, fs.ErrInvalid }}
	if err := s.Put(t.Context(), "big", c); err == nil || err.Error() != "big has 5368709121 bytes, and storage that speaks S3 takes at most 5368709120 at once" || b.Asked() != 0 {
		t.Errorf("%v, after %d requests", err, b.Asked())
	}
}

// TestCancelled: nothing is tried again for somebody who no longer waits.
func TestCancelled(t *testing.T) {
	t.Parallel()
	b, s := inBucket(t)
	b.Fail(1000)
	ctx, cancel := context.WithCancel(t.Context())
	s.http = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		cancel()
		return http.DefaultTransport.RoundTrip(r.WithContext(t.Context()))
	})}
	if _, err := s.Get(ctx, "objects/a"); err == nil || b.Asked() != 1 {
		t.Errorf("%v, after %d requests", err, b.Asked())
	}
	local := &directory{root: t.TempDir()}
	if err := local.Put(t.Context(), "objects/a", content("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := local.List(ctx, "objects/"); !errors.Is(err, context.Canceled) {
		t.Errorf("a list for nobody: %v", err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAnswersInWords: what the storage said is repeated, and an answer that is
// none of S3's is named by its status.
func TestAnswersInWords(t *testing.T) {
	t.Parallel()
	status, body := 0, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	defer server.Close()
	s, err := newS3("b", "", Options{Endpoint: server.URL, AccessKey: "k", SecretKey: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{403, "<Error><Code>AccessDenied</Code><Message>Not you</Message></Error>", "the storage answered 403 Forbidden: AccessDenied: Not you"},
		{403, "<html><body>proxy", "the storage answered 403 Forbidden"},
		{302, "", "the storage answered 302 Found"},
		{404, "<Error><Code>NoSuchBucket</Code><Message>None</Message></Error>", "the storage answered 404 Not Found: NoSuchBucket: None"},
		{404, "<Error><Code>InvalidAccessKeyId</Code><Message>Nobody</Message></Error>", "the storage answered 404 Not Found: InvalidAccessKeyId: Nobody"},
		{404, "<html><body>No such page", "the storage answered 404 Not Found"},
	} {
		status, body = tt.status, tt.body
		_, get := s.Get(t.Context(), "a")
		_, list := s.List(t.Context(), "p/")
		for what, err := range map[string]error{"fetch a: ": get, "list p/: ": list, "delete a: ": s.Delete(t.Context(), "a")} {
			if err == nil || err.Error() != what+tt.want {
				t.Errorf("%v, want %s", err, what+tt.want)
			}
		}
	}
	status = 200
	for _, body = range []string{"<ListBucketResult><Contents>", "<html><body>A page</body></html>"} {
		if _, err := s.List(t.Context(), "p/"); err == nil || !strings.HasPrefix(err.Error(), "list p/: the answer cannot be read: ") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestDirectoryIsPrivate: backups hold what nobody else may read.
func TestDirectoryIsPrivate(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "repository")
	if err := (&directory{root: root}).Put(t.Context(), "objects/a", content("x")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{root: 0o700, root + "/objects": 0o700, root + "/objects/a": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
}
