"""The translator: NumPy-form solutions and their `zwc` form do the same."""

import ast
import copy
import re
import warnings
from pathlib import Path

import pytest

from sandbox.comparison import agree
from sandbox.records import Case, Tolerance
from sebench_tasks import build, numpy_runs, oracle
from sebench_tasks.errors import OracleError
from sebench_tasks.prompts import Condition
from sebench_tasks.translation.names import function_paths
from zwc.vocabulary import Vocabulary

NUMBERS = [[1.5, -2.0, 3.0], [4.0, 5.5, -6.0]]
COUNTS = [3, 1, 2, 3, 0]

# What each line returns is compared between NumPy and zwc; `a` is a float matrix, `v` a list of ints.
EXPRESSIONS = """
np.array(a).tolist()
np.array(a).sum(axis=0).tolist()
np.array(a).mean()
[row.tolist() for row in np.array(a)]
np.array(v).tolist() + [1]
sorted(np.array(v).tolist())
np.array(a).reshape(3, 2).tolist()
np.array(a).reshape((2, -1)).T.tolist()
np.array(a).astype(int).tolist()
np.sum(v).astype(float)
np.array(a).flatten()
np.array(a).transpose(1, 0)
np.array(a).transpose()
np.array(v).max().item()
np.array([4.5]).item()
np.array(a).item(1, 2)
np.array(a).item(4)
np.array(v).dot(np.array(v))
np.array(a).std(axis=1, ddof=1)
np.array(v).argmax()
np.array(v).cumsum()[-1]
np.array(a).round(0)
np.array(a).clip(0, 4)
np.array(v).repeat(2)
(np.array(v) > 1).any()
~(np.array(v) > 1)
~np.any(np.array(v) > 9)
np.array(v).nonzero()[0]
np.array([1 + 2j, 3]).real
np.array([1 + 2j, 3]).conj().imag
np.roots([1, 0, 4])[0].real
np.pi
[np.inf, -np.inf, np.e]
np.isnan(np.nan)
np.array(v)[:, np.newaxis]
np.array(v)[np.newaxis, :].shape[1]
np.zeros(3, dtype=np.int64)
str(np.zeros(3, dtype=np.float32).dtype)
np.array(a).dtype.name
np.array(v).dtype.kind
np.float64(v[0])
np.int32(v[0])
np.bool_(v[0])
np.uint8(v[0])
[np.array(v).size, np.array(a).ndim]
np.sum(v).ndim
len(np.mean(a).shape)
isinstance(np.array(v), np.ndarray)
isinstance(np.sum(v), np.integer)
isinstance(np.mean(v), (np.floating, list))
isinstance(np.array(v)[0], np.generic)
hasattr(v, "tolist")
hasattr(np.array(v), "tolist")
np.mean(v) / np.float64(0)
np.sum(v) // np.max(v)
np.max(v) ** 2
"%.2f" % np.mean(v)
np.append(v, [7, 8])
np.append(a, [[1, 2, 3]], axis=0)
np.isin(v, [1, 3])
np.setdiff1d(v, [1, 3])
np.setxor1d(v, [1, 9])
np.flatnonzero(v)
np.ravel_multi_index(([0, 1], [2, 1]), (2, 3))
np.column_stack((v, v))
np.dstack((a, a))
np.fliplr(a)
np.flipud(a)
np.array_split(v, 2)
np.hsplit(np.array(a), 3)
np.vsplit(np.array(a), 2)
np.nansum([1, np.nan])
np.nanmean([[1, np.nan], [2, 4]], axis=1)
np.nanmax([[1, np.nan], [2, 4]], axis=0)
np.nanstd([1, np.nan, 4], ddof=1)
np.nanmedian([[1, np.nan, 3], [2, 4, 9]], axis=1)
np.nanpercentile([1, np.nan, 4], 50)
np.apply_along_axis(lambda r: r.max() - r.min(), 1, np.array(a))
np.apply_along_axis(np.sort, 0, np.array(a))
np.take_along_axis(np.array(a), np.argsort(a, axis=1), axis=1)
np.tril_indices(3, -1)
np.triu_indices(3, 1)
np.diag_indices(2)
np.indices((2, 2))
list(np.ndindex(2, 2))
[(i, x) for i, x in np.ndenumerate(np.array(a))]
np.fromiter((x * 2 for x in v), dtype=int)
np.fromfunction(lambda i, j: i + j, (2, 3))
np.trim_zeros([0, 1, 2, 0])
np.ediff1d(v)
np.float_power(2, -1)
np.angle(1j, deg=True)
np.iscomplex([1j, 1])
np.isneginf([-np.inf, 1])
np.vander([1, 2, 3], 3)
np.polyadd([1, 2], [1, 2, 3])
np.polymul([1, 2], [1, 3])
np.polyder([1, 2, 3])
np.polyint([2, 2])
np.poly([1, 2])
np.histogram_bin_edges(v, 3)
np.trapezoid(v)
np.matrix_transpose(np.array(a))
np.array(a).mT
np.lcm.reduce([4, 6, 10])
np.add.reduce(a)
np.add.reduce(a, axis=1)
np.logical_or.reduce([[True, False], [False, False]])
np.bitwise_xor.reduce(v)
np.maximum.accumulate(v)
np.multiply.accumulate(v)
np.subtract.outer(v, v)
np.c_[v, v]
np.array(a)[np.s_[0, 1:]]
np.array(a)[np.index_exp[..., ::2]]
np.r_[1:4, 0, v]
np.vectorize(lambda x: x + 1)(v)
np.piecewise(np.array(v), [np.array(v) > 1], [lambda x: x * 2, 0])
list(map(np.sqrt, v))
{"sum": np.sum, "max": np.max}["max"](v)
np.linalg.det(np.eye(2))
np.linalg.eigh([[2, 0], [0, 3]]).eigenvalues
np.linalg.svd([[2, 0], [0, 3]]).S
np.linalg.slogdet([[2, 0], [0, 3]]).logabsdet
np.iinfo(np.int32).max
np.iinfo("uint8").min
np.finfo(float).eps
np.issubdtype(np.array(v).dtype, np.integer)
np.issubdtype(np.array(a).dtype, np.integer)
np.dtype("int32") == np.zeros(2, dtype="int32").dtype
np.lib.stride_tricks.sliding_window_view(np.array(v), 3)
np.array(v).searchsorted(2)
np.array(a).compress([True, False], axis=0)
np.array(a).trace()
np.ndim(a)
np.unique(v, return_counts=True)
[int(x) for x in np.array(v).flat]
"a-b".partition("-")[0]
[3, 1].copy()
""".strip().split("\n")

