package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// operatorList is what operators see of all organizations.
type operatorList struct {
	Found, Total int
	Orgs         []struct {
		ID        tidemark.OrgID
		Name      string
		Near, Own int
		Nearest   []tidemark.LimitUse
	}
	Requests []tidemark.LimitRequest
	Server   []tidemark.LimitUse
}

func (w *world) operatorList(t *testing.T, who, query string) (list operatorList) {
	t.Helper()
	rec := w.ask(who, "GET", "/ui/api/operator/limits"+query, "")
	checkContract(t, w, "GET", "/ui/api/operator/limits", rec)
	if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
	}
	return list
}

// TestOperatorLimits: an operator sees what every organization uses of its
// limits, the one nearest to a limit first, and nothing else of what they have;
// what an operator sets counts from the next request on.
func TestOperatorLimits(t *testing.T) {
	w := newWorld(t).withPeople(t)
	w.Limits = tidemark.NewLimits(nil)
	w.Store.SetLimits(w.Limits)
	for _, name := range []string{"one", "two", "secret plans"} {
		equal(t, http.StatusCreated, w.ask("theirs", "POST", "/v1/spaces", `{"name":"`+name+`"}`).Code)
	}
	equal(t, http.StatusNoContent, w.ask("Admin", "PUT", "/ui/api/operator/orgs/2/limits", `{"limits":{"spaces":3}}`).Code)
	list := w.operatorList(t, "Admin", "")
	if list.Total != 2 || list.Found != 2 || list.Orgs[0].ID != w.theirs || list.Orgs[0].Near != 1 || list.Orgs[0].Own != 1 || len(list.Server) != len(tidemark.LimitTable) {
		t.Errorf("%+v", list)
	}
	if l := list.Orgs[0].Nearest[0]; l.Name != tidemark.LimitSpaces || *l.Use != 3 || l.Limit != 3 || l.Default != 1000 {
		t.Errorf("the nearest: %+v", l)
	}
	if found := w.operatorList(t, "Admin", "?q=OUR"); found.Found != 1 || found.Total != 2 || found.Orgs[0].Name != "ours" {
		t.Errorf("searched: %+v", found)
	}
	if rec := w.ask("theirs", "POST", "/v1/spaces", `{"name":"four"}`); rec.Code != http.StatusForbidden {
		t.Errorf("over the limit: %d %s", rec.Code, rec.Body)
	}
	rec := w.ask("Admin", "GET", "/ui/api/operator/orgs/2/limits", "")
	checkContract(t, w, "GET", "/ui/api/operator/orgs/2/limits", rec)
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `"name":"theirs"`) || strings.Contains(rec.Body.String(), "secret plans") {
		t.Errorf("one of them: %d %s", rec.Code, rec.Body)
	}
}

// TestAskTheOperator: an Admin asks for more, everybody of the organization
// sees that, the operator accepts, and it counts at once.
func TestAskTheOperator(t *testing.T) {
	w := newWorld(t).withPeople(t)
	w.Limits = tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitSpaces: 1})
	w.Store.SetLimits(w.Limits)
	equal(t, http.StatusCreated, w.ask("theirs", "POST", "/v1/spaces", `{"name":"one"}`).Code)
	equal(t, http.StatusForbidden, w.ask("theirs", "POST", "/v1/spaces", `{"name":"two"}`).Code)
	equal(t, http.StatusNoContent, w.ask("Stranger", "POST", "/ui/api/limits/requests", `{"name":"spaces","wanted":5,"note":"a launch"}`).Code)
	asked := w.operatorList(t, "Admin", "").Requests
	if len(asked) != 1 || asked[0].OrgName != "theirs" || asked[0].Wanted != 5 || asked[0].Allowed != 1 || *asked[0].Use != 1 || asked[0].AskedBy != "stranger@example.org" {
		t.Fatalf("asked: %+v", asked)
	}
	w.expect(t, "Stranger", "GET", "/ui/api/limits", "", `"state":"open"`, `"note":"a launch"`)
	w.expect(t, "Viewer", "GET", "/ui/api/limits", "", `"requests":[]`)
	equal(t, http.StatusNoContent, w.ask("Admin", "PUT", "/ui/api/operator/orgs/2/requests/spaces", `{"accept":true}`).Code)
	equal(t, http.StatusCreated, w.ask("theirs", "POST", "/v1/spaces", `{"name":"two"}`).Code)
	w.expect(t, "Stranger", "GET", "/ui/api/limits", "", `"state":"accepted"`, `"granted":5`)
	if rest := w.operatorList(t, "Admin", "").Requests; len(rest) != 0 {
		t.Errorf("still waiting: %+v", rest)
	}
}

