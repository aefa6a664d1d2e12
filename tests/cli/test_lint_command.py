from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from callwright.app.catalogs import read_catalog
from callwright.catalog.lint import lint
from callwright.cli.lint_command import command
from callwright.cli.lint_gate import junit_document
from callwright.cli.lint_plan import _where_they_differ
from callwright.errors import BadInput

FUNCTIONS = [
    {"name": "list_paid_orders", "description": "Lists all orders that were paid.", "parameters": {}},
    {"name": "list_open_orders", "description": "Lists all orders that were [bold]not paid.", "parameters": {}},
    {"name": "weather", "description": "", "parameters": {}},
]


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    path = tmp_path / "functions.json"
    path.write_text(json.dumps(FUNCTIONS), "utf-8")
    return str(path)


def test_json_has_the_documented_shape(catalog: str) -> None:
    """`--json` prints one document with tools, share, pairs and findings, and nothing else."""
    printed = json.loads(CliRunner().invoke(command, [catalog, "--json"], catch_exceptions=False).stdout)
    assert printed["tools"] == 3
    assert printed["near_duplicate_share"] == pytest.approx(2 / 3)
    assert printed["pairs_total"] == 1
    assert [set(pair) for pair in printed["pairs"]] == [{"a", "b", "score", "name", "description", "parameters"}]
    assert {"tool": "weather", "code": "description-missing"}.items() <= printed["findings"][0].items()
    assert set(printed["findings"][0]) == {"tool", "code", "message"}
    assert printed["families"] == []


def test_report_for_people_names_pairs_differences_and_findings(catalog: str) -> None:
    """The readable report shows the pair, what tells it apart, and the findings, markup untouched."""
    printed = CliRunner().invoke(command, [catalog], catch_exceptions=False).stdout
    for expected in (
        "list_paid_orders",
        "name: paid / open",
        "bold, not",
        "description-missing: 1",
    ):
        assert expected in printed


def test_top_limits_what_is_shown(catalog: str) -> None:
    """`--top 0` shows no pairs but still the counts and the findings."""
    printed = CliRunner().invoke(command, [catalog, "--top", "0"], catch_exceptions=False).stdout
    assert "1 pair. 0 families." in printed
    assert "list_paid_orders" not in printed


def test_bundled_catalogue_is_read_by_name() -> None:
    """`builtin/enterprise` names the bundled catalogue."""
    printed = json.loads(CliRunner().invoke(command, ["builtin/enterprise", "--json"], catch_exceptions=False).stdout)
    assert printed["tools"] >= 60
    assert printed["near_duplicate_share"] > 0


def test_all_pairs_are_streamed_into_the_same_document() -> None:
    """`--all-pairs` gives the same document; its pairs stand by position."""
    bounded, whole = (
        json.loads(CliRunner().invoke(command, ["builtin/enterprise", "--json", *more], catch_exceptions=False).stdout)
        for more in ([], ["--all-pairs"])
    )
    assert len(whole["pairs"]) == whole["pairs_total"] > 10
    assert sorted(map(str, whole.pop("pairs"))) == sorted(map(str, bounded.pop("pairs")))
    assert whole == bounded


def test_all_pairs_of_nothing_alike_is_json_too(tmp_path: Path) -> None:
    """A catalogue without near-duplicates streams an empty list."""
    (path := tmp_path / "one.json").write_text(json.dumps(FUNCTIONS[2:]), "utf-8")
    printed = CliRunner().invoke(command, [str(path), "--json", "--all-pairs"], catch_exceptions=False).stdout
    assert json.loads(printed)["pairs"] == []


def test_all_pairs_is_for_json(catalog: str) -> None:
    """`--all-pairs` without `--json` is refused with what to do."""
    with pytest.raises(BadInput, match="Add --json"):
        CliRunner().invoke(command, [catalog, "--all-pairs"], catch_exceptions=False)


def test_a_plan_is_one_json_document(tmp_path: Path) -> None:
    """`--fix-plan --json` prints suggestions with the documented fields; `-o` writes the changed catalogue."""
    out = tmp_path / "fixed.json"
    arguments = ["builtin/enterprise", "--fix-plan", "--json", "-o", str(out)]
    printed = json.loads(CliRunner().invoke(command, arguments, catch_exceptions=False).stdout)
    fields = {"tool", "from", "to", "why", "against", "score"}
    assert all(set(suggestion) == fields for suggestion in printed["suggestions"])
    assert printed["pairs"] == 20
    again = json.loads(CliRunner().invoke(command, [str(out), "--json"], catch_exceptions=False).stdout)
    assert again["pairs_total"] == printed["pairs_after"] < printed["pairs_before"]


def test_a_plan_for_people_shows_both_texts() -> None:
    """The readable plan says how many changes, and of each the figures, both texts and the reason."""
    arguments = ["builtin/enterprise", "--fix-plan", "--top", "10"]
    printed = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert "Most alike pairs looked at: 10" in printed
    assert "because" in printed
    assert ", use " in printed


