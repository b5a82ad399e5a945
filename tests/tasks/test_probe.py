"""The contamination probe, without a language model: its scores are made up, or a stand-in answers."""

import hashlib
import json
import statistics
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from sebench_tasks.cli import app
from sebench_tasks.errors import ProbeError
from sebench_tasks.probe import chance, findings, model, plan, power, questions, sheet
from sebench_tasks.probe.findings import Knowledge
from sebench_tasks.probe.model import Form
from sebench_tasks.probe.questions import Kind, Pair
from zwc.vocabulary import Vocabulary

RECALLED = -0.5


def noise(*words, scale=1.0):
    """The same normal number for the same words."""
    digest = hashlib.sha256("/".join(words).encode()).digest()
    share = (int.from_bytes(digest[:7], "big") + 0.5) / 2**56
    return scale * statistics.NormalDist().inv_cdf(share)


def prejudiced(pair):
    """Log-likelihood of a model that has met no vocabulary and has strong opinions: on letters, functions, likeness."""
    letters = sum(noise("letters", pair.name[i : i + 2], scale=3.0) for i in range(len(pair.name) - 1))
    function = noise("function", pair.function_id, scale=4.0)
    alike = 4.0 * len(set(pair.function_id[:3]) & set(pair.name[:3]))
    own = noise(pair.kind, pair.function_id, pair.name) * np.exp(noise("heavy", pair.name, pair.function_id))
    return -25.0 + letters + function + alike + own


def knowing(*known):
    """A prejudiced model that also recalls some pairs, each a kind, a function id and a name."""
    facts = set(known)
    return lambda pair: RECALLED if pair in facts else prejudiced(pair)


def facts(vocabulary, functions, kinds=tuple(Kind)):
    return [Pair(kind, f, vocabulary.names[f]) for kind in kinds for f in functions]


class Setting:
    """The control and blocks of one probe, so that several vocabularies cost little."""

    def __init__(self, limit=64, options=8, seed=0):
        self.unknown = plan.UnknownNames(seed)
        self.blocks = plan.blocks_of(sorted(Vocabulary.default().names), options, limit, seed)
        self.functions = [f for block in self.blocks for f in block]
        self.options = options
        self.control = self.sheet(self.unknown.vocabulary(), prejudiced)[1]

    def sheet(self, vocabulary, score):
        made = plan.make(vocabulary, self.blocks, self.options, self.unknown)
        return made, sheet.fill(made, {pair: score(pair) for pair in made.pairs()})

    def judge(self, vocabulary, score):
        return findings.judge(*self.sheet(vocabulary, score), self.control, 0)  # type: ignore[call-arg]


@pytest.fixture(scope="module")
def setting():
    return Setting()


def test_false_alarms_are_as_rare_as_the_p_values_say():
    setting, rng, count = Setting(limit=32, options=6), np.random.default_rng(1), 200
    sheets = [setting.sheet(Vocabulary.from_seed(seed), prejudiced)[1] for seed in range(1, count + 1)]
    units = [sheet.scales(filled, setting.control) for filled in sheets]
    tests = {
        "pairing": [chance.pairing_p(s.translation(u), rng, 999) for s, u in zip(sheets, units, strict=True)],
        "names": [chance.choice_p(s.completion(u), rng, 999) for s, u in zip(sheets, units, strict=True)],
        "overall": [findings.overall_p(s, u, rng) for s, u in zip(sheets, units, strict=True)],
    }
    for name, values in tests.items():
        # Kolmogorov's distance at the level of 0.1%: 1.95 / sqrt(count).
        distance = max(abs((np.array(values) <= x).mean() - x) for x in np.linspace(0.01, 0.99, 99))
        assert distance < 1.95 / count**0.5, (name, distance)
        assert sum(value <= findings.SIGNIFICANCE for value in values) <= 8, name  # 2 are expected, 9 once in 4000


def test_without_the_controls_the_same_opinions_would_look_like_knowledge(setting):
    """What the tests of chance are for: raw scores of true names differ from others' by much more than noise."""
    _, filled = setting.sheet(Vocabulary.default(), prejudiced)
    raw = np.concatenate([np.diagonal(block) for block in filled.blocks[Kind.NAME]])
    assert raw.std() > 3 * filled.spread(Kind.NAME) / 2


def test_a_model_without_knowledge_is_clean(setting):
    found = setting.judge(Vocabulary.default(), prejudiced)
    assert (found.knowledge, found.known) == (Knowledge.NONE, ())
    assert found.text == "no sign that it knows the vocabulary"
    assert not any(record["known"] for record in found.functions.values())


