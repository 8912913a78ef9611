package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var senderColumns = columns[tidemark.TokenClient]{
	noun:  "sender",
	names: `token_id, user_agent, sender, day, requests, last_at, old, sends, address`,
	dest: func(v *tidemark.TokenClient) []any {
		return []any{&v.Token, &v.UserAgent, &v.Sender, &v.Day, &v.Requests, &v.LastAt, &v.Old, asJSON(&v.Sends), &v.Address}
	},
}

// AddSenders adds to what is known of who uses tokens. Of two servers the one
// that tells later may have seen the sender earlier: what was seen last stays.
func (s *Store) AddSenders(ctx context.Context, senders []*tidemark.TokenClient) error {
	return s.write(ctx, func(tx conn) error {
		for _, v := range senders {
			// A token may have been deleted meanwhile: then there is nothing to add to.
			_, err := s.exec(ctx, tx, `
				INSERT INTO senders (token_id, user_agent, sender, day, requests, last_at, old, sends, address)
				SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM tokens WHERE id = ?
				ON CONFLICT (token_id, user_agent, sender, day) DO UPDATE SET requests = senders.requests + excluded.requests,
					last_at = `+later("last_at")+`, old = `+later("old")+`, sends = `+later("sends")+`, address = `+later("address"),
				v.UserAgent, v.Sender, v.Day, v.Requests, v.LastAt, v.Old, asJSON(&v.Sends), v.Address, v.Token)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// later is a column of whichever was seen last, what is there or what is added.
func later(column string) string {
	return `CASE WHEN excluded.last_at >= senders.last_at THEN excluded.` + column + ` ELSE senders.` + column + ` END`
}

// Senders returns who used a token of org since a day, latest first.
func (s *Store) Senders(ctx context.Context, org tidemark.OrgID, token, since int64) ([]*tidemark.TokenClient, error) {
	if _, err := s.Token(ctx, org, token); err != nil {
		return nil, err
	}
	return many(ctx, s, s.db, senderColumns, `FROM senders WHERE token_id = ? AND day >= ? ORDER BY last_at DESC, user_agent, sender`, token, since)
}

// maxSenderAddresses is of how many senders it is told where they send from.
const maxSenderAddresses = 20_000

var senderAddressColumns = columns[tidemark.TokenClient]{
	noun:  "sender",
	names: `sender, address`,
	dest:  func(v *tidemark.TokenClient) []any { return []any{&v.Sender, &v.Address} },
}

// SenderAddresses returns where those sent from who used any token of org since
// a time: Sender and Address, the latest first.
func (s *Store) SenderAddresses(ctx context.Context, org tidemark.OrgID, since int64) ([]*tidemark.TokenClient, error) {
	return many(ctx, s, s.db, senderAddressColumns, `FROM senders
		WHERE token_id IN (SELECT id FROM tokens WHERE org_id = ?) AND last_at >= ? AND address <> ''
		ORDER BY last_at DESC, sender LIMIT ?`, org, since, maxSenderAddresses)
}

// DeleteSenders forgets what is known of days before day, but for who used each
// token last: that tells whether it is still needed.
func (s *Store) DeleteSenders(ctx context.Context, day int64) error {
	_, err := s.exec(ctx, s.writer, `
		DELETE FROM senders WHERE day < ? AND last_at < (SELECT MAX(later.last_at) FROM senders later WHERE later.token_id = senders.token_id)`, day)
	return err
}

// Usage is what an organization sent on one day.
type Usage struct {
	Day     int64 `json:"day"` // midnight UTC
	Samples int64 `json:"samples"`
}

var usageColumns = columns[Usage]{
	noun:  "usage",
	names: `day, samples`,
	dest:  func(v *Usage) []any { return []any{&v.Day, &v.Samples} },
}

// AddUsage adds to what organizations sent on a day.
func (s *Store) AddUsage(ctx context.Context, day int64, samples map[tidemark.OrgID]int64) error {
	return s.write(ctx, func(tx conn) error {
		for org, n := range samples {
			_, err := s.exec(ctx, tx, `
				INSERT INTO usage_days (org_id, day, samples) VALUES (?, ?, ?)
				ON CONFLICT (org_id, day) DO UPDATE SET samples = usage_days.samples + excluded.samples`, org, day, n)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Usage returns what org sent, by day, since a day. A day that was taken from
// before it was counted has nothing yet.
func (s *Store) Usage(ctx context.Context, org tidemark.OrgID, since int64) ([]*Usage, error) {
	return many(ctx, s, s.db, usageColumns, `FROM usage_days WHERE org_id = ? AND day >= ? AND samples > 0 ORDER BY day`, org, since)
}

// AgentUse is how a kind of program used a token.
type AgentUse struct {
	Token     int64
	UserAgent string
	Senders   int // how many senders had it lately
	LastAt    int64
}

var agentUseColumns = columns[AgentUse]{
	noun:  "agent",
	names: `token_id, user_agent, COUNT(DISTINCT CASE WHEN day >= ? THEN sender END), MAX(last_at)`,
	dest:  func(v *AgentUse) []any { return []any{&v.Token, &v.UserAgent, &v.Senders, &v.LastAt} },
}

// AgentUses returns which programs are known to have used the tokens of org,
// latest first, with how many senders each had since a day.
func (s *Store) AgentUses(ctx context.Context, org tidemark.OrgID, since int64) ([]*AgentUse, error) {
	return many(ctx, s, s.db, agentUseColumns, `FROM senders
		WHERE token_id IN (SELECT id FROM tokens WHERE org_id = ?)
		GROUP BY token_id, user_agent ORDER BY MAX(last_at) DESC, user_agent`, since, org)
}