PROGRAMS = {
    "sort in place": "x = np.array(v)\nx.sort()\nreturn x.tolist()",
    "sort of a list": "x = [3, 1, 2]\nx.sort(reverse=True)\nreturn x",
    "sort of something unknown": "for x in ([2, 1], np.array([2, 1])):\n    x.sort()\n    v = v + list(x)\nreturn v",
    "copies": "x = np.array(v)\ny = x.copy()\ny[0] = 9\nz = v.copy()\nz[0] = 8\nreturn [x.tolist(), y.tolist(), z]",
    "fill": "x = np.zeros((2, 2))\nx.fill(3)\nreturn x.tolist()",
    "flat": "x = np.zeros(3)\nx.flat[1] = 3\nreturn x.tolist()",
    "shape": "x = np.arange(6)\nx.shape = (2, 3)\nreturn x.tolist()",
    "fill_diagonal": "x = np.zeros((2, 2))\nnp.fill_diagonal(x, 5)\nreturn x.tolist()",
    "add.at": "x = np.zeros(3)\nnp.add.at(x, [0, 0, 2], 1)\nreturn x.tolist()",
    "errstate": "with np.errstate(divide='ignore'):\n    x = np.log(0.0)\n    y = 2\nreturn [float(x), y]",
    "linear algebra error": "try:\n    np.linalg.inv([[0, 0], [0, 0]])\nexcept np.linalg.LinAlgError:\n    return -1",
    "partition": "x = np.array(v)\nx.partition(2)\nreturn x[2]",
    "helper that makes lists": "def rows(m):\n    return np.array(m).tolist()\nr = rows(a)\nr.append(1)\nreturn r",
    "print options": "np.set_printoptions(precision=3)\nreturn v",
    "annotations": "def f(x: np.ndarray) -> np.float64:\n    return np.mean(x)\ny: np.ndarray = f(v)\nreturn y",
    "decorator": "@np.vectorize\ndef f(x):\n    return x * 2\nreturn f(v).tolist()",
    "class with methods": "class Box:\n    def mean(self):\n        return 7\nreturn Box().mean()",
    "mask": "x = np.array(v)\nx[x > 1] *= 10\nreturn x.tolist()",
    "augmented": "x = np.array(a)\nx /= 2\nx -= x.mean()\nreturn x.tolist()",
    "unpacking": "values, counts = np.unique(v, return_counts=True)\nreturn [values.tolist(), counts.tolist()]",
    "loops": "r = []\nfor i, (x, y) in enumerate(zip(np.array(v), np.flip(v))):\n    r.append(x * y + i)\nreturn r",
    "zero by zero": "x = np.std([1, 1])\nm = np.mean([1, 1])\nreturn float(m / x)",
    "list at first": "v.sort()\nv = np.array(v)\nw = v.copy()\nreturn w.tolist()",
    "sum from zero": "total = 0\nfor x in np.array(a):\n    total += x.sum()\nreturn total / np.sum([0.0])",
    "conditional list": "x = np.array(v)\nreturn x.tolist() if x.size else []",
    "module functions": "import statistics\nreturn statistics.mean(v) + math.floor(2.5)",
}

IMPORTS = {
    "import numpy": "numpy.linalg.inv(numpy.eye(2)).tolist()",
    "import numpy as xp": "xp.mean(a)",
    "from numpy import array as arr, mean": "mean(arr(v))",
    "from numpy.linalg import inv": "inv([[2.0]]).tolist()",
    "import numpy.linalg as la": "la.det([[2.0]])",
    "import numpy.linalg": "numpy.linalg.det([[2.0]])",
    "from numpy import linalg": "linalg.inv([[2.0]]).tolist()",
    "import numpy as np, math": "math.pi * np.sum(v)",
    "from numpy import pi, linalg as la": "pi * la.norm(v)",
}


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.default()


