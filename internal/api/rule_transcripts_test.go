package api

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The routes that rules are for, by what they are about.
var (
	alertWrites  = []string{"POST /v1/alerts", "PUT /v1/alerts/{id}"}
	eventWrites  = []string{"POST /v1/annotations/{name}", "PUT /v1/annotations/{name}/{id}"}
	chartWrites  = []string{"POST /v1/spaces/{space}/charts", "PUT /v1/spaces/{space}/charts/{id}", "POST /v1/spaces/{space}/charts/{id}"}
	metricWrites = []string{"PUT /v1/metrics/{name}", "PUT /v1/metrics"}
	serviceUses  = []string{"POST /v1/services", "PUT /v1/services/{id}", "POST /v1/services/preview", "POST /v1/services/{id}/preview"}
	newServices  = []string{"POST /v1/services"}
	spaceWrites  = []string{"POST /v1/spaces", "PUT /v1/spaces/{id}"}
	tokenWrites  = []string{"POST /v1/api_tokens", "PUT /v1/api_tokens/{id}"}
	paged        = []string{
		"GET /v1/alerts", "GET /v1/alerts/{id}/incidents", "GET /v1/alerts/{id}/deliveries", "GET /v1/annotations", "GET /v1/api_tokens",
		"GET /v1/audit", "GET /v1/metrics", "GET /v1/metrics/{name}/streams", "GET /v1/services", "GET /v1/services/{id}/deliveries",
		"GET /v1/sources", "GET /v1/spaces",
	}
	ordered = []string{"GET /v1/alerts", "GET /v1/annotations", "GET /v1/api_tokens", "GET /v1/metrics", "GET /v1/services", "GET /v1/spaces"}
	windows = []string{"GET /v1/measurements", "GET /v1/measurements/{name}"}
	records = []string{"POST /v1/measurements"}
	oldAPI  = []string{"POST /v1/metrics"}
)

