package tidemark

// Backtest is what an alert would have done over a stretch of the past.
type Backtest struct {
	Start         int64 `json:"start"`
	End           int64 `json:"end"` // excluded
	Fired         int   `json:"fired"`
	Notifications int   `json:"notifications"` // triggers, reminders and clears, for each service
	Total         int64 `json:"total_seconds"`
	Longest       int64 `json:"longest_seconds"`
	IsAlways      bool  `json:"always"` // it would have fired all the time

	// Highest and Lowest are of everything that the first condition with a
	// threshold looked at; nil if there was nothing, or no such condition.
	Highest *float64 `json:"highest"`
	Lowest  *float64 `json:"lowest"`

	// SummariesUntil is before when summaries were evaluated in place of the
	// measurements themselves, of which no more are kept, or which are too
	// many; 0 if all were evaluated as they came. SummarySeconds is what the
	// finest of them span.
	SummariesUntil int64 `json:"summaries_until"`
	SummarySeconds int64 `json:"summary_seconds"`

	Incidents  []BacktestIncident  `json:"incidents"` // the latest MaxBacktestIncidents
	Conditions []BacktestCondition `json:"conditions"`
	Thresholds []BacktestThreshold `json:"thresholds"` // other values of the first threshold, and this one

	// Fixed is what a threshold that is the same at all times would have done,
	// where the first condition is a band with one side that fired: one as
	// strict as catches all of these incidents.
	Fixed *BacktestThreshold `json:"fixed,omitempty"`
}

// MaxBacktestIncidents is how many incidents, and intervals of one stream, a
// backtest lists at most.
const MaxBacktestIncidents = 1000

// MaxBacktestStreams is how many violating streams of a condition a backtest
// lists at most: those that violate for longest.
const MaxBacktestStreams = 100

// Interval is a stretch of time, as [start, end].
type Interval [2]int64

// BacktestIncident is one incident that would have been.
type BacktestIncident struct {
	TriggeredAt int64    `json:"triggered_at"`
	ClearedAt   *int64   `json:"cleared_at"` // null: not before the end
	Peak        *float64 `json:"peak"`
	Streams     []string `json:"streams"`
	// Band is what was measured at the peak and what is usual then, where the
	// first condition is a band; of the latest MaxBacktestBands incidents.
	Band *BacktestBand `json:"band,omitempty"`
	// KnownAs is the incident that there was at that time; nil if no alert saw
	// it.
	KnownAs *BacktestKnown `json:"known_as,omitempty"`
}

// MaxBacktestBands is of how many incidents a backtest says what was usual.
const MaxBacktestBands = 20

// BacktestBand is a reading that left a band, in the unit of the metric.
type BacktestBand struct {
	At       int64   `json:"at"`
	Stream   string  `json:"stream"`
	Measured float64 `json:"measured"`
	Usual    float64 `json:"usual"`
}

// BacktestKnown is an incident of the past, and how many more there were at
// the same time.
type BacktestKnown struct {
	Incident  int64  `json:"incident_id"`
	Alert     int64  `json:"alert_id"`
	AlertName string `json:"alert_name"`
	Others    int    `json:"others"`
}

// PastIncident is an incident with the name of its alert.
type PastIncident struct {
	ID, Alert   int64
	AlertName   string
	TriggeredAt int64
	ClearedAt   *int64 // nil while it is open
}

// Recognize notes which of the incidents that there were each of b's would have
// been.
func (b *Backtest) Recognize(past []*PastIncident) {
	for i := range b.Incidents {
		b.Incidents[i].KnownAs = b.Incidents[i].recognize(past, b.End)
	}
}

// recognize returns the incident that shares most of in's time, the first of
// equals; nil if there is none. Those that are open last until now.
func (in *BacktestIncident) recognize(past []*PastIncident, now int64) *BacktestKnown {
	var known *BacktestKnown
	var longest int64
	found := 0
	for _, p := range past {
		shared := min(endOr(in.ClearedAt, now), endOr(p.ClearedAt, now)) - max(in.TriggeredAt, p.TriggeredAt)
		if shared < 0 {
			continue
		}
		if found++; known == nil || shared > longest {
			longest, known = shared, &BacktestKnown{Incident: p.ID, Alert: p.Alert, AlertName: p.AlertName}
		}
	}
	if known != nil {
		known.Others = found - 1
	}
	return known
}

func endOr(end *int64, open int64) int64 {
	if end == nil {
		return open
	}
	return *end
}

// BacktestCondition is when one condition held.
type BacktestCondition struct {
	Sentence  string           `json:"sentence"`
	Words     Sentence         `json:"words"`     // the sentence in its parts
	Intervals []Interval       `json:"intervals"` // when any stream violated it
	Looked    int              `json:"streams_total"`
	Violating int              `json:"streams_violating"`
	Streams   []BacktestStream `json:"streams"`
	// Expected is what a condition that compares with the past expects.
	Expected *BacktestExpected `json:"expected,omitempty"`
}

// BacktestExpected is what readings of a stream are compared with over time: the
// usual value and, for the sides that count, the limits around it.
type BacktestExpected struct {
	Stream string     `json:"stream"`
	Times  []int64    `json:"times"`
	Usual  []float64  `json:"usual"`
	Spread []float64  `json:"spread,omitempty"` // of a band: how far readings usually are from the usual value
	Low    []*float64 `json:"low"`
	High   []*float64 `json:"high"`
}

// BacktestStream is when one stream violated a condition.
type BacktestStream struct {
	Stream    string     `json:"stream"`
	Intervals []Interval `json:"intervals"`
	Peak      *float64   `json:"peak"`
}

// BacktestThreshold is what another threshold would have done.
type BacktestThreshold struct {
	Value float64 `json:"value"`
	Fired int     `json:"fired"`
	Total int64   `json:"total_seconds"`
}
