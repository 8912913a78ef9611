module github.com/tidemark-metrics/tidemark/test/cluster/clickhouse

go 1.26

require github.com/ebitengine/purego v0.11.2
