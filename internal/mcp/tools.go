package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// number and text are types of arguments, with what they mean.
func number(about string) object { return object{"type": "integer", "description": about} }
func text(about string) object   { return object{"type": "string", "description": about} }

func tool(name, about string, required []string, arguments object) object {
	return object{
		"name": name, "description": about, "annotations": object{"readOnlyHint": true},
		"inputSchema": object{"type": "object", "properties": arguments, "required": required, "additionalProperties": false},
	}
}

// tools is what tools/list answers.
var tools = []object{
	tool("search_metrics", "List metrics, or search them by a part of their name.", []string{}, object{
		"query": text("part of a name; all metrics if left out"), "limit": number("how many, at most 100"), "offset": number("how many to pass over"),
	}),
	tool("query", `Read series with a composite expression, such as s("host.cpu.percent", {"host":"*"}), mean(...), rate(...), top(...).`, []string{"compose"}, object{
		"compose": text("the expression"), "start": number("from, in seconds since 1970; an hour ago if left out"),
		"end": number("until; now if left out"), "resolution": number("seconds between points"),
	}),
	tool("list_alerts", "List alerts with their conditions, and which of them fire.", []string{}, object{}),
	tool("incident", "Look at the latest incidents of an alert with what changed around the last one: annotations such as deploys, the streams that were least like themselves, and what people saved of spaces, alerts and composites.", []string{"alert"}, object{
		"alert": number("id of the alert"),
	}),
	tool("backtest_alert", "Say what an alert would have done in a span of time, without saving it.", []string{"conditions"}, object{
		"conditions": object{"type": "array", "items": object{"type": "object"}, "description": `as in the API: [{"type":"above","metric_name":"host.cpu.percent","threshold":90,"duration":300}]`},
		"start":      number("from, in seconds since 1970; a day ago if left out"), "end": number("until; now if left out"),
	}),
}

// runs is what each tool does: it returns the parts of its answer.
var runs = map[string]func(*asker, json.RawMessage) ([][]byte, error){
	"search_metrics": searchMetrics, "query": runQuery, "list_alerts": listAlerts, "incident": incident, "backtest_alert": backtest,
}

// narrower is how a tool is asked for less.
var narrower = map[string]string{
	"search_metrics": "ask with a smaller limit",
	"query":          "ask for a coarser resolution, a shorter time from start to end, fewer streams by their tags or top(), or for groups by group_by() or sum()",
	"list_alerts":    "ask for one with incident",
	"incident":       "ask query about what it is about",
	"backtest_alert": "ask for a shorter time from start to end, or for conditions on fewer streams",
}

