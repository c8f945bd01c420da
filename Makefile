# sylva-prepull. "make help" lists the targets.

.DEFAULT_GOAL := help
SHELL := /bin/bash

VERSION ?=
FUZZTIME ?= 30s
export CGO_ENABLED ?= 0
GOFLAGS_BUILD := -trimpath -ldflags "-buildid= -s -w $(if $(VERSION),-X main.version=$(VERSION))"

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/sylva-prepull, the same bytes wherever it is built
	go build $(GOFLAGS_BUILD) -o bin/sylva-prepull ./cmd/sylva-prepull

.PHONY: test
test: ## run all tests
	go test ./...

.PHONY: race
race: ## run all tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race ./...

.PHONY: golden
golden: ## run the golden cases; UPDATE_GOLDEN=1 makes their outcomes anew
	go test ./cmd/sylva-prepull -run 'TestGolden|TestReadme' -count=1

.PHONY: bench
bench: ## run the benchmarks
	go test ./... -run '^$$' -bench . -benchmem

.PHONY: time
time: ## time whole processes; SYLVA_CORE (a checkout), HELM and KUSTOMIZE (binaries) are compared with where set
	go test ./cmd/sylva-prepull -run '^$$' -bench Processes -benchtime 10x

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@go list ./... | while read -r package; do \
	  for target in $$(go test $$package -list '^Fuzz' | grep '^Fuzz'); do \
	    echo "== $$package $$target"; \
	    go test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x || exit 1; \
	  done; \
	done

.PHONY: lint
lint: ## check formatting, go vet, and that go.mod is tidy
	@files=$$(gofmt -l .); [ -z "$$files" ] || { echo "not gofmt-ed: $$files"; exit 1; }
	go vet ./...
	go mod tidy -diff

.PHONY: tools
tools: ## install kustomize for the tests into bin/tools
	GOBIN=$(CURDIR)/bin/tools go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.2

.PHONY: clean
clean: ## remove what was built
	rm -rf bin
