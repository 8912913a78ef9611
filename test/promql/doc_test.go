// Package promql_test compares PromQL over Tidemark's storage with Prometheus
// itself: it runs Prometheus' own test scripts, and random expressions over
// the same random series in both. It is a module of its own, because
// Prometheus' storage brings many modules that nothing else here needs.
package promql_test
