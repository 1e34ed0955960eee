# make help: what there is to do here

SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: help
help: ## This list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-20s %s\n", $$1, $$2}'

.PHONY: bootstrap
bootstrap: ## Install what a fresh Debian machine with Swift lacks
	@scripts/bootstrap.sh

.PHONY: demo
demo: bootstrap ## Generate Swift for Star Wars, start a server and talk to it
	@scripts/demo.sh

.PHONY: test
test: bootstrap ## Everything that CI checks on Linux: make test [FROM="Name of a step"]
	@scripts/test.sh "$(FROM)"

.PHONY: test-all
test-all: bootstrap ## `make test`, and the proofs that take longer (an hour and more): make test-all [FROM="Name of a step"]
	@scripts/bootstrap.sh peers
	@scripts/test-all.sh "$(FROM)"

.PHONY: soak-all
soak-all: bootstrap ## What runs for hours: fuzzers, soaks, a million records: make soak-all [FROM="Name of a step"]
	@scripts/bootstrap.sh peers
	@scripts/soak-all.sh "$(FROM)"

.PHONY: stress
stress: bootstrap ## Some tests again and again: make stress SUITE=OutboxTests [TIMES=20] [LOADED=1] [PACKAGE=Examples]
	@PACKAGE=$(PACKAGE) scripts/stress.sh "$(SUITE)" "$(TIMES)" "$(LOADED)"

.PHONY: document-samples
document-samples: ## Compile and run the sample code of the documents that the client follows
	@scripts/document-samples.sh

.PHONY: apps
apps: ## Compile code as apps write it: make apps [PIECE=82] shows what the compiler says of one piece
	@scripts/apps.sh $(PIECE)

.PHONY: crash-test
crash-test: ## Stop processes that write to disk and send mutations, at random moments: make crash-test [ROUNDS=500] [SEED=1]; two processes for 60 s; damage at each DAMAGE-th byte [1]
	@scripts/swift.sh build --build-tests
	@ROUNDS=$(or $(ROUNDS),500) SEED=$(or $(SEED),1) SECONDS=$(or $(SECONDS),60) APOLLO_DAMAGE_STEP=$(or $(DAMAGE),1) \
	  scripts/run-tests.py --stall 2400 --filter 'SQLiteTests.*(ProcessTests|FileTests)|OutboxTests.*DiskTests'

.PHONY: api
api: ## Write what targets and products offer to API/, where CI compares it
	@python3 scripts/rooms.py && scripts/swift.sh build && python3 scripts/api.py

.PHONY: docs
docs: ## The documentation as a static site in .build/docs; a warning is an error
	@scripts/docs.sh

.PHONY: check-apple
check-apple: ## Type-check everything as Apple's systems compile it: make check-apple [SYSTEMS=macOS,iOS,…] [MODES=6,5,xcode,xcode6]
	@scripts/apple/check.py --systems "$(SYSTEMS)" --modes "$(MODES)"

.PHONY: check-apple-planted
check-apple-planted: ## Plant errors, and see whether check-apple reports each at its place
	@scripts/apple/check.py --planted

.PHONY: check-32-bits
check-32-bits: ## Run the reader, tables, pages and the format of files where Int has 32 bits, as on some watches
	@scripts/check-32-bits.py

.PHONY: projects
projects: bootstrap ## Generate code for real apps, compile it, and send responses through it
	@scripts/projects.sh 100 all

.PHONY: random
random: bootstrap ## Random documents, compiled and run beside a naive client: make random [SECONDS=600] [SEED=1] [DOCUMENTS=60]
	@scripts/random.sh $(or $(DOCUMENTS),60) $(or $(SEED),$$RANDOM) $(or $(SECONDS),600)

.PHONY: names
names: ## Type-check code for schemas of names that mean something in Swift, in every kind of module (some minutes)
	@scripts/names.sh all

.PHONY: plugin-examples
plugin-examples: bootstrap ## Build the small consumers of the plugins, and see what an edit does to them
	@scripts/plugin-examples.sh

.PHONY: bench-codegen
bench-codegen: ## Measure the generator, and what compiling its output costs
	@scripts/bench-codegen.py

.PHONY: lint
lint: ## Formatting, imports, house rules
	@scripts/lint.sh

.PHONY: format
format: ## Format all sources
	swift format --in-place --recursive --parallel Sources Tests Plugins Examples/*/Sources Examples/*/Tests Benchmarks/Sources Package.swift Examples/Package.swift

.PHONY: bench
bench: ## Measure speed, beside Foundation's decoder in the same run (CONFIGURATION=debug: not optimized)
	@scripts/bench.sh

.PHONY: bench-instructions
bench-instructions: ## Count instructions and compare them with Benchmarks/budgets.txt
	@scripts/bench-instructions.sh

