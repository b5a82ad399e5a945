"""The checker finds answers that depend on what NumPy leaves open or on the last digits of numbers."""

import warnings

import numpy as np
import pytest

from sandbox.records import Case
from sebench_tasks.checking import perturbations, probe_process, probes, stability

SYMMETRIC = [[[2.5, n + 0.25], [n + 0.25, -1]] for n in range(8)]
TENTHS = [[0.1 * n, 0.7, 2.3] for n in range(1, 9)]
TIED = [[n, 2, n, 2, 1] for n in range(8)]


@pytest.fixture
def found(make_problem):
    """Makes the stability faults of a problem with this body."""

    def find(body, inputs):
        space = {}
        source = f"import math\nimport numpy as np\n\ndef answer(x):\n    {body}\n"
        exec(source, space)
        cases = tuple(Case({"x": value}, plain(space["answer"](value))) for value in inputs)
        problem = make_problem(solution=source, signature="def answer(x):", cases=cases)
        asked = stability.questions(problem)
        job = probes.encoded(problem, [probe for _, probe in asked])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            findings = [probes.Finding(*one) for one in probe_process.answer(job, limit_s=60.0)]
        return [fault.text for fault in stability.faults(problem, asked, findings)]

    return find


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


@pytest.mark.parametrize(
    ("body", "inputs", "what"),
    [
        ("return np.argsort(x)", TIED, "the order of ties"),
        ("return np.array(x).argsort()", TIED, "the order of ties"),
        ("return np.argpartition(x, 2)", TIED, "inside a partition"),
        ("return np.partition(x, 2)[:2]", [[5, n + 3, 1, 2, 8] for n in range(8)], "inside a partition"),
        ("return np.linalg.eigvals(x)", SYMMETRIC, "the order of eigenvalues"),
        ("return np.roots(x)", [[1, -n - 3, 2] for n in range(8)], "the order of eigenvalues or roots"),
        ("return np.linalg.eigh(x)[1]", SYMMETRIC, "signs of vectors"),
        ("return np.linalg.eigh(x).eigenvectors", SYMMETRIC, "signs of vectors"),
        ("return np.linalg.svd(x)[0]", SYMMETRIC, "signs of vectors"),
        ("return np.linalg.qr(x)[1]", SYMMETRIC, "signs of vectors"),
        ("return np.linalg.qr(x, mode='r')", SYMMETRIC, "signs of vectors"),
        ("return int(np.linalg.det(x))", [[[1, 2], [3, n]] for n in range(8)], "the last digits of results"),
        ("return np.floor(np.log10(x)).tolist()", [[1000.5, 10 ** n] for n in range(8)], None),
        ("return np.linalg.solve(x, [1, 2]) > 0.5", [[[n, 0], [0, 4]] for n in (1, 2)], "the last digits of results"),
        ("return np.sum(x) == 3.1", [[0.1, 0.7, 2.3]], "the last digits of results"),
        ("return int(math.exp(x))", [0.0, 1.0986122886681098], "the last digits of results"),
        ("return [v ** 0.1 >= 1.0717734625362931 for v in x]", [[2.0]], "the last digits of results"),
        ("return (np.array(x) @ x) >= 0.53", [[0.1, 0.6, 0.4]], "the last digits of results"),
        ("return np.floor(np.array(x) * 10)", TENTHS, "the last digits of the given numbers"),
        ("return np.linalg.inv(x).tolist()", [[[1.0, 1.0], [1.0, 1.0 + 2.0 ** -30]]], "the last digits of results"),
    ],
)  # fmt: skip
def test_answers_that_are_not_well_defined_are_found(found, body, inputs, what):
    texts = found(body, inputs)
    assert texts == [] if what is None else any(what in text for text in texts)


