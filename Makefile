# The front door: every target installs what is missing, builds what changed, and then does what its line says.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build sanitized demo test soak bench adoption docs check format clean
.NOTPARALLEL:

PYTHON := .venv/bin/python
MPI := tools/mpi_env.sh

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

setup: ## install the Debian packages (as root) and the Python environment that are missing
	@tools/setup.sh

build: setup ## build the library, the examples, the benchmarks and the tests into build/release
	@tools/build.sh release

# The one whose turn it is; the long tests build the other one when they come to it.
sanitized: setup
	@tools/build.sh $$($(PYTHON) tools/run_tests.py sanitizer)

demo: ## run the ocean model of examples/ocean and show what it wrote
	@tools/setup.sh demo
	@tools/build.sh release demo
	@$(MPI) $(PYTHON) examples/ocean/demo.py

test: build sanitized ## run all tests but the long ones
	@$(MPI) $(PYTHON) tools/run_tests.py release

soak: build sanitized ## run the long tests
	@$(MPI) $(PYTHON) tools/run_tests.py soak
	@$(MPI) $(PYTHON) tools/run_tests.py release -R '^sanitizer\.'

bench: build ## measure against the limits of the machine and against peers: output, chunks, index lists, back ends (1.5 hours)
	@$(MPI) $(PYTHON) bench/run.py --program build/release/bin/thalweg_bench_output
	@$(MPI) $(PYTHON) bench/run_chunks.py --program build/release/bin/thalweg_bench_output
	@$(MPI) $(PYTHON) bench/run_index.py --program build/release/bin/thalweg_bench_index
	@$(MPI) $(PYTHON) bench/run_backends.py --program build/release/bin/pfio_demo

adoption: build ## put Thalweg into ROMS or CICE, whose source is in SOURCE, and compare files and times
	@$(PYTHON) adoption/adopt.py "$(SOURCE)"

docs: build ## make the site of the documentation in out/docs
	@.venv/bin/sphinx-build -q -W --keep-going -b html docs out/docs
	@echo "docs: open out/docs/index.html"

check: setup ## check layers, sizes, format and the agreement of the interfaces
	@tools/check.sh

format: setup ## format the sources
	@tools/check_format.sh --fix

clean: ## remove what was built; .venv and .cache stay
	@rm -rf build
