# `make` alone lists what there is. Every target says what it does behind ##.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help build run install test scenarios clients screenshots race test-cluster check soak test-short fmt fmt-check lint sizes bench bench-go fuzz migrate mails schema generate verify sample ci clean

# What `gpatlas --version`, /health and the metrics call this build.
BUILD = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# Files are called by their package, not by their folder: copies of the tree share the build cache.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

ARGS ?=
OPTS ?=
PKG ?= ./...
SCALE ?= small
OUT ?= .data/sample
BENCH ?= .

# All packages share one PostgreSQL cluster and one redis-server, which end with the command.
STACK = go run ./cmd/teststack --

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## Build bin/gpatlas
	@mkdir -p bin
	go build -ldflags "-X main.build=$(BUILD)" -o bin/gpatlas ./cmd/gpatlas

run: ## Install what is missing, build, and start everything on this machine (ARGS="--addr 127.0.0.1:9000")
	@scripts/install.sh
	@$(MAKE) --no-print-directory build
	@exec bin/gpatlas dev $(ARGS)

install: ## Install the programs that running and testing need
	@scripts/install.sh --test

# The packages whose tests start the whole service. They take longer than all others together.
WHOLE = gpatlas/cmd/gpatlas gpatlas/docs
PACKAGES = $(if $(filter file,$(origin PKG)),$$(go list ./... | grep -vxF $(WHOLE:%=-e %)),$(PKG))

# Without the vet that go test begins with: make lint has its rules, and on a new machine it takes minutes.
test: install fmt-check ## Format and the tests of all packages but those of `make scenarios` (PKG=./modules/...)
	$(STACK) go test -vet=off -timeout 20m -skip '^TestGeneratedClients' $(PACKAGES)

scenarios: install ## The tests that start the whole service and run the commands of the documentation
	$(STACK) go test -vet=off -timeout 40m $(WHOLE)

# Apart from the tests, as the linters are: building the generators takes longer than most tests do on a new machine.
clients: ## Generate clients of the API with public generators and compile them
	go test -vet=off -timeout 20m -run '^TestGeneratedClients' ./web/webtest

screenshots: install ## Make the pictures of the README, docs/images, from the sample
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; mkdir -p docs/images; \
	GPATLAS_SHOTS=$$folder $(STACK) go test -vet=off -count=1 -run '^TestExplorer$$/^browser$$' ./cmd/gpatlas; cp "$$folder"/manager.png "$$folder"/managers.png docs/images

race: install ## The tests of packages that start goroutines, with the race detector (PKG=./modules/...)
	$(STACK) scripts/race.sh $(PKG)

test-cluster: build ## Kill and stop the parts of a cluster on this machine under load (SHORT=1: five of them)
	@scripts/install.sh --cluster
	CLUSTER_SHORT=$(SHORT) go test -vet=off -count=1 -timeout 30m -tags cluster -run '^TestCluster$$' -v ./scripts

soak: ## The randomised tests with ten times the rounds, without the race detector
	GPATLAS_TEST_ROUNDS=10 $(STACK) go test -count=1 -timeout 2h $$(grep -rl --include=*_test.go testscale.Rounds cmd modules | xargs -n1 dirname | sort -u | sed 's|^|./|')

# The linters run apart from the tests: building them takes longer than the tests do on a new machine.
check: fmt-check lint ## Format and lint, without the tests

test-short: ## The quick tests only, without the race detector
	$(STACK) go test -short -timeout 5m $(PKG)

fmt: ## Format the code
	scripts/lint.sh fmt

fmt-check:
	@files=$$(gofmt -l $$(find . -maxdepth 1 -mindepth 1 -type d ! -name '.*' ! -name bin)); \
	if [ -n "$$files" ]; then echo "not formatted (make fmt):"; echo "$$files"; exit 1; fi

lint: ## Run the linters of .golangci.yml, and warn of unclear words in changed comments (BASE=commit)
	scripts/lint.sh run
	@scripts/words.sh

sizes: ## Print how large the tree is
	@scripts/sizes.sh

# The catalog's SCALE is sec here, unless it is given; OPTS are flags of ./bench, such as -keep or -parts=http.
bench: SCALE := $(if $(filter-out file default undefined,$(origin SCALE)),$(SCALE),sec)
bench: ## Measure the targets table (SCALE=small|sec|10x OPTS="-keep -ingest -profiles DIR")
	$(STACK) go test -run '^$$' -bench '^BenchmarkTargets$$' -benchtime 1x -timeout 0 ./bench -scale $(SCALE) $(OPTS)

bench-go: ## Run the plain Go benchmarks (BENCH=pattern PKG=./modules/catalog/...)
	$(STACK) go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $$(go list $(PKG) | grep -vx gpatlas/bench)

fuzz: ## Fuzz every fuzz test for FUZZTIME (30s) each
	scripts/fuzz.sh

mails: ## Write every mail and pictures of it into a folder (OUT=folder, default bin/mails)
	GPATLAS_SHOTS=$(if $(filter-out file default undefined,$(origin OUT)),$(abspath $(OUT)),$(CURDIR)/bin/mails) go test -count=1 -run '^TestBrowser$$' ./templates/email

migrate: build ## Apply the migrations to DATABASE_URL
	bin/gpatlas migrate up

schema: ## Refresh migrations/schema.golden.sql
	$(STACK) go test ./migrations -run '^TestSchemaIsGolden$$' -count=1 -update

generate: schema ## Refresh every generated file
	$(STACK) go generate ./...

verify: ## Fail if a generated file is out of date
	scripts/verify.sh

sample: build ## Write sample filings (SCALE=small|sec|10x OUT=folder)
	bin/gpatlas sample --scale $(SCALE) --out $(OUT)

ci: ## What the build server runs
	.ci/run

clean: ## Remove what was built; data folders stay
	rm -rf bin coverage.out