.PHONY: test-tsan
test-tsan: bootstrap ## The concurrent parts under Thread Sanitizer
	@scripts/tsan.sh

.PHONY: test-asan
test-asan: bootstrap ## What is on disk under the address sanitizer: 10,000 damaged records, and damaged files of caches and outboxes
	LSAN_OPTIONS="suppressions=$(CURDIR)/Tests/leak-sanitizer-suppressions.txt" \
	  scripts/run-tests.py --sanitize address --stall 600 --quiet --filter 'SQLiteTests.*(FormatTests|FileTests)|OutboxTests.*DiskTests/(cut|flipped|foreign|codec)'

.PHONY: autobahn
autobahn: ## The WebSocket engine against the Autobahn suite: make autobahn [URL=ws://127.0.0.1:9001]
	@scripts/autobahn.sh

.PHONY: soak
soak: ## Ten thousand requests at once, and what is left of them: make soak [REQUESTS=10000]
	@scripts/soak.sh $(or $(REQUESTS),10000)

.PHONY: soak-cache
soak-cache: ## A million different arguments in one store with a size limit: make soak-cache [COUNT=1000000]
	@scripts/soak.sh cache $(or $(COUNT),1000000)

.PHONY: soak-collection
soak-collection: ## Collecting the garbage among a million records: make soak-collection [COUNT=1000000]
	@scripts/soak.sh collection $(or $(COUNT),1000000)

.PHONY: soak-websocket
soak-websocket: ## A million events on 200 subscriptions, a thousand connections, floods of servers that do not read: make soak-websocket [EVENTS=1000000]
	@scripts/swift.sh build --build-tests
	@APOLLO_SOAK_EVENTS=$(or $(EVENTS),1000000) scripts/run-tests.py --stall 3600 --filter SoakTests
	@APOLLO_EFFORT=100 scripts/run-tests.py --stall 3600 --filter 'ApolloWebSocketTests.FloodTests'

.PHONY: test-examples
test-examples: bootstrap ## The examples, and publishers of OpenCombine
	@scripts/examples.sh
	@scripts/examples.sh test

.PHONY: test-traits
test-traits: bootstrap ## What is behind the traits AsyncHTTP and WebSocketTLS: their tests, declarations and pages
	@scripts/traits.sh

.PHONY: test-edits
test-edits: bootstrap ## 100,000 random edits through models, beside a naive model of the cache (some minutes)
	scripts/swift.sh build --build-tests
	@for run in 1 2 3 4 5 6 7 8 9 10; do \
	  APOLLO_SEED=$${run}000 APOLLO_RANDOM_EDITS=10000 scripts/run-tests.py --quiet --stall 3600 --filter EditPropertyTests || exit 1; \
	done

.PHONY: test-ages
test-ages: bootstrap ## 100,000 random steps with ages, clocks, removals and collections, beside a naive cache (some minutes)
	scripts/swift.sh build --build-tests
	APOLLO_RANDOM_AGE_STEPS=100000 scripts/run-tests.py --stall 3600 --filter AgePropertyTests

.PHONY: test-cache
test-cache: bootstrap ## The cache with 10,000 random operations, all of the applications', and a million records (a quarter of an hour)
	scripts/swift.sh build --build-tests
	APOLLO_RANDOM_OPERATIONS=10000 APOLLO_RECORDS=1000000 scripts/run-tests.py --stall 3600 --filter 'CacheBehaviorTests|WritingTests'

.PHONY: test-styles
test-styles: bootstrap ## The tests of responses in two hundred random styles of JSON each: make test-styles [STYLES=200] [SEED=]
	@scripts/test-styles.sh $(or $(STYLES),200) $(SEED)

.PHONY: fuzz
fuzz: ## Look for crashes: make fuzz TARGET=response (or syntax, or tables) SECONDS=1200
	@scripts/fuzz.sh $(or $(TARGET),response) $(or $(SECONDS),1200)

.PHONY: differential
differential: ## Compare how JSON is read with Python and Foundation on 100,000 documents, and typed reading on 20,000
	@scripts/differential.sh

.PHONY: mock-oracle
mock-oracle: ## Have graphql-core judge what mocks answer to 2,000 queries over six real schemas
	@scripts/mock-oracle.sh

.PHONY: mock-judges
mock-judges: ## Have gql, a client by ariadne-codegen, and schemathesis judge the mock server: make mock-judges [SECONDS=60]
	@scripts/mock-judges.sh $(SECONDS)

.PHONY: oracle
oracle: ## Compare parsing and validation with graphql-core on 20,000 documents over five real schemas
	@scripts/oracle.sh

.PHONY: conformance
conformance: ## Run the recorded cases of the reference implementation, and say how many of each kind pass
	@scripts/conformance.sh

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build .build-* Examples/.build MockServer/.build Benchmarks/.build Fuzzing/.build .venv
