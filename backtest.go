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
