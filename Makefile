# make run    installs what is missing, builds, serves the demo and prints its address
# make check  lint and the Swift tests, while you work
# make test   what runs at each push: installs what is missing, lint, the Swift tests, and the short form of the end-to-end tests
# make test-all  each night: every test whole, also those that take long, and instructions
# make models random commands against models of the server, for MODEL_MINUTES=20 each; then every call to the system fails, and nobody reads 10,000 downloads
# make lint   formatting of Swift, types of JavaScript
# make docs   the documentation of the library's modules, in .build/docs; any warning fails it (MODULES="Today" for some)
# make manual the manual as a site, in .build/manual-site; a dead link fails it
# make kit-reference  writes docs/kits.md from the sources of the test kits
# make bridge-table  writes docs/bridges/README.md from the presets
# make test-description  tests the control API against its OpenAPI document, with EXAMPLES=200 random requests for each operation
# make lint-census  runs the end-to-end tests and lists what the linter finds in their pages; what Tests/EndToEnd/lint_expected.txt does not list is a false alarm, or a mistake of the page
# make test-release  the end-to-end tests against the release build
# make soak   the long form of some tests: pages open and close for MINUTES=5, then a thousand purchases with lines, servers and networks that fail, then every fault of the disk, then 200 sheets
# make fuzz   tries inputs on each fuzz target, for SECONDS=60
# make sanitize  tests under AddressSanitizer, ThreadSanitizer and Valgrind (CHECKS="address thread valgrind" for some of it)
# make test-engines  the tests of pages in WebKitGTK and Firefox (make browsers: writes the table of docs/browsers.md, too; ENGINE_TESTS="folder" and ENGINES="webkit" for some)
# make device-table  writes the table of docs/device.md
# make pictures  takes the pictures of the manual
# make dist   packages of the release, in .build/dist: tarball, Debian package, test kits, SBOM, checksums
# make kit    the JavaScript kit with its types, without the program, as a file for npm
# make test-vendors VENDORS=path/to/node_modules  tests presets with the vendors' own scripts, those that are there
# make test-frameworks  tests every framework, with JupyterLab and Streamlit, which it installs first
# make test-reproducible  builds the packages in two folders and compares their bytes
# make image-test  builds the container image without an engine, runs it, and buys in Chromium against it
# make instructions  checks that the release runs no more instructions for a message than recorded (make record-instructions records them)
# make bench  measures Footbridge beside its peers (QUICK=1 to see that everything runs, PARTS="start idle" for some of it)

SWIFT_BUILD_FLAGS ?=
# The debug build, and so every test, makes these checks at run time. The release does not: they cost a fifth of the instructions of a message.
SWIFT_RELEASE_FLAGS = $(SWIFT_BUILD_FLAGS) -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -disable-dynamic-actor-isolation
# With Swift's libraries inside, the program starts faster, and on systems without Swift.
ifneq ($(shell uname), Darwin)
SWIFT_RELEASE_FLAGS += --static-swift-stdlib
# The loader resolves the addresses of functions at the start and then makes them read-only (full RELRO). It loads no library from the program's folder.
SWIFT_RELEASE_FLAGS += -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath
# Nothing loads the program as a library, so the linker leaves out what nobody calls, even if it is public, and the table of public names.
SWIFT_RELEASE_FLAGS += -Xlinker --no-export-dynamic
# Functions with the same instructions, whose addresses nobody compares, are there once.
SWIFT_RELEASE_FLAGS += -Xlinker --icf=safe
# Types such as Dictionary<String, JSONValue> are made with the conformances that the compiler knows, not with those that the runtime searches
# among all at the first use: a ninth of the instructions of a start (make bench PARTS=start).
SWIFT_RELEASE_FLAGS += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The program has the same bytes in every folder: no paths of this one, and no build ID, which is a hash over the debug information.
SWIFT_RELEASE_FLAGS += -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xlinker --build-id=none
# Swift knows its files by their paths in this folder, too: the program holds the lengths of some of them.
SWIFT_RELEASE_FLAGS += -Xswiftc -vfsoverlay -Xswiftc $(CURDIR)/.build/relative-paths.json
endif
RELEASE = .build/release/footbridge
# How many end-to-end tests run at once.
WORKERS ?= 2

.PHONY: dist kit packaging-tools run check test test-all prepare packages venv build-tests docs manual kit-reference bridge-table soak fuzz sanitize lint build program peers release release-flags setup setup-test setup-bench bench test-swift test-end-to-end test-engines browsers device-table test-release test-parallel test-description test-frameworks test-vendors test-reproducible models lint-census pictures image-test instructions record-instructions

# The debug build: a first one takes less than half of the time of a release.
run: setup
	swift build $(SWIFT_BUILD_FLAGS) --product footbridge
	.build/debug/footbridge serve $(or $(ARGUMENTS), --config Examples/demo/footbridge.yaml)

# While you work, after `make setup-test`.
check: lint test-swift

