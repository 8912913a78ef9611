package spelling

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

const us = tidemark.OrgID(1)

func note(t *testing.T, b *Book, list ...*tidemark.Spelling) {
	t.Helper()
	if err := b.Note(t.Context(), us, list, noneInUse); err != nil {
		t.Fatal(err)
	}
}

// noneInUse is what an engine says that has no streams.
func noneInUse(texts []Text) ([]bool, error) { return make([]bool, len(texts)), nil }

func shown(t *testing.T, b *Book, tags ...tidemark.Tag) string {
	t.Helper()
	w, err := b.Of(t.Context(), us)
	if err != nil {
		t.Fatal(err)
	}
	return w.Tags(tags).String()
}

// TestServers: what one server notes first counts for all.
func TestServers(t *testing.T) {
	t.Parallel()
	store := &Memory{}
	one, two := New(store, nil), New(store, nil)
	host := tidemark.Tag{Name: "host", Value: "web1"}
	if got := shown(t, two, host); got != "host=web1" {
		t.Error(got)
	}
	note(t, one, &tidemark.Spelling{Text: "Host"}, &tidemark.Spelling{Tag: "host", Text: "Web1"})
	note(t, two, &tidemark.Spelling{Tag: "host", Text: "WEB1"})
	for name, b := range map[string]*Book{"one": one, "two": two} {
		if got := shown(t, b, host); got != "Host=Web1" {
			t.Errorf("%s: %s", name, got)
		}
	}
	note(t, one, &tidemark.Spelling{Tag: "host", Text: "Web2"})
	two.Invalidate()
	if got := shown(t, two, tidemark.Tag{Name: "host", Value: "web2"}); got != "Host=Web2" {
		t.Errorf("what another noted is shown as %s", got)
	}
}

// TestFull: there is a bound, which is said once; what is over it stays as it
// is in storage.
func TestFull(t *testing.T) {
	t.Parallel()
	said := 0
	b := New(&Memory{}, func(tidemark.OrgID) { said++ })
	b.most = 2
	for i := range 4 {
		note(t, b, &tidemark.Spelling{Tag: "host", Text: fmt.Sprintf("Web%d", i)})
	}
	got := shown(t, b, tidemark.Tag{Name: "host", Value: "web1"}) + " " + shown(t, b, tidemark.Tag{Name: "host", Value: "web2"})
	none := func([]Text) ([]bool, error) { panic("asked about what there is no room for") }
	if err := b.Note(t.Context(), us, []*tidemark.Spelling{{Tag: "host", Text: "Web9"}}, none); err != nil {
		t.Error(err)
	}
	if got != "host=Web1 host=web2" || said != 1 {
		t.Errorf("%s, said %d times", got, said)
	}
}

// TestStream: names of streams are taken apart and shown like tags.
func TestStream(t *testing.T) {
	t.Parallel()
	b := New(&Memory{}, nil)
	note(t, b, &tidemark.Spelling{Text: "Host"}, &tidemark.Spelling{Tag: "host", Text: "Web1"}, &tidemark.Spelling{Tag: "path", Text: "A,b"})
	w, err := b.Of(t.Context(), us)
	if err != nil {
		t.Fatal(err)
	}
	for stored, want := range map[string]string{
		"dc=ams,host=web1": "dc=ams,Host=Web1", "host=web2": "Host=web2", "host=,path=a,b": "Host=,path=A,b", tidemark.UnassignedName: tidemark.UnassignedName,
	} {
		if got := w.Stream(stored); got != want {
			t.Errorf("%s is shown as %s, want %s", stored, got, want)
		}
	}
	if got := (*Words)(nil).Stream("host=web1"); got != "host=web1" {
		t.Error(got)
	}
}
