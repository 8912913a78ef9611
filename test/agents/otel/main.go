// Command otel sends metrics with OpenTelemetry's own SDK for Go, as a program
// that uses it does: by HTTP or gRPC, configured by the usual variables. It is
// a module of its own, since Tidemark needs nothing of it.
package main

import (
	"context"
	"log"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, how string) error {
	var exporter sdk.Exporter
	var err error
	if how == "grpc" {
		exporter, err = otlpmetricgrpc.New(ctx)
	} else {
		exporter, err = otlpmetrichttp.New(ctx)
	}
	if err != nil {
		return err
	}
	provider := sdk.NewMeterProvider(sdk.WithReader(sdk.NewPeriodicReader(exporter, sdk.WithInterval(time.Hour))))
	meter := provider.Meter("agents")
	tags := metric.WithAttributes(attribute.String("http.route", "/cart/{id}"), attribute.Int("code", 200))
	requests, err := meter.Int64Counter("otel." + how + ".requests")
	if err != nil {
		return err
	}
	latency, err := meter.Float64Histogram("otel."+how+".latency", metric.WithUnit("ms"))
	if err != nil {
		return err
	}
	queue, err := meter.Int64Gauge("otel." + how + ".queue")
	if err != nil {
		return err
	}
	// Three exports: what was counted grows from one to the next.
	for range 3 {
		requests.Add(ctx, 5, tags)
		queue.Record(ctx, 7, tags)
		for v := range 100 {
			latency.Record(ctx, float64(v), tags)
		}
		if err := provider.ForceFlush(ctx); err != nil {
			return err
		}
		time.Sleep(1100 * time.Millisecond)
	}
	return provider.Shutdown(ctx)
}