# At each push. The end-to-end tests run in their short form: Tests/EndToEnd/short_form.py.
test: export FOOTBRIDGE_SHORT = 1
test: prepare
	$(SWIFT_TEST)
	$(END_TO_END) Tests/EndToEnd
	$(MAKE) test-engines ENGINE_TESTS=Tests/EndToEnd/pages/test_engines.py
	.venv/bin/python Tests/EndToEnd/short_form.py instructions $(MAKE) instructions

# Each night.
test-all: prepare .build/frameworks/made
	$(SWIFT_TEST)
	$(MAKE) test-end-to-end models instructions docs

# The build does not keep two cores busy, so the other parts run beside it.
prepare: packages
	$(MAKE) --jobs 2 lint build-tests

PACKAGES = binutils pkg-config libbrotli-dev libnghttp2-dev libpsl-dev libssl-dev libwebsockets-dev libpq5 libsqlite3-dev libzstd-dev zlib1g-dev
TEST_PACKAGES = chromium chromium-driver chromium-headless-shell curl firefox-esr fish gcc haproxy hugo iproute2 iptables jekyll jq libc6-dev libnss3-tools \
  nghttp2-client nghttp2-server nginx-light node-express node-react node-react-dom node-typescript nodejs php-cli postgresql puma python3-venv \
  ruby-rails ruby-sinatra util-linux valgrind webkit2gtk-driver xvfb zsh

setup:
	scripts/install-packages $(PACKAGES)

setup-test: packages venv

packages:
	scripts/install-packages $(PACKAGES) $(TEST_PACKAGES)

venv:
	scripts/make-venv

setup-bench: setup-test
	scripts/install-packages node-ws openssl wrk

build:
	swift build $(SWIFT_BUILD_FLAGS)

build-tests:
	swift build --build-tests $(SWIFT_BUILD_FLAGS)

program: .build/relative-paths.json
	swift build -c release $(SWIFT_RELEASE_FLAGS) --product footbridge
	scripts/separate-debug-information $(RELEASE)

# Lets the compiler see the files of this folder under relative paths.
.build/relative-paths.json:
	mkdir -p .build
	echo '{"version": 0, "roots": [{"type": "directory-remap", "name": "$(CURDIR)", "external-contents": "."}]}' > $@

# The programs that tests and benchmarks run beside the server.
peers: .build/relative-paths.json
	swift build -c release $(SWIFT_RELEASE_FLAGS) --product EchoServer
	swift build -c release $(SWIFT_RELEASE_FLAGS) --product NFCReader

release: peers program

# The packages of the release: see docs/packages.md.
dist: setup program packaging-tools
	.build/packaging/bin/python packaging/make.py $(RELEASE) .build/dist --manual-tool $(MANUAL)

kit:
	scripts/install-packages node-typescript
	python3 packaging/kit.py .build/kit

# The tools that make them: Debian's, Python's, and swift-argument-parser's generate-manual.
MANUAL = .build/manual/debug/generate-manual
PARSER = .build/checkouts/swift-argument-parser

packaging-tools: .build/packaging/made $(MANUAL)

.build/packaging/made: packaging/requirements.txt
	scripts/install-packages dpkg-dev node-typescript python3-venv
	python3 -m venv .build/packaging
	.build/packaging/bin/pip install --quiet --disable-pip-version-check -r packaging/requirements.txt
	touch $@

$(MANUAL): $(PARSER)/Package.swift
	swift build --quiet --package-path $(PARSER) --scratch-path .build/manual --product generate-manual
	touch $@

# A clean build in each of two folders.
test-reproducible: setup packaging-tools
	scripts/compare-builds

# The flags of the release, for a test that builds something small with them.
release-flags:
	@echo '$(SWIFT_RELEASE_FLAGS)'

# The types of Playwright, which an example uses, are in .venv.
lint: venv
	swift format lint --strict --recursive Package.swift Examples Sources Tests
	tsc -p web/tsconfig.json
	tsc -p web/testing/tsconfig.json
	tsc -p Tests/Types/tsconfig.json
	for contract in docs 1.3; do \
	  tsc -p Tests/Types/onside/$$contract/tsconfig.json && tsc -p Tests/Types/onside/$$contract/contract/tsconfig.json || exit 1; \
	done

# The manual in docs/, with MkDocs.
manual: venv
	.venv/bin/python scripts/make-manual .build/manual-site

kit-reference: venv
	.venv/bin/python scripts/make-kit-reference

bridge-table:
	python3 scripts/make-bridge-table

docs: setup build
	scripts/make-docs $(MODULES)

SWIFT_TEST = scripts/test-swift $(SWIFT_BUILD_FLAGS)

test-swift: build-tests
	$(SWIFT_TEST)

MINUTES ?= 5

soak: setup-test release
	FOOTBRIDGE_BUILD=.build/release FOOTBRIDGE_SOAK_MINUTES=$(MINUTES) FOOTBRIDGE_PURCHASES=1000 FOOTBRIDGE_SHEETS=200 FOOTBRIDGE_FAULTS=all .venv/bin/python -m pytest -s \
	  Tests/EndToEnd/server/test_soak.py Tests/EndToEnd/server/test_exactly_once.py Tests/EndToEnd/cluster/test_chaos.py Tests/EndToEnd/server/test_faults.py Tests/EndToEnd/kits/test_answered_sheets.py