// reach says on which routes each function's rules are met: a transcript of
// each of these routes must break each of these rules. Rules of a function
// that is not here must be broken in some transcript.
var reach = map[string][]string{
	"tidemark.Alert.Validate":            alertWrites,
	"tidemark.Condition.Validate":        append(slices.Clip(alertWrites), "POST /v1/alerts/preview"),
	"tidemark.Problems.TagFilters":       append(slices.Clip(alertWrites), chartWrites...),
	"tidemark.AnnotationStream.Validate": {"PUT /v1/annotations/{name}"},
	"tidemark.AnnotationEvent.Validate":  eventWrites,
	"tidemark.Link.Validate":             append(slices.Clip(eventWrites), "POST /v1/annotations/{name}/{id}/links"),
	"tidemark.Chart.Validate":            chartWrites,
	"tidemark.ChartStream.Validate":      chartWrites,
	"tidemark.Snooze.Validate":           {"POST /v1/alerts/{id}/snooze"},
	"tidemark.IncidentNote.Validate":     {"POST /v1/alerts/{id}/acknowledge"},
	"tidemark.Metric.Validate":           metricWrites,
	"tidemark.validateAttributes":        metricWrites,
	"tidemark.Service.Validate":          serviceUses,
	"tidemark.ServiceType.check":         serviceUses,
	"tidemark.webURL":                    newServices,
	"tidemark.notValid":                  newServices,
	"tidemark.isInvalid":                 newServices,
	"tidemark.mailAddresses":             newServices,
	"tidemark.topicARN":                  newServices,
	"tidemark.hostname":                  newServices,
	"tidemark.hipchatFrom":               newServices,
	"tidemark.zeroOrOne":                 newServices,
	"tidemark.flowdockUser":              newServices,
	"tidemark.oneOf":                     newServices,
	"tidemark.serviceID":                 newServices,
	"tidemark.Share.Validate":            {"POST /ui/api/spaces/{space}/shares"},
	"tidemark.Playlist.Validate":         {"POST /ui/api/playlists"},
	"tidemark.PlaylistSpace.Validate":    {"POST /ui/api/playlists"},
	"tidemark.Report.Validate":           {"POST /ui/api/spaces/{space}/reports"},
	"tidemark.Schedule.Validate":         {"POST /ui/api/spaces/{space}/reports"},
	"tidemark.Layout.Validate":           {"PUT /ui/api/spaces/{space}/layout"},
	"tidemark.Space.Validate":            spaceWrites,
	"tidemark.Org.Validate":              {"PUT /ui/api/org", "POST /admin/orgs"},
	"tidemark.checkShortName":            {"PUT /ui/api/org"},
	"tidemark.Token.Validate":            tokenWrites,
	"tidemark.ParseSecret":               {"POST /v1/api_tokens"},
	"tidemark.User.Validate":             {"POST /admin/users"},
	"api.Server.operator":                {"GET /v1/alerts"},
	"api.Server.toJoin":                  {"GET /ui/api/streams"},
	"api.notStream":                      {"GET /ui/api/streams"},
	"api.Server.backup":                  {"POST /admin/backup"},
	"api.Server.snapshot":                {"POST /admin/snapshot"},
	"api.Server.createUser":              {"POST /admin/users"},
	"alerts.API.testDraft":               {"POST /ui/api/alerts/test"},
	"v1.API.readPreview":                 {"POST /v1/alerts/preview"},
	"v1.API.snoozeAlert":                 {"POST /v1/alerts/{id}/snooze"},
	"alerts.API.rotateSigning":           {"POST /ui/api/services/{id}/signing"},
	"store.checkSigned":                  {"POST /ui/api/services/{id}/signing"},
	"v1.API.exampleOf":                   {"POST /v1/services/preview", "POST /v1/services/{id}/preview"},
	"v1.API.attachService":               {"POST /v1/alerts/{id}/services"},
	"v1.readEventQuery":                  {"GET /v1/annotations/{name}"},
	"dashboards.API.importSpace":         {"POST /ui/api/spaces/import"},
	"legacy.API.recordLegacy":            oldAPI,
	"legacy.API.readLegacy":              {"GET /v1/metrics/{name}"},
	"dashboards.API.answerQueries":       {"POST /ui/api/query"},
	"v1.API.record":                      records,
	"tidemark.Invitation.Validate":       {"POST /ui/api/invitations"},
	"org.API.changeMember":               {"PUT /ui/api/members/{user}"},
	"v1.readWhich":                       {"PUT /v1/metrics", "DELETE /v1/metrics"},
	"rest.ReadPage":                      paged,
	"dashboards.API.searchMetrics":       {"GET /ui/api/metrics"},
	"v1.readSeriesPage":                  {"GET /v1/measurements/{name}"},
	"v1.API.readRequest":                 {"GET /v1/measurements/{name}"},
	"shared.Base.ReadWindow":             windows,
	"v1.readFilter":                      {"GET /v1/measurements/{name}", "GET /v1/metrics/{name}/streams"},
	"shared.Base.evaluate":               {"GET /v1/measurements", "GET /v1/metrics"},
	"v1.cannotSee":                       {"PUT /v1/services/{id}"},
	"rest.ByNewName":                     {"PUT /v1/metrics/{name}", "POST /v1/annotations/{name}"},
	"v1.API.newSnapshot":                 {"POST /v1/snapshots"},
	"v1.API.endTime":                     {"POST /v1/snapshots"},
	"v1.missingChart":                    {"POST /v1/snapshots"},
	"v1.API.expiryAhead":                 {"POST /v1/api_tokens"},
	"v1.API.rotateToken":                 {"POST /v1/api_tokens/{id}/rotate"},
	"store.Store.checkMetrics":           alertWrites,
	"store.Store.checkServices":          alertWrites,
	"store.Store.attach":                 {"POST /v1/alerts/{id}/services"},
	"store.Store.checkRoom":              {"POST /v1/spaces/{space}/charts"},
	"store.Store.RetryDelivery":          {"POST /v1/deliveries/{id}/retry"},
	"store.Store.Events":                 {"GET /v1/annotations/{name}"},
	"store.Store.CreateLink":             {"POST /v1/annotations/{name}/{id}/links"},
	"store.Store.keepAdmin":              {"PUT /ui/api/members/{user}", "DELETE /ui/api/members/{user}", "DELETE /ui/api/membership"},
	"store.listing.orderBy":              ordered,
	"store.Store.SetPins":                {"PUT /ui/api/pins"},
	"store.Store.putOwner":               {"PUT /ui/api/spaces/{space}/about"},
	"tidemark.SpaceAbout.Validate":       {"PUT /ui/api/spaces/{space}/about"},
	"store.Store.SnoozeAlert":            {"POST /v1/alerts/{id}/snooze"},
	"store.Store.retireSecrets":          {"POST /v1/api_tokens/{id}/rotate"},
	"auth.checkLength":                   {"POST /ui/api/invite/{key}", "POST /ui/api/reset/{key}", "POST /ui/api/setup/{key}", "PUT /ui/api/profile"},
	"auth.Authenticator.Setup":           {"POST /ui/api/setup/{key}"},
	"query.TagsFilter":                   {"GET /v1/measurements/{name}"},
	"query.Request.query":                {"GET /v1/measurements/{name}"},
	"query.Request.group":                {"GET /v1/measurements/{name}"},
	"ingest.intake.readLegacy":           oldAPI,
	"ingest.intake.legacyError":          oldAPI,
}

