// Package influx decodes the line protocol of InfluxDB:
//
//	measurement,tag=value field=1.5,other=2i 1754300400000000000
//
// Each field becomes a metric of its own, measurement.field; that of a field
// called value is measurement alone.
package influx

import (
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// Decoder decodes requests, one at a time. It keeps its memory.
type Decoder struct {
	batch  *protocol.Batch
	names  protocol.Names
	unit   float64 // milliseconds in one unit of time
	text   string  // what is being read
	i      int
	line   int
	fault  string // what is wrong with the line
	fields []field
	named  string           // the measurement and tags of the line
	known  *protocol.Labels // what was made of them before
}

// field is a name and a number.
type field struct {
	name  string
	value float64
}

// precisions are the units of time, by the names that versions 1, 2 and 3 of
// InfluxDB have for them, in milliseconds.
var precisions = map[string]float64{
	"": 1e-6, "n": 1e-6, "ns": 1e-6, "nanosecond": 1e-6, "u": 1e-3, "us": 1e-3, "µ": 1e-3, "microsecond": 1e-3,
	"ms": 1, "millisecond": 1, "s": 1e3, "second": 1e3, "m": 6e4, "h": 3.6e6,
}

// Decode adds what is in body to b, with times in units of the given
// precision. A line that is not understood costs only itself, unless there is
// no other.
func (d *Decoder) Decode(precision string, body []byte, b *protocol.Batch) error {
	unit, ok := precisions[precision]
	if !ok {
		return tidemark.InvalidField("precision", "must be ns, us, ms, s, m or h")
	}
	d.batch, d.unit, d.text, d.i, d.line = b, unit, pb.Text(body), 0, 0
	for d.i < len(d.text) {
		d.line++
		if err := d.readLine(); err != nil {
			return err
		}
	}
	return b.Refused()
}

// readLine reads a line and steps over its end.
func (d *Decoder) readLine() error {
	d.blanks()
	if c := d.peek(); c == '#' || c == '\n' || c == 0 && d.i >= len(d.text) {
		d.skipLine()
		return nil
	}
	d.fault, d.fields = "", d.fields[:0]
	d.batch.StartLabels()
	measurement := ""
	if d.recall(); d.known != nil {
		measurement, d.i = d.known.Name, d.i+len(d.named)
	} else {
		measurement = d.token(" ,\n")
		d.check(measurement != "", "has no measurement")
		for d.fault == "" && d.take(',') {
			d.tag()
		}
	}
	d.check(d.take(' '), "has no fields")
	d.blanks()
	for more := d.fault == ""; more; more = d.fault == "" && d.take(',') {
		d.field(measurement)
	}
	d.blanks()
	time, ok := d.time()
	d.blanks()
	d.check(d.peek() == '\n' || d.i >= len(d.text), "has more than fields and a time")
	if d.fault != "" {
		d.batch.DropLabels()
		d.batch.SkipLine(d.line, "%s", d.fault)
		d.skipLine()
		return nil
	}
	d.i++
	return d.add(measurement, time, ok)
}

// add adds the fields of a line that was understood.
func (d *Decoder) add(measurement string, time int64, ok bool) error {
	if !ok {
		d.batch.DropLabels()
		d.batch.SkipN(protocol.BadTime, measurement, len(d.fields))
		return nil
	}
	p := protocol.Point{Time: time}
	if d.known != nil {
		p.Labels, p.Key, p.Upper = d.known.Tags, d.known.Key, d.known.Upper
	} else if p.Labels, ok = d.batch.FinishLabels(measurement); !ok {
		d.batch.SkipN(protocol.TooManyLabels, measurement, len(d.fields)-1)
		return nil
	} else {
		d.batch.Remember(form, d.named, measurement, p.Labels, protocol.Gauge)
	}
	for _, f := range d.fields {
		if p.Value = f.value; f.name == "value" {
			p.Name = d.batch.MetricName(measurement)
		} else {
			p.Name = d.names.Join(d.batch, measurement, f.name)
		}
		if err := d.batch.AddValue(p); err != nil {
			return err
		}
	}
	return nil
}

// form is that of a measurement with its tags.
const form protocol.Form = 'i'

// recall sets what the line is named by, and what was made of that before.
func (d *Decoder) recall() {
	if d.known = d.batch.Next(form, d.text[d.i:], endsHead); d.known != nil {
		d.named = d.text[d.i : d.i+d.known.Len()]
		return
	}
	d.named = d.head()
	d.known = d.batch.Recall(form, d.named)
}

// endsHead reports whether a head, which never ends in a \, ends before the rest.
func endsHead(rest string) bool { return rest != "" && rest[0] == ' ' }

// head returns the measurement and the tags of a line, as they are: what is
// before the first blank without a \. It is empty where there is no blank.
func (d *Decoder) head() string {
	line, _, _ := strings.Cut(d.text[d.i:], "\n")
	for end := 0; ; end++ {
		n := strings.IndexByte(line[end:], ' ')
		if n < 0 {
			return ""
		}
		if end += n; end == 0 || line[end-1] != '\\' {
			return line[:end]
		}
	}
}

func (d *Decoder) peek() byte {
	if d.i < len(d.text) {
		return d.text[d.i]
	}
	return 0
}

func (d *Decoder) take(c byte) bool {
	if d.i < len(d.text) && d.text[d.i] == c {
		d.i++
		return true
	}
	return false
}

func (d *Decoder) blanks() {
	for d.i < len(d.text) && (d.text[d.i] == ' ' || d.text[d.i] == '\t' || d.text[d.i] == '\r') {
		d.i++
	}
}

func (d *Decoder) check(ok bool, fault string) {
	if !ok && d.fault == "" {
		d.fault = fault
	}
}

func (d *Decoder) skipLine() {
	if n := strings.IndexByte(d.text[d.i:], '\n'); n >= 0 {
		d.i += n + 1
		return
	}
	d.i = len(d.text)
}

// token reads a text up to one of stops that has no \ before it.
func (d *Decoder) token(stops string) string {
	start, escaped := d.i, false
	for ; d.i < len(d.text); d.i++ {
		c := d.text[d.i]
		if c == '\\' && d.i+1 < len(d.text) && isSpecial(d.text[d.i+1]) {
			d.i++
			escaped = true
			continue
		}
		if c <= '=' && strings.IndexByte(stops, c) >= 0 {
			break
		}
	}
	if s := d.text[start:d.i]; !escaped {
		return s
	}
	return unescape(d.text[start:d.i])
}

func isSpecial(c byte) bool { return c == ',' || c == '=' || c == ' ' }

func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isSpecial(s[i+1]) {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}

func (d *Decoder) tag() {
	name := d.token("=, \n")
	d.check(name != "" && d.take('='), "has a tag that is not name=value")
	d.batch.AddLabel(name, d.token("=, \n"))
}

// field reads name=value. Texts have no value for us.
func (d *Decoder) field(measurement string) {
	name := d.token("=, \n")
	d.check(name != "" && d.take('='), "has a field that is not name=value")
	if d.peek() == '"' {
		d.quoted()
		d.batch.Skip(protocol.Text, measurement+"."+name)
		return
	}
	start := d.i
	for d.i < len(d.text) && d.text[d.i] != ',' && d.text[d.i] != ' ' && d.text[d.i] != '\n' && d.text[d.i] != '\r' {
		d.i++
	}
	v, ok := parseValue(d.text[start:d.i])
	if !ok && d.fault == "" {
		d.fault = "field " + strconv.Quote(cut(name)) + " has the value " + strconv.Quote(cut(d.text[start:d.i])) + ", which is none"
	}
	d.fields = append(d.fields, field{name, v})
}

// cut bounds how much of a wrong text is repeated to its sender.
func cut(s string) string { return s[:min(len(s), 30)] }

// quoted steps over a text in quotes, which may have line breaks.
func (d *Decoder) quoted() {
	for d.i++; d.i < len(d.text); d.i++ {
		switch d.text[d.i] {
		case '\\':
			d.i++
		case '"':
			d.i++
			return
		}
	}
	d.i = len(d.text)
	d.check(false, "has a text without an end")
}

func parseValue(s string) (float64, bool) {
	switch s {
	case "t", "T", "true", "True", "TRUE":
		return 1, true
	case "f", "F", "false", "False", "FALSE":
		return 0, true
	case "":
		return 0, false
	}
	switch last := s[len(s)-1]; last {
	case 'i':
		v, err := strconv.ParseInt(s[:len(s)-1], 10, 64)
		return float64(v), err == nil
	case 'u':
		v, err := strconv.ParseUint(s[:len(s)-1], 10, 64)
		return float64(v), err == nil
	}
	return protocol.ParseFloat(s)
}

// time reads the time of a line, 0 where it has none. It reports false for a
// time that cannot be.
func (d *Decoder) time() (int64, bool) {
	start := d.i
	for d.i < len(d.text) && (d.text[d.i] == '-' || d.text[d.i] >= '0' && d.text[d.i] <= '9') {
		d.i++
	}
	if start == d.i {
		return 0, true
	}
	v, err := strconv.ParseInt(d.text[start:d.i], 10, 64)
	d.check(err == nil, "has a time that is no whole number of 64 bits")
	if d.unit < 1 { // exact: nanoseconds do not fit into a float64
		return v / int64(1/d.unit), v >= 0
	}
	return protocol.Millis(float64(v), d.unit)
}