SECONDS ?= 60

fuzz: setup
	scripts/fuzz $(SECONDS)

CHECKS ?= address thread valgrind

sanitize: setup-test
	scripts/sanitize $(CHECKS)

# The end-to-end tests against the release build.
test-release: setup-test release
	-scripts/install-packages debootstrap
	FOOTBRIDGE_BUILD=$(CURDIR)/.build/release $(END_TO_END) Tests/EndToEnd

# Runs fifty tests in four processes against one server, 20 times.
test-parallel:
	FOOTBRIDGE_ROUNDS=20 .venv/bin/python -m pytest Tests/EndToEnd/kits/test_pytest_kit.py -k fifty

# Tests the control API against its description, with this many random requests for each operation.
EXAMPLES ?= 200

test-description:
	FOOTBRIDGE_EXAMPLES=$(EXAMPLES) .venv/bin/python -m pytest Tests/EndToEnd/server/test_api_description.py

# Tests with scripts of vendors, which are not in the repository.
test-vendors: setup-test build
	FOOTBRIDGE_VENDORS=$(VENDORS) .venv/bin/python -m pytest Tests/EndToEnd/bridges/declared/test_vendors*.py

# Tests with frameworks that are too large for a usual test run.
test-frameworks: setup-test build .build/frameworks/made
	.venv/bin/python -m pytest Tests/EndToEnd/site/test_large_frameworks.py Tests/EndToEnd/site/test_live_frameworks.py Tests/EndToEnd/site/test_site_generators.py Tests/EndToEnd/site/test_frameworks.py

.build/frameworks/made:
	python3 -m venv .build/frameworks
	.build/frameworks/bin/pip install --quiet --disable-pip-version-check jupyterlab streamlit
	touch $@

# Tests the image and the compose file, with buildah and base systems from debootstrap. Without these tools, the tests are skipped and say why.
image-test: setup-test
	-scripts/install-packages buildah debootstrap iproute2 util-linux
	.venv/bin/python -m pytest Tests/Image

pictures: setup-test build
	scripts/install-packages fonts-inter
	.venv/bin/python scripts/pictures

# Each file runs in one process, so that its server and its database start once.
END_TO_END = .venv/bin/python -m pytest -n $(WORKERS) --dist loadfile
# The tests of the bridges run once more with pages under a name that is not this machine's.
BRIDGE_TESTS = Tests/EndToEnd/bridges/onside/test_onside.py Tests/EndToEnd/bridges/onside/test_purchase.py Tests/EndToEnd/bridges/gbg/test_gbg.py Tests/EndToEnd/bridges/today/test_today.py

test-end-to-end:
	$(END_TO_END) Tests/EndToEnd
	FOOTBRIDGE_NAME=footbridge $(END_TO_END) $(BRIDGE_TESTS)
	$(MAKE) test-engines

# Random commands for the real server and for a plain model of it, and every call to the system that can fail. At each push, only a few of both.
MODEL_MINUTES ?= 20
models:
	FOOTBRIDGE_MODEL_MINUTES=$(MODEL_MINUTES) FOOTBRIDGE_FAULTS=all $(END_TO_END) \
	  $(wildcard Tests/EndToEnd/*/test_model_of_*.py Tests/EndToEnd/bridges/*/test_model_of_*.py) Tests/EndToEnd/server/test_call_faults.py Tests/EndToEnd/server/test_limits.py

# At each push, only the tests of what is not the same in all engines.
ENGINE_TESTS = Tests/EndToEnd
ENGINES = webkit firefox
test-engines:
	FOOTBRIDGE_ENGINES="$(ENGINES)" $(END_TO_END) $(ENGINE_TESTS)

# The table of docs/browsers.md. The results of these files replace the stored ones of the same files and engines.
browsers: setup-test build
	FOOTBRIDGE_ENGINES="$(ENGINES)" $(END_TO_END) $(ENGINE_TESTS) --engine-table docs/browsers.md

# The table of docs/device.md.
device-table: setup-test build
	FOOTBRIDGE_ENGINES="chromium webkit firefox" .venv/bin/python -m pytest Tests/EndToEnd/pages/test_device.py --device-table docs/device.md

# Many of the tests break a contract on purpose: Tests/EndToEnd/lint_expected.txt lists them. Any other finding is a false alarm, or a mistake of
# the test's page, and makes this fail.
lint-census: setup-test build
	rm -f .build/lint-census.jsonl
	-$(END_TO_END) Tests/EndToEnd --lint-census $(CURDIR)/.build/lint-census.jsonl
	.venv/bin/python Tests/EndToEnd/lint_census.py .build/lint-census.jsonl

# In the release: the debug build runs other code.
instructions: program
	.venv/bin/python Benchmarks/instruction_check.py

record-instructions: program
	.venv/bin/python Benchmarks/instruction_check.py --record

bench: setup-bench release
	.venv/bin/python Benchmarks/bench.py $(PARTS)