def test_known_functions_are_found_counted_and_named(setting):
    default, taught = Vocabulary.default(), setting.functions[::4]
    found = setting.judge(default, knowing(*facts(default, taught)))
    assert found.knowledge is Knowledge.PART
    assert set(found.known) >= set(taught)
    assert len(set(found.known) - set(taught)) <= 3
    assert found.translation.low <= len(taught) <= found.translation.high
    assert found.completion.low <= len(taught) <= found.completion.high
    assert "knows part of it: about" in found.text
    assert setting.judge(Vocabulary.from_seed(7), knowing(*facts(default, taught))).knowledge is Knowledge.NONE


def test_a_vocabulary_known_for_the_most_part_is_spent(setting):
    default, taught = Vocabulary.default(), setting.functions[: len(setting.functions) * 3 // 4]
    found = setting.judge(default, knowing(*facts(default, taught)))
    assert found.knowledge is Knowledge.MOST
    assert found.text.endswith("choose a new seed")


@pytest.mark.parametrize("kind", Kind)
def test_knowledge_of_one_kind_is_enough_and_shows_in_its_row_alone(setting, kind):
    default = Vocabulary.default()
    found = setting.judge(default, knowing(*facts(default, setting.functions[::3], [kind])))
    assert found.knowledge is not Knowledge.NONE
    assert found.kinds[kind].p_value < 0.001
    assert all(other.p_value > 0.001 for name, other in found.kinds.items() if name != kind)


def test_what_the_probe_says_it_would_notice_it_does_notice(setting):
    limits = power.limits(setting.control, Form.LIKELIHOOD, findings.SIGNIFICANCE, 0)
    assert 1 < limits.recall < limits.recognition
    rng, noticed = np.random.default_rng(5), Counter()
    for seed in range(101, 121):
        words = Vocabulary.from_seed(seed)
        for count in (limits.recall, 1):
            taught = rng.choice(setting.functions, count, replace=False).tolist()
            _, filled = setting.sheet(words, knowing(*facts(words, taught, questions.TRANSLATION)))
            p = findings.overall_p(filled, sheet.scales(filled, setting.control), rng)
            noticed[count] += p <= findings.SIGNIFICANCE
    assert noticed[limits.recall] >= 11  # 16 of 20 are claimed; fewer than 11 would come once in 500
    assert noticed[1] < 8


def test_few_questions_can_leave_nothing_to_notice():
    tiny = Setting(limit=2, options=2)
    limits = power.limits(tiny.control, Form.LIKELIHOOD, findings.SIGNIFICANCE, 0)
    assert limits == power.Limits(None, None)


def test_scores_without_any_difference_prove_nothing(setting):
    found = setting.judge(Vocabulary.default(), lambda pair: 0.0)
    assert (found.knowledge, found.p_value) == (Knowledge.NONE, 1.0)
    assert all(row.p_value == 1.0 and row.estimate.known == 0.0 for row in found.kinds.values())


def test_places_that_tie_are_shared():
    assert chance.first_places(np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]])).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("right", "count", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_intervals_are_wilsons(right, count, low, high):
    assert chance.interval(right / count, count) == pytest.approx((low, high), abs=1e-4)


def test_single_discoveries_bound_the_false_ones():
    null = np.random.default_rng(0).normal(size=4000)
    values = np.concatenate([np.full(10, 8.0), null[:90]])
    p, real = chance.discoveries(values, null, 0.05)
    assert p[:10] == pytest.approx(1 / 4001)
    assert real[:10].all()
    assert real[10:].sum() <= 2
    assert not chance.discoveries(null[:90], null, 0.05)[1].any()


def test_the_plan_asks_each_function_once_and_false_names_are_like_the_true_one():
    default, unknown = Vocabulary.default(), plan.UnknownNames(3)
    blocks = plan.blocks_of(sorted(default.names), 8, None, 3)
    made = plan.make(default, blocks, 6, unknown)
    assert sorted(made.functions) == sorted(default.names)
    assert {len(block) for block in blocks} <= {7, 8}
    false = [name for names in made.lists for name in names[1:]]
    assert len(false) == len(set(false)) == 5 * len(default.names)
    assert not set(false) & set(default.names.values())
    for function_id, names in zip(made.functions, made.lists, strict=True):
        assert names[0] == default.names[function_id]
        assert {(len(name), name[:2]) for name in names} == {(len(names[0]), names[0][:2])}


def test_the_plan_follows_from_the_seed():
    def made(seed):
        words = Vocabulary.from_seed(5)
        return plan.make(words, plan.blocks_of(sorted(words.names), 8, 32, seed), 4, plan.UnknownNames(seed))

    assert made(1) == made(1)
    assert made(1).blocks != made(2).blocks
    assert plan.UnknownNames(1).vocabulary() != plan.UnknownNames(2).vocabulary()


def test_questions_do_not_contain_their_answers():
    for function_id, name in Vocabulary.default().names.items():
        for kind in Kind:
            pair = Pair(kind, function_id, name)
            assert questions.answer_word(pair) in questions.answer(pair)
            asked = questions.text(pair).split()
            assert questions.answer_word(pair) not in asked
            if kind is not Kind.MEANING:
                assert name[:3] not in asked


@pytest.fixture(scope="module")
def stand_in():
    """A chat model of lm-eval that gives no log-likelihoods and knows a third of the default vocabulary."""
    pytest.importorskip("lm_eval")
    import lm_eval.models  # noqa: F401
    from lm_eval.api.model import LM
    from lm_eval.api.registry import register_model

    names = Vocabulary.default().names
    taught = {function_id: names[function_id] for function_id in sorted(names)[::3]}

    def reply(question):
        last = question.splitlines()[-1]
        for function_id, name in taught.items():
            if f"NumPy calls {function_id}," in last or f"numpy.{function_id}(x)" in question:
                return f"It is `zwc.{name}`."
            if f"zwc calls {name}," in last:
                return f"NumPy's {function_id.upper()}"
        return "I think that it is mean, or kocitu."

    @register_model("sebench_test_stand_in")
    class StandIn(LM):
        def __init__(self, **settings):
            super().__init__()

        def generate_until(self, requests):
            assert all(request.args[1]["until"] for request in requests)
            return [reply(request.args[0]) for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError("no likelihoods here")

        loglikelihood_rolling = loglikelihood

        def apply_chat_template(self, messages):
            return "\n".join(message["content"] for message in messages)

    return taught


def probe(*arguments):
    return CliRunner().invoke(app, ["probe", *map(str, arguments)])


@pytest.mark.parametrize("chat", [[], ["--apply-chat-template"]])
def test_a_model_without_likelihoods_is_asked_to_answer(stand_in, tmp_path, chat):
    arguments = ["--vocabulary", "default", "--vocabulary", "seed:7", "--limit", 120, *chat]
    result = probe("--model", "sebench_test_stand_in", "--output", tmp_path / "r.json", *arguments)
    assert result.exit_code == 4, result.output
    record = json.loads((tmp_path / "r.json").read_text())
    default, seven = record["vocabularies"]
    assert record["model"]["form"] == "generation"
    assert (default["knowledge"], seven["knowledge"]) == ("part", "none")
    asked = set(stand_in) & set(default["functions"])
    assert set(default["known"]) >= asked
    assert len(set(default["known"]) - asked) <= 2
    assert default["translation"]["low"] <= len(asked) <= default["translation"]["high"]
    assert default["fingerprint"] == Vocabulary.default().fingerprint
    assert "Verdict on default: knows part of it" in result.output
    assert "Verdict on seed:7: no sign that it knows the vocabulary" in result.output


@pytest.mark.parametrize(("response", "said"), [("", "responses are empty"), (None, "lost 10 of 10 responses")])
def test_silence_is_a_fault_and_no_ignorance(response, said):
    with pytest.raises(ProbeError, match=said):
        model._check([response] * 10)
    model._check(["", "kocito", "no"])


def test_a_form_that_the_model_lacks_is_refused(stand_in):
    result = probe("--model", "sebench_test_stand_in", "--form", "likelihood")
    assert result.exit_code == 2
    assert "gives no log-likelihoods" in result.output


def test_a_model_that_does_not_exist_is_refused():
    pytest.importorskip("lm_eval")
    result = probe("--model", "no_such_backend")
    assert result.exit_code == 2
    assert "no_such_backend" in result.output


def test_too_few_functions_and_unknown_vocabularies_are_refused():
    assert probe("--model", "hf", "--limit", 3).exit_code == 2
    assert probe("--model", "hf", "--vocabulary", "nowhere").exit_code == 2


def test_results_that_could_not_be_written_are_not_asked_for(tmp_path):
    result = probe("--model", "hf", "--output", tmp_path / "missing" / "result.json")
    assert result.exit_code == 2
    assert "there is no folder" in result.output


def test_running_out_of_unknown_names_is_said(monkeypatch):
    monkeypatch.setattr(plan, "_MOST_SEEDS", 1)
    with pytest.raises(ProbeError, match="no names like 'kocito'"):
        plan.UnknownNames(0).alike("kocito", 50, set())
