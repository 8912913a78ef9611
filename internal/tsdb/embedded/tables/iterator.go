package tables

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// Iterator walks keys in order. It keeps the database open until it is closed.
type Iterator struct {
	main  lane  // of all keys
	at    *lane // main, or the one that was moved last
	alike int   // length of the prefixes that have lanes of their own; none have where 0
	lanes []*lane
	s     *Store
}

// Iter returns an iterator of the keys from lower up to upper.
func (s *Store) Iter(lower, upper []byte) (*Iterator, error) {
	s.mu.RLock()
	if s.db == nil {
		s.mu.RUnlock()
		return nil, errNoTables
	}
	s.opens.RLock()
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	s.opens.RUnlock()
	if err != nil {
		s.mu.RUnlock()
		return nil, err
	}
	i := &Iterator{main: lane{it: it}, s: s}
	i.at = &i.main
	return i, nil
}

func (i *Iterator) Close() error {
	defer i.s.mu.RUnlock()
	err := i.main.it.Close()
	for _, l := range i.lanes {
		err = errors.Join(err, l.it.Close())
	}
	return err
}

// First moves to the first key. Like Next and Seek it reports whether there is
// one.
func (i *Iterator) First() bool {
	i.at = &i.main
	return i.at.it.First()
}

func (i *Iterator) Next() bool { return i.at.it.Next() }

func (i *Iterator) Seek(key []byte) bool {
	i.at = &i.main
	return i.at.it.SeekGE(key)
}

// SeekWithin and NextWithin stop at limit: what lies behind it is not looked
// for, however far the next key is.
func (i *Iterator) SeekWithin(key, limit []byte) bool {
	i.at = i.lane(key)
	return i.at.seekWithin(key, limit)
}

func (i *Iterator) NextWithin(limit []byte) bool { return i.at.nextWithin(limit) }

func (i *Iterator) Valid() bool { return i.at.it.Valid() }

// Key returns the key that the iterator is at. It is good until the next move.
func (i *Iterator) Key() []byte { return i.at.it.Key() }

// Value returns what is at the key. It is good until the next move.
func (i *Iterator) Value() ([]byte, error) { return i.at.it.ValueAndErr() }

// Err returns why the iterator cannot go on, or nil.
func (i *Iterator) Err() error { return i.at.it.Error() }

// Each calls fn for every key that starts with letter.
func (s *Store) Each(letter byte, fn func(key, value []byte) error) error {
	it, err := s.Iter([]byte{letter}, []byte{letter + 1})
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		if err == nil {
			err = fn(it.Key(), value)
		}
		if err != nil {
			return errors.Join(err, it.Close())
		}
	}
	return it.Close()
}
