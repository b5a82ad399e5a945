"""Makes `lm_eval --model sebench_oracle` known before lm-eval looks the model up.

lm-eval up to 0.4.13 creates the model before it imports any module of a task, and reads no entry points. The wheel
therefore brings `sebench_tasks_lm_eval.pth`, one line that imports this module in processes whose command line runs
lm-eval, and in no other. Later releases find the model by the entry point `lm_eval.models`.
"""

from __future__ import annotations

MODEL = "sebench_oracle"
TARGET = "sebench_tasks.lm_eval:OracleLM"


def register() -> None:
    """Register the oracle lazily: nothing is imported until somebody asks for it."""
    try:
        import lm_eval.models  # noqa: F401  (its own models load only while the registry is empty)
        from lm_eval.api.registry import model_registry
    except ImportError:
        return
    if MODEL not in model_registry:
        model_registry.register(MODEL, target=TARGET)


register()
