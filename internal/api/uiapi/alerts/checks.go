package alerts

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// checkList is the checks of an organization, and the agents that ask for some.
type checkList struct {
	Checks []*tidemark.Check `json:"checks"`
	Places []*tidemark.Place `json:"places"`
}

// checkBody is a check to make, and whom to notify.
type checkBody struct {
	Name     tidemark.Opt[string]           `json:"name"`
	Kind     tidemark.Opt[string]           `json:"kind"`
	Target   tidemark.Opt[string]           `json:"target"`
	Every    tidemark.Opt[tidemark.Seconds] `json:"every"`
	Grace    tidemark.Opt[tidemark.Seconds] `json:"grace"`
	Timeout  tidemark.Opt[tidemark.Seconds] `json:"timeout"`
	Slow     tidemark.Opt[float64]          `json:"slow"` // seconds from which on an answer is slow
	Expect   tidemark.Opt[string]           `json:"expect"`
	Days     tidemark.Opt[int64]            `json:"days"`
	Active   tidemark.Opt[bool]             `json:"active"`
	Places   tidemark.Opt[[]string]         `json:"places"`   // where it runs: server, agent:NAME, tag:NAME=VALUE
	Services []int64                        `json:"services"` // of the alert that is made with it
	After    tidemark.Seconds               `json:"after"`    // how long it has to be down; 0 for at once
	DownIn   string                         `json:"down_in"`  // in which places it has to be down: any, half or all
	Silence  bool                           `json:"silence"`  // also an alert for agents that run it no more
}

// check is the check of b.
func (b *checkBody) check() *tidemark.Check {
	c := tidemark.NewCheck()
	tidemark.CheckUpdate{
		Name: b.Name, Kind: b.Kind, Target: b.Target, Every: b.Every, Grace: b.Grace, Timeout: b.Timeout, Slow: b.Slow, Expect: b.Expect, Days: b.Days, Active: b.Active, Places: b.Places,
	}.Apply(c)
	return c
}

// silenceAlert is the alert of c for agents that fall silent, or nil where
// nobody asks for one.
func (b *checkBody) silenceAlert(c *tidemark.Check) (*tidemark.Alert, error) {
	switch a := c.NewSilenceAlert(b.Services); {
	case !b.Silence:
		return nil, nil
	case !c.RunsElsewhere():
		return nil, tidemark.InvalidField("places", "must have an agent where silence is true")
	case a == nil:
		return nil, tidemark.InvalidField("every", "must be 1770 seconds or less where silence is true: alerts wait for silence for an hour at most")
	default:
		return a, nil
	}
}

// newCheck is a check that was just made: the only answer that has the address
// of a heartbeat.
type newCheck struct {
	Check *tidemark.Check `json:"check"`
	URL   string          `json:"url"` // that is to be called; "" of others
}

// checks answers GET /ui/api/checks.
func (s *API) checks(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	list, err := s.Store.Checks(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.maintain(r.Context(), who.Org, list); err != nil {
		return rest.Reply{}, err
	}
	places, err := s.Store.Places(r.Context(), who.Org)
	return rest.OK(checkList{Checks: list, Places: places}), err
}

// maintain notes which checks a maintenance window keeps from notifying now:
// those whose alert it covers.
func (s *API) maintain(ctx context.Context, org tidemark.OrgID, list []*tidemark.Check) error {
	now := s.Now().Unix()
	windows, err := s.Store.WindowsIn(ctx, org, now)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(windows, func(m *tidemark.Maintenance) bool { _, on := m.Now(now); return on }) {
		return nil
	}
	watched, err := s.Store.WatchedAlertsOf(ctx, org)
	if err != nil {
		return err
	}
	covering := make(map[int64][]*tidemark.Maintenance, len(watched))
	for _, w := range watched {
		covering[w.Alert.ID] = w.Windows
	}
	for _, c := range list {
		c.Maintain(covering[c.Alert], now)
	}
	return nil
}

// createCheck answers POST /ui/api/checks: a check with its alert.
func (s *API) createCheck(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body checkBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	c := body.check()
	want := tidemark.CheckAlert{After: body.After, DownIn: body.DownIn, Services: body.Services}
	if err := cmp.Or(c.Validate(), want.Validate()); err != nil {
		return rest.Reply{}, err
	}
	silence, err := body.silenceAlert(c)
	if err != nil {
		return rest.Reply{}, err
	}
	var key tidemark.Secret
	answer, hash := newCheck{Check: c}, ""
	if c.Kind == tidemark.CheckHeartbeat {
		key = tidemark.Secret(rand.Text() + rand.Text())
		answer.URL, hash = s.BaseURL(r)+"/heartbeat/"+key.Reveal(), key.Hash()
	}
	if err = s.Store.CreateCheck(r.Context(), who.Org, who.Actor(), c, c.NewAlert(want), silence, hash); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(answer, "/ui/api/checks"), nil
}

// updateCheck answers PUT /ui/api/checks/:id.
func (s *API) updateCheck(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.CheckUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	c, err := s.Store.UpdateCheck(r.Context(), who.Org, who.Actor(), id, u.Apply)
	return rest.OK(c), err
}

// maxTrying is how many drafts of checks an organization may try at once: each
// waits for somebody else's answer for up to 20 seconds.
const maxTrying = 4

var errTrying = tidemark.Errorf(tidemark.TooMany, "%d checks are being tried already; wait for what they find", maxTrying)

// tryCheck answers POST /ui/api/checks/try: what a draft would find now.
func (s *API) tryCheck(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.CheckUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	c := tidemark.NewCheck()
	u.Apply(c)
	if c.Name == "" {
		c.Name = "draft"
	}
	if err := c.Validate(); err != nil {
		return rest.Reply{}, err
	}
	if c.Kind == tidemark.CheckHeartbeat || s.Probe == nil {
		return rest.Reply{}, tidemark.InvalidField("kind", "cannot be tried: it waits to be called")
	}
	leave, err := s.trying.enter(who.Org, maxTrying, errTrying)
	if err != nil {
		return rest.Reply{}, err
	}
	defer leave()
	return rest.OK(s.Probe(r.Context(), c)), nil
}
