package notify

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

func TestTemplates(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, want string
	}{
		{"plain", "hello", "hello"},
		{"fields", "{{.alert.name}} {{.alert.id}} {{.state}} {{.incident_key}}", "prod.checkout.latency.high 4711 triggered tidemark-4711-88"},
		{"functions", `{{.alert.name | upper | truncate 8}} {{default "none" .clear}} {{join "; " .lines | len}} {{time "15:04" .trigger_time}}`, "PROD.... none 204 22:21"},
		{"json", `{{json .alert.description}}`, `"p99 over limit, <customers> wait"`},
		{"html", `{{html .alert.description}}`, "p99 over limit, &lt;customers&gt; wait"},
		{"number", `{{number 1234567.5}}`, "1,234,567.5"},
		{"range", `{{range .streams}}{{.name}}:{{range .violations}} {{.metric}} {{.quantity}}{{end}};{{end}}`,
			"environment=prod,host=web1: checkout.latency 412.5 ms checkout.ratio 0.123;environment=prod,host=web2: checkout.heartbeat 1;"},
		{"else", `{{if .cleared}}good{{else if .test}}test{{else}}bad{{end}}`, "bad"},
		{"replace", `{{replace "." "/" .alert.name}}`, "prod/checkout/latency/high"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parsed, err := parseTemplate(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := parsed.render(stories()["1 trigger"])
			if err != nil || got != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestHostileTemplates must end soon, without taking much memory.
func TestHostileTemplates(t *testing.T) {
	t.Parallel()
	double := "{{$a := `xxxxxxxxxxxxxxxx`}}" + strings.Repeat(`{{$a = printf "%s%s" $a $a}}`, 60)
	tests := []struct {
		name, text, want string
	}{
		{"a long count", "{{range 1000000000}}{{end}}", "takes too many steps"},
		{"a long count by variable", "{{$n := 1000000000}}{{range $n}}{{end}}", "takes too many steps"},
		{"nested", strings.Repeat("{{range 1000}}", 5) + strings.Repeat("{{end}}", 5), "takes too many steps"},
		{"in an else", "{{if .cleared}}{{else}}{{range 100000}}{{end}}{{end}}", "takes too many steps"},
		{"in a with", "{{with .alert}}{{range 100000}}{{end}}{{end}}", "takes too many steps"},
		{"in the else of a range", "{{range 0}}{{else}}{{range 100000}}{{end}}{{end}}", "takes too many steps"},
		{"long output", "{{range 10000}}xxxxxxxxxxxxxxxxxxxxxxxxxxxx{{end}}", "makes a text that is too long"},
		{"doubling", double, "makes a text that is too long"},
		{"doubling by print", strings.ReplaceAll(double, `printf "%s%s"`, "print"), "makes a text that is too long"},
		{"doubling by replace", "{{$a := `xx`}}" + strings.Repeat("{{$a = replace `x` $a $a}}", 60), "makes a text that is too long"},
		{"padding", `{{printf "%1000000d" 1}}`, "makes a text that is too long"},
		{"padding of many verbs", `{{printf "` + strings.Repeat("%1000[1]d", 2000) + `" 1}}`, "makes a text that is too long"},
		{"padding by an argument", `{{printf "%*d" 1000000 1}}`, "makes a text that is too long"},
		{"precision", `{{printf "%.1000000f" 1.0}}`, "makes a text that is too long"},
		{"one long argument many times", "{{$a := printf `%1000d` 1}}{{printf `" + strings.Repeat("%[1]s", 3000) + "` $a}}", "makes a text that is too long"},
		{"many long arguments", "{{$a := printf `%1000d` 1}}{{$b := print" + strings.Repeat(" $a", 60) + "}}{{print" + strings.Repeat(" $b", 3000) + "}}", "makes a text that is too long"},
		{"joining by a long text", "{{$a := printf `%1000d` 1}}{{$b := print" + strings.Repeat(" $a", 60) + "}}{{range 100}}{{$x := join $b $.lines}}{{end}}", "makes a text that is too long"},
		{"texts that are thrown away", "{{range 50}}" + strings.Repeat("{{$x := printf `%1000d` 1}}", 300) + "{{end}}", "makes a text that is too long"},
		{"a long body of a range", "{{range 1000}}" + strings.Repeat("{{$x := 1}}", 300) + "{{end}}", "takes too many steps"},
		{"escapes that are thrown away", "{{$a := printf `%1000d` 1}}{{range 5000}}{{$x := js $a}}{{end}}", "makes a text that is too long"},
		{"the counter", "{{step 1}}", `function "step" not defined`},
		{"recursion", `{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`, "may not define or call other templates"},
		{"calling itself", `{{template "template"}}`, "may not define or call other templates"},
		{"a block", `{{block "b" .}}x{{end}}`, "may not define or call other templates"},
		{"unknown field", `{{.nope}}`, `map has no entry for key "nope"`},
		{"unknown field deeper", `{{.alert.nope}}`, `map has no entry for key "nope"`},
		{"unknown function", `{{env "HOME"}}`, `function "env" not defined`},
		{"syntax", `{{.alert`, "unclosed action"},
		{"too large", strings.Repeat("x", maxTemplate+1), "is longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service := &tidemark.Service{Type: "slack", Title: "x", Settings: map[string]string{"url": "https://example.org", "template": tt.text}}
			err := Check(t.Context(), service, nil)
			e, ok := errors.AsType[*tidemark.Error](err)
			if !ok || e.Kind != tidemark.Invalid || len(e.Fields["template"]) != 1 || !strings.Contains(e.Fields["template"][0], tt.want) {
				t.Errorf("err = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestHostileTemplatesTakeLittleMemory: a text that is refused for its length
// is not made first. It runs alone, since it counts what is allocated.
func TestHostileTemplatesTakeLittleMemory(t *testing.T) {
	for _, text := range []string{
		`{{printf "` + strings.Repeat("%1000000[1]d", 400) + `" 1}}`,
		"{{$a := printf `%1000d` 1}}{{$b := print" + strings.Repeat(" $a", 60) + "}}{{print" + strings.Repeat(" $b", 3000) + "}}",
		"{{$a := printf `%1000d` 1}}{{$b := print" + strings.Repeat(" $a", 60) + "}}{{printf `" + strings.Repeat("%[1]q", 3000) + "` $b}}",
	} {
		parsed, err := parseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = parsed.render(stories()["1 trigger"])
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; err == nil || made > 16<<20 {
			t.Errorf("%.60s: %d MiB allocated, %v", text, made>>20, err)
		}
	}
}

// TestTemplateFailsLate has a template that is good for what Check tries and
// fails on a notification all the same.
func TestTemplateFailsLate(t *testing.T) {
	t.Parallel()
	text := `{{if .repeat}}{{index .streams 99}}{{end}}`
	if err := Check(t.Context(), &tidemark.Service{Type: "slack", Settings: map[string]string{"url": "https://example.org", "template": text}}, nil); err != nil {
		t.Fatal(err)
	}
	s := newNotifier(t, "slack", map[string]string{"url": "https://example.org", "template": text}, func(r *http.Request) (*http.Response, error) {
		t.Error("something was sent")
		return respond(r, 200, nil, ""), nil
	})
	if _, err := s.Send(t.Context(), stories()["2 reminder"]); !errors.Is(err, ErrPermanent) || !strings.HasPrefix(err.Error(), "the message template has an error in line 1") {
		t.Errorf("err = %v", err)
	}
}

func TestJSONTemplateMustMakeJSON(t *testing.T) {
	t.Parallel()
	err := Check(t.Context(), &tidemark.Service{Type: "webhook_json", Settings: map[string]string{"url": "https://example.org", "template": `{"a": {{.alert.name}}}`}}, nil)
	e, ok := errors.AsType[*tidemark.Error](err)
	if !ok || strings.Join(e.Fields["template"], "") != "does not make valid JSON" {
		t.Errorf("err = %v", err)
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	p, err := MakePreview(&tidemark.Service{Type: "mail", Settings: map[string]string{"addresses": "a@example.org"}}, Sample(1, "me@example.org", clock()), "https://t.example.org")
	if err != nil || p.Subject != "[Tidemark] [Test] Alert example.latency.high has triggered!" || !strings.HasPrefix(string(p.Body), "# This is a test") || !strings.Contains(p.HTML, "<html") {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = MakePreview(&tidemark.Service{Type: "hipchat"}, Sample(1, "", clock()), "")
	if err != nil || string(p.Body) != deadText {
		t.Errorf("%s, %v", p.Body, err)
	}
	p, err = MakePreview(&tidemark.Service{Type: "jira", Settings: map[string]string{"url": "https://jira.example.org", "project": "OPS"}}, Sample(1, "", clock()), "")
	if err != nil || !strings.Contains(string(p.Body), `"summary": "[Test] example.latency.high fired"`) {
		t.Errorf("%s, %v", p.Body, err)
	}
}

func TestPreviewIsReadable(t *testing.T) {
	t.Parallel()
	n := stories()["1 trigger"]
	f := func(kind string, want ...string) {
		t.Helper()
		p, err := MakePreview(&tidemark.Service{Type: kind, Settings: settingsOf(kind)}, n, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(p.Body), w) {
				t.Errorf("%s: %s, want %q", kind, p.Body, w)
			}
		}
	}
	f("webhook", "payload:\n{\n  \"alert\": {\n    \"id\": 4711,")
	f("slack", "{\n  \"attachments\": [\n")
	f("telegram", "chat_id:\n-100200300", "photo:\nchart.png, 12 bytes")
	f("discord", "payload_json:\n{\n  \"allowed_mentions\"", "files[0]:\nchart.png, 12 bytes")
	f("opsgenie", "apiKey:\n********\n\npayload:\n{")
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	f := func(v string, want time.Duration) {
		t.Helper()
		if got := retryAfter(http.Header{"Retry-After": {v}}, now); got != want {
			t.Errorf("Retry-After: %s is %v, want %v", v, got, want)
		}
	}
	f("", 0)
	f("30", 30*time.Second)
	f("0.5", 500*time.Millisecond)
	f("-3", 0)
	f("1e30", time.Hour)
	f("NaN", 0)
	f("nonsense", 0)
	f("Tue, 03 Feb 2026 04:05:36 GMT", 30*time.Second)
	f("Tue, 03 Feb 2026 04:05:00 GMT", 0)
	f("Tue, 03 Feb 2026 23:05:00 GMT", time.Hour)
}

// TestThrottled: too many requests at once are no failure, also where nothing
// says when to come back; that a service is down is one.
func TestThrottled(t *testing.T) {
	t.Parallel()
	aws := "<ErrorResponse><Error><Code>%s</Code></Error></ErrorResponse>"
	for _, c := range []struct {
		kind, body string
		code       int
		throttled  bool
	}{
		{"webhook", "", 429, true},
		{"webhook", "", 503, false},
		{"webhook", "", 408, false},
		{"pagerduty", "", 403, true},
		{"sns", fmt.Sprintf(aws, "ThrottlingException"), 400, true},
		{"sns", fmt.Sprintf(aws, "KMSThrottlingException"), 400, true},
		{"sns", fmt.Sprintf(aws, "RequestExpired"), 400, false},
	} {
		s := newNotifier(t, c.kind, settingsOf(c.kind), func(r *http.Request) (*http.Response, error) { return respond(r, c.code, nil, c.body), nil })
		_, err := s.Send(t.Context(), stories()["1 trigger"])
		if after, asked := RetryAfter(err); errors.Is(err, ErrThrottled) != c.throttled || errors.Is(err, ErrPermanent) || asked {
			t.Errorf("%s, %d %s: %v, to wait %v", c.kind, c.code, c.body, err, after)
		}
	}
}

func TestTelegramSaysHowLongInTheBody(t *testing.T) {
	t.Parallel()
	s := newNotifier(t, "telegram", map[string]string{"bot_token": "1:abcd", "chat_id": "1"}, func(r *http.Request) (*http.Response, error) {
		return respond(r, 429, nil, `{"ok":false,"error_code":429,"parameters":{"retry_after":9}}`), nil
	})
	_, err := s.Send(t.Context(), stories()["1 trigger"])
	if after, ok := RetryAfter(err); !ok || after != 9*time.Second {
		t.Errorf("%v, %t", after, ok)
	}
}

func TestPagerDutyChoosesTheAPI(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcdef", 2)
	tests := []struct {
		name, key, api, want string
		second               string // what the second API answers
	}{
		{"a key of the first", "short", "", "/generic/2010-04-15/create_event.json", ""},
		{"a key of the second", long, "", "/v2/enqueue", `{"status":"success"}`},
		{"a key of the first that looks like one of the second", long, "", "/v2/enqueue /generic/2010-04-15/create_event.json", `{"errors":["Invalid routing key"]}`},
		{"the first by choice", long, "v1", "/generic/2010-04-15/create_event.json", ""},
		{"the second by choice", "short", "v2", "/v2/enqueue", `{"status":"success"}`},
		{"the second by choice, refused", long, "v2", "/v2/enqueue", `{"errors":["Invalid routing key"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			s := newNotifier(t, "pagerduty", map[string]string{"service_key": tt.key, "event_type": "x", "description": "x", "events_api": tt.api},
				func(r *http.Request) (*http.Response, error) {
					paths = append(paths, r.URL.Path)
					if r.URL.Path == "/v2/enqueue" && strings.Contains(tt.second, "Invalid") {
						return respond(r, 400, nil, tt.second), nil
					}
					return respond(r, 202, nil, tt.second), nil
				})
			_, err := s.Send(t.Context(), stories()["1 trigger"])
			if got := strings.Join(paths, " "); got != tt.want || (err != nil) != strings.HasSuffix(tt.name, "refused") {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestJiraKeepsOneIssue(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, story, found string
		old                bool // a Jira on one's own machine
		want               string
	}{
		{"first", "1 trigger", "", false, "GET /rest/api/2/search/jql, POST /rest/api/2/issue"},
		{"again after a crash", "1 trigger", "7", false, "GET /rest/api/2/search/jql, POST /rest/api/2/issue/7/comment"},
		{"reminder", "2 reminder", "7", false, "GET /rest/api/2/search/jql, POST /rest/api/2/issue/7/comment"},
		{"clear", "3 clear", "7", false, "GET /rest/api/2/search/jql, POST /rest/api/2/issue/7/comment"},
		{"clear of nothing", "3 clear", "", false, "GET /rest/api/2/search/jql"},
		{"an old Jira", "1 trigger", "", true, "GET /rest/api/2/search/jql, GET /rest/api/2/search, POST /rest/api/2/issue"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var calls []string
			s := newNotifier(t, "jira", map[string]string{"url": "https://jira.example.org/", "user": "me", "api_token": "token", "project": "OPS"},
				func(r *http.Request) (*http.Response, error) {
					calls = append(calls, r.Method+" "+r.URL.Path)
					switch {
					case tt.old && strings.HasSuffix(r.URL.Path, "/jql"):
						return respond(r, 404, nil, ""), nil
					case strings.Contains(r.URL.Path, "/search") && tt.found != "":
						return respond(r, 200, nil, `{"issues":[{"id":"`+tt.found+`"}]}`), nil
					case strings.Contains(r.URL.Path, "/search"):
						return respond(r, 200, nil, `{"issues":[]}`), nil
					}
					return respond(r, 201, nil, "{}"), nil
				})
			if _, err := s.Send(t.Context(), stories()[tt.story]); err != nil {
				t.Error(err)
			}
			if got := strings.Join(calls, ", "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestSNSThrottling(t *testing.T) {
	t.Parallel()
	settings := map[string]string{"topic_arn": "arn:aws:sns:us-east-1:1:ops", "access_key_id": "id", "secret_access_key": "secret"}
	for body, permanent := range map[string]bool{"<Error><Code>Throttling</Code></Error>": false, "<Error><Code>SignatureDoesNotMatch</Code></Error>": true} {
		s := newNotifier(t, "sns", settings, func(r *http.Request) (*http.Response, error) { return respond(r, 400, nil, body), nil })
		if _, err := s.Send(t.Context(), stories()["1 trigger"]); err == nil || errors.Is(err, ErrPermanent) != permanent {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestAnswerInWords(t *testing.T) {
	t.Parallel()
	f := func(contentType, body, want string) {
		t.Helper()
		a := answer{status: "400 Bad Request", header: http.Header{"Content-Type": {contentType}}, body: []byte(body)}
		if got := a.words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f("text/plain", "invalid_payload\n", "400 Bad Request: invalid_payload")
	f("text/plain", "", "400 Bad Request")
	f("text/html; charset=utf-8", "<html>", "400 Bad Request")
	f("application/octet-stream", "\x00\x01", "400 Bad Request")
	f("text/plain", "a\r\n\tb", "400 Bad Request: a b")
	f("text/plain", strings.Repeat("x", 300), "400 Bad Request: "+strings.Repeat("x", 197)+"...")
}

// FuzzTemplate runs whatever parses: it must end, with a text of bounded size.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"{{.title}}", `{{range $i, $s := .streams}}{{$s.name | upper}}{{end}}`, `{{with $x := printf "%d" 1}}{{$x}}{{end}}`, "{{range 99999}}{{end}}",
		`{{replace "a" "bb" .text}}{{join "," .lines}}{{json .}}`, `{{if and .test (not .cleared)}}{{slice .title 0 2}}{{else}}{{index .lines 0}}{{end}}`, "{{break}}",
	} {
		f.Add(seed)
	}
	n := stories()["1 trigger"]
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text)
		if err != nil || parsed == nil {
			return
		}
		if out, err := parsed.render(n); err == nil && len(out) > maxRendered {
			t.Errorf("%d bytes", len(out))
		}
	})
}
