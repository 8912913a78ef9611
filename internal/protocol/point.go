// Package protocol has what the protocols of other products have in common
// once they are decoded: points with a name, labels and a kind, in the
// alphabet of the API, and an account of what was left out. The decoders are
// the packages below; they know neither HTTP nor storage.
package protocol

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// Kind is how the points of a stream are to be read.
type Kind uint8

const (
	Gauge                  Kind = iota // a value as it was at its time
	Counter                            // a total since Start; it falls only when it starts again
	Delta                              // what was added since the point before
	Distribution                       // of the values since the point before
	CumulativeDistribution             // of the values since Start
)

func (k Kind) String() string {
	return [...]string{"gauge", "counter", "delta", "distribution", "cumulative distribution"}[k]
}

// Point is one sample of one stream.
type Point struct {
	Name   string
	Labels tidemark.Tags
	Key    string         // of the labels, where they are Known
	Ref    *streamref.Ref // of the name with these labels, where both are Known together
	Time   int64          // milliseconds since 1970; 0 where the sender named none: now
	Start  int64          // of what a cumulative point counts, likewise; 0 where it is not known
	Kind   Kind
	Upper  *Upper  // of labels that are remembered and have letters in upper case, while Key is in lower case
	Value  float64 // of a gauge, counter or delta
	Dist   *Dist   // of a distribution
}

// Metadata describes a metric, as some protocols do apart from its points.
type Metadata struct {
	Name, Help, Unit string
	Type             string // in the words of Prometheus: counter, gauge, histogram, summary; "" where it is not known
}

// Reason is why something was left out.
type Reason string

// What decoders leave out. Each says what it is about; together with an
// example that is enough to find the sender.
const (
	NotFinite      Reason = "the value is NaN or infinite"
	TooLarge       Reason = "the value has an exponent over 126"
	Stale          Reason = "a stale marker: the sender lost sight of the series"
	NoName         Reason = "has no name"
	NoValue        Reason = "has no value"
	TooManyLabels  Reason = "has more than 50 labels"
	DuplicateLabel Reason = "has a label twice: the last one counts"
	Text           Reason = "the value is a text"
	NotUnderstood  Reason = "is not understood"
	BadHistogram   Reason = "is a histogram whose buckets are inconsistent"
	BadTime        Reason = "the time is out of range"
	Exemplar       Reason = "exemplars are not kept"
	NotMetric      Reason = "events, service checks and the like are not kept"
	TooManyMembers Reason = "over the number of values that are kept between flushes"
	TooManySeries  Reason = "over the number of series that are kept between flushes"
)

// Skip counts what was left out for one reason.
type Skip struct {
	Reason  Reason
	Count   int
	Example string // where it was first, cut to a bearable length
}
