package tidemark

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServiceTypesAreSortedAndComplete(t *testing.T) {
	t.Parallel()
	var names []string
	for _, st := range ServiceTypes() {
		names = append(names, st.Type)
		if st.Title == "" || len(st.Fields) == 0 {
			t.Errorf("%s has no title or no settings", st.Type)
		}
		for _, f := range st.Fields {
			if f.Name == "" || f.Label == "" {
				t.Errorf("%s has a setting without name or label", st.Type)
			}
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("%v is not sorted", names)
	}
	want := []string{
		"alertmanager", "bigpanda", "campfire", "discord", "flowdock", "googlechat", "gotify", "hipchat", "jira", "mail", "matrix", "msteams", "neptune", "ntfy",
		"opsgenie", "pagerduty", "pushover", "slack", "sns", "telegram", "victorops", "webhook", "webhook_json", "zapier",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestServiceSettings(t *testing.T) {
	t.Parallel()
	f := func(kind, settings, want string) {
		t.Helper()
		s := &Service{Type: kind, Title: "x", Settings: map[string]string{}}
		for pair := range strings.SplitSeq(settings, "|") {
			if key, v, ok := strings.Cut(pair, "="); ok {
				s.Settings[key] = v
			}
		}
		got := ""
		if e, ok := errors.AsType[*Error](s.Validate()); ok {
			_, got, _ = strings.Cut(e.Error(), "; ")
		}
		if got != want {
			t.Errorf("%s %q: %q, want %q", kind, settings, got, want)
		}
	}
	f("mail", "", "addresses Is required")
	f("mail", "addresses=a@example.org", "")
	f("mail", "addresses=a@example.org, b+c@example.org", "")
	f("mail", "addresses=a@example.org b@example.org", "addresses Must be a comma-separated string")
	f("mail", "addresses=a@example.org,http://example.org/", "addresses Not a valid email address: http://example.org/")
	f("mail", "addresses=a@EXAMPLE.org", "addresses Not a valid email address: a@EXAMPLE.org")
	f("webhook", "", "url Is required")
	f("webhook", "url=example.org/x", "url Is missing protocol")
	f("webhook", "url=http://exa mple.org/x", "url Is not a valid URL")
	f("webhook", "url=https://", "url Is not a valid URL")
	f("webhook", "url=https://user:pw@example.org/x?a=b", "")
	f("slack", "", "url Is required")
	f("slack", "url=nonsense", "url Is not valid")
	f("slack", "url=https://hooks.example.org/x|room=kept", "")
	f("zapier", "url=nonsense", "url Is not valid")
	f("pagerduty", "", "description Is required; event_type Is required; service_key Is required")
	f("pagerduty", "service_key=k|event_type=trigger|description=d", "")
	f("pagerduty", "service_key=k|event_type=trigger|description=d|events_api=v3", "events_api must be one of v1, v2")
	f("opsgenie", "", "customer_key Is required")
	f("opsgenie", "customer_key=k|hostname=api.eu.opsgenie.com", "")
	f("opsgenie", "customer_key=k|hostname=a/b", "hostname Is not valid")
	f("victorops", "", "api_key Is required")
	f("bigpanda", "app_key=a", "token Is required")
	f("sns", "topic_arn=arn:aws:sns:us-east-1:12345:ops|access_key_id=a|secret_access_key=s", "")
	f("sns", "topic_arn=arn:aws:sqs:us-east-1:12345:ops|access_key_id=a|secret_access_key=s", "topic_arn Is not valid")
	f("hipchat", "auth_token=t|from=this name is far too long|room_id=1|notify=2",
		"from length is too long, max 15 characters; notify must be a 0 or 1")
	f("hipchat", "auth_token=t|from=a!|room_id=1|notify=1|server_url=x", "from string has invalid characters; server_url is invalid")
	f("campfire", "subdomain=a|token=b|room=c", "")
	f("flowdock", "api_token=a|user_name=has blank", "user_name Invalid format")
	f("neptune", "", "api_key Is required")
	f("pushover", "token=a|user=b|priority=3", "priority must be one of -2, -1, 0, 1, 2")
	f("webhook_json", "url=https://example.org|method=DELETE", "method must be one of POST, PUT")
	f("slack", "url=https://example.org|fallback_service_id=7", "")
	f("slack", "url=https://example.org|fallback_service_id=seven", "fallback_service_id must be the id of a service")
	f("nonsense", "", `type "nonsense" is not a type of service`)
}

func TestServiceAddresses(t *testing.T) {
	t.Parallel()
	f := func(kind string, settings, want map[string]string) {
		t.Helper()
		st, _ := LookupServiceType(kind)
		if diff := cmp.Diff(want, st.Addresses(settings)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
	f("webhook", map[string]string{"url": "http://10.0.0.1/"}, map[string]string{"url": "http://10.0.0.1/"})
	f("opsgenie", map[string]string{"hostname": "localhost", "customer_key": "k"}, map[string]string{"hostname": "https://localhost"})
	f("opsgenie", map[string]string{"customer_key": "k"}, map[string]string{})
	f("ntfy", map[string]string{"topic": "t", "server": "http://127.0.0.1"}, map[string]string{"server": "http://127.0.0.1"})
	f("hipchat", map[string]string{"server_url": "http://127.0.0.1"}, map[string]string{})
	// Every setting that holds an address is one that is asked about.
	for _, st := range ServiceTypes() {
		for _, field := range st.Fields {
			asked := len(st.Addresses(map[string]string{field.Name: "x"})) == 1
			holds := field.Name == "url" || field.Name == "server" || field.Name == "hostname"
			if asked != holds {
				t.Errorf("%s.%s: asked about %t, holds an address %t", st.Type, field.Name, asked, holds)
			}
		}
	}
}

func TestServiceSecrets(t *testing.T) {
	t.Parallel()
	st, _ := LookupServiceType("pagerduty")
	got := st.Secrets(map[string]string{"service_key": "k", "description": "d", "mine": "m", "empty": ""})
	if diff := cmp.Diff([]string{"k", "m"}, got); diff != "" {
		t.Error(diff)
	}
}
