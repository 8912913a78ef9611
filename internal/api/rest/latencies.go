package rest

// Latencies are how many requests took how long, by the buckets of the
// histogram of /metrics.
type Latencies [14]int64

// Latencies adds up the requests to some routes so far.
func (s *Server) Latencies(routes ...string) (l Latencies) {
	for _, name := range routes {
		if c := s.observed.routes[name]; c != nil {
			for i := range l {
				l[i] += c.buckets[i].Load()
			}
		}
	}
	return l
}

// Since are those that came after before was taken.
func (l Latencies) Since(before Latencies) Latencies {
	for i := range l {
		l[i] -= before[i]
	}
	return l
}

// Count is how many there are.
func (l Latencies) Count() (n int64) {
	for _, one := range l {
		n += one
	}
	return n
}

// Quantile is about how many seconds the part q of them took at most: within a
// bucket they are taken to be spread evenly, and none to have taken longer than
// the longest bound. Of none it is 0.
func (l Latencies) Quantile(q float64) float64 {
	rank, below := q*float64(l.Count()), 0.0
	for i, bound := range latencyBounds {
		from := 0.0
		if i > 0 {
			from = latencyBounds[i-1]
		}
		if n := float64(l[i]); n > 0 && below+n >= rank {
			return from + (bound-from)*(rank-below)/n
		}
		below += float64(l[i])
	}
	if l.Count() == 0 {
		return 0
	}
	return latencyBounds[len(latencyBounds)-1]
}
