package tables

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"
)

// TestPerPrefix: an iterator with lanes finds what one without finds, whatever is
// looked for and in which order.
func TestPerPrefix(t *testing.T) {
	t.Parallel()
	s, _ := openOn(t, vfs.NewMem())
	const places, streams = maxLanes + 8, 20 // more places than lanes
	for n := range 3 {                       // tables over each other
		check(t, s.Apply(t.Context(), false, func(w *Writer) error {
			for place := range places {
				for stream := n; stream < streams; stream += 1 + n {
					for chunk := range (stream + place) % 4 * 2 {
						if err := w.Set(laneKey(place, stream, chunk), []byte{byte(n)}); err != nil {
							return err
						}
					}
				}
			}
			return nil
		}))
	}
	rapid.Check(t, func(t *rapid.T) {
		plain, err := s.Iter([]byte("c"), []byte("d"))
		if err != nil {
			t.Fatal(err)
		}
		defer plain.Close()
		lanes, err := s.Iter([]byte("c"), []byte("d"))
		if err != nil {
			t.Fatal(err)
		}
		defer lanes.Close()
		lanes.PerPrefix(4)
		stream := 0
		for range rapid.IntRange(1, 60).Draw(t, "questions") {
			place := rapid.IntRange(0, places-1).Draw(t, "place")
			stream = max(0, min(streams-1, stream+rapid.IntRange(-1, 3).Draw(t, "streams on")))
			from := rapid.IntRange(0, 6).Draw(t, "from")
			key, limit := laneKey(place, stream, from), laneKey(place, stream, from+rapid.IntRange(0, 7).Draw(t, "for"))
			most := rapid.IntRange(0, 8).Draw(t, "at most")
			want, got := laneWalk(plain, key, limit, most), laneWalk(lanes, key, limit, most)
			if !slices.Equal(got, want) {
				t.Fatalf("from %s to %s: %v, want %v", key, limit, got, want)
			}
			if rapid.IntRange(0, 9).Draw(t, "seek") == 0 && plain.Seek(key) != lanes.Seek(key) {
				t.Fatalf("Seek(%s) does not find the same", key)
			}
		}
	})
	check(t, s.Close())
}

func laneKey(place, stream, chunk int) []byte {
	return fmt.Appendf(nil, "c%03d%02d%02d", place, stream, chunk)
}

// laneWalk returns the keys and values from key up to limit, at most as many as
// that.
func laneWalk(it *Iterator, key, limit []byte, most int) (found []string) {
	for ok := it.SeekWithin(key, limit); ok && len(found) < most; ok = it.NextWithin(limit) {
		v, err := it.Value()
		found = append(found, fmt.Sprintf("%s=%d %v", it.Key(), v, err))
	}
	if err := it.Err(); err != nil {
		found = append(found, err.Error())
	}
	return found
}
