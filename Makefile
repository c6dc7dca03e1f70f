# The project's everyday commands. Everything that is built or fetched goes under .build/.

SWIFT ?= swift
# More flags for every compilation, such as -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# The traits of Package.swift whose libraries are installed. `make build TRAITS=` builds without them.
TRAITS ?= $(shell tools/library-traits)
FLAGS = $(TRAITS) $(SWIFT_FLAGS)
# SwiftPM passes the traits in the order of a set. If the order changes, it compiles everything again. So hashes are fixed for builds.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# The tests run with random hashes.
RUN_TESTS = $(SWIFT) test --skip-build $(FLAGS)
TEST = $(BUILD) --build-tests $(FLAGS) && $(RUN_TESTS)
# Tests of code that uses vectors of the processor. They also run without the wider ones.
VECTOR_TESTS = UTF8SequenceTests|StringCopierTests|ScanTests
LISTEN ?= 127.0.0.1:8080
PROFILES ?= examples/profiles
IMAGE ?= convert-server
# The commit of a release, and its time.
COMMIT = $(shell git rev-parse --short=12 HEAD)
COMMIT_EPOCH = $(shell git log -1 --format=%ct)
# Options for the benchmarks, and the core that they run on, if that is possible.
BENCH_FLAGS ?=
BENCH_CORE ?= 1
# The time for schemathesis and for each fuzz test, and the first seed; each round uses the next one.
FUZZ_SECONDS ?= 180
FUZZ_SEED := $(or $(FUZZ_SEED),$(shell date +%s))
FUZZ_TESTS = $(shell grep -rlw FuzzSeeds --include='*Tests.swift' Tests | sed 's/.*\///; s/[.]swift//' | paste -sd '|')
ON_ONE_CORE = $(shell taskset -c $(BENCH_CORE) true 2>/dev/null && echo taskset -c $(BENCH_CORE))

.DEFAULT_GOAL := help
.PHONY: help packages release-packages test-packages serve build static test sanitize faults fuzz fuzz-api lint format check check-static wasm test-wasm npm-package python test-python wheel playground test-playground docs bench bench-jobs bench-peers bench-spellings bench-http bench-gateway bench-codings bench-wasm bench-python image dist test-dist test-image test-spark clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

packages: ## install zlib's header if it is missing, which every build needs; without root or apt, print the command
	@SWIFT="$(SWIFT)" tools/install-packages build

release-packages: ## the same, with brotli, zstd and libyaml for the released program and the image
	@SWIFT="$(SWIFT)" tools/install-packages release

test-packages: ## the same, with the programs of the tests and checks: nginx, HAProxy, curl, Python; no service is started
	@SWIFT="$(SWIFT)" tools/install-packages test

serve: build ## build, then serve the example profiles on $(LISTEN)
	.build/release/convert-server serve --listen $(LISTEN) --profiles $(PROFILES)

build: packages ## build the release program: .build/release/convert-server
	$(BUILD) -c release --product convert-server $(FLAGS)
	@SWIFT="$(SWIFT)" tools/stamp-commit .build/release/convert-server

static: release-packages ## build the program of the image and the releases: .build/static/convert-server
	SWIFT="$(SWIFT)" tools/build-static convert-server $(SWIFT_FLAGS)

test: test-packages ## build for debugging and run every test; installs the programs of the tests (test-packages)
	$(BUILD) --build-tests $(FLAGS)
	for vectors in sse2 avx2; do CONVERT_SIMD=$$vectors $(RUN_TESTS) --filter '$(VECTOR_TESTS)' || exit 1; done
	$(RUN_TESTS)

sanitize: ## run every test under AddressSanitizer, then under ThreadSanitizer
	SWIFT="$(SWIFT)" tools/sanitize/run $(SWIFT_FLAGS)

faults: build ## run the fault tests at full size on the release program: 5,000 idle and 100,000 short connections, hostile clients, responses of 1 GiB
	export CONVERT_FAULTS=full CONVERT_PROGRAM=$(CURDIR)/.build/release/convert-server; $(TEST) --no-parallel --filter 'FaultLoadTests|GatewayThroughputTests'

fuzz: ## run every test that has random seeds on new ones, FUZZ_SECONDS each
	export CONVERT_FUZZ_SEED=$(FUZZ_SEED) CONVERT_FUZZ_SECONDS=$(FUZZ_SECONDS); $(TEST) --filter '$(FUZZ_TESTS)'

fuzz-api: build ## send requests that openapi.yaml allows and forbids, for FUZZ_SECONDS
	tools/fuzz-api .build/release/convert-server $(FUZZ_SECONDS)

lint: ## check the formatting
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Benchmarks examples

format: ## format all Swift files in place
	$(SWIFT) format -i -r Package.swift Sources Tests Benchmarks examples

check: build ## run the checks that the compiler cannot make: openapi.yaml, linkage, unsafe code, dependencies
	tools/check .build/release/convert-server

check-static: release-packages playground ## build the static program of the image and check its size, linkage, start and memory
	SWIFT="$(SWIFT)" tools/check-static $(SWIFT_FLAGS)

wasm: ## build the engine as WebAssembly, for the npm package in bindings/javascript, and check its size
	@SWIFT="$(SWIFT)" tools/build-wasm
	@cp .build/wasm/convert.wasm LICENSE bindings/javascript/

