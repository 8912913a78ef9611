// Package cluster_test runs several servers on PostgreSQL and ClickHouse as
// scripts/cluster.sh starts them, and ends parts of them while they are used.
package cluster_test
