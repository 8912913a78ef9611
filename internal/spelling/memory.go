package spelling

import (
	"context"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// Memory is a Store of one organization that is gone with the process, for
// tests of what shows tags.
type Memory struct {
	mu   sync.Mutex
	list []*tidemark.Spelling
	has  map[Text]bool
}

// Spellings implements Store.
func (m *Memory) Spellings(_ context.Context, _ tidemark.OrgID, after int64) ([]*tidemark.Spelling, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list[after:], nil
}

// AddSpellings implements Store.
func (m *Memory) AddSpellings(_ context.Context, _ tidemark.OrgID, list []*tidemark.Spelling) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.has == nil {
		m.has = make(map[Text]bool)
	}
	for _, s := range list {
		if t := (Text{s.Tag, s.Key()}); !m.has[t] {
			m.has[t] = true
			m.list = append(m.list, &tidemark.Spelling{ID: int64(len(m.list) + 1), Tag: s.Tag, Text: s.Text})
		}
	}
	return nil
}
