package usage

import "github.com/tidemark-metrics/tidemark"

const (
	maxSenders = 10_000 // remembered between two saves
	maxNamed   = 1000   // senders of one token with a name of their own, on one day
)

// otherSenders is the name of those beyond maxNamed.
const otherSenders = "others"

// senders counts which programs use tokens, and what for, since the last save.
type senders struct {
	found   map[senderKey]*tidemark.TokenClient
	uses    map[useKey]int64
	named   map[int64]map[senderKey]bool // by token, of one day
	namedOn int64
}

type senderKey struct {
	token         int64
	agent, sender string
	day           int64
}

// useKey is one thing that a token was used for on one day.
type useKey struct {
	token  int64
	action tidemark.Action
	noun   string
	day    int64
}

func newSenders() senders {
	return senders{found: make(map[senderKey]*tidemark.TokenClient), uses: make(map[useKey]int64), named: make(map[int64]map[senderKey]bool)}
}

func (s *senders) add(q *Request, now int64) {
	day := now / daySeconds * daySeconds
	s.addSender(senderKey{q.Who.Token, q.UserAgent, q.sender(), day}, q, now)
	use := useKey{q.Who.Token, q.Action, q.Noun, day}
	if _, known := s.uses[use]; known || len(s.uses) < maxSenders {
		s.uses[use]++
	}
}

func (s *senders) addSender(k senderKey, q *Request, now int64) {
	k = s.name(k)
	one := s.found[k]
	if one == nil {
		if len(s.found) >= maxSenders {
			return
		}
		one = &tidemark.TokenClient{Token: k.token, UserAgent: k.agent, Sender: k.sender, Day: k.day, Sends: q.Sample.sends()}
		s.found[k] = one
	}
	one.Requests++
	one.LastAt, one.Old, one.Address = now, q.Who.Old, q.RemoteHost
}

// name keeps a token with very many senders from filling the database: those
// beyond maxNamed count as one.
func (s *senders) name(k senderKey) senderKey {
	if k.day != s.namedOn {
		clear(s.named)
		s.namedOn = k.day
	}
	known := s.named[k.token]
	if known == nil {
		known = make(map[senderKey]bool)
		s.named[k.token] = known
	}
	if !known[k] {
		if len(known) >= maxNamed {
			k.agent, k.sender = "", otherSenders
		}
		known[k] = true
	}
	return k
}

// take returns what was counted and starts again.
func (s *senders) take() ([]*tidemark.TokenClient, []*tidemark.TokenUse) {
	found := make([]*tidemark.TokenClient, 0, len(s.found))
	for _, one := range s.found {
		found = append(found, one)
	}
	uses := make([]*tidemark.TokenUse, 0, len(s.uses))
	for k, n := range s.uses {
		uses = append(uses, &tidemark.TokenUse{Token: k.token, Action: k.action, Noun: k.noun, Day: k.day, Requests: n})
	}
	clear(s.found)
	clear(s.uses)
	return found, uses
}
