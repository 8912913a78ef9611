package seal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/seal"
	"pgregory.net/rapid"
)

// keyFile makes a key file of its own for a test.
func keyFile(t *testing.T) (*seal.Keys, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secrets.key")
	keys, err := seal.MakeFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return keys, path
}

// TestSealIsReversible: whatever was sealed opens to the same bytes, and not one
// byte of the sealed value can be changed.
func TestSealIsReversible(t *testing.T) {
	t.Parallel()
	key := seal.NewKey()
	keys := seal.New(seal.NewKey(), key)
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "plain")
		field := seal.Field{Table: "t", Column: "c", Org: rapid.Int64().Draw(t, "org"), Row: rapid.Int64().Draw(t, "row")}
		text, err := keys.Seal(key.ID(), field, plain)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := keys.Open(field, text); err != nil || !slices.Equal(got, plain) {
			t.Fatalf("opened %x, %v", got, err)
		}
		changed := []byte(text)
		// The last character may hold bits that mean nothing.
		i := rapid.IntRange(len(seal.Prefix(key.ID())), len(text)-2).Draw(t, "changed")
		changed[i] = rapid.SampledFrom([]byte("ABab01-_")).Filter(func(c byte) bool { return c != text[i] }).Draw(t, "to")
		if _, err := keys.Open(field, string(changed)); !errors.Is(err, seal.ErrDamaged) {
			t.Fatalf("changed at %d: %v", i, err)
		}
	})
}

