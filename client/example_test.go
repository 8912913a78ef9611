package client_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// connect returns a client of a server that is there for an example.
func connect() (c *client.Client, stop func()) {
	dir, err := os.MkdirTemp("", "tidemark-example-")
	if err != nil {
		panic(err)
	}
	s, end, err := newServer(context.Background(), dir)
	if err != nil {
		panic(err)
	}
	return client.New(s.url, client.Token(s.secret), client.Retry(3, time.Second)), func() { end(); os.RemoveAll(dir) }
}

func ExampleClient_Record() {
	c, stop := connect()
	defer stop()
	ctx := context.Background()
	err := c.Record(ctx,
		client.Measurement{Name: "shop.orders", Value: 3, Tags: map[string]string{"region": "eu"}},
		client.Measurement{Name: "shop.orders", Value: 4, Tags: map[string]string{"region": "us"}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	series, err := c.Measurements(ctx, "shop.orders", url.Values{"resolution": {"60"}, "duration": {"3600"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range series {
		fmt.Println(s.Tags["region"], s.Measurements[0].Value)
	}
	// Output:
	// eu 3
	// us 4
}

func ExampleClient_Alerts() {
	c, stop := connect()
	defer stop()
	ctx := context.Background()
	if err := c.PutMetric(ctx, "shop.errors", map[string]any{"attributes": map[string]any{"display_units_short": "/min"}}); err != nil {
		fmt.Println(err)
		return
	}
	_, err := c.Alerts().Create(ctx, map[string]any{
		"name":       "shop.errors.high",
		"conditions": []map[string]any{{"type": "above", "metric_name": "shop.errors", "threshold": 10, "duration": 300}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	alerts, err := c.Alerts().List(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range alerts {
		fmt.Println(a.Name, a.Conditions[0].Type, *a.Conditions[0].Threshold)
	}
	// Output:
	// shop.errors.high above 10
}

// What the server refuses says which field is wrong.
func ExampleClient_Tokens() {
	c, stop := connect()
	defer stop()
	_, err := c.Tokens().Create(context.Background(), map[string]any{"name": "edge", "role": "owner"})
	fmt.Println(tidemark.KindOf(err) == tidemark.Invalid)
	fmt.Println(err)
	// Output:
	// true
	// the server refused it; role must be admin, recorder or viewer
}
