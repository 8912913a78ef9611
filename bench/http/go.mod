module github.com/tidemark-metrics/tidemark/bench/http

go 1.26.8

require github.com/klauspost/compress v1.20.3

require golang.org/x/sys v0.49.0
