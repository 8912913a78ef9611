package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// sample has a field of every kind that bodies have.
type sample struct {
	Text    string            `json:"text"`
	Whole   int64             `json:"whole"`
	Real    float64           `json:"real"`
	Yes     bool              `json:"yes"`
	Pointer *float64          `json:"pointer"`
	List    []string          `json:"list"`
	Numbers []int64           `json:"numbers"`
	Object  map[string]string `json:"object"`
	Any     map[string]any    `json:"any"`
	Inner   struct {
		A int64 `json:"a"`
	} `json:"inner"`
	Opt      tidemark.Opt[int64]  `json:"opt"`
	Services tidemark.ServiceRefs `json:"services"`
	Hidden   string               `json:"-"`
}

func decodeText(text string) (v sample, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var tree map[string]any
	if err := d.Decode(&tree); err != nil {
		return v, err
	}
	return v, Decode(tree, &v)
}

// TestDecodeIsLoose: numbers and booleans as texts, texts as numbers, lists as
// objects, null for absent, unknown keys.
func TestDecodeIsLoose(t *testing.T) {
	t.Parallel()
	f := 2.5
	for text, want := range map[string]sample{
		`{}`: {}, `{"text":null,"whole":null,"pointer":null,"list":null,"unknown":{}}`: {},
		`{"text":5}`: {Text: "5"}, `{"text":true}`: {Text: "true"},
		`{"whole":"12"}`: {Whole: 12}, `{"whole":12.9}`: {Whole: 12}, `{"whole":-0.5}`: {Whole: -1}, `{"whole":9007199254740991}`: {Whole: 1<<53 - 1},
		`{"real":"2.5","pointer":2.5}`: {Real: 2.5, Pointer: &f}, `{"pointer":""}`: {},
		`{"yes":"TRUE"}`: {Yes: true}, `{"yes":1}`: {Yes: true}, `{"yes":"0"}`: {},
		`{"list":{"1":"b","0":"a"}}`: {List: []string{"a", "b"}}, `{"list":{}}`: {List: []string{}}, `{"list":[""]}`: {List: []string{""}},
		`{"numbers":[""]}`: {Numbers: []int64{}}, `{"numbers":["1",2]}`: {Numbers: []int64{1, 2}},
		`{"object":{"a":1,"b":null}}`:              {Object: map[string]string{"a": "1", "b": ""}},
		`{"any":{"a":1,"b":1.5,"c":[2],"d":null}}`: {Any: map[string]any{"a": int64(1), "b": 1.5, "c": []any{int64(2)}, "d": nil}},
		`{"inner":{"a":"3"}}`: {Inner: struct {
			A int64 `json:"a"`
		}{3}},
		`{"opt":7}`: {Opt: tidemark.Some[int64](7)}, `{"opt":null}`: {Opt: tidemark.Opt[int64]{Set: true, Null: true}}, `{"opt":""}`: {Opt: tidemark.Opt[int64]{Set: true, Null: true}},
		`{"services":[1,"2",{"id":3}]}`: {Services: tidemark.ServiceRefs{1, 2, 3}}, `{"services":[""]}`: {Services: tidemark.ServiceRefs{}},
		`{"-":"x","Hidden":"x"}`: {},
	} {
		got, err := decodeText(text)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v %s", text, err, cmp.Diff(want, got))
		}
	}
}

