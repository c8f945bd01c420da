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

# The programs of the end-to-end tests are built once, and again when their versions change.
E2E_KUBERNETES = $(shell cd e2e && go list -m -f '{{.Version}}' k8s.io/kubernetes)
E2E_VERSION = $(foreach part,gitVersion=$(E2E_KUBERNETES) $(subst v,gitMajor=,$(word 1,$(subst ., ,$(E2E_KUBERNETES)))) \
  gitMinor=$(word 2,$(subst ., ,$(E2E_KUBERNETES))),-X k8s.io/component-base/version.$(part))

e2e/bin/built: e2e/go.mod e2e/go.sum
	cd e2e && go build -trimpath -ldflags "-s -w $(E2E_VERSION)" -o bin/ tool && mv bin/server bin/etcd && touch bin/built

.PHONY: e2e
e2e: build e2e/bin/built ## run the scenarios on real Flux and Kubernetes controllers; RUN=TestName runs one
	cd e2e && go vet ./... && go test -trimpath ./internal/... && go test -trimpath -c -o bin/e2e.test .
	cd e2e && bin/e2e.test -test.v -test.timeout 30m $(if $(RUN),-test.run '$(RUN)')

.PHONY: clean
clean: ## remove what was built
	rm -rf bin e2e/bin