// unbroken are the rules that no transcript can break, by where they are and
// how they begin, each with why.
var unbroken = map[string]string{
	"ingest.var: value has an exponent over 126":                "internal/ingest: TestRecordPoints",
	"ingest.var: distribution is none that can be read":         "internal/ingest: TestDistributions",
	"store.Store.roomForView:  There are ":                      "takes fifty: internal/store: TestAlertViewsAreBounded",
	"store.Store.chartsOf:  version ":                           "takes megabytes: internal/store: TestForgottenChart",
	"store.Store.fence:  another server has taken over ":        "no request holds a lease: internal/store: TestLease",
	"store.var:  the database is ":                              "takes a pool of connections: internal/store: TestWaitsInVain",
	"store.alone:  the server ":                                 "said when a server starts: internal/store: TestJoin",
	"tidemark.Problems.Err: ":                                   "fields are shown, not this",
	"tidemark.Problems.LimitValue: ":                            "numbers beyond are refused where they are read: TestLimitRequests",
	"tidemark.Problems.Text: ":                                  "stands for those who call it",
	"tidemark.optionalText: ":                                   "stands for those who call it",
	"tidemark.Job.Validate: ":                                   "jobs are made by the server",
	"tidemark.Snooze.Validate: by ":                             "the server says who it was",
	"tidemark.AnnotationStream.Validate: name ":                 "the path is read before: byNewName",
	"tidemark.Metric.Validate: name ":                           "the path is read before: byNewName",
	"tidemark.Metric.Validate: composite is longer ":            "the language is there first, and says it in its words",
	"tidemark.User.Validate: email must be in lower case":       "every door makes it so",
	"shared.var:  alerting is disabled on this server":          "TestWithoutAlerting",
	"shared.var:  a composite has no distribution":              "said beside other answers: internal/api/shared: TestDistributionsOfOthers",
	"shared.var:  percentiles must be up to":                    "said beside other answers: internal/api/shared: TestDistributionsOfOthers",
	"shared.var:  summarize must be 0 to":                       "said beside other answers: internal/api/shared: TestSummarize",
	"shared.var:  a band of many streams has at most":           "said beside other answers: internal/api/shared: TestSummarize",
	"rest.var:  This organization demands":                      "TestMustEnrol",
	"rest.var:  Prove again":                                    "TestRecentProof",
	"store.Store.BeginTOTP: ":                                   "internal/store: TestTOTPSteps",
	"store.Store.factorRemoved: ":                               "TestMustEnrol, and internal/store: TestDemandedFactorStays",
	"store.Store.CreatePasskey: ":                               "internal/store: TestPasskeysOfOthers",
	"auth.Authenticator.ConfirmTOTP:  There is":                 "internal/store: TestTOTPSteps",
	"auth.var:  One more step":                                  "TestSecondStep",
	"auth.var:  This code is wrong":                             "TestSecondStep",
	"auth.var:  That took too long":                             "TestPasskeysRefused",
	"auth.var:  This passkey":                                   "TestPasskeysRefused",
	"auth.var:  Passkeys need":                                  "TestPasskeysNeedAName",
	"auth.Authenticator.FinishPasskey: credential does not":     "TestPasskeysBelongToOne",
	"rest.Server.fail: ":                                        "TestInternalErrors",
	"rest.largeBodies.wait: ":                                   "internal/api/rest: TestLargeBodiesWait",
	"shared.var:  too many pages are watching":                  "internal/api/shared: TestTooManyWatch",
	"legacy.API.readSources: ":                                  "TestLegacyAnswerTooLong",
	"store.Store.BackupTo: ":                                    "internal/store: TestBackupPostgres",
	"store.Store.DumpTo: ":                                      "internal/store: TestLoadDumpRefuses",
	"store.inPostgres: ":                                        "internal/store: TestLoadDumpRefuses",
	"store.refuseFilled: ":                                      "internal/store: TestDump",
	"store.Store.roomForSource: ":                               "a hundred thousand are too many for a transcript",
	"store.Store.CreateLink: ":                                  "said as rel is already taken",
	"store.Store.translate:  already exists":                    "said as a field that is already taken",
	"store.Store.translate:  the database":                      "internal/store: TestPostgresGone",
	"store.Store.translate:  the disk":                          "internal/app: TestFullDisk",
	"auth.OIDC.discover: ":                                      "TestOIDC",
	"auth.var:  The sign-in service":                            "TestOIDC",
	"auth.var:  Too many invitations were sent":                 "TestInvitationMails",
	"auth.var:  This link was opened too often":                 "TestAcknowledgeLinkIsLimited",
	"auth.var:  this heartbeat is called too often":             "internal/app: TestHeartbeatAddress",
	"alerts.var:  .* checks are being tried":                    "internal/api/uiapi/alerts: TestTriesOfChecksAreLimited",
	"v1.API.recordFindings: results":                            "TestTooManyFindings",
	"auth.var:  Too many comments were written with this link":  "TestAcknowledgeLinkIsLimited",
	"auth.var:  Too many people are signing in at once":         "TestHashingWaits",
	"auth.var:  None of your groups":                            "TestOIDC",
	"auth.var:  Your account at the issuer":                     "internal/auth: TestOIDCClosed",
	"auth.var:  Passwords are switched off":                     "TestPasswordsOff",
	"query.budget.take: ":                                       "internal/query: only many questions at once break it",
	"query.tooMany: ":                                           "internal/query: TestLimits",
	"query.var:  The requested data resolution is unavailable ": "TestResolution: the engine here keeps everything",
	"ingest.intake.refusal: ":                                   "its measurements are listed instead",
	"ingest.var: tags is over a limit":                          "TestRecordLimits, and internal/ingest: TestStreamLimit",
	"ingest.var: name is over a limit":                          "internal/ingest: TestMetricLimit",
	"api.Server.deleteOrg:  an organization is deleted through": "internal/cli: TestScripts, people",
	"api.Server.deleteOrg:  the last organization":              "internal/cli: TestScripts, people",
	"tidemark.TokenScope.check: scope has more than":            "token_scope_test.go of the root",
	"tidemark.TokenScope.checkAdded: scope adds more than":      "token_scope_test.go of the root",
	"tidemark.checkNetworks: networks has more than":            "token_scope_test.go of the root",
	"rest.var:  This token has a scope":                         "TestScopedTokensDoNothingElse",
	"auth.Authenticator.Identify:  token":                       "TestNetworksOfTokens",
	"ingest.var: name is outside the scope":                     "TestScopeRefusesInPart",
	"ingest.intake.outsideError: ":                              "TestScopeOfLegacy",
	"store.noKey: ":                                             "internal/app: TestServersShareTheKey: it takes a server without its key",
	"store.checkReadable: settings":                             "internal/store: TestLostKey",
	"store.Store.checkAlone: ":                                  "internal/store: TestPreparedKey",
	"store.Store.GiveUpKey: ":                                   "internal/cli: TestScripts, secrets",
	"tidemark.IncidentNote.ValidateComment: ":                   "TestComments: it takes an incident",
	"store.Store.ChangeComment: ":                               "TestComments: it takes an incident",
	"store.Store.roomForComment: ":                              "internal/store: TestComment",
	"notify.Mail.Validate: ":                                    "the operator's settings: internal/config",
}

