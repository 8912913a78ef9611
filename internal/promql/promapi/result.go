package promapi

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/tidemark-metrics/tidemark/internal/jsonout"
)

// result is what is answered: data, or the value of a query.
type result struct {
	data     any
	value    parser.Value
	stats    any
	warnings annotations.Annotations
	query    string // that warnings are about
	done     func() // to be called when the value is no longer needed
}

func data(v any) *result { return &result{data: v} }

// truncate leaves at most limit series; 0 means all.
func (r *result) truncate(limit int) {
	cut := false
	switch v := r.value.(type) {
	case prom.Matrix:
		if cut = limit > 0 && len(v) > limit; cut {
			r.value = v[:limit]
		}
	case prom.Vector:
		if cut = limit > 0 && len(v) > limit; cut {
			r.value = v[:limit]
		}
	}
	if cut {
		r.warnings.Add(errTruncated)
	}
}

// write sends the result. Values are written in pieces: they may be large.
func (r *result) write(w http.ResponseWriter) {
	if r.done != nil {
		defer r.done()
	}
	w.Header().Set("Content-Type", "application/json")
	p := &printer{w: w}
	p.raw(`{"status":"success","data":`)
	if r.value != nil {
		p.queryData(r)
	} else {
		p.json(r.data)
	}
	warnings, infos := r.warnings.AsStrings(r.query, 10, 10)
	if len(warnings) > 0 {
		p.raw(`,"warnings":`)
		p.json(warnings)
	}
	if len(infos) > 0 {
		p.raw(`,"infos":`)
		p.json(infos)
	}
	p.raw("}")
	p.flush()
}

// printer writes JSON. Errors are those of a client that has gone: what is
// left to write is then dropped.
type printer struct {
	w    http.ResponseWriter
	b    []byte
	gone bool
}

func (p *printer) raw(s string) { p.b = append(p.b, s...) }

func (p *printer) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte("null") // nothing that is given here can fail
	}
	p.b = append(p.b, b...)
}

func (p *printer) flush() {
	if !p.gone {
		_, err := p.w.Write(p.b)
		p.gone = err != nil
	}
	p.b = p.b[:0]
}

func (p *printer) queryData(r *result) {
	p.raw(`{"resultType":`)
	p.json(r.value.Type())
	p.raw(`,"result":`)
	switch v := r.value.(type) {
	case prom.Matrix:
		p.matrix(v)
	case prom.Vector:
		p.vector(v)
	case prom.Scalar:
		p.point(v.T, v.V)
	case prom.String:
		p.raw("[")
		p.time(v.T)
		p.raw(",")
		p.json(v.V)
		p.raw("]")
	}
	if r.stats != nil {
		p.raw(`,"stats":`)
		p.json(r.stats)
	}
	p.raw("}")
}

func (p *printer) matrix(m prom.Matrix) {
	p.raw("[")
	var times timeTexts
	for i := range m {
		p.comma(i)
		p.raw(`{"metric":`)
		p.labels(m[i].Metric)
		p.raw(`,"values":[`)
		times.at = 0
		for k, x := range m[i].Floats {
			p.comma(k)
			p.raw("[")
			if text, ok := times.find(x.T); ok {
				p.b = append(p.b, text...)
			} else {
				from := len(p.b)
				p.time(x.T)
				if i == 0 {
					times.add(x.T, p.b[from:])
				}
			}
			p.value(x.F)
		}
		p.raw("]}")
		if len(p.b) > 1<<16 {
			p.flush()
		}
	}
	p.raw("]")
}

// timeTexts are the times of the first series as they were written: the others
// have the same as a rule, and writing a number takes longer than copying one.
type timeTexts struct {
	times []int64
	ends  []int // of the text of each
	texts []byte
	at    int // where the next is looked for
}

// add notes the text of a time that is later than all before.
func (x *timeTexts) add(t int64, text []byte) {
	x.texts = append(x.texts, text...)
	x.times, x.ends = append(x.times, t), append(x.ends, len(x.texts))
	x.at = len(x.times)
}

// find returns the text of a time that is later than the one it was asked for
// before.
func (x *timeTexts) find(t int64) ([]byte, bool) {
	for x.at < len(x.times) && x.times[x.at] < t {
		x.at++
	}
	if x.at == len(x.times) || x.times[x.at] != t {
		return nil, false
	}
	from := 0
	if x.at > 0 {
		from = x.ends[x.at-1]
	}
	x.at++
	return x.texts[from:x.ends[x.at-1]], true
}

func (p *printer) vector(v prom.Vector) {
	p.raw("[")
	for i := range v {
		p.comma(i)
		p.raw(`{"metric":`)
		p.labels(v[i].Metric)
		p.raw(`,"value":`)
		p.point(v[i].T, v[i].F)
		p.raw("}")
		if len(p.b) > 1<<16 {
			p.flush()
		}
	}
	p.raw("]")
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.raw(",")
	}
}

func (p *printer) labels(ls labels.Labels) {
	p.raw("{")
	i := 0
	ls.Range(func(l labels.Label) {
		p.comma(i)
		p.json(l.Name)
		p.raw(":")
		p.json(l.Value)
		i++
	})
	p.raw("}")
}

// point writes a time in seconds, and a value as a text: JSON has no NaN.
func (p *printer) point(t int64, v float64) {
	p.raw("[")
	p.time(t)
	p.value(v)
}

// value ends a point.
func (p *printer) value(v float64) {
	p.raw(`,"`)
	switch abs := math.Abs(v); {
	case abs >= 1e-6 && abs < 1e21:
		p.b = jsonout.AppendFloat(p.b, v)
	case abs < 1e-6 && abs > 0 || abs >= 1e21:
		p.b = strconv.AppendFloat(p.b, v, 'e', -1, 64)
	default: // zero, or not a number
		p.b = strconv.AppendFloat(p.b, v, 'f', -1, 64)
	}
	p.raw(`"]`)
}

// time writes milliseconds as seconds, with three digits after the point or none.
func (p *printer) time(ms int64) {
	if ms < 0 {
		p.raw("-")
		ms = -ms
	}
	p.b = strconv.AppendInt(p.b, ms/1000, 10)
	if ms %= 1000; ms != 0 {
		p.b = append(p.b, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
	}
}