def test_writing_is_for_plans(catalog: str, tmp_path: Path) -> None:
    """`-o` without `--fix-plan` is refused with what to do."""
    with pytest.raises(BadInput, match="Add --fix-plan"):
        CliRunner().invoke(command, [catalog, "-o", str(tmp_path / "x.json")], catch_exceptions=False)


@pytest.mark.parametrize("weights", ["1,2", "a,b,c", "1,1,1", "nan,0,0"])
def test_wrong_weights_are_bad_input(catalog: str, weights: str) -> None:
    """Weights that are not three shares of 1 are refused with an example."""
    with pytest.raises(BadInput, match=r"0\.4,0\.35,0\.25"):
        CliRunner().invoke(command, [catalog, "--weights", weights], catch_exceptions=False)


def test_a_long_change_is_cut_to_where_it_differs() -> None:
    """With the words before it; a short one stands whole."""
    same = "The same words at the start, which go on for more than eighty characters until something comes. "
    long_ = "and then it goes on " * 20
    old, new = _where_they_differ(same + "Old " + long_, same + "New " + long_)

    assert old.startswith("… ")
    assert "something comes. Old and then" in old
    assert new == old.replace("Old", "New")
    assert max(len(old), len(new)) <= 210
    assert _where_they_differ("pay", "pay now") == ("pay", "pay now")


def gate(catalog: str, *options: str) -> tuple[int, str]:
    """Exit code and output of the command."""
    done = CliRunner().invoke(command, [catalog, *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout


def test_too_many_pairs_are_an_exit_code(catalog: str) -> None:
    """Without `--max-confusable` there is none; with it, more pairs than that."""
    assert [gate(catalog, *more)[0] for more in ((), ("--max-confusable", "1"), ("--max-confusable", "0"))] == [0, 0, 1]
    assert gate(catalog, "--max-confusable", "0", "--json", "--all-pairs")[0] == 1


def test_a_baseline_leaves_only_what_is_new(catalog: str, tmp_path: Path) -> None:
    """What an earlier lint printed counts no more; a pair of a tool that was added does."""
    (base := tmp_path / "base.json").write_text(gate(catalog, "--json")[1])
    against = ("--baseline", str(base), "--max-confusable", "0")
    assert gate(catalog, *against)[0] == 0
    (more := tmp_path / "more.json").write_text(
        json.dumps([*FUNCTIONS, {"name": "list_late_orders", "description": "Lists all orders that are late."}])
    )
    code, printed = gate(str(more), *against, "--json")
    assert code == 1
    assert [{pair["a"], pair["b"]} & {"list_late_orders"} for pair in json.loads(printed)["pairs"]] == [
        {"list_late_orders"}
    ] * 2


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"pairs": [], "pairs_total": 3}', '{"pairs": [{"a": 1}], "pairs_total": 1}']
)
def test_a_baseline_that_lists_not_all_is_refused(catalog: str, tmp_path: Path, text: str) -> None:
    """Also one that is no output of lint."""
    (base := tmp_path / "base.json").write_text(text)
    with pytest.raises(BadInput, match="--json"):
        CliRunner().invoke(command, [catalog, "--baseline", str(base)], catch_exceptions=False)


def test_pairs_are_failures_of_a_test(catalog: str, tmp_path: Path) -> None:
    """`--junit` writes what CI servers read: a failure for each pair, with what tells the two apart."""
    path = tmp_path / "junit.xml"
    assert gate(catalog, "--junit", str(path))[0] == 0
    suite = ElementTree.fromstring(path.read_bytes())
    assert (suite.tag, suite.get("failures")) == ("testsuite", "1")
    assert [case.get("name") for case in suite] == ["list_paid_orders / list_open_orders"]
    assert "name: paid / open" in (suite[0][0].text or "")
    gate(catalog, "--junit", str(path), "--threshold", "1")
    assert [len(case) for case in ElementTree.fromstring(path.read_bytes())] == [0]


def test_what_is_not_listed_is_a_failure_too() -> None:
    """No pair is cut silently from the report for CI servers."""
    report = lint(read_catalog("builtin/enterprise"), most_pairs=3)
    cases = list(ElementTree.fromstring(junit_document(report)))
    assert len(cases) == 4
    assert cases[-1].get("name") == f"{report.pairs_total - 3} more pairs"
    assert len(cases[-1]) == 1


def test_a_gate_is_for_pairs(catalog: str) -> None:
    """A fix plan counts nothing."""
    with pytest.raises(BadInput, match="Leave out --fix-plan"):
        CliRunner().invoke(command, [catalog, "--fix-plan", "--max-confusable", "0"], catch_exceptions=False)


def test_families_stand_on_one_line_each(tmp_path: Path) -> None:
    """What is done to one thing by different tools is named once, and is no pair."""
    tools = [
        {"name": f"{act}_order", "description": f"{act.capitalize()} an order.", "parameters": {}}
        for act in ("get", "create", "cancel")
    ]
    (path := tmp_path / "orders.json").write_text(json.dumps(tools))
    printed = gate(str(path))[1]
    assert "0 pairs. 1 family." in printed
    assert "an order: get (get_order), create (create_order), cancel (cancel_order)" in printed