@pytest.mark.parametrize(
    ("body", "inputs"),
    [
        ("return np.argsort(x, kind='stable')", TIED),
        ("return np.argsort(x, stable=True)", TIED),
        ("return np.sort(x)[np.argsort(np.argsort(x, kind='stable'))]", TIED),
        ("return np.partition(x, 2)[2]", TIED),
        ("return np.sort(np.linalg.eigvals(x))", SYMMETRIC),
        ("return np.abs(np.linalg.eigh(x)[1])", SYMMETRIC),
        ("u, s, v = np.linalg.svd(x)\n    return (u * s) @ v", SYMMETRIC),
        ("q, r = np.linalg.qr(x)\n    return q @ r", SYMMETRIC),
        ("return np.sign(np.linalg.slogdet(x)[0])", SYMMETRIC),
        ("return np.mean(x) >= 2", [[1, 2, 3], [1, 1]]),
        ("return np.floor(np.array(x) * 4)", [[0.25, 1.5, 2.75]]),
        ("return np.equal(x, 0.7)", TENTHS),
        ("return np.diff(np.sin(x)) == 0", [[0.3, 0.3, 0.4]]),
        ("return round(float(np.linalg.det(x)))", [[[1, 2], [3, n]] for n in range(8)]),
    ],
)
def test_well_defined_answers_have_no_faults(found, body, inputs):
    assert found(body, inputs) == []


def test_the_other_results_are_right():
    rows = np.array([[3.0, 1.0, 3.0, 2.0], [5.0, 5.0, 5.0, 0.0]])
    ordered = perturbations.ties("argsort", np.argsort, (rows,), {})
    assert ordered.tolist() == [[1, 3, 2, 0], [3, 2, 1, 0]]
    assert np.take_along_axis(rows, ordered, 1).tolist() == np.sort(rows).tolist()
    for axis in (0, 1, None):
        parted = perturbations.ties("partition", np.partition, (rows, 1), {"axis": axis})
        low, middle = np.split(np.moveaxis(parted, axis or 0, 0), [1])[0], np.sort(rows, axis)
        assert np.all(np.moveaxis(parted, axis or 0, 0)[1:] >= low)
        assert np.sort(parted, axis).tolist() == middle.tolist()


@pytest.mark.parametrize("step", ["1", "2"])
@pytest.mark.parametrize(
    "matrix", [[[2.0, 1], [1, 5]], [[1, 2], [3, 4], [5, 6.5]], [[1, 2, 3], [4, 5, 6.5]], [[2, 1j], [-1j, 3]]]
)
def test_other_signs_decompose_the_same_matrix(matrix, step):
    matrix, signs = np.array(matrix), perturbations.Signs(step)
    left, values, right = signs("linalg.svd", np.linalg.svd, (matrix,), {"full_matrices": False})
    np.testing.assert_allclose((left * values) @ right, matrix)
    orthogonal, upper = signs("linalg.qr", np.linalg.qr, (matrix,), {})
    np.testing.assert_allclose(orthogonal @ upper, matrix)
    if matrix.shape == (2, 2):
        found = signs("linalg.eigh", np.linalg.eigh, (matrix,), {})
        np.testing.assert_allclose(matrix @ found.eigenvectors, found.eigenvectors * found.eigenvalues)
        assert not np.allclose(found.eigenvectors, np.linalg.eigh(matrix).eigenvectors)


def test_noise_is_small_opposite_for_opposite_seeds_and_spares_round_numbers():
    values = np.array([0.1, 1 / 3, 0.5, 1e16 / 3, np.inf, np.nan, 0.0, 7.0])
    one, other = (perturbations.Noise(seed)("sum", lambda: values, (), {}) for seed in ("1", "-1"))
    np.testing.assert_allclose(one, values, rtol=2e-13)
    assert np.nonzero(one != values)[0].tolist() == [0, 1, 3, 5]
    np.testing.assert_allclose(one[:2] - values[:2], values[:2] - other[:2], rtol=1e-2)


def test_noise_reaches_round_results_of_iterations():
    noisy = perturbations.Noise("1")("linalg.inv", np.linalg.inv, (np.diag([2.0, 4.0]),), {})
    assert np.all(noisy != np.diag([0.5, 0.25]))


def test_equal_inputs_stay_equal_and_whole_ones_stay():
    first, second, third, kept = perturbations.noisy_input([0.7, -0.7, [0.7], 5], 1)
    assert first == -second == third[0] != 0.7
    assert kept == 5
