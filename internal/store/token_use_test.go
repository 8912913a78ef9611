package store_test

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestTokenUses(t *testing.T) {
	const day = 86400
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		a, _ := addToken(t, s, org, "a")
		b, _ := addToken(t, s, org, "b")
		if a.CreatedBy != "cli" {
			t.Errorf("created by %q", a.CreatedBy)
		}
		same(t, "who made it", a, must(s.Token(ctx, org, a.ID))(t))
		use := func(token int64, action tidemark.Action, noun string, on, n int64) *tidemark.TokenUse {
			return &tidemark.TokenUse{Token: token, Action: action, Noun: noun, Day: on * day, Requests: n}
		}
		ok(t, s.AddTokenUses(ctx, []*tidemark.TokenUse{
			use(a.ID, tidemark.View, "spaces", 1, 100), use(a.ID, tidemark.View, "spaces", 2, 7),
			use(a.ID, tidemark.Edit, "alerts", 2, 9), use(b.ID, tidemark.Record, "measurements", 2, 1),
		}))
		ok(t, s.AddTokenUses(ctx, []*tidemark.TokenUse{use(a.ID, tidemark.View, "spaces", 2, 3), use(a.ID+b.ID+1, tidemark.View, "spaces", 2, 3)}))
		same(t, "since the first day", []*tidemark.TokenUse{use(a.ID, tidemark.View, "spaces", 2, 110), use(a.ID, tidemark.Edit, "alerts", 2, 9)},
			must(s.TokenUses(ctx, org, a.ID, day))(t))
		ok(t, s.DeleteTokenUses(ctx, 2*day))
		same(t, "after the first day was forgotten", []*tidemark.TokenUse{use(a.ID, tidemark.View, "spaces", 2, 10), use(a.ID, tidemark.Edit, "alerts", 2, 9)},
			must(s.TokenUses(ctx, org, a.ID, day))(t))
		if other := must(s.CreateOrg(ctx, operator, "other"))(t); len(must(s.TokenUses(ctx, other.ID, a.ID, 0))(t)) != 0 {
			t.Error("another organization sees what a token is used for")
		}
		ok(t, s.DeleteToken(ctx, org, operator, a.ID))
		if left := must(s.TokenUses(ctx, org, a.ID, 0))(t); len(left) != 0 {
			t.Errorf("%d uses of a deleted token", len(left))
		}
	})
}

// TestAgentUses: what is old is forgotten, but not who used a token last.
func TestAgentUses(t *testing.T) {
	const day = 86400
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		a, _ := addToken(t, s, org, "a")
		b, _ := addToken(t, s, org, "b")
		seen := func(token int64, agent, sender string, on int64) *tidemark.TokenClient {
			return &tidemark.TokenClient{Token: token, UserAgent: agent, Sender: sender, Day: on * day, Requests: 1, LastAt: on*day + 5}
		}
		ok(t, s.AddSenders(ctx, []*tidemark.TokenClient{
			seen(a.ID, "curl", "laptop", 1), seen(a.ID, "telegraf", "web-01", 7), seen(a.ID, "telegraf", "web-02", 8), seen(a.ID, "telegraf", "web-01", 9),
			seen(b.ID, "curl", "laptop", 1), seen(b.ID, "wget", "laptop", 2),
		}))
		use := func(token int64, agent string, senders int, on int64) *store.AgentUse {
			return &store.AgentUse{Token: token, UserAgent: agent, Senders: senders, LastAt: on*day + 5}
		}
		same(t, "all", []*store.AgentUse{use(a.ID, "telegraf", 2, 9), use(b.ID, "wget", 0, 2), use(a.ID, "curl", 0, 1), use(b.ID, "curl", 0, 1)},
			must(s.AgentUses(ctx, org, 7*day))(t))
		ok(t, s.DeleteSenders(ctx, 8*day))
		same(t, "what is kept", []*store.AgentUse{use(a.ID, "telegraf", 2, 9), use(b.ID, "wget", 0, 2)}, must(s.AgentUses(ctx, org, 7*day))(t))
	})
}

// TestSenderAddresses: the last address of each sender is known, of those who
// sent since a time.
func TestSenderAddresses(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		a, _ := addToken(t, s, org, "a")
		b, _ := addToken(t, s, org, "b")
		seen := func(token int64, sender, address string, at int64) []*tidemark.TokenClient {
			return []*tidemark.TokenClient{{Token: token, Sender: sender, Address: address, Requests: 1, LastAt: at}}
		}
		for _, v := range [][]*tidemark.TokenClient{
			seen(a.ID, "web-01", "10.0.0.1", 90), seen(a.ID, "web-01", "10.0.0.2", 110), seen(b.ID, "web-01", "10.0.0.3", 120),
			seen(a.ID, "web-02", "10.0.0.4", 99), seen(a.ID, "web-03", "", 130),
		} {
			ok(t, s.AddSenders(ctx, v))
		}
		same(t, "since 100", []*tidemark.TokenClient{{Sender: "web-01", Address: "10.0.0.3"}, {Sender: "web-01", Address: "10.0.0.2"}},
			must(s.SenderAddresses(ctx, org, 100))(t))
	})
}

// TestSendersOutOfOrder: of what two servers tell of one sender, the later use
// stays, whoever tells first; requests of both count.
func TestSendersOutOfOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		a, _ := addToken(t, s, org, "a")
		at := func(last int64, address string, old bool) *tidemark.TokenClient {
			return &tidemark.TokenClient{Token: a.ID, UserAgent: "curl", Sender: "web-01", Requests: 2, LastAt: last, Address: address, Old: old,
				Sends: json.RawMessage(`["` + address + `"]`)}
		}
		for _, v := range []*tidemark.TokenClient{at(200, "10.0.0.2", true), at(100, "10.0.0.1", false)} {
			ok(t, s.AddSenders(ctx, []*tidemark.TokenClient{v}))
		}
		want := at(200, "10.0.0.2", true)
		want.Requests = 4
		same(t, "what is known", []*tidemark.TokenClient{want}, must(s.Senders(ctx, org, a.ID, 0))(t))
	})
}