// called are the fields that a rule has another name for.
var called = map[string]string{"tidemark.ParseSecret": "import_token"}

// said is one thing that an answer said was wrong.
type said struct{ route, field, text string }

// TestEveryRuleHasATranscript: for every rule in the source there is a transcript of
// every route it is for that breaks it, and shows what the answer is.
func TestEveryRuleHasATranscript(t *testing.T) {
	answers, used, ruling := routesOf(wrongs(t)), make(map[string]bool), make(map[string]bool)
	for _, r := range rules(t) {
		ruling[r.in] = true
		if r.text == ".*" {
			continue // passes on what others say
		}
		if exempt(r, used) {
			continue
		}
		if name := called[r.in]; name != "" {
			r.field = name
		}
		field := regexp.MustCompile(`^(?:.*\.)?(?:` + r.field + `)$`)
		text := regexp.MustCompile(`^(?:` + r.text + `)$`)
		broken := make(map[string]bool)
		for w, routes := range answers {
			if (r.field == "" || field.MatchString(w.field)) && text.MatchString(w.text) {
				broken["any"] = true
				for _, route := range routes {
					broken[route] = true
				}
			}
		}
		routes := reach[r.in]
		if routes == nil {
			routes = []string{"any"}
		}
		for _, route := range routes {
			if !broken[route] {
				t.Errorf("%s: %s: no transcript of %s breaks %s %q", r.at, r.in, route, r.field, r.text)
			}
		}
	}
	for key := range reach {
		if !ruling[key] {
			t.Errorf("reach has %q, which has no rule", key)
		}
	}
	for key := range unbroken {
		if !used[key] {
			t.Errorf("unbroken has %q, which is no rule", key)
		}
	}
}

