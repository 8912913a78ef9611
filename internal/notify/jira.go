package notify

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

const maxJiraSummary = 255

// jira keeps one issue an incident: created when it fires, commented on when
// it still does and when it clears. The issue is found by a label, so that no
// memory of it is needed here.
type jira struct {
	s        settings
	site     string
	template *messageTemplate
}

func newJira(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	j := &jira{s: s, site: strings.TrimRight(s["url"], "/"), template: t}
	return j.render, nil
}

// render starts with the question whether there is an issue already. Jira
// Cloud and Jira on one's own machine ask it at different places.
func (j *jira) render(n Notification) (message, error) {
	create, err := j.create(n)
	if err != nil {
		return nil, err
	}
	comment, err := j.comment(n)
	if err != nil {
		return nil, err
	}
	query := url.Values{"jql": {`labels = "` + jiraLabel(n.IncidentKey) + `" ORDER BY created DESC`}, "maxResults": {"1"}, "fields": {"status"}}.Encode()
	answered := func(a answer) *request { return j.found(a, n, create, comment) }
	old := j.request(http.MethodGet, "/rest/api/2/search?"+query, nil)
	old.then = answered
	ask := j.request(http.MethodGet, "/rest/api/2/search/jql?"+query, nil)
	ask.then = func(a answer) *request {
		if a.code == http.StatusNotFound {
			return old
		}
		return answered(a)
	}
	ask.shown = create
	if n.cleared() {
		ask.shown = comment
	}
	return ask, nil
}

// found goes on after the answer to the question.
func (j *jira) found(a answer, n Notification, create, comment *request) *request {
	if a.code/100 != 2 {
		return nil
	}
	var list struct {
		Issues []struct {
			ID string `json:"id"`
		} `json:"issues"`
	}
	_ = json.Unmarshal(a.body, &list) // what cannot be read is no issue
	switch {
	case len(list.Issues) == 0 && n.cleared():
		return nil
	case len(list.Issues) == 0:
		return create
	}
	issue := "/rest/api/2/issue/" + url.PathEscape(list.Issues[0].ID)
	next := *comment
	next.url = j.site + issue + "/comment"
	if transition := j.s["clear_transition"]; transition != "" && n.cleared() {
		next.then = func(a answer) *request {
			if a.code/100 != 2 {
				return nil
			}
			body, _ := marshal(map[string]any{"transition": map[string]string{"id": transition}})
			return j.request(http.MethodPost, issue+"/transitions", body)
		}
	}
	return &next
}

func (j *jira) create(n Notification) (*request, error) {
	text, err := j.template.textOr(n, jiraText(n))
	if err != nil {
		return nil, err
	}
	body, err := marshal(map[string]any{"fields": map[string]any{
		"project": map[string]string{"key": j.s["project"]}, "issuetype": map[string]string{"name": j.s.or("issue_type", "Task")},
		"summary": shorten(strings.ReplaceAll(n.title(), "\n", " "), maxJiraSummary), "description": text,
		"labels": []string{"tidemark", jiraLabel(n.IncidentKey)},
	}})
	return j.request(http.MethodPost, "/rest/api/2/issue", body), err
}

func (j *jira) comment(n Notification) (*request, error) {
	body, err := marshal(map[string]string{"body": n.title() + "\n\n" + n.brief()})
	return j.request(http.MethodPost, "/rest/api/2/issue/{issue}/comment", body), err
}

func (j *jira) request(method, path string, body []byte) *request {
	return &request{
		method: method, url: j.site + path, contentType: "application/json", body: body, user: url.UserPassword(j.s["user"], j.s["api_token"]),
	}
}

func jiraText(n Notification) string {
	text := n.brief()
	if n.Sentence != "" {
		text = n.Sentence + "\n\n" + text
	}
	if n.Link != "" {
		text += "\n\n[Alert|" + n.Link + "]"
	}
	if n.Alert.RunbookURL != "" {
		text += "\n[Runbook|" + n.Alert.RunbookURL + "]"
	}
	if to := n.pictureURL(); to != "" {
		text += "\n!" + to + "!"
	}
	return text
}

// jiraLabel makes a label of key: labels have no blanks, and one in a question
// must not end it.
func jiraLabel(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '"' || r == '\\' || r <= ' ' {
			return '_'
		}
		return r
	}, key)
}
