package alerting

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

type keyStore struct{ PictureStore }

func (keyStore) PictureKey(_ context.Context, fresh []byte) ([]byte, error) { return fresh, nil }

// TestAcknowledgeLinks: a link is for its incident, for a week, and nobody can
// make one up.
func TestAcknowledgeLinks(t *testing.T) {
	t.Parallel()
	l, err := NewAcknowledgeLinks(t.Context(), keyStore{}, "https://tidemark.example.org/")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Unix()
	d := &tidemark.Delivery{Org: 7, Incident: 88, Kind: tidemark.NoticeTrigger, CreatedAt: now}
	link := l.Link(d)
	name, ok := strings.CutPrefix(link, "https://tidemark.example.org/acknowledge/")
	if !ok {
		t.Fatalf("link %q", link)
	}
	if org, incident, err := l.Open(name); org != 7 || incident != 88 || err != nil {
		t.Errorf("%d %d %v", org, incident, err)
	}
	mac := name[strings.LastIndexByte(name, '-')+1:]
	other, _ := NewAcknowledgeLinks(t.Context(), keyStore{}, "https://tidemark.example.org")
	old := l.sign(7, 88, now-1)
	for _, bad := range []string{"", "x", name + "0", strings.Replace(name, "88", "89", 1), "7-88-" + "99999999999" + "-" + mac, "7-88--" + mac, other.sign(7, 88, now+100), old} {
		if _, _, err := l.Open(bad); tidemark.KindOf(err) != tidemark.NotFound || err == nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, none := range []*tidemark.Delivery{{Org: 7, Kind: tidemark.NoticeTest}, {Org: 7, Incident: 88, Kind: tidemark.NoticeClear}} {
		if got := l.Link(none); got != "" {
			t.Errorf("%s has a link: %s", none.Kind, got)
		}
	}
	if (&AcknowledgeLinks{key: l.key}).Link(d) != "" {
		t.Error("a link to nowhere")
	}
}