test-wasm: test-packages wasm ## run the tests of the npm package in node: all fixtures, errors, memory
	node --test bindings/javascript/test/*.test.js

npm-package: wasm ## pack the npm package into .build/dist; needs npm
	mkdir -p .build/dist
	cd bindings/javascript && npm pack --pack-destination ../../.build/dist

python: release-packages ## build the library for C, .build/release/libconvert.so, and the Python package in bindings/python
	$(BUILD) -c release --product convert $(FLAGS)
	SWIFT="$(SWIFT)" tools/link-library .build/release
	tools/build-python .build/release/libconvert.so

test-python: test-packages python ## run the tests of the library for C and of the Python package: header, all fixtures, threads
	tools/test-python

wheel: python ## build the wheel of the Python package for this machine, into .build/wheel
	mkdir -p .build/wheel
	SOURCE_DATE_EPOCH=$(COMMIT_EPOCH) tools/build-wheel .build/wheel

playground: wasm ## build the playground, one page: .build/playground/playground.html; the next build of the program serves it at /
	@python3 tools/build-playground

test-playground: test-packages playground build ## test the playground in a headless Chromium: as a file, and served by the program
	CONVERT_PROGRAM=$(CURDIR)/.build/release/convert-server node --test playground/test/*.test.js

docs: ## build the library's documentation: .build/docs/ConvertCore.doccarchive
	SWIFT="$(SWIFT)" SWIFT_FLAGS="$(FLAGS)" tools/docs

bench: build ## compare the engine with Foundation, and measure its growth and its jobs (tables, and .build/bench*.json); with options in BENCH_FLAGS, such as '--filter twitter --json FILE', the first alone
	$(BUILD) -c release --product Benchmarks $(FLAGS)
	$(ON_ONE_CORE) .build/release/Benchmarks $(or $(BENCH_FLAGS),--json .build/bench.json)
	$(if $(BENCH_FLAGS),,$(ON_ONE_CORE) .build/release/Benchmarks --growth --json .build/bench-growth.json)
	$(if $(BENCH_FLAGS),,python3 Benchmarks/jobs/measure.py .build/release/convert-server .build/jobs --json .build/bench-jobs.json)

bench-jobs: build ## compare NDJSON on several processors with one; options in BENCH_FLAGS, such as '--jobs 4'
	python3 Benchmarks/jobs/measure.py .build/release/convert-server .build/jobs $(or $(BENCH_FLAGS),--json .build/bench-jobs.json)

bench-peers: ## compare the engine with simdjson, RapidJSON, yyjson, orjson, node and jq (a table, and .build/bench-peers.json); options in BENCH_FLAGS
	$(BUILD) -c release --product Benchmarks $(FLAGS)
	Benchmarks/peers/build .build/peers
	$(ON_ONE_CORE) python3 Benchmarks/peers/compare.py .build/peers $(or $(BENCH_FLAGS),--json .build/bench-peers.json)

bench-spellings: ## compare the engine with simdjson and RapidJSON on every document in nine spellings, and on other kinds of documents; options in BENCH_FLAGS
	$(BUILD) -c release --product Benchmarks $(FLAGS)
	Benchmarks/peers/build .build/peers
	$(ON_ONE_CORE) python3 Benchmarks/peers/compare.py .build/peers --spellings $(or $(BENCH_FLAGS),--programs simdjson,rapidjson --json .build/bench-spellings.json)

bench-http: static ## compare the image's program with node and nginx+Lua, by wrk; options in BENCH_FLAGS, such as '--json FILE'
	SWIFT="$(SWIFT)" tools/build-static EchoServer $(SWIFT_FLAGS)
	python3 Benchmarks/http/compare.py $(BENCH_FLAGS)

bench-gateway: static ## compare the image's program as a gateway with nginx, by wrk: passing through, and camelCase with Lua; options in BENCH_FLAGS
	python3 Benchmarks/gateway/compare.py $(BENCH_FLAGS)

bench-codings: ## measure time and size of each compression and level
	python3 Benchmarks/codings/measure.py .build/codings

bench-wasm: wasm ## compare the npm package with JSON.parse, a recursion and JSON.stringify (a table, and .build/bench-wasm.json)
	$(ON_ONE_CORE) node bindings/javascript/bench/compare.js --json .build/bench-wasm.json

bench-python: python ## compare the Python package with djangorestframework-camel-case (a table)
	$(ON_ONE_CORE) tools/test-python bench

image: ## build the container image
	docker build -t $(IMAGE) --build-arg COMMIT=$(COMMIT) --build-arg SOURCE_DATE_EPOCH=$(COMMIT_EPOCH) \
		--build-arg CREATED=$$(date -u -d @$(COMMIT_EPOCH) +%Y-%m-%dT%H:%M:%SZ) .

dist: release-packages playground ## build the release files for this machine's processor: tarball, Debian package, SBOM, checksums, in .build/dist
	SWIFT="$(SWIFT)" tools/dist $(SWIFT_FLAGS)

test-dist: dist ## check the release files; install, run and purge the package in a chroot; needs root and debootstrap
	tools/test-dist

test-image: ## build the container image with buildah on bases made by debootstrap, run it and check it; needs root; REBUILD=1 builds it twice
	tools/test-image

test-spark: build ## run the command line in Spark's pipe(), in local mode; needs Java
	tools/test-spark .build/release/convert-server

clean: ## remove everything that was built
	rm -rf .build
