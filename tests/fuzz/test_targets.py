"""The fuzz targets accept their seeds and whatever else is at hand; a longer search needs atheris."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sandbox.mutations import ODD_JSON, mutated_bytes

NAMES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if path.stem[0] != "_" and path != Path(__file__)
)


@pytest.fixture(params=NAMES)
def target(request: pytest.FixtureRequest) -> ModuleType:
    """Each target."""
    return importlib.import_module(f"tests.fuzz.{request.param}")


def test_seeds_are_sound(target: ModuleType) -> None:
    for seed in target.SEEDS:
        target.check(seed)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_what_becomes_of_seeds_is_sound(name: str, data: st.DataObject) -> None:
    target = importlib.import_module(f"tests.fuzz.{name}")
    seed = data.draw(st.sampled_from(target.SEEDS))
    target.check(data.draw(mutated_bytes(seed) | st.binary(max_size=50) | st.sampled_from(ODD_JSON)))


def test_every_target_can_be_run_by_name() -> None:
    text = Path(__file__).with_name("__main__.py").read_text(encoding="utf-8")
    listed = text.partition("NAMES = ")[2].partition("\n")[0]
    assert listed == str(tuple(NAMES)).replace("'", '"')
