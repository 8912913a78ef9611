package api

import "github.com/tidemark-metrics/tidemark/internal/api/rest"

// queryRoutes are the routes that answer with measurements.
var queryRoutes = []string{"GET /v1/measurements", "GET /v1/measurements/{name}", "POST /ui/api/query"}

// Queries are how long questions for measurements took so far.
func (s *Server) Queries() rest.Latencies { return s.Latencies(queryRoutes...) }
