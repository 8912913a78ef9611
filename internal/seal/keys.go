package seal

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// Keys are those that a server has, from a file that others may change: it is
// read again when a value names a key that is not known yet. It is safe for
// concurrent use.
type Keys struct {
	path string // "" for keys in memory only

	mu   sync.RWMutex
	keys map[string]Key // guarded by mu
}

// New returns keys that are in memory only.
func New(keys ...Key) *Keys {
	k := &Keys{keys: make(map[string]Key)}
	for _, key := range keys {
		k.keys[key.id] = key
	}
	return k
}

// Path is the file of the keys, or "".
func (k *Keys) Path() string { return k.path }

// IDs are the ids of the keys, in order.
func (k *Keys) IDs() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return slices.Sorted(maps.Keys(k.keys))
}

// Has reports whether the key is there, looking into the file once more if it
// was not.
func (k *Keys) Has(id string) bool {
	_, ok := k.find(id)
	return ok
}

func (k *Keys) find(id string) (Key, bool) {
	k.mu.RLock()
	key, ok := k.keys[id]
	k.mu.RUnlock()
	if ok || k.path == "" {
		return key, ok
	}
	k.mu.Lock() // before reading: what is added meanwhile must not be forgotten
	defer k.mu.Unlock()
	fresh, err := read(k.path)
	if err != nil {
		return Key{}, false // it is as if it had not changed
	}
	k.keys = fresh
	key, ok = fresh[id]
	return key, ok
}

// Seal returns plain sealed for f with the key of that id.
func (k *Keys) Seal(id string, f Field, plain []byte) (string, error) {
	key, ok := k.find(id)
	if !ok {
		return "", &NoKey{ID: id}
	}
	return key.seal(f, plain), nil
}

// Open returns what was sealed for f. The error is a *NoKey, or ErrDamaged.
func (k *Keys) Open(f Field, sealed string) ([]byte, error) {
	id, text, err := split(sealed)
	if err != nil {
		return nil, err
	}
	key, ok := k.find(id)
	if !ok {
		return nil, &NoKey{ID: id}
	}
	return key.open(f, text)
}

// Add adds a key, also to the file, durably.
func (k *Keys) Add(key Key) error {
	return k.change(func(keys map[string]Key) { keys[key.id] = key })
}

// Remove removes a key, also from the file. Before that it is copied to a file
// beside it, which Retired names: older backups open with it only.
func (k *Keys) Remove(id string) error {
	key, ok := k.find(id)
	if !ok {
		return nil
	}
	if k.path != "" {
		if err := write(k.Retired(id), map[string]Key{id: key}); err != nil {
			return err
		}
	}
	return k.change(func(keys map[string]Key) { delete(keys, id) })
}

// Retired is the file that a key which was removed is kept in.
func (k *Keys) Retired(id string) string { return k.path + "." + id + ".retired" }

// change changes the keys as the file has them, and the file.
func (k *Keys) change(do func(map[string]Key)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	keys := maps.Clone(k.keys)
	if k.path != "" {
		fresh, err := read(k.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			clear(keys)
		case err != nil:
			return err
		default:
			keys = fresh
		}
	}
	do(keys)
	if k.path != "" {
		if err := write(k.path, keys); err != nil {
			return err
		}
	}
	k.keys = keys
	return nil
}

// Derive returns a secret for a purpose that everybody with the key of that id
// derives alike, or "" if it is not there.
func (k *Keys) Derive(id, purpose string) string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	key, ok := k.keys[id]
	if !ok {
		return ""
	}
	return key.derive(purpose)
}
