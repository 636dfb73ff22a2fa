SHELL := /bin/bash
.DEFAULT_GOAL := help

# Everything built from the root manifest uses the same scratch path and flags, since different flags
# with the same path would cause full rebuilds.
#
# The traits that replace SQLite are not enabled, since only one SQLite can be linked. Warnings are errors
# here and not in the manifests, where a new compiler's warning would fail the build of an app that depends
# on Holt by path.
STRICT := -Xswiftc -warnings-as-errors
ROOT := --scratch-path .build/root --traits Macros,OpenCombine,Tools $(STRICT)
# SwiftPM writes compiler flags in the order of its hash tables. With another order, everything is compiled again.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build
BUILD := $(ROOT) --explicit-target-dependency-import-check error
CHECK := .build/tools/debug/holt-check

PACKAGES := $(notdir $(patsubst %/Package.swift,%,$(wildcard Packages/*/Package.swift)))
FILTER ?=

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  make test-PACKAGE     Test one package from its own manifest: $(PACKAGES)"
	@echo "  make fuzz-PACKAGE     Fuzz a package for five minutes (FUZZ_SECONDS=…): SPON XML Formats SQL LSP"

.PHONY: setup
setup: ## Install missing system libraries and data
	@Tools/setup.sh

.PHONY: build
build: setup ## Build everything, including tests
	$(SWIFT_BUILD) $(BUILD) --build-tests

# The tests of PostgreSQL have deadlines. They run after the others, which use all threads for minutes, and each package
# by itself, because the start of a server uses threads, too.
POSTGRESQL := PostgreSQLTests RouterPostgreSQLTests QueryGenDescriberTests QueryGenPostgreSQLTests

.PHONY: test
test: setup ## Run all tests of all packages (FILTER=… to select some)
	@Tools/test.sh test $(BUILD) $(if $(FILTER),--filter '$(FILTER)',$(foreach target,$(POSTGRESQL),--skip '^$(target)\.'))
	@$(if $(FILTER),,set -e; for target in $(POSTGRESQL); do \
	  Tools/test.sh $$target $(BUILD) --skip-build --filter "^$$target\."; done)

# `make test` runs one in twenty-five of the corpora's cases; this target runs all of them.
.PHONY: corpora
corpora: setup ## Run QueryGen on every case of the corpora, if they exist next to the repository
	@HOLT_CORPORA=all Tools/test.sh corpora $(BUILD) --filter '^(SQLSyntax|Differential|QueryGenDriver|QueryGenDatabase)Tests\.'

.PHONY: conformance
conformance: corpora ## Update the table in Docs/COMPATIBILITY.md that compares QueryGen's verdicts with SQLite's
	@Tools/conformance.sh .build/corpora.log Docs/COMPATIBILITY.md

# `make test` injects a few of these faults and kills ten processes.
.PHONY: faults
faults: setup ## Fail each file system call, corrupt 12,000 files and kill 200 processes
	@HOLT_FAULTS=all Tools/test.sh faults --package-path Packages/SQLiteCore \
	  --scratch-path .build/one/SQLiteCore $(STRICT) --filter '^SQLiteCoreTests\..*(Fault|Killed|CorruptFile)'

# `make test` runs a few thousand of these cases.
.PHONY: reliability
reliability: setup ## Test random SPON values, corrupt and hostile input; the full contract of each provider, 200 processes killed while persisting
	@HOLT_RELIABILITY=all Tools/test.sh reliability -c release -Xswiftc -enable-testing -Xswiftc -DHOLT_COUNTS_STEPS \
	  --package-path Packages/SPON --scratch-path .build/reliability \
	  --filter '^SPONTests\..*(Random values|Corrupt texts|Hostile texts|W4)'
	@HOLT_RELIABILITY=all Tools/test.sh reliability-providers -c release -Xswiftc -enable-testing \
	  --package-path Packages/Providers --scratch-path .build/reliability-providers \
	  --filter '^ProvidersTests\..*(The contract of providers|A fault of a provider|killed while it persists|A file system that fails|Hostile XML|Writing XML|XML faults|Random tables as XML)'

# `make test` runs 300 steps for Observe on a file and 150 in memory, and a few hundred for
# Relations. HOLT_MODEL_SEED=… repeats one run. For Observe, HOLT_MODEL_STEPS=… sets the number of
# steps.
.PHONY: model
model: setup ## Test observations of random schemas and graphs of models against a reference model: 8 runs of 10,000 random steps
	@HOLT_MODEL=all Tools/test.sh model --package-path Packages/Observe \
	  --scratch-path .build/one/Observe $(STRICT) --filter '^ObserveTests\..*The model'
	@HOLT_MODEL=all Tools/test.sh model-relations -c release -Xswiftc -enable-testing \
	  --package-path Packages/Relations --scratch-path .build/model-relations \
	  --filter '^RelationsTests\..*(Graphs|at random)'

FUZZ_SECONDS ?= 300

fuzz-%: setup
	@Tools/fuzz.sh $* $(FUZZ_SECONDS)

.PHONY: sanitize
sanitize: setup ## Run the tests of SQLiteCore, Observe, Router, SPON, Providers and Relations under ThreadSanitizer and AddressSanitizer, and Holt's under ThreadSanitizer
	@Tools/sanitize.sh thread SQLiteCore Observe Router SPON Providers Relations Holt
	@Tools/sanitize.sh address SQLiteCore Observe Router SPON Providers Relations

# Each mutant requires an incremental build of its package. MUTATE_LIMIT=… is the time limit in seconds.
.PHONY: mutate
mutate: setup ## Apply the bugs in Tools/Mutations one at a time, and report the ones that no test detects (ONLY='Observe/lost-commit SPON')
	@Tools/mutate.sh $(ONLY)

test-%: setup
	@[ -e Packages/$*/Package.swift ] || { echo "no package Packages/$*; existing packages: $(PACKAGES)"; exit 1; }
	@Tools/test.sh test-$* --package-path Packages/$* --scratch-path .build/one/$* $(STRICT) \
	  $(if $(FILTER),--filter '$(FILTER)')

# Only this target needs SQLCipher; `make setup` does not install it.
.PHONY: ciphers
ciphers: ## Test SQLiteCore with SQLCipher and the trait of that name (FILTER=… to select some)
	@Tools/setup.sh sqlcipher
	@PKG_CONFIG_PATH=$(CURDIR)/.build/sqlcipher/lib/pkgconfig:$$PKG_CONFIG_PATH \
	  Tools/test.sh ciphers --package-path Packages/SQLiteCore --scratch-path .build/ciphers \
	  --traits SQLCipher $(STRICT) $(if $(FILTER),--filter '$(FILTER)')

.PHONY: static
static: setup ## Link a small program to a custom static SQLite, strip it, and run it
	@Tools/static.sh

# A separate package, so that a target can be named SwiftUI.
.PHONY: swiftui
swiftui: setup ## Compile and run the SwiftUI part of Observe against a stand-in for SwiftUI
	@Tools/test.sh swiftui --package-path Tests/Harness --scratch-path .build/harness $(STRICT)

# Skips the clients that are not installed. PYTHON=… is an interpreter with pytest-lsp. The pictures need
# Neovim and tmux.
.PHONY: editors
editors: setup ## Run the language server with headless Neovim, Emacs and pytest-lsp, if they are installed (WRITE=1 for the pictures in Docs)
	@$(SWIFT_BUILD) $(BUILD) --product querygen >&2
	@Tools/editors.sh .build/root/debug/querygen
	@$(if $(WRITE),python3 Tools/Editors/record.py .build/root/debug/querygen Docs)

# Builds the command in a scratch path of its own, in release.
.PHONY: bench-editors
bench-editors: setup ## Measure the language server's answers on 200 tables and 2,000 queries
	$(SWIFT_BUILD) -c release --package-path Packages/QueryGen --scratch-path .build/editors --product querygen
	@python3 Tools/Editors/bench.py .build/editors/release/querygen

.PHONY: demo
demo: setup ## Build and run Atlas, the example app, on real data
	@$(SWIFT_BUILD) $(BUILD) --product Atlas >&2
	@mkdir -p .build/demo
	@.build/root/debug/Atlas --database .build/demo/atlas.sqlite

# Starts a private server in a temporary folder, and stops it afterwards.
.PHONY: demo-postgresql
demo-postgresql: setup ## Copy the demo's data to a private PostgreSQL server, and query it with routes
	@$(SWIFT_BUILD) $(BUILD) --product Atlas >&2
	@$(SWIFT_BUILD) $(BUILD) --product holt-tool >&2
	@mkdir -p .build/demo
	@Tools/demo-postgresql.sh .build/root/debug .build/demo/atlas.sqlite

# Uses a separate database, unless NOTES_FILE is set. Without ARGS, shows a tour with notes in memory.
.PHONY: notes
notes: setup ## Build and run Notes, the other example app (ARGS='add "Buy milk" --tag home')
	@$(SWIFT_BUILD) $(BUILD) --product Notes >&2
	@mkdir -p .build/notes
	@NOTES_FILE=$${NOTES_FILE:-.build/notes/notes.sqlite} .build/root/debug/Notes $(if $(ARGS),$(ARGS),tour)

# Statically linked to the Swift libraries: starts twice as fast, and can be copied to any folder.
.PHONY: holt
holt: setup ## Build the holt command for use: .build/holt/holt
	$(SWIFT_BUILD) -c release --package-path Tools/Holt --scratch-path .build/holt/build --product holt \
	  $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
	@cp .build/holt/build/release/holt .build/holt/holt
	@$(if $(filter Linux,$(shell uname)),strip .build/holt/holt)
	@ls -lh .build/holt/holt
	@Tools/startup.sh .build/holt/holt --version

# A separate package and scratch path: a release build with dependencies for comparison only.
BENCH := .build/bench

.PHONY: bench
bench: setup ## Compare with GRDB, Foundation and C code that uses the same SQLite (ARGS=--quick)
	@touch Tools/Benchmarks/Package.swift # otherwise SwiftPM misses new files in dependencies
	$(SWIFT_BUILD) -c release --package-path Tools/Benchmarks --scratch-path $(BENCH)
	@$(BENCH)/release/CountAllocations --json $(BENCH)/allocations.json
	@$(BENCH)/release/Benchmarks --allocations $(BENCH)/allocations.json \
	  --json $(BENCH)/results.json --svg $(BENCH)/results.svg --ways $(BENCH)/ways.json $(ARGS)
	@echo; echo "written: $(BENCH)/results.json, results.svg, ways.json"

# DuckDB is compared if it is installed (pip install duckdb); MEGABYTES=1000 for a file of 1 GB.
MEGABYTES ?= 100

.PHONY: bench-files
bench-files: holt ## Compare the holt command with DuckDB and sqlite3 on generated CSV, JSON and SPON files
	@python3 Tools/Holt/bench.py .build/holt/holt .build/files $(MEGABYTES)

.PHONY: docs
docs: setup ## Write the documentation as a static site to .build/docs/site
	$(SWIFT_BUILD) $(BUILD)
	Tools/docs.sh .build/root/debug .build/docs \
	  $$(tr -d '\n' <Package.swift | grep -o '\.library([^)]*)' | grep -o 'targets: .*' \
	    | grep -o '"[A-Za-z]*"' | tr -d '"' | sort -u) Primitives

.PHONY: check
check: setup $(CHECK) ## Run every check that a pull request must pass, except the tests
	@$(CHECK) format imports systems order files mutations reach links samples examples manifest graphs prose version commits consumer
	@Tools/availability.sh

.PHONY: language
language: $(CHECK) ## List passages that are not plain technical English (PATHS="README.md Packages/SPON", or PATHS=--counts)
	@$(CHECK) language $(PATHS)

.PHONY: availability
availability: setup ## Type-check the libraries for macOS 14, as far as Linux can (VERBOSE=1)
	@Tools/availability.sh

# Builds three dozen apps sequentially, which takes a long time.
.PHONY: consumers
consumers: setup $(CHECK) ## Build an app for each product, by URL and by path, and list what is compiled (ONLY="SPON …", WRITE=1 for Docs/Consumers.md)
	@$(CHECK) consumers $(addprefix --only ,$(ONLY)) $(if $(WRITE),--write)

.PHONY: plugin
plugin: setup $(CHECK) ## Use the build plugin in apps elsewhere, by path and by URL, change their SQL, and follow the tutorial
	@$(CHECK) plugin tutorial

.PHONY: goldens
goldens: setup ## Rewrite the golden files of QueryGen's tests, and the pictures and the page of diagnostics in Docs; review the difference
	HOLT_REWRITE_GOLDENS=1 Tools/test.sh goldens $(BUILD) --filter '^(SwiftEmitterTests\.|QueryGenDriverTests\..*(roster|page of diagnostics)|HoltToolTests\..*pictures)'

.PHONY: format
format: $(CHECK) ## Format every Swift file
	@$(CHECK) format --write

.PHONY: manifest
manifest: $(CHECK) ## Generate the root Package.swift from the packages' manifests
	@$(CHECK) manifest --write

.PHONY: clean
clean: ## Remove all build output
	rm -rf .build Packages/*/.build Tools/.build Tools/*/.build Tests/.build

# The checks are a package without dependencies, since they generate the root manifest.
$(CHECK): $(shell find Tools/Checks -name '*.swift' -not -path '*/.build/*')
	@$(SWIFT_BUILD) --package-path Tools/Checks --scratch-path .build/tools --product holt-check $(STRICT)
	@touch $@
