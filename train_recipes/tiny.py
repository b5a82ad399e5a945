"""A real checkpoint that costs nothing: a tiny random Llama with its own tokenizer and chat template, for smoke runs.

python -m train_recipes.tiny FOLDER
"""

from pathlib import Path
from typing import Any

import typer

_SPECIALS = ("<s>", "</s>", "<pad>")
_CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)


def write(folder: Path) -> None:
    """A checkpoint that transformers loads offline: 2 layers, 64 hidden units, 512 tokens."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=8192,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _tokenizer() -> Any:
    """A byte-level tokenizer trained on the files beside this one: it can encode any text."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    corpus = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]
    trained.train_from_iterator(corpus, vocab_size=512, special_tokens=list(_SPECIALS))
    start, end, padding = _SPECIALS
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer, bos_token=start, eos_token=end, pad_token=padding
    )
    tokenizer.chat_template = _CHAT_TEMPLATE
    return tokenizer


if __name__ == "__main__":
    typer.run(write)
