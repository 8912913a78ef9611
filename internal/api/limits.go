package api

import (
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"golang.org/x/time/rate"
)

// orgLimits answers GET /admin/limits: the limits of an organization, and what
// it uses of them.
func (s *Server) orgLimits(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	limits, err := s.LimitsOf(r.Context(), who.Org)
	return rest.OK(map[string]any{"limits": limits}), err
}

// setOrgLimits answers PUT /admin/limits: an object of numbers by name of
// limit, of which null is the server's value again.
func (s *Server) setOrgLimits(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	object, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	values, err := shared.ReadLimits(object)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.SetLimitsOf(r.Context(), who.Org, who.Actor(), values)
}

// requestBurst is for how long an organization may make as many requests at
// once as it may in that time.
const requestBurst = 10 * time.Second

// requestRates counts the requests of organizations.
type requestRates struct {
	mu   sync.Mutex
	orgs map[tidemark.OrgID]*requestRate
}

type requestRate struct {
	limit  int64
	share  int64 // of the limit, that this server has
	bucket *rate.Limiter
}

// allow reports whether org may make a request now. A new limit counts at
// once; of a new share of it, what was used up stays so.
func (q *requestRates) allow(org tidemark.OrgID, limit, share int64, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.orgs == nil {
		q.orgs = make(map[tidemark.OrgID]*requestRate)
	}
	r, burst := q.orgs[org], int(share)*int(requestBurst/time.Second)
	switch {
	case r == nil || r.limit != limit:
		r = &requestRate{limit, share, rate.NewLimiter(rate.Limit(share), burst)}
		q.orgs[org] = r
	case r.share != share:
		r.bucket.SetLimitAt(now, rate.Limit(share))
		r.bucket.SetBurstAt(now, burst)
		r.share = share
	}
	return r.bucket.AllowN(now, 1)
}

// limitRequests refuses the requests of an organization that makes too many.
func (s *Server) limitRequests(who rest.Caller) error {
	limit := s.Limits.Of(who.Org, tidemark.LimitRequests)
	if limit == 0 || s.requests.allow(who.Org, limit, s.Limits.Share(who.Org, tidemark.LimitRequests), s.Now()) {
		s.Limits.Granted(who.Org, tidemark.LimitRequests, 1)
		return nil
	}
	return s.Limits.Refuse(who.Org, tidemark.LimitRequests)
}
