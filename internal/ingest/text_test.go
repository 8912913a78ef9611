package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"pgregory.net/rapid"
)

// scanText reads one text as it is in JSON.
func scanText(raw string) (string, string) {
	s := &scanner{b: []byte(raw)}
	text := string(s.str())
	return text, s.fault
}

// TestText: texts are read as the standard library reads them, escapes and
// halves of surrogate pairs too, and what is no text is refused where it is.
func TestText(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`""`, `"cpu"`, `"\u0063pu"`, `"a\"b\\c\/d"`, `"\b\f\n\r\t"`, `"größe"`, `"\u00e4\u00C4"`, `"\ud83d\ude00"`, `"\uD83D\uDE00!"`, `"\ud83d"`, `"\ude00"`,
		`"\ud83d\u0041"`, `"\ud83d\ud83d\ude00"`, `"\ud83dx"`, `"\u0000"`, `"\uffff"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		if got, fault := scanText(raw); fault != "" || got != want {
			t.Errorf("%s: got %q, %q, want %q", raw, got, fault, want)
		}
	}
	for raw, want := range map[string]string{
		`"`: "unexpected end", `"a`: "unexpected end", `"a\`: "bad escape in a text", `"a\n`: "unexpected end", `"\x41"`: "bad escape in a text", `"\u12"`: "bad escape in a text",
		`"\u12g4"`: "bad escape in a text", "\"a\nb\"": "control character in a text", "\"\\n\x01\"": "control character in a text", `"\U0041"`: "bad escape in a text",
	} {
		if got, fault := scanText(raw); !strings.HasPrefix(fault, want) {
			t.Errorf("%s: got %q, %q, want %s", raw, got, fault, want)
		}
	}
}

// TestTextModel: however the characters of a text are escaped, it is the same.
func TestTextModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range rapid.SliceOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"\\/\b\f\n\r\t\x00aé😀"))), 0, 20).Draw(t, "text") {
			switch {
			case rapid.Bool().Draw(t, "escape") && r < 0x10000:
				fmt.Fprintf(&b, rapid.SampledFrom([]string{`\u%04x`, `\u%04X`}).Draw(t, "case"), r)
			case r == '"' || r == '\\' || r == '/':
				b.WriteString(`\` + string(r))
			case r < ' ':
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				b.WriteRune(r)
			}
		}
		b.WriteByte('"')
		var want string
		if err := json.Unmarshal([]byte(b.String()), &want); err != nil {
			t.Skip(err)
		}
		if got, fault := scanText(b.String()); fault != "" || got != want {
			t.Fatalf("%s: got %q, %q, want %q", b.String(), got, fault, want)
		}
	})
}

// TestEscapedRequest: names, tags and keys may be escaped like any text.
func TestEscapedRequest(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	s, problems, err := b.record(t, `{"measur\u0065ments":[{"n\u0061me":"\u0063PU","v\u0061lue":1,"tags":{"ho\u0073t":"a\\b\/c"}},{"name":"a\u0000b","value":1}]}`)
	if err != nil || s.Accepted != 1 || len(problems) != 1 || problems[0].Param != "name" {
		t.Errorf("%+v, %+v, %v", s, problems, err)
	}
	diff(t, "records", b.contents(t), []string{`cpu{host=a\b/c} 0 {Count:1 Sum:1 Min:1 Max:1 Last:1 M2:0}`})
}

// TestAttributes: an attribute of a new metric has the type that it is known
// to have, however it was sent; what makes no sense is left out, and costs the
// measurement nothing.
func TestAttributes(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]any{
		`"display_max":"1e2"`:                  100.0,
		`"display_max":null`:                   nil,
		`"display_max":[1]`:                    nil,
		`"display_max":"NaN"`:                  nil,
		`"display_min":-0.5`:                   -0.5,
		`"display_stacked":1`:                  true,
		`"display_stacked":"0"`:                false,
		`"gap_detection":"true"`:               true,
		`"gap_detection":{"a":true}`:           nil,
		`"aggregate":2`:                        nil,
		`"aggregate":"false"`:                  false,
		`"summarize_function":"sum"`:           "sum",
		`"summarize_function":"median of all"`: nil,
		`"mine":7`:                             int64(7),
		`"mine":7.5`:                           7.5,
		`"mine":12345678901234567890`:          12345678901234567890.0,
		`"mine":"text"`:                        "text",
	} {
		b := newBench(nil)
		if s, _, err := b.record(t, `{"measurements":[{"name":"m","value":1,"attributes":{`+sent+`}}]}`); err != nil || s.Accepted != 1 {
			t.Fatalf("%s: %+v, %v", sent, s, err)
		}
		name := strings.Split(sent, `"`)[1]
		got := b.metrics.stored["m"].Attributes[name]
		if got != want {
			t.Errorf("%s: got %v (%T), want %v", sent, got, got, want)
		}
	}
}

// TestDescriptions: texts and periods of a new metric that make no sense are
// left out; a long user agent is cut where a character ends.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sent        string
		name, about string
		period      int64
	}{
		{`"display_name":"CPU","description":"all of them","period":60`, "CPU", "all of them", 60},
		{`"display_name":7,"description":["x"],"period":"sixty"`, "", "", 0},
		{`"display_name":"","description":null,"period":0`, "", "", 0},
		{`"display_name":"` + strings.Repeat("x", 300) + `","period":"10.9"`, "", "", 10},
		{`"period":1e99`, "", "", 0},
		{`"period":-60`, "", "", 0},
	} {
		b := newBench(nil)
		agent := strings.Repeat("x", maxAgent-1) + "ö"
		s, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[{"name":"m","value":1,`+tt.sent+`}]}`), agent)
		if err != nil || s.Accepted != 1 {
			t.Fatalf("%s: %+v, %v", tt.sent, s, err)
		}
		m := b.metrics.stored["m"]
		want := &tidemark.Metric{Name: "m", Type: tidemark.Gauge, Attributes: map[string]any{"created_by_ua": strings.Repeat("x", maxAgent-1)}}
		if tt.name != "" {
			want.DisplayName = &tt.name
		}
		if tt.about != "" {
			want.Description = &tt.about
		}
		if tt.period != 0 {
			want.Period = &tt.period
		}
		diff(t, tt.sent, m, want)
	}
}
