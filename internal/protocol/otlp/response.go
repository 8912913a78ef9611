package otlp

import "encoding/binary"

// Response returns an ExportMetricsServiceResponse, as protocol buffers, that
// says how many points were rejected, and why.
func Response(rejected int, message string) []byte {
	var partial []byte
	if rejected > 0 {
		partial = binary.AppendUvarint(append(partial, 1<<3), uint64(rejected))
	}
	partial = appendText(partial, 2, message)
	if len(partial) == 0 {
		return nil
	}
	return appendText(nil, 1, string(partial))
}

// Status returns a google.rpc.Status, as protocol buffers.
func Status(code int, message string) []byte {
	return appendText(binary.AppendUvarint([]byte{1 << 3}, uint64(code)), 2, message)
}

// appendText appends a field of bytes, unless there are none.
func appendText(dst []byte, field byte, text string) []byte {
	if text == "" {
		return dst
	}
	const bytes = 2 // the wire type
	dst = binary.AppendUvarint(append(dst, field<<3|bytes), uint64(len(text)))
	return append(dst, text...)
}