def solution(body, imports="import numpy as np"):
    indented = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"{imports}\nimport math\n\ndef solve(a, v):\n{indented}\n"


def translated(make_problem, source, vocabulary):
    cases = (Case({"a": NUMBERS, "v": COUNTS}, 0),)
    problem = make_problem(signature="def solve(a, v):", solution=source, cases=cases)
    return oracle.solution(problem, vocabulary)


def assert_same(make_problem, run_zwc, vocabulary, source):
    arguments = {"a": NUMBERS, "v": COUNTS}
    namespace = {}
    exec(source, namespace)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        by_numpy = numpy_runs.as_plain(namespace["solve"](**copy.deepcopy(arguments)))
    code = translated(make_problem, source, vocabulary)
    assert not re.search(r"\b(numpy|np)\b", code)
    [by_zwc] = run_zwc(code, "solve", [arguments], vocabulary)
    assert agree(by_zwc, by_numpy, Tolerance()), f"{by_zwc} is not {by_numpy}:\n{code}"


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_do_the_same(make_problem, run_zwc, vocabulary, expression):
    assert_same(make_problem, run_zwc, vocabulary, solution(f"return {expression}"))


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_programs_do_the_same(make_problem, run_zwc, vocabulary, body):
    assert_same(make_problem, run_zwc, vocabulary, solution(body))


@pytest.mark.parametrize(("imports", "expression"), IMPORTS.items())
def test_all_import_forms_are_understood(make_problem, run_zwc, vocabulary, imports, expression):
    assert_same(make_problem, run_zwc, vocabulary, solution(f"return {expression}", imports))


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ("return np.einsum('i->', v)", "einsum"),
        ("return np.random.rand()", "random.rand"),
        ("return np.array(v).view('int8')", "view"),
        ("return np.array(v).nbytes", "nbytes"),
        ("x = np.array([1j])\nx.real = 1\nreturn x", "x.real = 1"),
        ("return np.r_['c', v]", "np.r_"),
    ],
)
def test_what_has_no_counterpart_is_named(make_problem, vocabulary, body, missing):
    with pytest.raises(OracleError, match=re.escape(missing)):
        translated(make_problem, solution(body), vocabulary)


def test_the_answer_is_a_fenced_block_with_pseudo_names(problem, vocabulary):
    answer = oracle.answer(problem, vocabulary, Condition.CLOSED)
    assert answer.startswith("```python\nimport zwc\n")
    assert answer.endswith("\n```\n")
    assert vocabulary.qualified("median") in answer


def test_every_vocabulary_gives_its_own_names(problem):
    answers = {oracle.answer(problem, Vocabulary.from_seed(seed), Condition.OPEN) for seed in range(3)}
    assert len(answers) == 3


def test_linear_algebra_is_found_in_the_submodule(make_problem, vocabulary):
    code = translated(make_problem, solution("return np.linalg.trace(a)"), vocabulary)
    assert vocabulary.qualified("linalg.trace") in code
    assert vocabulary.qualified("linalg.trace").startswith("zwc.rfx.")


def test_astype_stays_where_it_is_the_question(make_problem, vocabulary):
    source = solution("return np.array(a).astype('int64').tolist()")
    problem = make_problem(signature="def solve(a, v):", solution=source, functions=("astype",))
    assert vocabulary.qualified("astype") in oracle.solution(problem, vocabulary)


def test_function_paths_sees_aliases_and_ufunc_methods():
    source = "import numpy as np\nfrom numpy.linalg import inv as i\nnp.trapezoid(i(x)); np.add.reduce(y)"
    assert {"trapz", "linalg.inv", "add"} <= function_paths(source)


def test_all_shims_translate(make_problem, vocabulary):
    from sebench_tasks.translation.shims import SOURCE
    from sebench_tasks.translation.translator import translate

    names = [node.name for node in ast.parse(SOURCE).body if isinstance(node, ast.FunctionDef)]
    text = "import numpy as np\n\ndef solve():\n    return [" + ", ".join(f"np.{name}" for name in names) + "]\n"
    code = translate(text, lambda name: vocabulary.qualified(name) if name in vocabulary.names else None, "solve")
    assert not re.search(r"\bnp\b", code)
    compile(code, "shims", "exec")


def test_the_oracle_solves_every_problem_of_the_sources(run_zwc, vocabulary):
    failed = []
    for problem in build.build(Path(build.SOURCES)):
        calls = [dict(case.arguments) for case in problem.cases]
        values = run_zwc(oracle.solution(problem, vocabulary), problem.entry_point, calls, vocabulary)
        tolerance = problem.tolerance or Tolerance()
        if not all(agree(v, c.expected, tolerance) for v, c in zip(values, problem.cases, strict=True)):
            failed.append(problem.id)
    assert failed == []
