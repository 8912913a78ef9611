package store

// SetClock makes the store believe what now says of the time.
func (s *Store) SetClock(now func() int64) { s.now = now }

// MaxCharts is maxCharts for tests.
const MaxCharts = maxCharts
