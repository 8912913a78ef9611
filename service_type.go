package tidemark

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ServiceType is a kind of service: what it is called and what settings it
// takes. Package notify has a sender for each that is not Dead.
type ServiceType struct {
	Type   string         `json:"type"`
	Title  string         `json:"title"`
	Dead   bool           `json:"dead,omitempty"` // the destination no longer exists; taken so that old set-ups can be imported
	Fields []ServiceField `json:"fields"`
	// Signed says that requests are signed: the receiver is the user's own, so
	// it can be taught to check.
	Signed bool `json:"signed,omitempty"`
	// Pictures says that pictures of spaces can be sent to it.
	Pictures bool `json:"pictures,omitempty"`

	// byIncident says that receivers go by the incident: the end of an earlier
	// one closes that and nothing else. All others go by the alert, or are
	// people who read its name.
	byIncident bool

	personal bool // of one person, who adds it for themselves
}

// ServiceField is one setting of a kind of service.
type ServiceField struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	Help     string `json:"help,omitempty"`
	Required bool   `json:"required"`
	Secret   bool   `json:"secret"`         // shown only to those who may see secrets
	Long     bool   `json:"long,omitempty"` // a text of several lines
	// Choices are the values there are, if they are few.
	Choices []string `json:"choices,omitempty"`

	rule    func(value string) string // what is wrong with a value that is there, or ""
	address addressKind
}

// addressKind says whether the server contacts what a setting holds.
type addressKind uint8

const (
	addressNone addressKind = iota
	addressURL
	addressHost
)

// ServiceTypes returns the kinds of service that an organization has, by name.
func ServiceTypes() []ServiceType {
	types := slices.DeleteFunc(slices.Clone(serviceTypes), func(t ServiceType) bool { return t.personal })
	for i := range types {
		types[i].Fields = append(slices.Clip(types[i].Fields), fallback)
	}
	return types
}

// TypesByIncident returns the kinds of service whose receivers are told of the
// end of an incident also when a later one of the alert has begun.
func TypesByIncident() []string {
	var types []string
	for _, t := range serviceTypes {
		if t.byIncident {
			types = append(types, t.Type)
		}
	}
	return types
}

// LookupServiceType returns the kind of service called name.
func LookupServiceType(name string) (ServiceType, bool) {
	i := slices.IndexFunc(serviceTypes, func(t ServiceType) bool { return t.Type == name })
	if i < 0 {
		return ServiceType{}, false
	}
	t := serviceTypes[i]
	t.Fields = append(slices.Clip(t.Fields), fallback)
	return t, true
}

// fallback is a setting of every kind.
var fallback = plain(FallbackSetting, "Fallback service").optional().must(serviceID).
	help("The id of the service to notify when this one cannot be reached.")

// check records what is wrong with settings. Settings that the type does not
// know are kept: clients store what they like beside what is needed.
func (t ServiceType) check(p *Problems, settings map[string]string) {
	for _, f := range t.Fields {
		v := strings.TrimSpace(settings[f.Name])
		switch {
		case v == "" && f.Required:
			p.Check(false, f.Name, "Is required")
		case v != "" && f.rule != nil:
			if problem := f.rule(settings[f.Name]); problem != "" {
				p.Check(false, f.Name, "%s", problem)
			}
		}
	}
}

// Addresses returns the URLs that a service with these settings makes the
// server contact, by the setting that says so. Those are the user's choice, so
// saving or testing a service checks them with the guard first.
func (t ServiceType) Addresses(settings map[string]string) map[string]string {
	urls := make(map[string]string)
	for _, f := range t.Fields {
		v := strings.TrimSpace(settings[f.Name])
		switch {
		case v == "" || t.Dead:
		case f.address == addressURL:
			urls[f.Name] = v
		case f.address == addressHost:
			urls[f.Name] = "https://" + v
		}
	}
	return urls
}

