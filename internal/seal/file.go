package seal

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/durable"
)

const heading = `# The keys of the secrets in Tidemark's control store: one line each, id and key.
# Anyone who has this file and the database can read them, and without it nobody can.
# Keep a copy of it, but not where the backups are.
`

// OpenFile returns the keys in a file. That there is no such file is an error
// that is fs.ErrNotExist.
func OpenFile(path string) (*Keys, error) {
	keys, err := read(path)
	if err != nil {
		return nil, err
	}
	return &Keys{path: path, keys: keys}, nil
}

// Absent returns the keys of a file that is not there, or not yet.
func Absent(path string) *Keys { return &Keys{path: path, keys: make(map[string]Key)} }

// MakeFile makes a file with one fresh key, private to its owner. If somebody
// else has made it meanwhile, theirs is returned.
func MakeFile(path string) (*Keys, error) {
	key := NewKey()
	err := place(path, map[string]Key{key.id: key}, os.Link) // fails where there is one
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the key file: %w", err)
	}
	return OpenFile(path)
}

// IsPrivate reports whether only its owner can read the file.
func IsPrivate(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o077 == 0
}

func read(path string) (map[string]Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	keys, lines := make(map[string]Key), bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, problem := parse(line)
		if problem != "" {
			return nil, fmt.Errorf("key file %s, line %d: %s", path, n, problem)
		}
		keys[key.id] = key
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err) // else the keys below would be lost with the next change
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("key file %s: there is no key in it", path)
	}
	return keys, nil
}

// parse reads a line, and never repeats what is in it.
func parse(line string) (key Key, problem string) {
	words := strings.Fields(line)
	if len(words) != 2 {
		return key, "must be the id of a key and the key"
	}
	secret, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil || len(secret) != keyBytes {
		return key, "the key must be 32 bytes in base64"
	}
	if key = keyOf([keyBytes]byte(secret)); key.id != words[0] {
		return key, "the key is mistyped: it is not the one of that id"
	}
	return key, ""
}

// write replaces the file: after a crash it is the old one or the new one.
func write(path string, keys map[string]Key) error {
	if err := place(path, keys, os.Rename); err != nil {
		return fmt.Errorf("write the key file: %w", err)
	}
	return nil
}

// place writes a file beside path and has put move it there.
func place(path string, keys map[string]Key, put func(from, to string) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".new-") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already where it was renamed
	_, err = f.WriteString(format(keys))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := put(f.Name(), path); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

func format(keys map[string]Key) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		secret := keys[id].secret
		b.WriteString(id + " " + base64.StdEncoding.EncodeToString(secret[:]) + "\n")
	}
	return b.String()
}