// TestFieldsDoNotRunTogether: names and numbers of a field cannot be cut
// otherwise to mean another.
func TestFieldsDoNotRunTogether(t *testing.T) {
	t.Parallel()
	keys := seal.New(seal.NewKey())
	fields := []seal.Field{{Table: "ab", Column: "c"}, {Table: "a", Column: "bc"}, {Table: "abc"}, {Column: "abc"}, {Table: "a", Column: "b", Org: 11, Row: 1}, {Table: "a", Column: "b", Org: 1, Row: 11}, {Table: "a", Column: "b", Org: 111}}
	for i, from := range fields {
		text, err := keys.Seal(keys.IDs()[0], from, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		for j, to := range fields {
			if _, err := keys.Open(to, text); (err == nil) != (i == j) {
				t.Errorf("sealed for %+v, opened in %+v: %v", from, to, err)
			}
		}
	}
}

// TestKeysThatAreNotThere: the error names the key, so that an operator knows
// what to look for, and nothing is sealed with it.
func TestKeysThatAreNotThere(t *testing.T) {
	t.Parallel()
	missing := seal.Absent(filepath.Join(t.TempDir(), "none.key"))
	if missing.Has("aabbccdd") || len(missing.IDs()) != 0 {
		t.Error("a file that is not there has keys")
	}
	text, err := missing.Seal("aabbccdd", here, []byte("x"))
	if no, is := errors.AsType[*seal.NoKey](err); !is || no.ID != "aabbccdd" || text != "" || err.Error() != "key aabbccdd is not there" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := seal.KeyID("plain text"); !errors.Is(err, seal.ErrDamaged) || err.Error() != "the sealed value was changed or belongs elsewhere: it is not of the form s1.KEY.VALUE" {
		t.Errorf("%v", err)
	}
}

// TestAbsentFileIsMade: keys of a file that is lost can be replaced, and the
// file then has the new one alone.
func TestAbsentFileIsMade(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secrets.key")
	keys, key := seal.Absent(path), seal.NewKey()
	if err := keys.Add(key); err != nil || !keys.Has(key.ID()) || keys.Path() != path {
		t.Fatalf("%v, %v", keys.IDs(), err)
	}
	again, err := seal.OpenFile(path)
	if err != nil || !slices.Equal(again.IDs(), []string{key.ID()}) || !seal.IsPrivate(path) {
		t.Errorf("%v, %v", again, err)
	}
}

// TestChangesOfOthersStay: of two servers that change the file none takes away
// what the other added.
func TestChangesOfOthersStay(t *testing.T) {
	t.Parallel()
	one, path := keyFile(t)
	other, err := seal.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := seal.NewKey(), seal.NewKey()
	if err := errors.Join(one.Add(a), other.Add(b), one.Remove("00000000")); err != nil {
		t.Fatal(err)
	}
	both, err := seal.OpenFile(path)
	if err != nil || !both.Has(a.ID()) || !both.Has(b.ID()) || len(both.IDs()) != 3 {
		t.Errorf("%v, %v", both.IDs(), err)
	}
	if _, err := os.Stat(one.Retired("00000000")); err == nil {
		t.Error("a key that never was is retired")
	}
}

// TestRetiredKeyIsPrivate: what a removed key is kept in can be read by its owner
// only, and opens what was sealed with it.
func TestRetiredKeyIsPrivate(t *testing.T) {
	t.Parallel()
	keys, _ := keyFile(t)
	old := keys.IDs()[0]
	text := sealed(t, keys, "x")
	if err := errors.Join(keys.Add(seal.NewKey()), keys.Remove(old)); err != nil {
		t.Fatal(err)
	}
	if keys.Has(old) || !seal.IsPrivate(keys.Retired(old)) {
		t.Error("the key is still there, or its copy is open to others")
	}
	retired, err := seal.OpenFile(keys.Retired(old))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := retired.Open(here, text); err != nil || string(plain) != "x" {
		t.Errorf("an old value: %q, %v", plain, err)
	}
}

// TestFilesThatCannotBeChanged: nothing is forgotten or made where the file is
// damaged, or its folder cannot be written to.
func TestFilesThatCannotBeChanged(t *testing.T) {
	t.Parallel()
	keys, path := keyFile(t)
	id := keys.IDs()[0]
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	longLine := "# " + strings.Repeat("x", 70_000) + "\n"
	for _, text := range []string{"damaged\n", longLine + string(good), string(good) + longLine} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := keys.Add(seal.NewKey()); err == nil || !strings.HasPrefix(err.Error(), "key file "+path) {
			t.Errorf("%.20q: %v", text, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text || !keys.Has(id) || len(keys.IDs()) != 1 {
			t.Errorf("%.20q: the file or the keys in memory were changed", text)
		}
	}
	nowhere := filepath.Join(t.TempDir(), "none", "secrets.key")
	if _, err := seal.MakeFile(nowhere); err == nil || !strings.HasPrefix(err.Error(), "make the key file: ") {
		t.Errorf("in a folder that is none: %v", err)
	}
	if err := seal.Absent(nowhere).Add(seal.NewKey()); err == nil || !strings.HasPrefix(err.Error(), "write the key file: ") {
		t.Errorf("in a folder that is none: %v", err)
	}
}

// TestIsPrivate: only what its owner alone can read is.
func TestIsPrivate(t *testing.T) {
	t.Parallel()
	_, path := keyFile(t)
	for mode, want := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o620: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if got := seal.IsPrivate(path); got != want {
			t.Errorf("%v is private: %v", mode, got)
		}
	}
	if seal.IsPrivate(path + ".none") {
		t.Error("a file that is not there is private")
	}
}

// TestKeysAtOnce: keys are used, looked for and added at the same time.
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	keys, _ := keyFile(t)
	text := sealed(t, keys, "x")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 5 {
				if err := keys.Add(seal.NewKey()); err != nil {
					t.Error(err)
				}
				if plain, err := keys.Open(here, text); err != nil || string(plain) != "x" {
					t.Errorf("%q, %v", plain, err)
				}
				keys.Has(fmt.Sprintf("%08d", i))
			}
		})
	}
	wg.Wait()
	if n := len(keys.IDs()); n != 21 {
		t.Errorf("%d keys of 21", n)
	}
}

// TestDerive: who has the same key derives the same secret, one for each
// purpose, and who has not gets none.
func TestDerive(t *testing.T) {
	keys, path := keyFile(t)
	again, err := seal.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	id := keys.IDs()[0]
	one := keys.Derive(id, "a")
	if len(one) < 50 || again.Derive(id, "a") != one || keys.Derive(id, "b") == one {
		t.Errorf("derived %q, again %q, for another purpose %q", one, again.Derive(id, "a"), keys.Derive(id, "b"))
	}
	other, _ := keyFile(t)
	if got := other.Derive(id, "a"); got != "" || other.Derive(other.IDs()[0], "a") == one {
		t.Errorf("without the key: %q", got)
	}
}
