package alerting

import "time"

// shareBurst is for how long an organization may have as much evaluated at
// once as it may in that time.
const shareBurst = 10 * time.Second

// share is how much work the evaluation of an organization's alerts may make.
type share struct {
	credit time.Duration
	at     time.Time
}

// owed takes note of work and returns for how long no more may begin. The
// limit is in milliseconds of work a second; 0 is none.
func (s *share) owed(now time.Time, work time.Duration, limit int64) time.Duration {
	if limit <= 0 {
		s.at = time.Time{}
		return 0
	}
	most := shareBurst / 1000 * time.Duration(limit)
	if s.at.IsZero() {
		s.credit, s.at = most, now
	}
	earned := time.Duration(float64(now.Sub(s.at)) / 1000 * float64(limit))
	s.credit, s.at = min(s.credit+earned, most)-work, now
	if s.credit >= 0 {
		return 0
	}
	return time.Duration(float64(-s.credit) * 1000 / float64(limit))
}