// TestOperatorsGetMail: a new request is mailed to each operator whose address
// is known to be theirs, once, with a link that begins with public_url; a
// request that is refused is not, and without mail nothing is sent.
func TestOperatorsGetMail(t *testing.T) {
	w := newWorld(t).withPeople(t)
	w.Limits = tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitSpaces: 1})
	w.Store.SetLimits(w.Limits)
	operator := func(email string, verified bool) {
		t.Helper()
		u := &tidemark.User{Email: email, Verified: verified}
		if err := w.Store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
			t.Fatal(err)
		}
		if err := w.Store.SetOperator(t.Context(), tidemark.ServerActor(), u.ID, true); err != nil {
			t.Fatal(err)
		}
	}
	operator("ops@example.org", true)
	operator("night@example.org", true)
	operator("unsure@example.org", false)
	sent := make(chan string, 20)
	w.SendMail = func(to, subject, text string) { sent <- to + "\n" + subject + "\n" + text }
	ask := func(body string) int { return w.ask("Stranger", "POST", "/ui/api/limits/requests", body).Code }
	equal(t, http.StatusNoContent, ask(`{"name":"services","wanted":50000}`)) // no public_url: no mail
	w.PublicURL = "https://metrics.example.org/tidemark/"
	equal(t, http.StatusBadRequest, ask(`{"name":"spaces","wanted":1}`))
	equal(t, http.StatusNoContent, ask(`{"name":"spaces","wanted":5,"note":"a launch\nsee https://evil.example"}`))
	equal(t, http.StatusUnprocessableEntity, ask(`{"name":"spaces","wanted":6}`))
	equal(t, http.StatusNoContent, ask(`{"name":"alerts","wanted":50000}`))
	var first string
	to := make(map[string]int)
	for range 4 {
		select {
		case letter := <-sent:
			lines := strings.SplitN(letter, "\n", 3)
			to[lines[0]+" "+lines[1]]++
			if lines[1] == "theirs asks for more: Spaces" {
				first = lines[2]
			}
		case <-time.After(time.Minute):
			t.Fatalf("mailed only to %v", to)
		}
	}
	equal(t, map[string]int{
		"ops@example.org theirs asks for more: Spaces": 1, "ops@example.org theirs asks for more: Alerts": 1,
		"night@example.org theirs asks for more: Spaces": 1, "night@example.org theirs asks for more: Alerts": 1,
	}, to)
	equal(t, 0, len(sent))
	equal(t, "stranger@example.org of theirs asks for 5 spaces. Allowed are 1, in use are 0.\n\n"+
		"They say:\n> a launch\n> see https://evil.example\n\n"+
		"Accept or decline it here: https://metrics.example.org/tidemark/operator/limits?org=2\n\n"+
		"You get this because you are an operator of this server.\n", first)
}

// TestOperatorsOnly: whoever is no operator finds nothing under /operator,
// whatever their role, and finds it gone with the next request when it is taken
// from them. A role in an organization is not asked for, and which one neither.
func TestOperatorsOnly(t *testing.T) {
	w := newWorld(t).withPeople(t)
	u, err := w.Store.UserByEmail(t.Context(), "viewer@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.AddMember(t.Context(), w.theirs, tidemark.ServerActor(), u.ID, tidemark.ViewOnly); err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{false, true, false} {
		if err := w.Store.SetOperator(t.Context(), tidemark.ServerActor(), u.ID, on); err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{false: http.StatusNotFound, true: http.StatusOK}[on]
		equal(t, want, w.ask("Viewer", "GET", "/ui/api/operator/limits", "").Code)
	}
	for _, who := range []string{"Stranger", "Member"} {
		equal(t, http.StatusNotFound, w.ask(who, "GET", "/ui/api/operator/orgs/1/limits", "").Code)
		equal(t, http.StatusNotFound, w.ask(who, "PUT", "/ui/api/operator/orgs/1/limits", `{"limits":{"alerts":1}}`).Code)
	}
	for _, who := range []string{"nobody", "admin", "theirs", "operator"} {
		equal(t, http.StatusUnauthorized, w.ask(who, "GET", "/ui/api/operator/limits", "").Code)
	}
}

// TestQueries: questions for measurements are counted, and nothing else is.
func TestQueries(t *testing.T) {
	w := newWorld(t)
	for _, name := range queryRoutes {
		if !slices.ContainsFunc(w.Table, func(rt rest.Route) bool { return rt.Name() == name }) {
			t.Errorf("there is no route %s", name)
		}
	}
	w.ask("admin", "GET", "/v1/measurements/cpu?resolution=60&duration=60", "")
	w.ask("admin", "GET", "/v1/metrics", "")
	equal(t, int64(1), w.Queries().Count())
}

// TestOperatorMachines: operators see the servers on the control store, and
// nobody else does.
func TestOperatorMachines(t *testing.T) {
	w := newWorld(t).withPeople(t)
	equal(t, http.StatusNotFound, w.ask("Viewer", "GET", "/ui/api/operator/machines", "").Code)
	rec := w.ask("Admin", "GET", "/ui/api/operator/machines", "")
	checkContract(t, w, "GET", "/ui/api/operator/machines", rec)
	var got struct {
		tidemark.Machines
		Orgs int
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || len(got.Machines.Machines) != 1 || got.Machines.Machines[0].Does[0] != "alerts" || got.Orgs == 0 ||
		got.Leases[0].Number != 3 || got.Machines.Machines[0].Zone != "eu-1a" {
		t.Errorf("%d %s, %v", rec.Code, rec.Body, err)
	}
	w.Machines = func(context.Context) (*tidemark.Machines, error) { return nil, errors.New("the database is away") }
	equal(t, http.StatusInternalServerError, w.ask("Admin", "GET", "/ui/api/operator/machines", "").Code)
}
