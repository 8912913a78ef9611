// Command calls asks a server twenty times with the client that was generated
// beside it, and compares the answers.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

const big, precise = 123456789.0, 9007199254740991.0

func main() {
	url, token := os.Args[1], os.Args[2]
	c, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	check("NewClientWithResponses", err)
	ctx := context.Background()
	measurements(ctx, c)
	alerts(ctx, c)
	rest(ctx, c)
	fmt.Println("calls:", calls)
}

var calls int

// done ends the program unless a call was answered with a status.
func done(what string, err error, r interface{ StatusCode() int }, want int) {
	check(what, err)
	calls++
	if r.StatusCode() != want {
		check(what, fmt.Errorf("status %d, want %d: %+v", r.StatusCode(), want, r))
	}
}

func check(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func equal[T comparable](what string, got, want T) {
	if got != want {
		check(what, fmt.Errorf("got %v, want %v", got, want))
	}
}

// measurements are stored at the second and with the digits that were sent.
func measurements(ctx context.Context, c *ClientWithResponses) {
	at, period := time.Now().Unix()-7, int64(1)
	tags := TagSet{"host": "a"}
	var body MeasurementsWrite
	check("body", body.FromMeasurements(Measurements{Measurements: []Measurement{
		{Name: "gen.big", Value: new(big), Time: &at, Tags: &tags, Period: &period}, {Name: "gen.precise", Value: new(precise), Time: &at, Tags: &tags},
	}}))
	recorded, err := c.PostMeasurementsWithResponse(ctx, body)
	done("record", err, recorded, 202)
	for name, want := range map[string]float64{"gen.big": big, "gen.precise": precise} {
		start := at - 60
		read, err := c.GetMeasurementsNameWithResponse(ctx, name, &GetMeasurementsNameParams{StartTime: &start, Resolution: 1})
		done("read", err, read, 200)
		point := read.JSON200.Series[0].Measurements[0]
		equal("time of "+name, point.Time, at)
		equal("value of "+name, point.Value, want)
	}
	put, err := c.PutMetricsNameWithResponse(ctx, "gen.big", MetricWrite{DisplayName: new("Big"), Period: new(int64(60))})
	done("change a metric", err, put, 204)
	one, err := c.GetMetricsNameWithResponse(ctx, "gen.big", nil)
	done("one metric", err, one, 200)
	list, err := c.GetMetricsWithResponse(ctx, nil)
	done("metrics", err, list, 200)
}

func alerts(ctx context.Context, c *ClientWithResponses) {
	settings := map[string]string{"addresses": "ops@example.org"}
	service, err := c.PostServicesWithResponse(ctx, ServiceWrite{Type: new("mail"), Title: new("Ops"), Settings: &settings})
	done("create a service", err, service, 201)
	services := []int64{service.JSON201.Id}
	alert, err := c.PostAlertsWithResponse(ctx, AlertWrite{
		Name: new("gen.high"), Services: &services, RearmSeconds: new(int64(600)), Version: new(int64(2)),
		Conditions: &[]ConditionWrite{{Type: "above", MetricName: "gen.big", Threshold: new(big), Duration: new(int64(60))}},
	})
	done("create an alert", err, alert, 201)
	id := strconv.FormatInt(alert.JSON201.Id, 10)
	read, err := c.GetAlertsIdWithResponse(ctx, id)
	done("one alert", err, read, 200)
	equal("services of the alert", read.JSON200.Services[0].Id, services[0])
	equal("threshold", *read.JSON200.Conditions[0].Threshold, big)
	put, err := c.PutAlertsIdWithResponse(ctx, id, AlertWrite{Name: new("gen.higher"), Services: &services})
	done("change an alert", err, put, 204)
	list, err := c.GetAlertsWithResponse(ctx, nil)
	done("alerts", err, list, 200)
	equal("name of the alert", list.JSON200.Alerts[0].Name, "gen.higher")
	status, err := c.GetAlertsIdStatusWithResponse(ctx, id)
	done("status of an alert", err, status, 200)
	gone, err := c.DeleteAlertsIdWithResponse(ctx, id)
	done("delete an alert", err, gone, 204)
	missing, err := c.GetAlertsIdWithResponse(ctx, id)
	done("an alert that is gone", err, missing, 404)
}

func rest(ctx context.Context, c *ClientWithResponses) {
	space, err := c.PostSpacesWithResponse(ctx, SpaceWrite{Name: new("Generated")})
	done("create a space", err, space, 201)
	id := strconv.FormatInt(space.JSON201.Id, 10)
	chart, err := c.PostSpacesSpaceChartsWithResponse(ctx, id, ChartWrite{Name: new("Big"), Type: new(ChartWriteType("line")), Max: new(big)})
	done("create a chart", err, chart, 201)
	charts, err := c.GetSpacesSpaceChartsWithResponse(ctx, id)
	done("charts", err, charts, 200)
	at := time.Now().Unix()
	event, err := c.PostAnnotationsNameWithResponse(ctx, "gen.deploys", EventWrite{Title: new("v1"), StartTime: &at})
	done("annotate", err, event, 201)
	events, err := c.GetAnnotationsNameWithResponse(ctx, "gen.deploys", &GetAnnotationsNameParams{StartTime: new(at - 60)})
	done("annotations", err, events, 200)
	token, err := c.PostApiTokensWithResponse(ctx, TokenWrite{Name: new("generated"), Role: new(TokenWriteRole("recorder"))})
	done("create a token", err, token, 201)
}
