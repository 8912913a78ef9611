package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tidemark-metrics/tidemark/internal/query"
)

// toolText is what a tool answers: a text, in parts that are in memory once.
type toolText struct {
	memory  *query.Holding // that the parts are in, or nil
	parts   [][]byte
	refused bool
}

// write sends the text as the result of a call, a little at a time: whoever is
// slow to read it has none of it twice. Then its memory is given back.
func (t *toolText) write(w http.ResponseWriter, id json.RawMessage) {
	if t.memory != nil {
		defer t.memory.Release()
	}
	w.Header().Set("Content-Type", "application/json")
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"text":"`, id)
	for _, part := range t.parts {
		writeWithin(out, part)
	}
	fmt.Fprintf(out, `","type":"text"}],"isError":%t}}`+"\n", t.refused)
	_ = out.Flush() // the client is gone
}

// writeWithin writes text as a part of a string of JSON. Errors stay with out.
func writeWithin(out *bufio.Writer, text []byte) {
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			_, _ = out.Write([]byte{'\\', c})
		case c < ' ':
			fmt.Fprintf(out, `\u%04x`, c)
		default:
			_ = out.WriteByte(c)
		}
	}
}
