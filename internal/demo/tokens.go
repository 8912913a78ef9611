package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

const day = 86400

// speaker is a holder who has its token, and so can speak.
type speaker struct {
	holder
	client *client.Client
}

// introduce makes the tokens of the shop, each with its past.
func (d *demo) introduce(ctx context.Context) error {
	if d.As == nil {
		return nil
	}
	for _, h := range holders() {
		made, err := d.Client.Tokens().Create(ctx, d.tokenOf(h))
		if err != nil {
			return fmt.Errorf("token %s: %w", h.name, err)
		}
		d.give(h, made.Token)
		if d.Store == nil {
			continue
		}
		if err := d.ageToken(ctx, made.ID, h); err != nil {
			return fmt.Errorf("token %s: %w", h.name, err)
		}
	}
	return nil
}

func (d *demo) tokenOf(h holder) object {
	body := object{"name": h.name, "role": h.role, "active": !h.inactive}
	if h.expires > 0 {
		body["expires_at"] = d.troubles.made + h.expires*day
	}
	if h.imported {
		value := make([]byte, 32)
		_, _ = rand.Read(value) // never fails
		body["import_token"] = hex.EncodeToString(value)
	}
	return body
}

// give lets a holder speak, if it has something to say.
func (d *demo) give(h holder, secret string) {
	if h.sends != nil || h.reads != "" {
		d.speakers = append(d.speakers, speaker{h, d.As(tidemark.Secret(secret), h.agent, h.address)})
	}
}

// meet gives those that have a token still a new value of it: the one of the
// run before is known to nobody. What somebody took from them stays taken.
func (d *demo) meet(ctx context.Context) error {
	if d.As == nil {
		return nil
	}
	found, err := d.Client.Tokens().List(ctx)
	if err != nil {
		return err
	}
	for _, h := range holders() {
		for _, t := range found {
			if t.Name != h.name || !t.Active || h.sends == nil && h.reads == "" {
				continue
			}
			fresh, err := d.Client.RotateToken(ctx, t.ID, 0)
			if err != nil {
				return fmt.Errorf("token %s: %w", h.name, err)
			}
			d.give(h, fresh.Token)
			break
		}
	}
	return nil
}

// ageToken gives a token the past that its holder has.
func (d *demo) ageToken(ctx context.Context, id int64, h holder) error {
	if err := d.Store.AgeToken(ctx, d.Org, id, d.troubles.made-h.age*day); err != nil {
		return err
	}
	var senders []*tidemark.TokenClient
	uses := make(map[int64]int64) // requests by day
	var last int64
	for _, t := range h.past {
		for ago := t.from; ago >= t.to; ago-- {
			s := d.seen(id, h, t, ago)
			senders = append(senders, s)
			uses[s.Day] += s.Requests
			last = max(last, s.LastAt)
		}
	}
	if err := d.Store.AddSenders(ctx, senders); err != nil {
		return err
	}
	if err := d.Store.AddTokenUses(ctx, usesOf(id, h, uses)); err != nil {
		return err
	}
	return d.Store.TouchTokens(ctx, map[int64]int64{id: last})
}

// seen is what is known of a trace on a day some days ago.
func (d *demo) seen(id int64, h holder, t trace, ago int64) *tidemark.TokenClient {
	at := d.troubles.made - ago*day
	midnight := at / day * day
	share := 1 + 0.35*noise(at, t.agent) // of all its hosts alike: traffic has good days and bad ones
	last := midnight + day - 1
	if ago == t.to { // its last day
		last = at - h.idle(at)
		share *= float64(last-midnight+1) / day
	}
	return &tidemark.TokenClient{
		Token: id, UserAgent: t.agent, Sender: t.host, Day: midnight, LastAt: max(midnight, last), Requests: max(1, int64(share*float64(t.daily))),
	}
}

// idle is how long before a time a holder was last seen.
func (h *holder) idle(at int64) int64 {
	switch {
	case h.reads != "" && h.shift > 0:
		return (at - h.shift) % h.every
	case h.name == "terraform":
		return 41 * 60
	case h.every > 0:
		return h.every
	}
	return 12
}

func usesOf(id int64, h holder, days map[int64]int64) (all []*tidemark.TokenUse) {
	action, noun := tidemark.Record, "measurements"
	if h.reads != "" {
		action, noun = tidemark.View, strings.TrimPrefix(h.reads, "/v1/")
	}
	for midnight, n := range days {
		all = append(all, &tidemark.TokenUse{Token: id, Action: action, Noun: noun, Day: midnight, Requests: n})
	}
	return all
}

// speak lets everybody say what they have to say between two times. What they
// are refused is their own affair, as it is for every agent.
func (d *demo) speak(ctx context.Context, last, now int64) error {
	said := make(map[string]bool) // streams by their first word
	for _, s := range d.speakers {
		for _, first := range s.sends {
			said[first] = true
		}
		if err := d.sendAs(ctx, s, now); err != nil && tidemark.KindOf(err) != tidemark.Unauthenticated {
			return err
		}
		if s.reads != "" && (now-s.shift)/s.every != (last-s.shift)/s.every {
			if err := s.client.Do(ctx, http.MethodGet, s.reads, nil, nil); err != nil && tidemark.KindOf(err) != tidemark.Unauthenticated {
				return err
			}
		}
	}
	return d.sendRest(ctx, said, now)
}

// sendAs sends what a holder measures now, one request from every host.
func (d *demo) sendAs(ctx context.Context, s speaker, now int64) error {
	hosts := make(map[string][]client.Measurement)
	for i := range d.streams {
		m, ok := d.streams[i].at(now)
		if ok && s.measures(m.Name) {
			hosts[m.Tags["host"]] = append(hosts[m.Tags["host"]], m)
		}
	}
	for _, ms := range hosts {
		if err := s.client.Record(ctx, ms...); err != nil {
			return fmt.Errorf("send as %s: %w", s.name, err)
		}
	}
	return nil
}

func (h *holder) measures(name string) bool {
	for _, first := range h.sends {
		if strings.HasPrefix(name, first) {
			return true
		}
	}
	return false
}

// sendRest sends what nobody has a token for.
func (d *demo) sendRest(ctx context.Context, said map[string]bool, now int64) error {
	var rest []client.Measurement
	for i := range d.streams {
		m, ok := d.streams[i].at(now)
		first, _, _ := strings.Cut(m.Name, ".")
		if ok && !said[first+"."] {
			rest = append(rest, m)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return d.Client.Record(ctx, rest...)
}