// read reads the arguments of a tool. One that there is not is an error: an
// assistant that misspells start would take the last hour for what it asked for.
func read(arguments json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fmt.Errorf("arguments: %s cannot be a %s", strings.ToLower(wrong.Field), wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	return nil
}

func optional(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func searchMetrics(a *asker, arguments json.RawMessage) ([][]byte, error) {
	var p struct {
		Query         string
		Limit, Offset int64
	}
	if err := read(arguments, &p); err != nil {
		return nil, err
	}
	found, err := a.get("/v1/metrics", map[string]string{"name": p.Query, "length": optional(p.Limit), "offset": optional(p.Offset)})
	return [][]byte{found}, err
}

func runQuery(a *asker, arguments json.RawMessage) ([][]byte, error) {
	var p struct {
		Compose                string
		Start, End, Resolution int64
	}
	if err := read(arguments, &p); err != nil {
		return nil, err
	}
	if p.Compose == "" {
		return nil, errors.New("arguments: compose is missing")
	}
	params := map[string]string{"compose": p.Compose, "start_time": optional(p.Start), "end_time": optional(p.End), "resolution": optional(p.Resolution)}
	if p.Start == 0 {
		params["duration"] = "3600"
	}
	if p.Resolution == 0 {
		params["resolution"] = "60"
	}
	found, err := a.get("/v1/measurements", params)
	return [][]byte{found}, err
}

func listAlerts(a *asker, arguments json.RawMessage) ([][]byte, error) {
	if err := read(arguments, &struct{}{}); err != nil {
		return nil, err
	}
	alerts, err := a.get("/v1/alerts", map[string]string{"length": "100"})
	if err != nil {
		return nil, err
	}
	status, err := a.get("/v1/alerts/status", nil)
	if err != nil {
		return nil, err
	}
	return [][]byte{[]byte(`{"alerts":`), alerts, []byte(`,"status":`), status, []byte("}")}, nil
}

// around is how much time before and after an incident is looked at.
const around = 3600

// incident puts an alert, its incidents and what changed around the last one
// together.
func incident(a *asker, arguments json.RawMessage) ([][]byte, error) {
	var p struct{ Alert int64 }
	if err := read(arguments, &p); err != nil {
		return nil, err
	}
	path := "/v1/alerts/" + strconv.FormatInt(p.Alert, 10)
	alert, err := a.get(path, nil)
	if err != nil {
		return nil, err
	}
	incidents, err := a.get(path+"/incidents", map[string]string{"length": "5"})
	if err != nil {
		return nil, err
	}
	var list struct {
		Incidents []struct {
			TriggeredAt int64 `json:"triggered_at"`
		}
	}
	_ = json.Unmarshal(incidents, &list) // then there are none
	found := [][]byte{[]byte(`{"alert":`), alert}
	if len(list.Incidents) > 0 {
		changed, err := a.changed(list.Incidents[0].TriggeredAt)
		if err != nil {
			return nil, err
		}
		found = append(append(found, []byte(`,"changed_around_the_last":`)), changed...)
	}
	return append(found, []byte(`,"incidents":`), incidents, []byte("}")), nil
}

// near is how much time before and after an incident streams are compared in
// with the hour before.
const near = 900

// changed is what changed around a time: what people noted and saved, and which
// streams were least like themselves. An incident of which measurements are not
// kept any more is told without these.
func (a *asker) changed(at int64) ([][]byte, error) {
	annotations, err := a.annotations(at)
	if err != nil {
		return nil, err
	}
	streams, err := a.get("/v1/changes", map[string]string{"start_time": strconv.FormatInt(at-near, 10), "end_time": strconv.FormatInt(at+near, 10)})
	refused, isRefusal := errors.AsType[*refusal](err)
	if isRefusal && refused.status == http.StatusBadRequest {
		streams, err = json.Marshal(refused.Error())
	}
	if err != nil {
		return nil, err
	}
	found := append([][]byte{[]byte(`{"annotations":[`)}, annotations...)
	return append(found, []byte(`],"streams_and_saves":`), streams, []byte("}")), nil
}

// annotations are those around a time, of all streams: the items of a list.
func (a *asker) annotations(at int64) ([][]byte, error) {
	streams, err := a.get("/v1/annotations", map[string]string{"length": "100"})
	if err != nil {
		return nil, err
	}
	var list struct {
		Annotations []struct{ Name string }
	}
	if err := json.Unmarshal(streams, &list); err != nil {
		return nil, err
	}
	var found [][]byte
	for i, s := range list.Annotations {
		events, err := a.get("/v1/annotations/"+url.PathEscape(s.Name), map[string]string{
			"start_time": strconv.FormatInt(at-around, 10), "end_time": strconv.FormatInt(at+around, 10),
		})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			found = append(found, []byte(","))
		}
		found = append(found, events)
	}
	return found, nil
}

func backtest(a *asker, arguments json.RawMessage) ([][]byte, error) {
	var p struct {
		Conditions json.RawMessage
		Start, End int64
	}
	if err := read(arguments, &p); err != nil {
		return nil, err
	}
	body := object{"alert": object{"conditions": p.Conditions}}
	if p.Start != 0 {
		body["start_time"] = p.Start
	}
	if p.End != 0 {
		body["end_time"] = p.End
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	found, err := a.send(http.MethodPost, "/v1/alerts/preview", text)
	return [][]byte{found}, err
}
