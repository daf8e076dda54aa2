# Every target makes its own virtual environment when it is missing. `make` alone lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.DEFAULT_GOAL := help
.PHONY: help install test test-long test-browser test-cluster lint proto-check bench calibrate soak fuzz demo proto format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# pip learned dependency groups in 25.1.
$(STAMP): pyproject.toml sdk/pyproject.toml
	@echo "Installing into $(VENV) what players, organisers and developers need: some minutes, the first time"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e './sdk[rl]' -e '.[cluster,pages,postgres]' --group dev
	touch $@

install: $(STAMP) ## make the virtual environment

test: $(STAMP) lint proto-check ## what must hold, in some minutes
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not long and not browser and not cluster"

test-long: $(STAMP) ## what takes longer: bots that misbehave, floods, fuzzing, leaks, simulated tournaments
	$(BIN)/python -m pytest -n auto --dist worksteal -m "long and not browser and not cluster"

test-browser: $(STAMP) ## the pages in a real browser (Debian's chromium); pictures go to build/screenshots
	$(BIN)/python -m pytest -n auto --dist loadfile -m browser

test-cluster: $(STAMP) ## stores in PostgreSQL and workers of Dask, on servers that the tests start themselves
	$(BIN)/python -m pytest -n auto --dist worksteal -m cluster

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

PROTOS := $(wildcard proto/cardtable/v1/*.proto)
PROTOC = $(BIN)/python -m grpc_tools.protoc -I proto $(PROTOS)

proto: $(STAMP) ## write the generated code anew
	$(PROTOC) --python_out=sdk --pyi_out=sdk

# Lint, form, drift of the generated code, and changes that would break bots since the last release.
proto-check: $(STAMP)
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code
	rm -rf build/proto && mkdir -p build/proto
	$(PROTOC) --python_out=build/proto --pyi_out=build/proto
	for file in build/proto/cardtable/v1/*; do cmp $$file sdk/cardtable/v1/$$(basename $$file) || exit 1; done
	if git rev-parse --verify --quiet origin/main:proto >/dev/null; then \
		cd proto && ../$(BIN)/buf breaking --against '../.git#ref=origin/main,subdir=proto'; \
	else echo "buf breaking: skipped, this clone has no origin/main with protos"; fi

demo: $(STAMP) ## a real tournament of both games, and its ratings
	rm -rf build/demo && mkdir -p build/demo
	$(BIN)/tourney run examples/tournaments/demo.toml --store build/demo/demo.db

calibrate: $(STAMP) ## the statistics against simulated tournaments with known strengths
	$(BIN)/python -m bench.calibrate

bench: $(STAMP) ## speed, as ratios measured side by side
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m bench.run

SOAK ?=

# SOAK: options, such as "--games 60 --seconds 60".
soak: $(STAMP) ## a tournament under kill -9 and SIGSTOP, and what must hold after
	$(BIN)/python -m bench.soak $(SOAK)

FUZZ_SECONDS ?= 600

# What it finds is kept: build/fuzz/crash-* is an input, build/fuzz/corpus what the next run begins with.
fuzz: $(STAMP) ## whatever strangers may send, for FUZZ_SECONDS, guided by coverage
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz
	mkdir -p build/fuzz/corpus
	$(BIN)/python -m tests.fuzz.atheris_wire build/fuzz/corpus \
		-max_total_time=$(FUZZ_SECONDS) -timeout=60 -max_len=20000 -len_control=0 -artifact_prefix=build/fuzz/

format: $(STAMP) ## format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what the other targets made
	rm -rf $(VENV) build