// TestDecodeNamesEveryField: all problems come at once, each under its field.
func TestDecodeNamesEveryField(t *testing.T) {
	t.Parallel()
	for text, fields := range map[string]string{
		`{"text":{},"whole":"x","real":true,"yes":"yes","list":"a","object":[]}`: "list object real text whole yes",
		`{"whole":9007199254740992}`: "whole", `{"whole":"1e400"}`: "whole", `{"real":"NaN"}`: "real", `{"real":"0x1p4"}`: "real", `{"yes":2}`: "yes",
		`{"list":[null]}`: "list", `{"numbers":["a"]}`: "numbers", `{"numbers":{"01":1}}`: "numbers", `{"inner":{"a":"x"}}`: "inner.a", `{"inner":5}`: "inner",
		`{"object":{"a":[]}}`: "object.a", `{"opt":"x"}`: "opt", `{"services":5}`: "services", `{"services":[1.5]}`: "services", `{"services":[{"name":"x"}]}`: "services",
	} {
		_, err := decodeText(text)
		e, _ := errors.AsType[*tidemark.Error](err)
		if e == nil || strings.Join(slices.Sorted(maps.Keys(e.Fields)), " ") != fields {
			t.Errorf("%s: %v, want problems of %s", text, err, fields)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[json.Number]any{"1": int64(1), "-9223372036854775808": int64(-1 << 63), "9223372036854775808": 9223372036854775808.0, "1.5": 1.5, "1e999": "1e999"} {
		if got := Plain(text); got != want {
			t.Errorf("%s is %T %v, want %T %v", text, got, got, want, want)
		}
	}
}

// TestErrorBodies: parameters under params, one level deep; our side under
// system; the rest under request.
func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*tidemark.Error{
		`{"errors":{"params":{"a":["x"],"b":{"c":["y"],"d.e":["z"]}}}}`: {Kind: tidemark.Invalid, Fields: map[string][]string{"a": {"x"}, "b.c": {"y"}, "b.d.e": {"z"}}},
		`{"errors":{"params":{"a":{"b":["y"],"base":["x"]}}}}`:          {Kind: tidemark.Invalid, Fields: map[string][]string{"a": {"x"}, "a.b": {"y"}}},
		`{"errors":{"request":["Not Found"]}}`:                          {Kind: tidemark.NotFound, Msg: "no such alert"},
		`{"errors":{"system":["later"]}}`:                               {Kind: tidemark.Unavailable, Msg: "later"},
		`{"errors":{"request":["no"]}}`:                                 {Kind: tidemark.Forbidden, Msg: "no"},
		`{"code":"proof","errors":{"request":["prove it"]}}`:            {Kind: tidemark.Forbidden, Msg: "prove it", Code: "proof"},
	} {
		got, err := json.Marshal(ErrorBody(e))
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestStatusAndReason(t *testing.T) {
	t.Parallel()
	wrapped := fmt.Errorf("save: %w", &tidemark.Error{Kind: tidemark.Conflict, Msg: "taken", Err: io.ErrUnexpectedEOF})
	for _, c := range []struct {
		err    error
		status int
		reason string
	}{
		{nil, 201, ""}, {wrapped, 422, "taken"}, {io.EOF, 500, ""}, {&WireError{Status: 409, Says: "changed"}, 409, "changed"},
		{tidemark.InvalidField("a", "is wrong"), 400, "invalid parameters; a is wrong"},
	} {
		if got := StatusOf(Reply{Status: 201}, c.err); got != c.status {
			t.Errorf("%v: status %d, want %d", c.err, got, c.status)
		}
		if got := ReasonOf(c.err); got != c.reason {
			t.Errorf("%v: the reason is %q, want %q", c.err, got, c.reason)
		}
	}
	var e *WireError
	if !errors.As(error(&WireError{Status: 418}), &e) || e.Error() != "answer 418" {
		t.Errorf("got %v", e)
	}
}

// TestChallenges: programs are asked for Basic, pages are not.
func TestChallenges(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/v1/metrics": "Basic", "/ui/api/me": "Session"} {
		r := httptest.NewRequest("GET", path, nil)
		if got := ErrorHeader(r, tidemark.Unauthenticated)["WWW-Authenticate"]; !strings.HasPrefix(got, want+" ") {
			t.Errorf("%s is challenged with %s", path, got)
		}
	}
	r := httptest.NewRequest("GET", "/v1/metrics", nil)
	r.Header.Set("Sec-Fetch-Mode", "cors")
	if got := challenge(r); !strings.HasPrefix(got, "Session ") {
		t.Errorf("a page is challenged with %s", got)
	}
	for kind, want := range map[tidemark.Kind]string{tidemark.TooMany: "10", tidemark.Unavailable: "10", tidemark.Invalid: ""} {
		if got := ErrorHeader(r, kind)["Retry-After"]; got != want {
			t.Errorf("kind %d: Retry-After %q", kind, got)
		}
	}
}

// TestObserved: counters by route and class, and a histogram whose buckets add
// up.
func TestObserved(t *testing.T) {
	t.Parallel()
	rt := On("GET /v1/metrics", tidemark.View, nil)
	s := &Server{observed: newObserved([]Route{rt})}
	s.observed.add(rt.Name(), 200, time.Millisecond) // at a bound, which counts
	s.observed.add(rt.Name(), 204, 3*time.Second)
	s.observed.add(rt.Name(), 503, time.Minute)
	s.observed.add("GET /nowhere", 999, 0)
	var b bytes.Buffer
	s.WriteMetrics(&b)
	route := fmt.Sprintf("route=%q", rt.Name())
	for _, line := range []string{
		`requests_total{` + route + `,status="2xx"} 2`, `requests_total{` + route + `,status="5xx"} 1`, `requests_total{route="none",status="5xx"} 1`,
		`seconds_bucket{` + route + `,le="0.001"} 1`, `seconds_bucket{` + route + `,le="2.5"} 1`, `seconds_bucket{` + route + `,le="5"} 2`,
		`seconds_bucket{` + route + `,le="10"} 2`, `seconds_bucket{` + route + `,le="+Inf"} 3`, `seconds_count{` + route + `} 3`, `seconds_sum{` + route + `} 63.001`,
	} {
		if !strings.Contains(b.String(), "tidemark_http_request"+strings.TrimPrefix(line, "request")+"\n") && !strings.Contains(b.String(), "tidemark_http_request_"+line+"\n") {
			t.Errorf("there is no %s in\n%s", line, b.String())
		}
	}
}
