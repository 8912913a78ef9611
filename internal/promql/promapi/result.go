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
	for i := range m {
		p.comma(i)
		p.raw(`{"metric":`)
		p.labels(m[i].Metric)
		p.raw(`,"values":[`)
		for k, x := range m[i].Floats {
			p.comma(k)
			p.point(x.T, x.F)
		}
		p.raw("]}")
		if len(p.b) > 1<<16 {
			p.flush()
		}
	}
	p.raw("]")
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
	p.raw(`,"`)
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	p.b = strconv.AppendFloat(p.b, v, format, -1, 64)
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
