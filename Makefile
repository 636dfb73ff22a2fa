SHELL := /bin/bash
.DEFAULT_GOAL := help

# One scratch path and one set of flags for everything that is built from the root manifest: other
# flags on the same path would build it all anew.
#
# Not the traits that replace SQLite: only one SQLite can be linked. Warnings are errors here and not in the manifests, where a
# new compiler's warning would fail the build of an app that has Holt by its path.
STRICT := -Xswiftc -warnings-as-errors
ROOT := --scratch-path .build/root --traits Macros,OpenCombine,Tools $(STRICT)
BUILD := $(ROOT) --explicit-target-dependency-import-check error
CHECK := .build/tools/debug/holt-check

PACKAGES := $(notdir $(patsubst %/Package.swift,%,$(wildcard Packages/*/Package.swift)))
FILTER ?=

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  make test-PACKAGE     Test one alone, from its own manifest: $(PACKAGES)"
	@echo "  make fuzz-PACKAGE     Read what libFuzzer makes for five minutes (FUZZ_SECONDS=…): SPON XML Formats SQL"

.PHONY: setup
setup: ## Install the system libraries and data that are missing
	@Tools/setup.sh

.PHONY: build
build: setup ## Build everything, tests included
	swift build $(BUILD) --build-tests

.PHONY: test
test: setup ## Run every test of every package (FILTER=… for some)
	@Tools/test.sh test $(BUILD) $(if $(FILTER),--filter '$(FILTER)')

# `make test` tries one in twenty-five of their cases; here it is all of them.
.PHONY: corpora
corpora: setup ## Hold QueryGen against every case of the corpora, where they lie beside the repository
	@HOLT_CORPORA=all Tools/test.sh corpora $(BUILD) --filter '^(SQLSyntax|Differential|QueryGenDriver|QueryGenDatabase)Tests\.'

.PHONY: conformance
conformance: corpora ## Write the table of Docs/COMPATIBILITY.md: QueryGen's verdicts beside SQLite's
	@Tools/conformance.sh .build/corpora.log Docs/COMPATIBILITY.md

# `make test` tries a few of these faults, and kills ten processes.
.PHONY: faults
faults: setup ## Fail every call of the file system, damage 12,000 files and kill 200 processes
	@HOLT_FAULTS=all Tools/test.sh faults --package-path Packages/SQLiteCore \
	  --scratch-path .build/one/SQLiteCore $(STRICT) --filter '^SQLiteCoreTests\..*(Fault|Killed|CorruptFile)'

# `make test` tries a few thousand of these.
.PHONY: reliability
reliability: setup ## Values of SPON by chance, corrupt and hostile texts; the whole contract on each provider, 200 killed while they persist
	@HOLT_RELIABILITY=all Tools/test.sh reliability -c release -Xswiftc -enable-testing -Xswiftc -DHOLT_COUNTS_STEPS \
	  --package-path Packages/SPON --scratch-path .build/reliability \
	  --filter '^SPONTests\..*(Random values|Corrupt texts|Hostile texts|W4)'
	@HOLT_RELIABILITY=all Tools/test.sh reliability-providers -c release -Xswiftc -enable-testing \
	  --package-path Packages/Providers --scratch-path .build/reliability-providers \
	  --filter '^ProvidersTests\..*(The contract of providers|What is wrong with a provider|killed while it persists|A file system that fails)'

# `make test` does 300 of Observe's steps on a file, and 150 in memory, and some hundred of Relations'.
# HOLT_MODEL_SEED=… repeats one run, and for Observe, HOLT_MODEL_STEPS=… makes runs shorter or longer.
.PHONY: model
model: setup ## Observe a database of a random schema in every way, and change graphs of models: 10,000 random steps for each of 8 runs
	@HOLT_MODEL=all Tools/test.sh model --package-path Packages/Observe \
	  --scratch-path .build/one/Observe $(STRICT) --filter '^ObserveTests\..*The model'
	@HOLT_MODEL=all Tools/test.sh model-relations -c release -Xswiftc -enable-testing \
	  --package-path Packages/Relations --scratch-path .build/model-relations \
	  --filter '^RelationsTests\..*(Graphs|at random)'

FUZZ_SECONDS ?= 300

fuzz-%: setup
	@Tools/fuzz.sh $* $(FUZZ_SECONDS)

.PHONY: sanitize
sanitize: setup ## Run the tests of SQLiteCore, Observe, Router, SPON, Providers and Relations under ThreadSanitizer and AddressSanitizer, and Holt's under the first
	@Tools/sanitize.sh thread SQLiteCore Observe Router SPON Providers Relations Holt
	@Tools/sanitize.sh address SQLiteCore Observe Router SPON Providers Relations

# Each mutant costs an incremental build of its package. MUTATE_LIMIT=… is how many seconds one may take.
.PHONY: mutate
mutate: setup ## Plant the bugs of Tools/Mutations one at a time, and report those that no test detects (ONLY='Observe/lost-commit SPON')
	@Tools/mutate.sh $(ONLY)

test-%: setup
	@[ -e Packages/$*/Package.swift ] || { echo "no package Packages/$*; there are: $(PACKAGES)"; exit 1; }
	@Tools/test.sh test-$* --package-path Packages/$* --scratch-path .build/one/$* $(STRICT) \
	  $(if $(FILTER),--filter '$(FILTER)')

# `make setup` does not install SQLCipher: only this needs it.
.PHONY: ciphers
ciphers: ## Test SQLiteCore on SQLCipher, with the trait of that name (FILTER=… for some)
	@Tools/setup.sh sqlcipher
	@PKG_CONFIG_PATH=$(CURDIR)/.build/sqlcipher/lib/pkgconfig:$$PKG_CONFIG_PATH \
	  Tools/test.sh ciphers --package-path Packages/SQLiteCore --scratch-path .build/ciphers \
	  --traits SQLCipher $(STRICT) $(if $(FILTER),--filter '$(FILTER)')

.PHONY: static
static: setup ## Link a small program to a static SQLite of the app's, strip it, and run it
	@Tools/static.sh

# A package of its own, in whose graph a target may be named SwiftUI.
.PHONY: swiftui
swiftui: setup ## Compile and run the SwiftUI part of Observe against a stand-in for SwiftUI
	@Tools/test.sh swiftui --package-path Tests/Harness --scratch-path .build/harness $(STRICT)

.PHONY: demo
demo: setup ## Build and run Atlas, the example app, on real data
	@swift build $(BUILD) --product Atlas >&2
	@mkdir -p .build/demo
	@.build/root/debug/Atlas --database .build/demo/atlas.sqlite

# A database of its own, unless NOTES_FILE says which. Without ARGS it shows what it can, on one in memory.
.PHONY: notes
notes: setup ## Build and run Notes, the other example app (ARGS='add "Buy milk" --tag home')
	@swift build $(BUILD) --product Notes >&2
	@mkdir -p .build/notes
	@NOTES_FILE=$${NOTES_FILE:-.build/notes/notes.sqlite} .build/root/debug/Notes $(if $(ARGS),$(ARGS),tour)

# Without libraries of Swift's that it would load: it starts in half the time, wherever it is copied to.
.PHONY: holt
holt: setup ## Build the holt command for use: .build/holt/holt
	swift build -c release --package-path Tools/Holt --scratch-path .build/holt/build --product holt \
	  $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
	@cp .build/holt/build/release/holt .build/holt/holt
	@$(if $(filter Linux,$(shell uname)),strip .build/holt/holt)
	@ls -lh .build/holt/holt
	@Tools/startup.sh .build/holt/holt --version

# A package and a scratch path of its own: a release build, with peers that nothing else may need.
BENCH := .build/bench

.PHONY: bench
bench: setup ## Compare with C code on the same SQLite, GRDB and Foundation (ARGS=--quick)
	@touch Tools/Benchmarks/Package.swift # or SwiftPM does not see new files of packages beside it
	swift build -c release --package-path Tools/Benchmarks --scratch-path $(BENCH)
	@$(BENCH)/release/CountAllocations --json $(BENCH)/allocations.json
	@$(BENCH)/release/Benchmarks --allocations $(BENCH)/allocations.json \
	  --json $(BENCH)/results.json --svg $(BENCH)/results.svg --ways $(BENCH)/ways.json $(ARGS)
	@echo; echo "written: $(BENCH)/results.json, results.svg, ways.json"

.PHONY: docs
docs: setup ## Write the documentation as a static site to .build/docs/site
	@rm -rf .build/root/*/symbolgraph
	@# It fails at the tests' runner, which is no module; docs.sh sees whether what it needs is there.
	swift package $(ROOT) dump-symbol-graph --skip-synthesized-members || true
	Tools/docs.sh "$$(echo .build/root/*/symbolgraph)" .build/docs \
	  $$(tr -d '\n' <Package.swift | grep -o '\.library([^)]*)' | grep -o 'targets: .*' \
	    | grep -o '"[A-Za-z]*"' | tr -d '"' | sort -u)

.PHONY: check
check: setup $(CHECK) ## Everything a reviewer checks: format, imports, folder order, files, mutations, reach, samples, examples, manifests, version, commits, a consumer
	@$(CHECK) format imports systems order files mutations reach samples examples manifest graphs version commits consumer
	@Tools/availability.sh

# Not a part of `make check` yet: the older text does not pass.
.PHONY: language
language: $(CHECK) ## List passages that are not plain technical English (PATHS="README.md Packages/SPON", or PATHS=--counts)
	@$(CHECK) language $(PATHS)

.PHONY: availability
availability: setup ## Type-check the libraries for macOS 14, as far as Linux can (VERBOSE=1)
	@Tools/availability.sh

# Builds three dozen apps, one after the other, which takes long.
.PHONY: consumers
consumers: setup $(CHECK) ## Build an app for each product, by URL and by path, and see what is compiled (ONLY="SPON …", WRITE=1 for Docs/Consumers.md)
	@$(CHECK) consumers $(addprefix --only ,$(ONLY)) $(if $(WRITE),--write)

.PHONY: plugin
plugin: setup $(CHECK) ## Use the build plugin in apps elsewhere, by path and by URL, change their SQL, and follow the tutorial
	@$(CHECK) plugin tutorial

.PHONY: goldens
goldens: setup ## Rewrite the files that the emitter's tests compare with; look at the difference
	HOLT_REWRITE_GOLDENS=1 Tools/test.sh goldens $(BUILD) --filter '^SwiftEmitterTests\.'

.PHONY: format
format: $(CHECK) ## Format every Swift file
	@$(CHECK) format --write

.PHONY: manifest
manifest: $(CHECK) ## Make the root Package.swift from the packages' own
	@$(CHECK) manifest --write

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build Packages/*/.build Tools/.build Tools/*/.build Tests/.build

# The checks are a package without dependencies, since they make the root manifest.
$(CHECK): $(shell find Tools/Checks -name '*.swift' -not -path '*/.build/*')
	@swift build --package-path Tools/Checks --scratch-path .build/tools --product holt-check $(STRICT)
	@touch $@
