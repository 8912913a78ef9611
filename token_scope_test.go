package tidemark

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokenScopeLimits(t *testing.T) {
	t.Parallel()
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("10.0.%d.%d", i/256, i%256))
		}
		return list
	}
	tags := make([]ScopeTag, maxScopeTags+1)
	for i := range tags {
		tags[i] = ScopeTag{Name: fmt.Sprint("t", i), Values: []string{"x"}}
	}
	added := make([]AddedTag, maxScopeAdded+1)
	for i := range added {
		added[i] = AddedTag{Name: fmt.Sprint("t", i), Value: "x"}
	}
	for want, v := range map[string]Token{
		"scope adds more than 20 tags":              {Scope: TokenScope{Add: added}},
		"scope adds tags to what is sent":           {Role: ViewOnly, Scope: TokenScope{Add: added[:1]}},
		"scope is for Record Only and View Only":    {Role: FullAccess, Scope: TokenScope{Add: added[:1]}},
		"scope has more than 100 metrics":           {Scope: TokenScope{Metrics: many(101)}},
		"scope has more than 20 tags":               {Scope: TokenScope{Tags: tags}},
		"scope the tag t must have 1 to 100 values": {Scope: TokenScope{Tags: []ScopeTag{{"t", many(101)}}}},
		"networks has more than 100 networks":       {Networks: many(101)},
		"":                                          {Networks: many(100), Scope: TokenScope{Metrics: many(100), Tags: tags[:20], Add: added[:20]}},
		"Leave it out, or choose the role recorder or viewer; networks narrow every role": {Role: FullAccess, Scope: TokenScope{Metrics: []string{"*"}}},
	} {
		v.Name = "x"
		if v.Role == "" {
			v.Role = RecordOnly
		}
		err := v.Validate()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
