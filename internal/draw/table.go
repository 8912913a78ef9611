package draw

import "fmt"

// Rows is what a table shows: numbers of things with a name.
type Rows struct {
	By      string // what the names are of
	Columns []Column
	Rows    []Row // the first on top
	More    int   // how many there are beside them
}

// Column is a column of numbers.
type Column struct {
	Name, Unit string
	Thresholds []Threshold
}

// Row is a row, with a number for each column; NaN is none.
type Row struct {
	Name   string
	Values []float64
}

const (
	tableRow  = 24
	tableHead = 22
	tableGap  = 18
	// widestColumn is how much of a table a column of numbers takes at most.
	widestColumn = 0.3
)

func (r *Rows) cleaned() *Rows {
	if r == nil {
		return nil
	}
	out := &Rows{By: words(r.By), More: r.More + max(0, len(r.Rows)-maxSeries)}
	for _, c := range r.Columns {
		out.Columns = append(out.Columns, Column{words(c.Name), words(c.Unit), c.Thresholds[:min(len(c.Thresholds), maxMarks)]})
	}
	for _, one := range r.Rows[:min(len(r.Rows), maxSeries)] {
		out.Rows = append(out.Rows, Row{words(one.Name), one.Values[:min(len(one.Values), len(out.Columns))]})
	}
	return out
}

// drawTable draws the rows that have room, and says how many have not.
func drawTable(cv *canvas, c Chart) {
	cv.header(c)
	rows := c.Rows
	top := pad + cv.headerHeight(c) + tableHead
	if rows == nil || len(rows.Rows) == 0 {
		cv.text(cv.w/2, cv.h/2+4, noData, legendStyle, cv.theme.t3, center)
		return
	}
	fitting, more := rows.fitting(cv.h - pad - top)
	ends, names := cv.columnEnds(rows)
	cv.tableHead(rows, ends, names, top)
	for i, row := range rows.Rows[:fitting] {
		y := top + float64(i)*tableRow
		cv.hairline(pad, cv.w-pad, y, cv.theme.grid)
		cv.text(pad, y+16, cv.fit(row.Name, tagStyle, names), tagStyle, cv.theme.t1, left)
		for k, v := range row.Values {
			cv.tableNumber(&rows.Columns[k], v, ends[k], y)
		}
	}
	if more > 0 {
		cv.text(pad, top+float64(fitting)*tableRow+16, fmt.Sprintf("and %d more", more), legendStyle, cv.theme.t3, left)
	}
}

// fitting is how many rows a height has room for, and how many are left. What
// is said of those takes the place of a row.
func (r *Rows) fitting(height float64) (n, more int) {
	room := max(0, int(height/tableRow))
	if len(r.Rows) <= room && r.More == 0 {
		return len(r.Rows), 0
	}
	n = min(len(r.Rows), max(0, room-1))
	return n, len(r.Rows) - n + r.More
}

// columnEnds returns where the columns of numbers end, and the room for names.
func (cv *canvas) columnEnds(r *Rows) (ends []float64, names float64) {
	ends = make([]float64, len(r.Columns))
	end := cv.w - pad
	for k := len(r.Columns) - 1; k >= 0; k-- {
		c := &r.Columns[k]
		width := cv.measure(c.head(), axisStyle)
		for _, row := range r.Rows {
			if k < len(row.Values) {
				width = max(width, cv.measure(c.digits(row.Values[k]), valueStyle)+tableRow)
			}
		}
		ends[k] = end
		end -= min(width, cv.w*widestColumn) + tableGap
	}
	return ends, max(0, end-pad)
}

func (cv *canvas) tableHead(r *Rows, ends []float64, names, top float64) {
	cv.text(pad, top-7, cv.fit(r.By, axisStyle, names), axisStyle, cv.theme.t3, left)
	for k := range r.Columns {
		cv.text(ends[k], top-7, cv.fit(r.Columns[k].head(), axisStyle, cv.w*widestColumn), axisStyle, cv.theme.t3, right)
	}
}

// tableNumber writes a number that ends at x, in the colour of the threshold
// that it crossed, with a mark for those who do not tell colours apart.
func (cv *canvas) tableNumber(c *Column, v, x, y float64) {
	digits, tone := c.digits(v), cv.theme.t1
	if hit := worst(c.Thresholds, v); hit != nil {
		const size = 12
		tone = cv.theme.limit(hit)
		cv.warning(x-cv.measure(digits, valueStyle)-size-5, y+12, size, tone)
	}
	cv.text(x, y+16, digits, valueStyle, tone, right)
}

// head is the name of a column with its unit.
func (c *Column) head() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " " + c.Unit
}

// digits is a number without the unit, which the head has; of bytes the unit
// is part of the number.
func (c *Column) digits(v float64) string {
	digits, unit := short(v, c.Unit)
	if unit == c.Unit {
		return digits
	}
	return withUnit(digits, unit)
}