// TestExceptionsNameTests: the tests that exceptions are left to exist.
func TestExceptionsNameTests(t *testing.T) {
	files, err := filepath.Glob("../*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob("*/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.Concat(files, rooms, parts)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, reasons := range []map[string]string{unbroken, unspoken} {
		for key, why := range reasons {
			for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(why, -1) {
				if !strings.Contains(all.String(), "func "+name+"(") {
					t.Errorf("%s is left to %s, which is no test", key, name)
				}
			}
		}
	}
}

func exempt(r rule, used map[string]bool) bool {
	for key := range unbroken {
		in, text, _ := strings.Cut(key, ": ")
		if in == r.in && strings.HasPrefix(r.field+" "+r.text, text) {
			used[key] = true
			return true
		}
	}
	return false
}

// wrongs collects what all answers in all transcripts say is wrong.
func wrongs(t *testing.T) (all []said) {
	t.Helper()
	w := newWorld(t)
	admin := w.Admin().(*Server)
	eachExchange(t, func(file, method, target, answer string) {
		start := strings.Index(answer, "\n{")
		if start < 0 || answer[0] < '4' && !strings.Contains(answer, "X-Partial-Failure") {
			return
		}
		var body any
		if json.Unmarshal([]byte(unsteady.Replace(answer[start:])), &body) != nil {
			t.Errorf("%s: not JSON: %s", file, answer[start:])
		}
		pattern := admin.Match(httptest.NewRequest(method, w.timely(repeated(target)), nil))
		all = append(all, saidIn(pattern, "", body)...)
	})
	return all
}

// routesOf puts those together that say the same, and says of which routes.
func routesOf(all []said) map[said][]string {
	routes := make(map[said][]string)
	for _, s := range all {
		same := said{field: s.field, text: s.text}
		if !slices.Contains(routes[same], s.route) {
			routes[same] = append(routes[same], s.route)
		}
	}
	return routes
}

// unsteady makes JSON of an answer again that has words where times were.
var unsteady = strings.NewReplacer(": TIME", ": 0", ": NOW", ": 0")

// saidIn flattens the errors of an answer.
func saidIn(route, field string, v any) (all []said) {
	switch v := v.(type) {
	case string:
		return []said{{route, field, v}}
	case []any:
		for _, item := range v {
			all = append(all, saidIn(route, field, item)...)
		}
	case map[string]any:
		if reason, ok := v["reason"].(string); ok {
			param, _ := v["param"].(string)
			return []said{{route, param, reason}}
		}
		for key, item := range v {
			name := strings.TrimPrefix(field+"."+key, ".")
			switch key {
			case "errors", "params", "request", "system", "error", "message", "base":
				name = field
			}
			all = append(all, saidIn(route, name, item)...)
		}
	}
	return all
}
