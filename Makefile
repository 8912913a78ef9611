# Everything a developer types. Each target installs what it needs itself.

UI_SOURCES := $(shell find ui -path ui/node_modules -prune -o -path ui/dist -prune -o -type f -print 2>/dev/null)

.PHONY: build run demo test test-go test-cluster test-s3 cluster test-ui test-firefox lint vulncheck bench soak campaign fuzz mutate ratio screenshots release test-release test-packages test-proxies clean

build: ui/dist/index.html ## leaves bin/tidemark
	scripts/build.sh

demo: build ## starts it with a believable organization in ./demo-data
	./bin/tidemark serve --demo --data demo-data

run: build ## starts the service on its embedded default
	./bin/tidemark serve

# The interface is built once, and again when one of its sources is newer.
ui/dist/index.html: $(UI_SOURCES)
	scripts/ui-build.sh

test: ## all tests, from a fresh clone
	scripts/test.sh

test-go: ## the Go tests alone, with the race detector, on both databases
	scripts/test-deps.sh
	scripts/test-go.sh

cluster: build ## three servers on PostgreSQL and ClickHouse to look at; scripts/cluster.sh down .cache/cluster ends them
	scripts/cluster.sh up .cache/cluster
	@cat .cache/cluster/env

test-cluster: ## what needs ClickHouse, which is downloaded once (178 MB): exam, transcripts, alerts, faults, journeys
	scripts/test-cluster.sh

test-s3: ## backups on versitygw and MinIO, which Go builds once
	scripts/test-s3.sh

test-agents: ## agents of other products against the real server, the heavy ones too
	scripts/test-agents.sh

lint: ## what a reviewer would say first
	scripts/lint.sh

vulncheck: ## known vulnerabilities in what the binary calls; needs the network
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./cmd/tidemark

bench: ## the table against the peers
	scripts/bench.sh

soak: ## thousands of rounds of what make test does a few of
	scripts/soak.sh

campaign: ## the hardening campaign, days long; PARTS="kill power" runs some (docs/reliability.md)
	scripts/campaign.sh $(PARTS)

fuzz: ## every fuzz target, a minute each (FUZZTIME=1m)
	scripts/fuzz.sh

mutate: ## changes code at random and asks whether tests notice (PKG=./internal/auth N=20 SEED=1)
	nice -n 10 go run ./scripts/mutate -n $(or $(N),20) -seed $(or $(SEED),1) $(or $(PKG),./internal/alerting ./internal/auth ./internal/store ./internal/query ./internal/tsdb/embedded)

ratio: ## lines of tests to lines of code that ships
	scripts/ratio.sh

test-ui: build ## the journeys in a real browser
	node --test --test-concurrency=1 --test-force-exit test/ui/*.test.mjs

test-firefox: build ## the main journeys in Firefox
	scripts/test-firefox.sh

screenshots: build ## pictures of every page in .cache/screenshots, and those that documents show
	node test/ui/screenshots.mjs

release: ## everything that is given away, in dist/
	scripts/release.sh

test-packages: ## installs packages, archive, image and chart as a user would; needs root
	scripts/package-test.sh

test-release: ## builds the release twice, elsewhere, and compares the bytes
	scripts/release-test.sh

test-proxies: build ## nginx and HAProxy as docs/running.md has them, in front of a server
	test/proxy/run.sh

clean:
	rm -rf bin dist ui/dist/assets ui/dist/index.html
