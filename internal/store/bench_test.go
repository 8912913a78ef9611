package store_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// benchEach runs f against a store of every kind, with one organization.
func benchEach(b *testing.B, f func(b *testing.B, s *store.Store, org tidemark.OrgID)) {
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			s := openStore(b, freshURL(b, kind))
			org := addOrg(b, s, "bench")
			b.ReportAllocs()
			f(b, s, org)
		})
	}
}

func BenchmarkCreateService(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		for b.Loop() {
			ok(b, s.CreateService(b.Context(), org, operator, hook("ops")))
		}
	})
}

func BenchmarkUpdateService(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		v := addService(b, s, org, "ops")
		for b.Loop() {
			must(s.UpdateService(b.Context(), org, operator, v.ID, func(v *tidemark.Service) { v.Title = "ops" }))(b)
		}
	})
}

func BenchmarkDeleteService(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		for b.Loop() {
			b.StopTimer()
			v := addService(b, s, org, "ops")
			b.StartTimer()
			ok(b, s.DeleteService(b.Context(), org, operator, v.ID))
		}
	})
}

func BenchmarkService(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		v := addService(b, s, org, "ops")
		for b.Loop() {
			must(s.Service(b.Context(), org, v.ID))(b)
		}
	})
}

// Several who write at once share the work of making it durable in
// PostgreSQL, and wait for each other in SQLite.
func BenchmarkCreateServiceParallel(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		b.SetParallelism(8)
		b.ResetTimer() // which RunParallel does not do
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				ok(b, s.CreateService(b.Context(), org, operator, hook("ops")))
			}
		})
	})
}

func BenchmarkTokenByHash(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		_, secret := addToken(b, s, org, "edge")
		for b.Loop() {
			must(s.TokenByHash(b.Context(), secret.Hash()))(b)
		}
	})
}

func BenchmarkUpdateToken(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		v, _ := addToken(b, s, org, "edge")
		for b.Loop() {
			must(s.UpdateToken(b.Context(), org, operator, v.ID, func(v *tidemark.Token) { v.Active = !v.Active }))(b)
		}
	})
}

func benchAlert(name string, services ...int64) *tidemark.Alert {
	v := newAlert(name, above("cpu", 1), above("cpu", 2))
	v.ServiceIDs = services
	return v
}

func BenchmarkCreateAlert(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addMetrics(b, s, org, "cpu")
		service := addService(b, s, org, "ops")
		var n atomic.Int64
		for b.Loop() {
			ok(b, s.CreateAlert(b.Context(), org, operator, benchAlert(fmt.Sprint("alert.", n.Add(1)), service.ID)))
		}
	})
}

func BenchmarkUpdateAlert(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addMetrics(b, s, org, "cpu")
		v := benchAlert("high", addService(b, s, org, "ops").ID)
		ok(b, s.CreateAlert(b.Context(), org, operator, v))
		u := keepConditions(v)
		for b.Loop() {
			must(s.UpdateAlert(b.Context(), org, operator, v.ID, u.Apply))(b)
		}
	})
}

// A page of alerts costs three queries, however many alerts are on it.
func BenchmarkAlerts(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addMetrics(b, s, org, "cpu")
		service := addService(b, s, org, "ops")
		for i := range 200 {
			ok(b, s.CreateAlert(b.Context(), org, operator, benchAlert(fmt.Sprint("alert.", i), service.ID)))
		}
		for b.Loop() {
			list, _, err := s.Alerts(b.Context(), org, tidemark.Page{})
			if err != nil || len(list) != 100 {
				b.Fatal(len(list), err)
			}
		}
	})
}

// addManyMetrics adds n metrics whose names look like real ones.
func addManyMetrics(b *testing.B, s *store.Store, org tidemark.OrgID, n int) []*tidemark.Metric {
	b.Helper()
	ms := make([]*tidemark.Metric, n)
	for i := range ms {
		ms[i] = &tidemark.Metric{Name: fmt.Sprintf("collectd.host%04d.cpu.%d.idle", i/10, i%10), Type: tidemark.Gauge}
	}
	for chunk := range slices.Chunk(ms, 10_000) {
		must(s.EnsureMetrics(b.Context(), org, chunk))(b)
	}
	return ms
}

const manyMetrics = 100_000

func BenchmarkMetrics100k(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addManyMetrics(b, s, org, manyMetrics)
		for name, p := range map[string]tidemark.Page{
			"first page": {}, "last page": {Offset: manyMetrics - 100}, "part of a name": {Name: "host4711.CPU"}, "glob": {Name: "collectd.*.cpu.7.*"},
		} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if list, _, err := s.Metrics(b.Context(), org, p); err != nil || len(list) == 0 {
						b.Fatal(len(list), err)
					}
				}
			})
		}
	})
}

func BenchmarkMetric(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addManyMetrics(b, s, org, 1000)
		for b.Loop() {
			must(s.Metric(b.Context(), org, "collectd.host0050.CPU.3.idle"))(b)
		}
	})
}

func BenchmarkEnsureMetrics(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		b.Run("1000 new", func(b *testing.B) {
			n := 0
			for b.Loop() {
				ms := make([]*tidemark.Metric, 1000)
				for i := range ms {
					n++
					ms[i] = &tidemark.Metric{Name: fmt.Sprint("new.", n), Type: tidemark.Gauge}
				}
				must(s.EnsureMetrics(b.Context(), org, ms))(b)
			}
		})
		b.Run("1000 known", func(b *testing.B) {
			ms := addManyMetrics(b, s, org, 1000)
			for b.Loop() {
				must(s.EnsureMetrics(b.Context(), org, ms))(b)
			}
		})
	})
}

func BenchmarkUpdateMetrics10k(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		addManyMetrics(b, s, org, 10_000)
		period := int64(0)
		for b.Loop() {
			period++
			changed, err := s.UpdateMetrics(b.Context(), org, operator, []string{"collectd.*"}, nil, func(m *tidemark.Metric) { m.Period = new(period) })
			if err != nil || len(changed) != 10_000 {
				b.Fatal(len(changed), err)
			}
		}
	})
}

func BenchmarkCreateEvent(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		n := int64(0)
		for b.Loop() {
			n++
			ok(b, s.CreateEvent(b.Context(), org, "releases", &tidemark.AnnotationEvent{Title: "x", StartTime: n}))
		}
	})
}

func BenchmarkChartChange(b *testing.B) {
	benchEach(b, func(b *testing.B, s *store.Store, org tidemark.OrgID) {
		space := addSpace(b, s, org, "x")
		v := addChart(b, s, org, space.ID, tidemark.ChartStream{Metric: "a"}, tidemark.ChartStream{Metric: "b"})
		k := tidemark.ChartKey{Space: space.ID, Chart: v.ID}
		for b.Loop() {
			must(s.UpdateChart(b.Context(), org, operator, k, func(v *tidemark.Chart) { v.Name = "y" }))(b)
		}
	})
}
