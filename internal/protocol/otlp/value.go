package otlp

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// maxAttributes is how many attributes are looked at. It is far more than a
// point may have labels; of a resource, most are not used.
const maxAttributes = 1000

// textAttribute reads an attribute that is a short text, as most are. It
// reports false for any other.
func textAttribute(b []byte) (attribute, bool) {
	name, value, ok := pb.Pair(b)
	if !ok || len(value) < 2 || value[0] != 1<<3|pb.Bytes || int(value[1]) != len(value)-2 || value[1] >= 0x80 {
		return attribute{}, false
	}
	return attribute{name, value[2:]}, true
}

func readAttribute(r *pb.Reader) (a attribute) {
	for r.Next() {
		switch r.Field {
		case 1:
			a.name = r.Text()
		case 2:
			m := r.Message()
			a.value = readValue(&m, 0)
			r.Close(&m)
		}
	}
	return a
}

// maxDepth is how deep values may be nested; what is below is left out.
const maxDepth = 4

// readValue returns a value as text. Lists and maps are written as JSON.
func readValue(r *pb.Reader, depth int) (text string) {
	for r.Next() {
		switch r.Field {
		case 1:
			text = r.Text()
			if depth > 0 {
				text = strconv.Quote(text)
			}
		case 2:
			text = strconv.FormatBool(r.Uint() != 0)
		case 3:
			text = strconv.FormatInt(r.Int(), 10)
		case 4:
			text = formatDouble(r.Double())
		case 5, 6:
			m := r.Message()
			text = readList(&m, r.Field == 6, depth)
			r.Close(&m)
		case 7:
			text = base64.StdEncoding.EncodeToString(r.Raw())
		}
	}
	return text
}

func formatDouble(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func readList(r *pb.Reader, named bool, depth int) string {
	open, end := "[", "]"
	if named {
		open, end = "{", "}"
	}
	var text strings.Builder // whole, also where it is long: lists that differ at their ends stay different
	text.WriteString(open)
	for depth < maxDepth && r.Next() {
		if r.Field != 1 {
			continue
		}
		if text.Len() > len(open) {
			text.WriteByte(',')
		}
		m := r.Message()
		if named {
			text.WriteString(readNamed(&m, depth))
		} else {
			text.WriteString(readValue(&m, depth+1))
		}
		r.Close(&m)
	}
	text.WriteString(end)
	return text.String()
}

func readNamed(r *pb.Reader, depth int) string {
	name, value := "", ""
	for r.Next() {
		switch r.Field {
		case 1:
			name = r.Text()
		case 2:
			m := r.Message()
			value = readValue(&m, depth+1)
			r.Close(&m)
		}
	}
	return strconv.Quote(name) + ":" + value
}
