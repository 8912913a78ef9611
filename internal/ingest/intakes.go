package ingest

import "github.com/tidemark-metrics/tidemark/internal/spare"

// What is kept of memory from one request to the next: few intakes that took a
// long one apart, and of others as many as may wait at once for a database on
// another machine.
const (
	maxIntakes     = 64
	maxLongIntakes = 8
	maxShortIntake = 256 << 10 // bytes of texts: those of 1500 measurements with five tags
	maxKeptIntake  = 2 << 20   // those of 10,000
)

// intakes are kept for requests that come.
type intakes struct{ short, long *spare.List[intake] }

func newIntakes() intakes {
	return intakes{spare.NewList[intake](maxIntakes), spare.NewList[intake](maxLongIntakes)}
}

// get returns one that is to be reset.
func (k intakes) get() *intake {
	if d := k.short.Get(); d != nil {
		return d
	}
	if d := k.long.Get(); d != nil {
		return d
	}
	return newIntake()
}

// put keeps one, unless there are enough or it is too long. Texts are in the
// batch too, and only there where points went into it directly.
func (k intakes) put(d *intake) {
	switch size := max(cap(d.arena)+cap(d.sketches), d.batch.TextBytes()); {
	case size <= maxShortIntake:
		k.short.Put(d)
	case size <= maxKeptIntake:
		k.long.Put(d)
	}
}
