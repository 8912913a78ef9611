package seal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/seal"
)

var here = seal.Field{Table: "services", Column: "secrets", Org: 7, Row: 3}

func sealed(t *testing.T, keys *seal.Keys, plain string) string {
	t.Helper()
	text, err := keys.Seal(keys.IDs()[0], here, []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	keys := seal.New(seal.NewKey())
	text := sealed(t, keys, "hunter2-hunter2")
	if plain, err := keys.Open(here, text); err != nil || string(plain) != "hunter2-hunter2" {
		t.Fatalf("opened %q, %v", plain, err)
	}
	for name, elsewhere := range map[string]seal.Field{
		"organization": {Table: "services", Column: "secrets", Org: 8, Row: 3},
		"row":          {Table: "services", Column: "secrets", Org: 7, Row: 4},
		"table":        {Table: "users", Column: "secrets", Org: 7, Row: 3},
		"column":       {Table: "services", Column: "title", Org: 7, Row: 3},
		"none":         {},
	} {
		if plain, err := keys.Open(elsewhere, text); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("in another %s: %q, %v", name, plain, err)
		}
	}
}

func TestSealedValuesTellNothing(t *testing.T) {
	t.Parallel()
	keys := seal.New(seal.NewKey())
	one, two := sealed(t, keys, "the same"), sealed(t, keys, "the same")
	if one == two {
		t.Error("the same value is sealed the same way twice")
	}
	if id, err := seal.KeyID(one); err != nil || id != keys.IDs()[0] || !strings.HasPrefix(one, seal.Prefix(id)) {
		t.Errorf("key id %q, %v", id, err)
	}
}

func TestDamagedValues(t *testing.T) {
	t.Parallel()
	keys := seal.New(seal.NewKey())
	good := sealed(t, keys, "x")
	for _, text := range []string{"", "x", "s1", "s1.", good[:len(good)-1], good + "AA", strings.Replace(good, "s1.", "s2.", 1), good[:12] + "!" + good[13:]} {
		if _, err := keys.Open(here, text); err == nil {
			t.Errorf("%q opens", text)
		}
	}
	_, err := seal.New(seal.NewKey()).Open(here, good)
	if no, is := errors.AsType[*seal.NoKey](err); !is || no.ID != keys.IDs()[0] {
		t.Errorf("with another key: %v", err)
	}
}

func TestKeysDoNotPrint(t *testing.T) {
	t.Parallel()
	key := seal.NewKey()
	for _, shown := range []string{fmt.Sprint(key), fmt.Sprintf("%#v", key), fmt.Sprintf("%+v", key)} {
		if shown != "key "+key.ID() {
			t.Errorf("shown as %q", shown)
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secrets.key")
	if _, err := seal.OpenFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before it is made: %v", err)
	}
	keys, err := seal.MakeFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || !seal.IsPrivate(path) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again, err := seal.MakeFile(path) // as a second server does, at the same time
	if err != nil || again.IDs()[0] != keys.IDs()[0] {
		t.Fatalf("made twice: %v and %v, %v", keys.IDs(), again.IDs(), err)
	}
	if left, _ := filepath.Glob(path + ".new-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Other servers that share the file learn of a key without a restart, and one
// that is removed is kept for older backups.
func TestFileChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secrets.key")
	keys, err := seal.MakeFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := seal.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old, fresh := keys.IDs()[0], seal.NewKey()
	if err := keys.Add(fresh); err != nil {
		t.Fatal(err)
	}
	text, err := keys.Seal(fresh.ID(), here, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := other.Open(here, text); err != nil || string(plain) != "x" {
		t.Errorf("by the other server: %q, %v", plain, err)
	}
	if err := keys.Remove(old); err != nil {
		t.Fatal(err)
	}
	if left, err := seal.OpenFile(path); err != nil || strings.Join(left.IDs(), " ") != fresh.ID() {
		t.Errorf("left %v, %v", left.IDs(), err)
	}
	if kept, err := seal.OpenFile(keys.Retired(old)); err != nil || strings.Join(kept.IDs(), " ") != old {
		t.Errorf("retired: %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secrets.key")
	keys, err := seal.MakeFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	id := keys.IDs()[0]
	for text, want := range map[string]string{
		"":                      "there is no key in it",
		"# nothing\n":           "there is no key in it",
		"one":                   "line 1: must be the id of a key and the key",
		"\n" + id + " c2hvcnQ=": "line 2: the key must be 32 bytes in base64",
		strings.Replace(string(good), "\n"+id, "\n00000000", 1): "is mistyped",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := seal.OpenFile(path); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "c2hvcnQ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
