package ingest

import (
	"bytes"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// intake is one request while it is recorded: read by a decoder, or given as
// points, then classified into a batch. It is used again for later requests,
// so that one whose metrics are known allocates nothing for each of its
// measurements.
type intake struct {
	decoder
	foreign
	classified

	agent  string
	legacy bool                 // one bad item spoils all
	scope  *tidemark.TokenScope // what may be sent; nil for everything
	token  string               // whose scope it is
	sent   bool                 // by somebody, rather than made by the server
}

// decoder takes a body apart into items.
type decoder struct {
	scanner
	arena   []byte // names and tags of items
	items   []item
	extras  []extra
	entries []tagEntry // of the tags being read
	memos   []memo     // of tags read before, by their place
	upper   bool       // the tags being read have letters in upper case
	sender  tidemark.OrgID

	sketches []byte // of items
	sketch   sketch.Sketch

	top    shared
	period span   // of the request, in the body
	shape  string // what is wrong with the shape of the whole
	huge   bool   // a number was too large
}

// foreign is a request in another protocol; items are of its points.
type foreign struct {
	points     []protocol.Point
	metadata   []protocol.Metadata
	described  map[string]protocol.Metadata // the same by name, once it is needed
	staged     map[string]*total            // cumulative histograms to be remembered
	sendPeriod int64
}

// classified is what becomes of items: records in the batch, metrics to be
// created, problems to be answered.
type classified struct {
	now, oldest, newest int64

	orgID   tidemark.OrgID
	limits  *tidemark.Limits
	longest int // bytes of a stream's key; 0 is no limit

	org      *orgMetrics
	dropped  dropped
	batch    tsdb.Batch
	stream   []byte
	touched  map[*known]struct{}
	missing  map[string]*tidemark.Metric
	found    map[string]*known // that were missing
	ahead    bool              // items of missing metrics are placed too, to be counted
	unmade   bool              // missing metrics cannot be made: their items are refused
	spelled  bool              // tags of the batch were sent with letters in upper case
	summary  Summary
	problems []Problem
}

func newIntake() *intake {
	return &intake{
		foreign:    foreign{described: make(map[string]protocol.Metadata), staged: make(map[string]*total)},
		classified: classified{touched: make(map[*known]struct{}), missing: make(map[string]*tidemark.Metric), found: make(map[string]*known)},
	}
}

// span is a part of the arena or of the body.
type span struct{ off, end uint32 }

func (s span) of(b []byte) []byte { return b[s.off:s.end] }
func (s span) empty() bool        { return s.off == s.end }

// presence says whether there is something, and whether it can be used.
type presence uint8

const (
	absent presence = iota
	present
	wrong
)

// shared is what a request can say for all its measurements, or one for itself.
type shared struct {
	tags     span // in the arena: the end of a stream's key
	sent     span // likewise, with letters in upper case, where tagsRaw does not have them
	tagsRaw  span // in the body
	timeRaw  span
	time     int64
	hasTags  presence
	hasTime  presence
	tagsFlaw flaw
	upper    bool // the tags were sent with letters in upper case
}

// tagBytes is how much the tags add to a stream's key.
func (s *shared) tagBytes() int {
	if s.hasTags != present {
		return 0
	}
	return int(s.tags.end - s.tags.off)
}

// item is one measurement on its way into the batch.
type item struct {
	shared
	name    span // in the arena, as written
	raw     span // in the body: what is wrong with it
	extra   int32
	flaw    flaw
	field   numeric // which number is wrong
	summary tsdb.Summary
	dist    span  // in sketches: how the values are distributed, where that is known
	record  int32 // of the batch
	isDist  bool  // the values were sent, and are summed up already
}

// extra is what a measurement says of its metric, should that be new.
type extra struct {
	attributes, displayName, description, period span // in the body
	tree                                         map[string]any
	kind                                         string
}

// reset makes d ready for a body.
func (d *intake) reset(body []byte) {
	d.decoder.reset(body)
	d.foreign.reset()
	d.classified.reset()
	d.legacy = false
}

func (d *decoder) reset(body []byte) {
	d.scanner = scanner{b: body, text: d.text[:0]}
	d.arena, d.items, d.extras, d.entries = d.arena[:0], d.items[:0], d.extras[:0], d.entries[:0]
	d.sketches = d.sketches[:0]
	d.top, d.period, d.shape, d.huge = shared{}, span{}, "", false
}

func (f *foreign) reset() {
	clear(f.described)
	clear(f.staged)
}

func (c *classified) reset() {
	c.batch.Reset()
	clear(c.touched)
	clear(c.missing)
	clear(c.found)
	c.summary, c.problems = Summary{}, nil
}

// from returns the part of the body from start to here.
func (d *decoder) from(start int) span { return span{uint32(start), uint32(d.i)} }

// body reads a whole request.
func (d *decoder) body() {
	for more := d.enter('}'); more; more = d.more('}') {
		switch string(d.key()) {
		case "measurements":
			d.measurements()
		case "tags":
			d.tags(&d.top)
		case "time":
			d.time(&d.top)
		case "period":
			d.period = d.property()
		default:
			d.skip(2)
		}
	}
}

// end checks that nothing follows the body.
func (d *decoder) end() {
	if d.fault != "" {
		return
	}
	if d.peek(); d.fault == "unexpected end" {
		d.fault = ""
		return
	}
	d.fail("something follows the end")
}

func (d *decoder) measurements() {
	d.items, d.huge, d.shape = d.items[:0], false, ""
	switch d.peek() {
	case '[':
	case 'n':
		d.word("null")
		return
	default:
		d.skip(2)
		d.shape = "measurements must be an array"
		return
	}
	for more := d.enter(']'); more; more = d.more(']') {
		if len(d.items) == tidemark.MaxBatch {
			d.shape = tooMany
			d.fail(tooMany)
			return
		}
		d.items = slices.Grow(d.items, 1)[:len(d.items)+1]
		d.measurement(&d.items[len(d.items)-1])
	}
}

const tooMany = "too many measurements"

// numbers are the numeric fields of one measurement.
type numbers struct {
	value            [numerics]float64
	has, wrong, huge uint16
	raw              [numerics]span
}

// numeric is one of those fields.
type numeric uint8

const (
	fieldValue numeric = iota
	fieldCount
	fieldSum
	fieldMin
	fieldMax
	fieldLast
	fieldStddev
	fieldM2
	fieldSquares // legacy only
	numerics
)

var numericNames = [numerics]string{"value", "count", "sum", "min", "max", "last", "stddev", "stddev_m2", "sum_squares"}

func (d *decoder) measurement(it *item) {
	*it = item{extra: -1}
	start := d.i
	if d.peek() != '{' {
		d.skip(3)
		it.flaw, it.raw = notObject, d.from(start)
		return
	}
	var n numbers
	for more := d.enter('}'); more; more = d.more('}') {
		switch string(d.key()) {
		case "name":
			d.name(it)
		case "value":
			d.numeric(&n, fieldValue)
		case "tags":
			d.tags(&it.shared)
		case "time":
			d.time(&it.shared)
		case "count":
			d.numeric(&n, fieldCount)
		case "sum":
			d.numeric(&n, fieldSum)
		case "min":
			d.numeric(&n, fieldMin)
		case "max":
			d.numeric(&n, fieldMax)
		case "last":
			d.numeric(&n, fieldLast)
		case "stddev":
			d.numeric(&n, fieldStddev)
		case "stddev_m2":
			d.numeric(&n, fieldM2)
		case "distribution":
			d.values(it)
		case "period":
			d.about(it).period = d.property()
		case "attributes":
			d.about(it).attributes = d.property()
		case "display_name":
			d.about(it).displayName = d.property()
		case "description":
			d.about(it).description = d.property()
		default:
			d.skip(4)
		}
	}
	d.huge = d.huge || n.huge != 0
	it.settle(&n)
}

// settle makes a summary of the numbers, unless something is wrong already.
func (it *item) settle(n *numbers) {
	switch {
	case it.flaw != flawNone:
	case it.name.empty():
		it.flaw = noName
	case it.hasTags == wrong:
		it.flaw, it.raw = it.tagsFlaw, it.tagsRaw
	case it.hasTime == wrong:
		it.flaw, it.raw = timeNotNumber, it.timeRaw
	case it.isDist && n.has|n.wrong|n.huge != 0:
		it.flaw = valueAndDistribution
	case it.isDist && it.summary.Count == 0:
		it.flaw = flawEmpty
	case it.isDist:
	default:
		it.summary, it.field, it.flaw = n.summarize()
		it.raw = n.raw[it.field]
	}
}

// about returns where to keep what it says of its metric.
func (d *decoder) about(it *item) *extra {
	if it.extra < 0 {
		it.extra = int32(len(d.extras))
		d.extras = append(d.extras, extra{})
	}
	return &d.extras[it.extra]
}

// property steps over a value that is read later, if at all, and returns
// where it is; nowhere if it is null.
func (d *decoder) property() span {
	c, start := d.peek(), d.i
	d.skip(4)
	if c == 'n' {
		return span{}
	}
	return d.from(start)
}

// name reads the name of a metric. One that is no name is distinguished from none.
func (d *decoder) name(it *item) {
	it.name = span{}
	if it.flaw == badName {
		it.flaw = flawNone // of a name that this one replaces
	}
	start := d.i
	switch d.peek() {
	case '"':
		text := d.str()
		off := uint32(len(d.arena))
		d.arena = append(d.arena, text...)
		it.name = span{off, uint32(len(d.arena))}
		if len(text) > tidemark.MaxName || !all(&metricBytes, text) {
			it.flaw, it.raw = badName, d.from(start)
		}
	case 'n':
		d.word("null")
	default:
		d.skip(4)
		it.flaw, it.raw = badName, d.from(start)
	}
}

// numeric reads a number, also one in quotes; null is none.
func (d *decoder) numeric(n *numbers, f numeric) {
	v, is, raw := d.float()
	n.raw[f] = raw
	n.put(f, v, is)
}

// put sets one field, whatever it was before.
func (n *numbers) put(f numeric, v float64, is presence) {
	bit := uint16(1) << f
	n.has, n.wrong, n.huge = n.has&^bit, n.wrong&^bit, n.huge&^bit
	switch {
	case is == wrong:
		n.wrong |= bit
	case is == absent:
	case math.Abs(v) >= tooLarge:
		n.huge |= bit
	default:
		n.has |= bit
		n.value[f] = notTooSmall(v)
	}
}

// tooLarge is the least number with a decimal exponent over
// tidemark.MaxExponent; tooSmall the least above tidemark.MinExponent.
const (
	tooLarge = tidemark.ValueLimit
	tooSmall = 1e-130
)

func notTooSmall(v float64) float64 {
	if math.Abs(v) < tooSmall {
		return 0
	}
	return v
}

// float reads the value of a numeric field. NaN and infinities are not JSON,
// but some languages write them as words: one is a wrong number, and no
// reason to refuse the whole body.
func (d *decoder) float() (v float64, is presence, raw span) {
	c, start := d.peek(), d.i
	is = present
	switch {
	case c == '-' && bytes.HasPrefix(d.b[d.i+1:], []byte("Infinity")):
		d.i += len("-Infinity")
		is = wrong
	case c == '-' || c >= '0' && c <= '9':
		v = d.number()
	case c == '"':
		var ok bool
		if v, ok = parseNumber(d.str()); !ok {
			is = wrong
		}
	case c == 'n':
		d.word("null")
		is = absent
	case c == 'N':
		d.word("NaN")
		is = wrong
	case c == 'I':
		d.word("Infinity")
		is = wrong
	default:
		d.skip(4)
		is = wrong
	}
	return v, is, d.from(start)
}

// parseNumber reads a number that was sent as a text.
func parseNumber(text []byte) (float64, bool) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '-' && text[0]-'0' > 9 {
		return 0, false
	}
	s := scanner{b: text}
	v := s.number()
	return v, s.fault == "" && s.i == len(text)
}

// time reads a time: its second, or nothing where it is 0 or null.
func (d *decoder) time(to *shared) {
	v, is, raw := d.float()
	to.time, to.hasTime = asTime(v, is)
	to.timeRaw = raw
}

func asTime(v float64, is presence) (int64, presence) {
	v = math.Floor(v)
	if is == present && v == 0 {
		return 0, absent
	}
	return int64(max(-1, min(v, 1<<53))), is // what is far away is refused later
}
