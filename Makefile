# hostlock: `make profile` is the main job, `make test` passes the tests.
# Both need Go and make, and nothing else.

GO      ?= go
LAB     ?= $(GO) run ./cmd/lab
PROFILES = profiles/run
RESULTS  = results/run

.PHONY: all chart profile test race theory vet examples record-toolchains record-builds record-known fio-goldens fio-examples bench sim-vs-live evidence results soak fuzz release-check recorded build clean help

all: profile

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

profile: ## run the headline with all strategies, print the table, write profiles and results
	@$(LAB) profile --profiles $(PROFILES) --results $(RESULTS)

build: ## bin/lab
	$(GO) build -trimpath -o bin/lab ./cmd/lab

test: vet race theory examples ## everything that CI runs

# In virtual time and under exploration the coroutines' switches order
# everything, so that the race detector proves nothing there; it watches the
# live machine and whatever else runs in goroutines. Each test runs once: plain,
# where it is all virtual (two million acquisitions a comparison, every planted
# fault, a module of its own from the template: too slow under the detector); in
# packages with both, those on real threads under the detector, by name, and the
# rest plain.
VIRTUAL = ./machine/sim ./machine/theory ./internal/planted ./lab/scaffold ./experiment/evidence ./vet
BOTH    = ./experiment ./strategies ./verify/soak
THREADS = Live([A-Z]|$$)|OneOwnerOfATag|TestContract/.*/live|TestSoak/live|TestAFullQueueHoldsSubmitters/live|TestWithoutFaults|TestInterrupted/live

race:
	$(GO) test -race -short $$($(GO) list ./... | grep -vxF "$$($(GO) list $(VIRTUAL) $(BOTH))")
	$(GO) test -race -run '$(THREADS)' $(BOTH)

theory:
	$(GO) test $(VIRTUAL)
	$(GO) test -skip '$(THREADS)' $(BOTH)

vet:
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	$(LAB) vet ./strategies/... ./dispatch/lld ./designs ./examples/strategy ./examples/onelock
	@fmt=$$(gofmt -l .); [ -z "$$fmt" ] || { echo "gofmt would change:"; echo "$$fmt"; exit 1; }

examples: ## build and try what a user's own module looks like
	for d in examples/*/; do (cd $$d && $(GO) vet ./... && $(GO) build -o /dev/null ./... && $(GO) test -short ./...) || exit 1; done

# Downloaded by the go command, where they are not there yet.
TOOLCHAINS ?= go1.25.0 go1.24.0

record-toolchains: ## record a program with two older releases of Go too
	$(GO) test -c -o bin/launch.test ./record/launch
	cd record/launch && for t in $(TOOLCHAINS); do echo $$t; \
		GOTOOLCHAIN=$$t ../../bin/launch.test -test.run TestRecordsWhatTheProgramDoes || exit 1; done

record-builds: ## record programs built in every way: race, cgo, plugin, static and more; minutes at first
	HOSTLOCK_BUILDS=1 $(GO) test -count 1 -v -run TestEveryWayToBuild ./record/launch

recorded: ## public modules' own benchmarks, recorded: docs/recorded.md; five minutes, the network, a quiet computer
	$(GO) run ./record/public

record-known: ## twelve programs whose locks are known, recorded: a minute, on a quiet computer
	HOSTLOCK_KNOWN=1 $(GO) test -count 1 -v -run TestKnownPrograms ./record/launch

# FIO is a fio that is installed; its figures are compared by go test ./workload/fio.
FIO ?= fio
fio-goldens: ## what a real fio does with a dozen jobs, recorded anew
	HOSTLOCK_FIO=$(FIO) $(GO) test -count 1 -run TestRecordGoldens ./workload/fio

# Fio's examples are under its own licence, and so are not kept here: a folder of
# them, or Debian's source package, which needs a deb-src line.
FIO_EXAMPLES ?= bin/fio/examples
fio-examples: ## which of fio's own example jobs run, and why the others do not
	@[ -d $(FIO_EXAMPLES) ] || { mkdir -p bin/fio && cd bin/fio && apt-get source --download-only fio && \
		tar xf $$(ls fio_*.orig.tar.?z) --wildcards '*/examples/*' --strip-components=1; }
	HOSTLOCK_FIO_EXAMPLES=$(abspath $(FIO_EXAMPLES)) $(GO) test -count 1 -v -run TestExamples ./workload/fio

bench: ## BENCHMARKS.md says what the figures mean
	./bench.sh

# Between the powers of two: where it falls.
chart: ## the collapse, 1 to 256 cores: results/reference/collapse.svg
	$(LAB) sweep --experiment chen-2010 --cores 1,2,4,8,16,32,48,64,96,128,192,256 --weak --set hbas=1 --theory \
		--format csv --output results/reference/collapse.csv --plot results/reference/collapse.svg

sim-vs-live: ## the same experiment in virtual time and on this computer, as markdown
	@$(LAB) sim-vs-live --format markdown

# An hour of two cores, or two. Each line can be run by itself.
soak: ## 100 million commands a strategy with faults on, live and in virtual time; a million under the race detector
	for m in live sim; do for s in host-lock unlocked-qcmds per-queue ring; do \
		$(LAB) soak --strategy $$s --machine $$m --commands 100000000 || exit 1; done; done
	HOSTLOCK_COMMANDS=1000000 $(GO) test -race -count 1 -timeout 3h -v -run TestSoak/live ./verify/soak
	HOSTLOCK_COMMANDS=1000000 $(GO) test -race -count 1 -timeout 3h -v -run TestRamdiskLive ./strategies
	HOSTLOCK_COMMANDS=100000000 $(GO) test -count 1 -timeout 3h -v -run TestOneOwner ./strategies ./strategies/mpmc

evidence: ## sensitivity and ensemble of the headline; takes minutes
	$(LAB) evidence chen-2010 --format markdown --output results/reference/chen-2010-evidence.md \
		--sets experiment/evidence/kept/chen-2010.json

results: ## every published table beside ours, and the headline's profiles, in reference/
	$(LAB) reproduce --format markdown --output results/reference/reproduce.md
	for s in host-lock unlocked-qcmds per-queue ring; do \
		$(LAB) run --strategy $$s --machine sim --profiles profiles/reference >/dev/null || exit 1; done

# One loop over whatever is called Fuzz in a test file: a new target needs no
# line here.
FUZZTIME ?= 1m
fuzz: ## every parser's fuzz target, FUZZTIME (1m) each: some 25 minutes in all
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z]*' . | sort | sed 's/:func / /' | while read file name; do \
		echo "$$name in $$(dirname $$file)"; \
		$(GO) test -run xxx -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$(dirname $$file) || exit 1; done

release-check: test ## every test, and go vet for other systems and processors
	for t in linux/arm64 darwin/arm64 darwin/amd64 windows/amd64 freebsd/amd64; do \
		echo $$t; GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) vet ./... || exit 1; done

clean: ## what runs left behind
	rm -rf bin $(PROFILES) $(RESULTS)
