# make run    installs what is missing, builds, serves the demo and prints its address
# make test   the same set-up, then every test
# make lint   formatting of Swift, types of JavaScript

SWIFT_BUILD_FLAGS ?=
RELEASE = .build/release/footbridge
# How many end-to-end tests run at once.
WORKERS ?= 2

.PHONY: run test lint build release setup setup-test test-swift test-end-to-end

run: setup release
	$(RELEASE) serve $(ARGUMENTS)

test: setup setup-test lint test-swift release test-end-to-end

setup:
	scripts/install-packages pkg-config libpsl-dev libssl-dev libwebsockets-dev libsqlite3-dev

setup-test:
	scripts/install-packages chromium libnss3-tools python3-venv node-typescript nginx-light nodejs
	scripts/make-venv

build:
	swift build $(SWIFT_BUILD_FLAGS)

release:
	swift build -c release $(SWIFT_BUILD_FLAGS) --product footbridge
	swift build -c release $(SWIFT_BUILD_FLAGS) --product EchoServer
	swift build -c release $(SWIFT_BUILD_FLAGS) --product NFCReader

lint:
	swift format lint --strict --recursive Package.swift Examples Sources Tests
	tsc -p web/tsconfig.json
	tsc -p Tests/Types/tsconfig.json

test-swift:
	swift test $(SWIFT_BUILD_FLAGS)

test-end-to-end:
	.venv/bin/python -m pytest Tests/EndToEnd -n $(WORKERS)
