package draw

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"
)

// writePNG writes an image that is opaque. The encoder of the standard library
// tries five filters on every row, which takes longer than drawing the chart;
// most rows of a chart are nearly the row above, so that one filter will do.
func writePNG(w io.Writer, img *image.RGBA) error {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	if _, err := io.WriteString(w, "\x89PNG\r\n\x1a\n"); err != nil {
		return err
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	header = append(header, 8, 2, 0, 0, 0) // 8 bits of red, green and blue; nothing unusual
	if err := writeChunk(w, "IHDR", header); err != nil {
		return err
	}
	data := &chunkWriter{w: w}
	z, err := zlib.NewWriterLevel(data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	above := make([]byte, width*4)
	out := make([]byte, 1+width*3)
	out[0] = 2 // what follows is the difference to the row above
	for y := range height {
		row := img.Pix[y*img.Stride : y*img.Stride+width*4]
		differences(out[1:], row, above)
		above = row
		if _, err := z.Write(out); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := data.flush(); err != nil {
		return err
	}
	return writeChunk(w, "IEND", nil)
}

// differences writes the differences of two rows, without their opacity.
func differences(out, row, above []byte) {
	above = above[:len(row)]
	for len(row) >= 4 && len(out) >= 3 && len(above) >= 4 {
		out[0], out[1], out[2] = row[0]-above[0], row[1]-above[1], row[2]-above[2]
		out, row, above = out[3:], row[4:], above[4:]
	}
}

// chunkWriter collects what is written into chunks of picture data.
type chunkWriter struct {
	w   io.Writer
	buf []byte
}

const chunkSize = 64 << 10

func (c *chunkWriter) Write(b []byte) (int, error) {
	c.buf = append(c.buf, b...)
	if len(c.buf) >= chunkSize {
		return len(b), c.flush()
	}
	return len(b), nil
}

func (c *chunkWriter) flush() error {
	if len(c.buf) == 0 {
		return nil
	}
	err := writeChunk(c.w, "IDAT", c.buf)
	c.buf = c.buf[:0]
	return err
}

func writeChunk(w io.Writer, name string, data []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	head = append(head, name...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	for _, part := range [][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
