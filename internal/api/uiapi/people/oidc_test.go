package people

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

func TestOwnPath(t *testing.T) {
	for path, want := range map[string]string{
		"/alerts?state=firing": "/alerts?state=firing", "/": "/", "": "", "alerts": "", "//evil.example": "", "///evil.example": "", "////evil.example": "", "https://evil.example/": "",
		`/\evil.example`: "", "/\tevil": "", "javascript:alert(1)": "", "/a b": "/a b", "http:/evil": "",
	} {
		if got := ownPath(path); got != want {
			t.Errorf("%q gives %q, want %q", path, got, want)
		}
	}
}

func TestWhyNot(t *testing.T) {
	for want, err := range map[string]error{
		"email": auth.ErrNoEmail, "group": auth.ErrNoGroup, "account": auth.ErrNotAllowed, "refused": fmt.Errorf("%w: expired", auth.ErrNotVouched), "again": rest.ErrUnauthenticated,
		"wait": tidemark.Errorf(tidemark.TooMany, "x"), "away": errors.New("no answer"),
	} {
		if got := whyNot(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}
