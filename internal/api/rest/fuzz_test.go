package rest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// FuzzForm: no form makes the reader panic, and one that it takes holds no
// more texts than were sent.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		"a=1", "a[b]=1&a[c]=2", "a[]=1&a[]=2", "a[0][b]=1&a[1][b]=2", "a=1&a=2", "a[=1", "a]=1", "[]=1", "a[b]=1&a=2",
		"a%5Bb%5D=%20", "%zz=1", "&&&", "a[][b]=1", "a[-1]=x", "a[0]=x&a[0]=y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		tree, err := ParseForm(in)
		if err != nil {
			if tidemark.KindOf(err) == tidemark.Internal {
				t.Fatalf("%q: %v is our fault", in, err)
			}
			return
		}
		if n := leaves(tree); n > strings.Count(in, "&")+1 {
			t.Fatalf("%q has %d values", in, n)
		}
	})
}

func leaves(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			n += leaves(item)
		}
	case []any:
		for _, item := range v {
			n += leaves(item)
		}
	default:
		return 1
	}
	return n
}

// FuzzDecode: no body makes the decoder panic or answer with our own fault,
// and what it took is valid to encode again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"name":1,"active":"true","services":[1,"2",{"id":3}],"conditions":[{"type":"above","threshold":"1e3","tags":{}}]}`,
		`{"rearm_seconds":1e400}`, `{"conditions":{"0":{"duration":60.5}}}`, `{"attributes":{"runbook_url":null}}`, `[[[[`, `{"name":null}`,
		`{"conditions":[null]}`, `{"services":{"0":1}}`, "name=a&conditions[0][type]=above",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		tree, err := ParseTree("application/x-www-form-urlencoded", []byte(in), maxBodyValues)
		object, ok := tree.(map[string]any)
		if err != nil || !ok {
			return
		}
		for _, into := range []any{&tidemark.AlertUpdate{}, &tidemark.ChartUpdate{}, &tidemark.MetricUpdate{}, &tidemark.AnnotationEventUpdate{}, &tidemark.ServiceUpdate{}, &tidemark.TokenUpdate{}} {
			if err := Decode(object, into); err != nil && tidemark.KindOf(err) != tidemark.Invalid {
				t.Fatalf("%q: %v", in, err)
			}
		}
		a := tidemark.NewAlert()
		var u tidemark.AlertUpdate
		if Decode(object, &u) == nil {
			u.Apply(a)
			if a.Validate() == nil {
				if _, err := json.Marshal(a); err != nil {
					t.Fatalf("%q: a valid alert cannot be encoded: %v", in, err)
				}
			}
		}
	})
}
