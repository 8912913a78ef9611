package remotewrite

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// What a request of version 2 may hold, beyond its points.
const (
	maxSymbols = 1 << 20
	maxRefs    = 1000 // of a series to its labels; far more than it may have
)

// readV2 reads version 2, in which every text is sent once and then referred
// to by its number. The texts are brought into the API's alphabet once, too.
func (d *Decoder) readV2(r *pb.Reader) error {
	d.symbols = d.symbols[:0]
	again := *r
	for r.Next() {
		if r.Field != 4 {
			continue
		}
		if d.symbols = append(d.symbols, r.Text()); len(d.symbols) > maxSymbols {
			return tidemark.Errorf(tidemark.TooLarge, "more than %d symbols in one request", maxSymbols)
		}
	}
	if r.Err != nil {
		return nil
	}
	d.names = cleared(d.names, len(d.symbols))
	d.values = cleared(d.values, len(d.symbols))
	for *r = again; r.Next(); {
		if r.Field != 5 {
			continue
		}
		m := r.Message()
		err := d.seriesV2(&m)
		if r.Close(&m); err != nil {
			return err
		}
	}
	return nil
}

func cleared(s []string, n int) []string {
	if cap(s) < n {
		return make([]string, n)
	}
	clear(s[:n])
	return s[:n]
}

func (d *Decoder) seriesV2(r *pb.Reader) error {
	d.start()
	d.refs = d.refs[:0]
	var meta metadata
	again := *r
	histograms := 0
	for r.Next() {
		m := pb.Reader{}
		switch r.Field {
		case 1:
			r.Numbers(func(v uint64) {
				if len(d.refs) < maxRefs {
					d.refs = append(d.refs, v)
				}
			})
		case 2:
			d.sample(r)
		case 3:
			histograms++
		case 4:
			d.batch.Skip(protocol.Exemplar, "")
		case 5:
			m = r.Message()
			meta.read(&m)
		}
		r.Close(&m)
	}
	if r.Err != nil {
		return nil
	}
	if err := d.labelsV2(); err != nil {
		return err
	}
	if err := d.describe(meta); err != nil {
		return err
	}
	d.typ = meta.typ
	if histograms > 0 {
		if err := d.histogramsV2(&again); err != nil {
			return err
		}
	}
	return d.finish(r)
}

// histogramsV2 reads the histograms of a series, now that it has its labels.
func (d *Decoder) histogramsV2(r *pb.Reader) error {
	for r.Next() {
		if r.Field != 3 {
			continue
		}
		m := r.Message()
		err := d.nativeHistogram(&m)
		if r.Close(&m); err != nil {
			return err
		}
	}
	return nil
}

// labelsV2 collects the labels that are referred to: name, value, name, ...
func (d *Decoder) labelsV2() error {
	if len(d.refs)%2 != 0 {
		return tidemark.Errorf(tidemark.Invalid, "a series has an odd number of references to labels, %d", len(d.refs))
	}
	for i := 0; i < len(d.refs); i += 2 {
		name, err := d.symbol(d.refs[i])
		if err != nil {
			return err
		}
		value, err := d.symbol(d.refs[i+1])
		if err != nil {
			return err
		}
		if name == nameLabel {
			d.point.Name = d.batch.MetricName(value)
			continue
		}
		if name == "" || value == "" {
			continue
		}
		d.le = d.le || name == "le"
		d.batch.AddMapped(tidemark.Tag{
			Name:  mapped(d.names, d.refs[i], name, d.batch.LabelName),
			Value: mapped(d.values, d.refs[i+1], value, d.batch.LabelValue),
		})
	}
	return nil
}

// mapped returns what a symbol is in an alphabet; known are those it was
// asked for before.
func mapped(known []string, ref uint64, s string, do func(string) string) string {
	if known[ref] == "" {
		known[ref] = do(s)
	}
	return known[ref]
}

func (d *Decoder) symbol(ref uint64) (string, error) {
	if ref >= uint64(len(d.symbols)) {
		return "", tidemark.Errorf(tidemark.Invalid, "a series refers to symbol %d of %d", ref, len(d.symbols))
	}
	return d.symbols[ref], nil
}

// metadata is what a series of version 2 says about its metric.
type metadata struct{ typ, help, unit uint64 }

func (m *metadata) read(r *pb.Reader) {
	for r.Next() {
		switch r.Field {
		case 1:
			m.typ = r.Uint()
		case 3:
			m.help = r.Uint()
		case 4:
			m.unit = r.Uint()
		}
	}
}

// describe passes on what a series says about its metric, unless the series
// before said the same.
func (d *Decoder) describe(m metadata) error {
	help, err := d.symbol(m.help)
	if err != nil && m.help > 0 {
		return err
	}
	unit, err := d.symbol(m.unit)
	if err != nil && m.unit > 0 {
		return err
	}
	meta := protocol.Metadata{Name: d.point.Name, Help: help, Unit: unit, Type: typeName(m.typ)}
	last := len(d.batch.Metadata) - 1
	if m == (metadata{}) || last >= 0 && d.batch.Metadata[last] == meta {
		return nil
	}
	d.addMetadata(meta)
	return nil
}
