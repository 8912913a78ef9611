package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ClickHouse/ch-go/proto"
)

// format is the revision of ClickHouse's Native format that goes over HTTP.
const format = 0

// rowBytes is what a row of a single value takes in that format.
const rowBytes = 52

// encode appends rows to dst in the Native format.
func encode(dst []byte, columns proto.Input, rows int) ([]byte, error) {
	buf := proto.Buffer{Buf: slices.Grow(dst, rows*rowBytes)}
	block := proto.Block{Columns: len(columns), Rows: rows}
	if err := block.EncodeRawBlock(&buf, format, columns); err != nil {
		return nil, fmt.Errorf("encode rows: %w", err)
	}
	return buf.Buf, nil
}

// each runs a question and calls do for every block of the answer, whose
// columns have been read into results. An answer that breaks off is an error:
// half of one is never taken for the whole.
func (c *client) each(ctx context.Context, st *statement, results proto.Results, do func(rows int) error) error {
	st.sql += " FORMAT Native"
	body, err := c.ask(ctx, st)
	if err != nil {
		return err
	}
	defer body.Close()
	r := proto.NewReader(body)
	for {
		var block proto.Block
		for i := range results {
			results[i].Data.Reset()
		}
		err := block.DecodeRawBlock(r, format, results)
		if errors.Is(err, io.EOF) && block.Columns == 0 {
			return nil
		}
		if err != nil {
			return ended(ctx, fmt.Errorf("the answer broke off: %w", err))
		}
		if block.Rows == 0 {
			continue
		}
		if err := do(block.Rows); err != nil {
			return err
		}
	}
}

// column is one of an answer.
func column(name string, data proto.ColResult) proto.ResultColumn {
	return proto.ResultColumn{Name: name, Data: data}
}