// Secrets returns the values in settings that nobody else may see: in a log,
// an error or a preview.
func (t ServiceType) Secrets(settings map[string]string) []string {
	var values []string
	for key, v := range settings {
		if v != "" && !t.isPublic(key) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// isPublic reports whether a setting may be shown to everyone. What the type
// does not know may hold anything, so it counts as secret.
func (t ServiceType) isPublic(name string) bool {
	return slices.ContainsFunc(t.Fields, func(f ServiceField) bool { return f.Name == name && !f.Secret })
}

func secret(name, label string) ServiceField {
	return ServiceField{Name: name, Label: label, Required: true, Secret: true}
}

func plain(name, label string) ServiceField {
	return ServiceField{Name: name, Label: label, Required: true}
}

func (s ServiceField) optional() ServiceField                           { s.Required = false; return s }
func (s ServiceField) long() ServiceField                               { s.Long = true; return s }
func (s ServiceField) help(text string) ServiceField                    { s.Help = text; return s }
func (s ServiceField) must(rule func(value string) string) ServiceField { s.rule = rule; return s }

// among makes s one of a few values.
func (s ServiceField) among(values ...string) ServiceField {
	s.Choices = values
	return s.must(func(v string) string { return oneOf(v, values...) })
}

// url makes s the address of the destination, in the words of rule.
func (s ServiceField) url(rule func(value string) string) ServiceField {
	s.address = addressURL
	return s.must(rule)
}

// template is the setting that replaces a type's own message.
var template = plain("template", "Message template").optional().long().
	help("Leave empty for the usual message.")

var apiHost = ServiceField{
	Name: "hostname", Label: "API host", Help: "For example api.eu.opsgenie.com.", rule: hostname, address: addressHost,
}

// serviceTypes is the list of them. Texts of the original's rules are kept to
// the letter, since its clients show them.
var serviceTypes = []ServiceType{
	{Type: "alertmanager", Title: "Alertmanager webhook", Signed: true, byIncident: true, Fields: []ServiceField{secret("url", "URL").url(webURL), secret("bearer_token", "Bearer token").optional()}},
	{Type: "bigpanda", Title: "BigPanda", Fields: []ServiceField{secret("app_key", "App key"), secret("token", "Token")}},
	{Type: "campfire", Title: "Campfire", Dead: true, Fields: []ServiceField{plain("subdomain", "Subdomain"), secret("token", "Token"), plain("room", "Room")}},
	{Type: "discord", Title: "Discord", Pictures: true, Fields: []ServiceField{secret("url", "Webhook URL").url(webURL), template}},
	{Type: "flowdock", Title: "Flowdock", Dead: true, Fields: []ServiceField{secret("api_token", "API token"), plain("user_name", "User name").optional().must(flowdockUser)}},
	{Type: "googlechat", Title: "Google Chat", Pictures: true, Fields: []ServiceField{secret("url", "Webhook URL").url(webURL), template}},
	{Type: "gotify", Title: "Gotify", Fields: []ServiceField{
		plain("server", "Server").url(webURL), secret("token", "Application token"),
		plain("priority", "Priority").optional().among("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10").help("0 to 10; 8 if empty."), template,
	}},
	{Type: "hipchat", Title: "HipChat", Dead: true, Fields: []ServiceField{
		secret("auth_token", "Token"), plain("from", "From").must(hipchatFrom), plain("room_id", "Room"),
		plain("notify", "Notify").must(zeroOrOne), plain("server_url", "Server").optional().must(isInvalid),
	}},
	{Type: "jira", Title: "Jira", byIncident: true, Fields: []ServiceField{
		plain("url", "Site").url(webURL).help("https://example.atlassian.net"), plain("user", "User"), secret("api_token", "API token"),
		plain("project", "Project key"), plain("issue_type", "Issue type").optional().help("Task if empty."),
		plain("clear_transition", "Transition when cleared").optional().help("The id of a transition of the project's workflow; empty leaves the issue open."),
		template,
	}},
	{Type: "mail", Title: "E-mail", Pictures: true, Fields: []ServiceField{
		plain("addresses", "Addresses").must(mailAddresses).help("Separated by commas."), template,
	}},
	{Type: "matrix", Title: "Matrix", Fields: []ServiceField{
		plain("server", "Server").url(webURL).help("https://matrix.example.org"), secret("token", "Access token"),
		plain("room", "Room").help("Its internal ID, such as !abcdef:example.org."), template,
	}},
	{Type: "msteams", Title: "Microsoft Teams", Pictures: true, Fields: []ServiceField{secret("url", "Webhook URL").url(webURL), template}},
	{Type: "neptune", Title: "Neptune", Dead: true, Fields: []ServiceField{secret("api_key", "API key")}},
	{Type: "ntfy", Title: "ntfy", Fields: []ServiceField{
		plain("topic", "Topic"), plain("server", "Server").optional().url(webURL).help("https://ntfy.sh if empty."),
		secret("token", "Access token").optional(), plain("priority", "Priority").optional().among("1", "2", "3", "4", "5").help("1 to 5; 4 if empty."), template,
	}},
	{Type: "opsgenie", Title: "Opsgenie", Fields: []ServiceField{
		secret("customer_key", "API key"), plain("recipients", "Recipients").optional(), plain("teams", "Teams").optional(),
		plain("tags", "Tags").optional(), apiHost,
	}},
	{Type: "pagerduty", Title: "PagerDuty", byIncident: true, Fields: []ServiceField{
		secret("service_key", "Service key"), plain("event_type", "Event type").help("trigger"), plain("description", "Description"),
		plain("incident_key", "Incident key prefix").optional(),
		plain("events_api", "Events API").optional().among("v1", "v2").help("v1 or v2. If empty, a key of 32 letters and digits is taken for v2."),
	}},
	{Type: PushService, Title: "Device", personal: true, byIncident: true, Fields: []ServiceField{
		secret(settingEndpoint, "Endpoint").url(webURL), secret(settingP256DH, "Key"), secret(settingAuth, "Secret"),
		plain(settingSeverity, "Alerts"), plain(settingCleared, "When they clear").optional(), plain(settingFingerprint, "Fingerprint"),
		plain(settingLabels, "Labels").optional(), plain(settingQuiet, "Quiet hours").optional(),
	}},
	{Type: "pushover", Title: "Pushover", Fields: []ServiceField{
		secret("token", "Application token"), secret("user", "User or group key"), plain("device", "Device").optional(),
		plain("priority", "Priority").optional().among("-2", "-1", "0", "1", "2").help("-2 to 2; 1 if empty."), template,
	}},
	{Type: "slack", Title: "Slack", Pictures: true, Fields: []ServiceField{secret("url", "Webhook URL").url(notValid), template}},
	{Type: "sns", Title: "Amazon SNS", Fields: []ServiceField{
		plain("topic_arn", "Topic ARN").must(topicARN), plain("access_key_id", "Access key id"),
		secret("secret_access_key", "Secret access key"), secret("session_token", "Session token").optional(),
	}},
	{Type: "telegram", Title: "Telegram", Pictures: true, Fields: []ServiceField{secret("bot_token", "Bot token"), plain("chat_id", "Chat id"), template}},
	{Type: "victorops", Title: "VictorOps", Fields: []ServiceField{secret("api_key", "API key"), plain("routing_key", "Routing key").optional()}},
	{Type: "webhook", Title: "Webhook", Signed: true, Fields: []ServiceField{secret("url", "URL").url(webURL)}},
	{Type: "webhook_json", Title: "JSON webhook", Pictures: true, Signed: true, Fields: []ServiceField{
		secret("url", "URL").url(webURL), plain("method", "Method").optional().among("POST", "PUT").help("POST if empty."),
		secret("authorization", "Authorization header").optional(), template.help("A JSON document; leave empty for the usual one."),
	}},
	{Type: "zapier", Title: "Zapier", Fields: []ServiceField{secret("url", "URL").url(notValid)}},
}

// webURL takes an address with a protocol and a host.
func webURL(v string) string {
	u, err := url.Parse(v)
	switch {
	case err != nil || strings.ContainsAny(v, " \t\r\n"):
		return "Is not a valid URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return "Is missing protocol"
	case u.Hostname() == "":
		return "Is not a valid URL"
	}
	return ""
}

// notValid is webURL in the words of the types that have one for everything.
func notValid(v string) string {
	if webURL(v) != "" {
		return "Is not valid"
	}
	return ""
}

// isInvalid is webURL in the words of the one type that says it so.
func isInvalid(v string) string {
	if webURL(v) != "" {
		return "is invalid"
	}
	return ""
}

var (
	mailAddress  = regexp.MustCompile(`^[\w+\-.]+@[a-z\d\-]+(\.[a-z\d\-]+)*\.[a-z]+$`)
	snsTopic     = regexp.MustCompile(`^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d+:[A-Za-z0-9_-]+$`)
	hipchatName  = regexp.MustCompile(`^[\w\s.\-]+$`)
	hostnameText = regexp.MustCompile(`^[A-Za-z0-9.-]+$`)
)

func mailAddresses(v string) string {
	for address := range strings.SplitSeq(v, ",") {
		address = strings.TrimSpace(address)
		switch {
		case strings.ContainsAny(address, " \t\r\n;"):
			return "Must be a comma-separated string"
		case !mailAddress.MatchString(address):
			return "Not a valid email address: " + address
		}
	}
	return ""
}

func topicARN(v string) string {
	if !snsTopic.MatchString(v) {
		return "Is not valid"
	}
	return ""
}

func hostname(v string) string {
	if !hostnameText.MatchString(v) {
		return "Is not valid"
	}
	return ""
}

func hipchatFrom(v string) string {
	switch {
	case len(v) > 15:
		return "length is too long, max 15 characters"
	case !hipchatName.MatchString(v):
		return "string has invalid characters"
	}
	return ""
}

func zeroOrOne(v string) string {
	if v != "0" && v != "1" {
		return "must be a 0 or 1"
	}
	return ""
}

func flowdockUser(v string) string {
	if len(v) >= 16 || strings.ContainsAny(v, " \t") {
		return "Invalid format"
	}
	return ""
}

func oneOf(v string, allowed ...string) string {
	if slices.Contains(allowed, v) {
		return ""
	}
	return "must be one of " + strings.Join(allowed, ", ")
}

func serviceID(v string) string {
	if id, err := strconv.ParseInt(v, 10, 64); err != nil || id <= 0 {
		return "must be the id of a service"
	}
	return ""
}
