"""Small made-up files in the form of the official data set: rows of problems, and the API file of a vocabulary."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from zwc.vocabulary import Vocabulary

Row = dict[str, Any]


def row(signature: str, body: str, functions: Iterable[str], results: Mapping[str, str]) -> Row:
    """One problem; `results` are the printed true results by the text of the arguments."""
    return {
        "selected_functions": list(functions),
        "query": f"A made-up task for {signature.partition('(')[0].removeprefix('def ')}.",
        "test_cases": [{"input": text, "output": "unsound"} for text in results],
        "example_output": [f"\nimport numpy as np\n\n{signature}\n    {body}\n"],
        "function_name": signature,
        "example": {"input": next(iter(results)), "output": "unsound"},
        "right_exe_result": "#".join(results.values()),
    }


MIDDLE = row(
    "def middle(values):",
    "return float(np.median(values))",
    ["median"],
    {"values=[1, 2, 3, 10]": "2.5", "values=[4]": "4.0", "values=[7, 1, 9]": "np.float64(7.0)"},
)
DIAGONAL = row(
    "def diagonal_sum(table):",
    "return np.linalg.trace(np.array(table)).tolist()",
    ["trace"],
    {"table=[[1, 2], [3, 4.5]]": "5.5", "table=[[1]]": "1", "table=[[2, 0], [9, 2]]": "4"},
)
GAPS = row(
    "def gaps(values):",
    "return np.diff(np.sort(np.abs(values))).tolist()",
    ["diff", "sort", "abs"],
    {"values=[3, -1, 8]": "[2, 5]", "values=[5]": "[]", "values=[2.5, -2, 2]": "array([0. , 0.5])"},
)


def write_rows(path: Path, *rows: Row | str) -> Path:
    """A problem file; text is written as it is."""
    lines = [line if isinstance(line, str) else json.dumps(line) for line in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def api_records(vocabulary: Vocabulary) -> list[dict[str, str]]:
    """The records of an API file: as in the official one, `linalg` is told by the mapping alone."""
    return [
        {
            "original_name": function_id.removeprefix("linalg."),
            "curr_name": name,
            "func_mapping": json.dumps({f"np.{function_id}": vocabulary.qualified(function_id)}),
        }
        for function_id, name in vocabulary.names.items()
    ]


def write_api_file(path: Path, vocabulary: Vocabulary) -> Path:
    """An API file that gives the names of `vocabulary`."""
    path.write_text("".join(json.dumps(record) + "\n" for record in api_records(vocabulary)), encoding="utf-8")
    return path
