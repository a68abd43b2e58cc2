# make demo · make test · make soak · make lint · make bench: each sets up what it needs.
PYTHON ?= python3
IN_VENV := .venv/bin
# Two workers for each of two cores: half of the time a test waits for programs that it started. What a file prepares
# for all of its tests is prepared once. The slow files come first (tests/conftest.py), so their order is kept.
WORKERS := -n 4 --dist loadfile --no-loadscope-reorder

.PHONY: help demo test soak lint bench docs lock clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: ## set everything up and run the example projects
	@$(PYTHON) scripts/set_up.py demo
	@$(IN_VENV)/testwright demo --examples examples

test: ## set everything up and run the tests
	@$(PYTHON) scripts/set_up.py test
	@$(IN_VENV)/python -m pytest $(WORKERS) -q $(TESTS)

soak: ## kills, races and proofs by chance, as often as their promises say: what `make test` repeats a few times only
	@$(PYTHON) scripts/set_up.py test
	@TESTWRIGHT_SOAK=1 $(IN_VENV)/python -m pytest -n 2 --dist worksteal -q -m campaign $(TESTS)

lint: ## import contracts, types, style
	@$(PYTHON) scripts/set_up.py lint
	@$(IN_VENV)/ruff check .
	@$(IN_VENV)/ruff format --check .
	@$(IN_VENV)/mypy
	@$(IN_VENV)/lint-imports
	@$(IN_VENV)/python scripts/check_house.py

bench: ## measure, as ratios in one run; PYGEN=DIR and HEAL=DIR, with scorers in them, measure generated tests and heals
	@$(PYTHON) scripts/set_up.py test
	@$(IN_VENV)/python -m bench $(BENCH) $(if $(PYGEN),--pygen $(PYGEN)) $(if $(VENV),--venv $(VENV)) $(if $(HEAL),--heal $(HEAL))

docs: ## write the generated parts of docs/
	@$(IN_VENV)/python scripts/write_cli_reference.py

lock: ## pin the newest versions of everything that development needs
	@$(IN_VENV)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group dev --no-emit-index-url \
		--no-annotate --custom-compile-command "make lock" -o requirements/dev.txt pyproject.toml

clean: ## remove what the other targets made
	rm -rf .venv build examples/web-shop/node_modules .mypy_cache .pytest_cache .ruff_cache
