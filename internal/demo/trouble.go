package demo

import (
	"hash/fnv"
	"math"
	"strconv"
)

// troubles are what goes wrong in the shop: some of it before the demo was
// made and some at that moment, so that anyone who comes finds an alert that fires
// and others with a history; after that, again and again.
type troubles struct {
	made int64 // when the demo was made; everything is placed around it
}

// trouble is one time in which the database is slow. Times are seconds, the
// start counted from when the demo was made.
type trouble struct {
	start, length int64
	size          float64
	failover      bool // the database fails over; otherwise a deploy was bad
}

// beforehand is what went wrong before the demo was made, and still does.
var beforehand = []trouble{
	{start: -6*86400 - 5*3600, length: 7800, size: 0.85},
	{start: -2*86400 - 16*3600, length: 1560, size: 0.38},
	{start: -187 * 60, length: 3200, size: 1.08, failover: true},
	{start: -93 * 60, length: 4900, size: 0.70},
	{start: -33 * 60, length: 5400, size: 0.58},
}

// again is how often there is trouble later on.
const again = 4 * 3600

// at returns the trouble that t lies in.
func (tr *troubles) at(t int64) (found []trouble) {
	after := t - tr.made
	for _, one := range beforehand {
		if one.includes(after) {
			found = append(found, one)
		}
	}
	if one, ok := tr.later(after / again); ok && one.includes(after) {
		found = append(found, one)
	}
	return found
}

func (one *trouble) includes(after int64) bool {
	return after >= one.start && after < one.start+one.length
}

// later is the trouble of the nth stretch after the demo was made.
func (tr *troubles) later(n int64) (trouble, bool) {
	if n < 1 {
		return trouble{}, false
	}
	seed := strconv.FormatInt(tr.made+n, 10)
	return trouble{
		start: n*again + int64(hash("start"+seed)*3600)/60*60, length: 2400 + int64(hash("length"+seed)*4200),
		size: 0.45 + 0.7*hash("size"+seed), failover: n%2 == 0,
	}, true
}

// height is how bad it is at a time: it rises quickly and falls slowly.
func (one *trouble) height(after int64) float64 {
	x := float64(after-one.start) / float64(one.length)
	return one.size * math.Pow(math.Sin(math.Pi*math.Sqrt(x)), 2)
}

// size is how bad it is at t: 0 when all is well, about 1 at its worst.
func (tr *troubles) size(t int64) (size float64) {
	for _, one := range tr.at(t) {
		size = math.Max(size, one.height(t-tr.made))
	}
	return size
}

// failover is size, of the failovers alone.
func (tr *troubles) failover(t int64) (size float64) {
	for _, one := range tr.at(t) {
		if one.failover {
			size = math.Max(size, one.height(t-tr.made))
		}
	}
	return size
}

// search is how bad search is: it has its own small trouble twice a day.
func (tr *troubles) search(t int64) float64 {
	one := trouble{start: 8*3600 + 500, length: 1500, size: 1}
	after := (t - tr.made) % (12 * 3600)
	if after < 0 {
		after += 12 * 3600
	}
	if !one.includes(after) {
		return 0
	}
	return one.height(after)
}

// hangs and rests are how long one worker hangs, and works until it hangs
// again.
const (
	hangs = 26 * 3600
	rests = 25 * 60
)

// isHanging reports whether the worker that hangs does so. It had been hanging
// for a good two hours when the demo was made.
func (tr *troubles) isHanging(t int64) bool {
	after := t - tr.made + 2*3600 + 14*60
	return after >= 0 && after%(hangs+rests) < hangs
}

// traffic follows the day, with its noon at an hour of UTC, and a little noise.
func traffic(t int64, noon float64, name string) float64 {
	hour := float64(t%86400) / 3600
	return 0.85 + 0.25*math.Cos((hour-noon)/24*2*math.Pi) + 0.03*noise(t, name)
}

// saw rises from 0 to 1 over a period, and falls back.
func saw(t, period int64) float64 { return float64(t%period) / float64(period) }

func clamp(v, low, high float64) float64 { return math.Min(high, math.Max(low, v)) }

// noise is between -1 and 1, the same for the same time and name: slow waves
// with quick ones on them, as real measurements have.
func noise(t int64, name string) float64 {
	seed := seedOf(name)
	return 0.4*wave(t, 1500, seed) + 0.3*wave(t, 300, seed) + 0.3*wave(t, 75, seed)
}

// wave is smooth noise whose hills are as far apart as period.
func wave(t, period int64, seed uint64) float64 {
	n, x := t/period, float64(t%period)/float64(period)
	seed += uint64(period) << 40
	a, b := random(seed+uint64(n)), random(seed+uint64(n)+1)
	return 2*(a+(b-a)*x*x*(3-2*x)) - 1
}

func seedOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

// hash is a number from 0 to 1 that looks random.
func hash(name string) float64 { return random(seedOf(name)) }

// random is a number from 0 to 1 that looks random: the finalizer of
// MurmurHash3.
func random(x uint64) float64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
