package client_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/client"
)

func TestReadProgress(t *testing.T) {
	t.Parallel()
	const half = `{"doing":"Copying","done":5,"total":10}` + "\n"
	for _, tt := range []struct{ name, answer, result, err string }{
		{"done", half + `{"done":1,"total":1}`, "", ""},
		{"with a result", half + `{"done":0,"total":0,"result":{"key":"k1"}}`, `{"key":"k1"}`, ""},
		{"failed", half + `{"error":"the disk is full"}`, "", "the disk is full"},
		{"cut off", half, "", "the server stopped before the backup was complete: EOF"},
		{"cut off within a line", half + `{"doing":"Cop`, "", "the server stopped before the backup was complete: unexpected EOF"},
	} {
		var reported []string
		result, err := client.ReadProgress(json.NewDecoder(strings.NewReader(tt.answer)), "the backup was complete", func(doing string, done, total int64) {
			reported = append(reported, fmt.Sprint(doing, " ", done, " of ", total))
		})
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != tt.err || string(result) != tt.result {
			t.Errorf("%s: result %s, error %q", tt.name, result, said)
		}
		if got := strings.Join(reported, ", "); got != "Copying 5 of 10" {
			t.Errorf("%s: reported %s", tt.name, got)
		}
	}
}
