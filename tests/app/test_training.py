"""Training exports as folders, and the command that checks them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import callwright
from callwright.app.datasets import open_dataset, split
from callwright.app.training import LAYOUTS, export_training, read_export, verify_export
from callwright.cli import main
from callwright.errors import BadDocument, BadInput
from callwright.judge.asking import units
from callwright.judge.rubric import find_rubrics
from callwright.judge.subject import Talk
from callwright.protocol.kept_judgements import keep_judgements
from callwright.records.judgement import Sample
from callwright.train.chat_template import read_template


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a few dialogues."""
    folder = tmp_path_factory.mktemp("training") / "ds"
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=6, seed=3, out=folder)
    return folder


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("layout", ["trl", "sharegpt"])
@pytest.mark.parametrize("name", [["look"], {"look": 1}, 7])
def test_a_tool_without_a_name_is_named_with_its_row(dataset: Path, tmp_path: Path, layout: str, name: object) -> None:
    """The command exits 1 and names the row where the name of a tool is a list, an object or a number."""
    export_training(dataset, layout, out=tmp_path / "sft")
    path = tmp_path / "sft" / "train.jsonl"
    first, second, *others = path.read_text().splitlines()
    row = json.loads(second)
    tools = json.loads(row["tools"])
    tools[0].get("function", tools[0])["name"] = name
    path.write_text("\n".join([first, json.dumps(row | {"tools": json.dumps(tools)}), *others]) + "\n")
    template = ("--template", "qwen2_5") if layout == "trl" else ()
    code, said, _ = run("verify-export", str(tmp_path / "sft"), *template, "--json")
    assert (code, {one["row"] for one in json.loads(said)["findings"]}) == (1, {0, 2})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_is_exported_and_passes(dataset: Path, tmp_path: Path, layout: str) -> None:
    """An export holds a row a sample, a card with its columns and the digests of its files, and checks out."""
    made = export_training(dataset, layout, out=tmp_path / "sft")
    lines = (tmp_path / "sft" / "train.jsonl").read_bytes().splitlines()
    assert len(lines) == made.samples == made.replies > 6
    card = (tmp_path / "sft" / "README.md").read_text()
    assert all(f"  - name: {name}\n" in card for name in json.loads(lines[0]))
    assert f"What the trainer has to be told: {LAYOUTS[layout].settings}.\n" in card
    assert set(made.files) == {"train.jsonl", "samples.jsonl", "README.md"}
    found = verify_export(tmp_path / "sft")
    assert {check.code: check.state for check in found.checks}["E1"] == "passed"


@pytest.mark.parametrize("place", ["row", "arguments"])
def test_a_key_that_stands_twice_is_refused(dataset: Path, tmp_path: Path, place: str) -> None:
    """In a row or deep in one, also with the same value: E1, line and key are named, as loaders keep different ones."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    path = tmp_path / "sft" / "train.jsonl"
    lines = path.read_text("utf-8").splitlines()
    number, mark = next((at, '"arguments":{') for at, line in enumerate(lines) if '"arguments":{"' in line)
    mark = mark if place == "arguments" else "{"
    start, end = lines[number].split(mark, 1)
    key, value = next(iter(json.loads("{" + end.split("}")[0] + "}").items())) if place == "arguments" else ("part", "")
    lines[number] = f"{start}{mark}{json.dumps(key)}:{json.dumps(value)},{end}"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(BadDocument, match=rf"train\.jsonl:{number + 1}: E1: the key '{key}' stands twice"):
        verify_export(tmp_path / "sft")


def test_an_account_of_other_rows_is_found(dataset: Path, tmp_path: Path) -> None:
    """export.json counts one row more than there is: E10."""
    made = export_training(dataset, "trl", out=tmp_path / "sft")
    path = tmp_path / "sft" / "export.json"
    path.write_bytes(json.dumps(json.loads(path.read_bytes()) | {"samples": made.samples + 1}).encode())
    (only,) = verify_export(tmp_path / "sft").findings
    assert (only.code, only.row) == ("E10", 0)


def test_the_same_dataset_gives_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    """An export has no dates and no chance in it."""
    for name in ("a", "b"):
        export_training(dataset, "trl", out=tmp_path / name)
    for file in ("train.jsonl", "samples.jsonl", "README.md", "export.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_every_sample_says_where_it_is_from(dataset: Path, tmp_path: Path) -> None:
    """Dialogue, recipe and author; of a split also the part."""
    split(dataset, by="tool", out=tmp_path / "parts", shares={"train": 0.7, "test": 0.3})
    for folder, part in ((dataset, ""), (tmp_path / "parts" / "train", "train")):
        export_training(folder, "trl", out=tmp_path / f"sft{part}")
        lines = [json.loads(line) for line in (tmp_path / f"sft{part}" / "samples.jsonl").read_text().splitlines()]
        ids = {one.id for one in open_dataset(folder).dialogues}
        assert {line["dialogue"] for line in lines} == ids
        assert {(line["recipe"], line["author"]) for line in lines} == {("diaforge.v1", "offline")}
        assert {line["part"] for line in lines} == {part}


def test_turns_marked_wrong_are_masked_and_not_dropped(dataset: Path, tmp_path: Path) -> None:
    """They stay as context; a dialogue that is wrong as a whole is left out."""
    data = tmp_path / "ds"
    shutil.copytree(dataset, data)
    first, second, *_ = [one for one in open_dataset(data).dialogues if len(one.turns) > 3]
    for words in ((first.id, "wrong", "--turn", "1"), (second.id, "wrong")):
        assert run("review", str(data), "--share", "1", "--mark", *words)[0] == 0
    assert (
        f"wrong: {first.id}, turn 1"
        in run("review", str(data), "--share", "1", "--mark", first.id, "wrong", "--turn", "1")[1]
    )

    plain = export_training(data, "openai", out=tmp_path / "plain")
    made = export_training(data, "openai", out=tmp_path / "turns", reviewed=True)
    whole = export_training(data, "openai", out=tmp_path / "whole", reviewed=True, slices="dialogue")

    assert (made.masked, made.dialogues) == (1, plain.dialogues - 1)
    rows = [json.loads(line) for line in (tmp_path / "turns" / "samples.jsonl").read_text().splitlines()]
    mine = [row for row in rows if row["dialogue"] == first.id]
    said = first.turns[1].text
    assert not any(one["content"] == said and one.get("trained") for row in mine for one in row["messages"])
    assert any(one["content"] == said and one["refused"] for row in mine for one in row["messages"])
    assert second.id not in {row["dialogue"] for row in rows}
    texts = [json.loads(line) for line in (tmp_path / "whole" / "train.jsonl").read_text().splitlines()]
    replies = [one for row in texts for one in row["messages"] if one["role"] == "assistant"]
    assert [one["weight"] for one in replies if said in str(one["content"])] == [0]
    assert {one["weight"] for one in replies} == {0, 1}
    assert whole.masked == 1
    assert verify_export(tmp_path / "whole").checks[0].state == "passed"
    for layout in ("trl", "sharegpt"):
        wrong = (
            f"{layout} trains every reply of a whole dialogue, also those marked wrong: 1 in 1 of {whole.dialogues} "
        )
        with pytest.raises(BadInput, match=wrong):
            export_training(data, layout, out=tmp_path / layout, reviewed=True, slices="dialogue")
        assert not (tmp_path / layout).exists()
        turns = export_training(data, layout, out=tmp_path / f"{layout}-turns", reviewed=True)
        assert (turns.samples, turns.masked) == (made.samples, 1)
        lines = (tmp_path / f"{layout}-turns" / "train.jsonl").read_text().splitlines()
        mine = [row for row in map(json.loads, lines) if row["dialogue"] == first.id]
        assert 1 not in {row["turn"] for row in mine}
        assert len(mine) == sum(first.role(turn) == "assistant" for turn in first.turns) - 1 > 0
        assert all(said not in json.dumps(row.get("completion", row.get("conversations", [{}])[-1:])) for row in mine)


def test_files_that_are_not_what_was_exported_are_named(dataset: Path, tmp_path: Path) -> None:
    """Also where rows and samples were changed alike, so that they agree: two files, and how many rows there are."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    assert not verify_export(tmp_path / "sft").findings
    for name in ("train.jsonl", "samples.jsonl"):
        lines = (tmp_path / "sft" / name).read_text().splitlines(keepends=True)
        (tmp_path / "sft" / name).write_text("".join(lines[1:]))
    found = verify_export(tmp_path / "sft")
    assert [(one.code, one.row) for one in found.findings] == [("E10", 0)] * 3
    assert not found.passed


def test_turns_that_a_judge_refused_are_masked(dataset: Path, tmp_path: Path) -> None:
    """A turn with the lowest grade is no target, one with another grade is; nobody needs to have marked any."""
    data = tmp_path / "ds"
    shutil.copytree(dataset, data)
    opened = open_dataset(data)
    talks = [Talk(one, one.turns, opened.catalog.by_key) for one in opened.dialogues]
    rubrics = find_rubrics(("conv-rel",))
    first, second = (one.planned for one in list(units(talks, rubrics, ["openai/judge"]))[:2])
    grades = ((first, Sample("1", 0.0)), (second, Sample("2", 0.5)))
    keep_judgements(data, rubrics, [msgspec.structs.replace(one, samples=(sample,)) for one, sample in grades])

    plain = export_training(data, "trl", out=tmp_path / "plain")
    made = export_training(data, "trl", out=tmp_path / "sft", reviewed=True)

    trained = {(one.dialogue, one.turn) for one in read_export(tmp_path / "sft")[2]}
    assert (made.masked, made.dialogues) == (1, plain.dialogues)
    assert (first.item, first.turn) not in trained
    assert (second.item, second.turn) in trained


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mark", "ID", "right", "--turn", "1"), "--turn needs --mark ID wrong"),
        (("--turn", "1"), "--turn needs --mark ID wrong"),
        (("--mark", "ID", "wrong", "--turn", "0"), "no turn of the assistant"),
        (("--mark", "ID", "wrong", "--turn", "99"), "no turn of the assistant"),
        (("--mark", "ID", "wrong", "--turn", "-1"), "no turn of the assistant"),
    ],
)
def test_only_the_assistants_turns_are_marked(dataset: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """And only as wrong."""
    data = tmp_path / "ds"
    shutil.copytree(dataset, data)
    first = open_dataset(data).dialogues[0].id
    code, _, error = run("review", str(data), "--share", "1", *(first if one == "ID" else one for one in words))
    assert code == 2
    assert said in error


def test_the_same_export_again_changes_nothing(dataset: Path, tmp_path: Path) -> None:
    """One that was killed after its last step is whole; other settings, and a changed file, are refused."""
    out = tmp_path / "sft"
    made = export_training(dataset, "trl", out=out)
    inode = (out / "train.jsonl").stat().st_ino
    assert export_training(dataset, "trl", out=out) == made
    assert (out / "train.jsonl").stat().st_ino == inode
    with pytest.raises(BadInput, match="there is something already"):
        export_training(dataset, "trl", out=out, thoughts=False)
    (out / "README.md").write_text("mine")
    with pytest.raises(BadInput, match="there is something already"):
        export_training(dataset, "trl", out=out)
    assert (out / "README.md").read_text() == "mine"


def test_the_command_exports_and_verifies(dataset: Path, tmp_path: Path) -> None:
    """The commands name counts and checks; a clean export ends with 0, with --strict only where all was checked."""
    out = str(tmp_path / "sft")
    code, said, _ = run("export", str(dataset), "--as", "trl", "-o", out)
    assert (code, "trained replies" in said) == (0, True)
    code, said, _ = run("verify-export", out, "--template", "qwen2_5")
    assert code == 0
    assert "E5  exactly the replies are trained   passed" in said
    assert "E7  tokens do not join                not checked (give --tokenizer)" in said
    assert run("verify-export", out, "--template", "qwen2_5", "--strict")[0] == 1
    code, said, told = run("verify-export", out, "--template", "qwen2_5", "--max-length", "4096")
    assert (code, told) == (0, "--max-length 4096 was not used: E7 and E8 need --tokenizer.\n")
    assert "not checked (give --tokenizer; rows were not measured against 4,096 tokens)" in said
    assert "partly checked (checked against template markers only; give --tokenizer)" in said
    assert run("verify-export", out, "--template", "qwen2_5", "--max-length", "4096", "--strict")[0] == 1


def test_all_templates_are_compared(tmp_path: Path) -> None:
    """On the first rows or on all, beside what concerns the file alone; not all is checked, so --strict fails."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=2, seed=3, out=tmp_path / "ds")
    made = export_training(tmp_path / "ds", "trl", out=tmp_path / "sft")
    assert made.samples > 2
    command = ("verify-export", str(tmp_path / "sft"), "--all-templates")
    code, said, _ = run(*command, "--rows", "2")
    assert code == 0
    assert said.startswith(
        " E1  the file is what was exported     passed\nE10  origin                            passed\n"
    )
    assert f"templates carry the first 2 of {made.samples} rows unharmed. `--rows all` looks at every one.\n" in said
    code, said, _ = run(*command, "--rows", "all", "--json", "--strict")
    assert code == 1
    found = json.loads(said)
    assert (found["looked_at"], found["export"]["rows"], len(found["templates"])) == (made.samples, made.samples, 41)
    assert f"carry all {made.samples} rows unharmed.\n" in run(*command)[1]


def test_a_changed_file_fails_under_all_templates(dataset: Path, tmp_path: Path) -> None:
    """Also where the change is behind the rows that are looked at; the templates do no harm to the first."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    lines = (tmp_path / "sft" / "train.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "sft" / "train.jsonl").write_text("".join(lines[:-1]))
    code, said, _ = run("verify-export", str(tmp_path / "sft"), "--all-templates", "--rows", "2")
    assert code == 1
    assert " E1  the file is what was exported     failed: 1 of" in said
    assert "E10  origin                            failed" in said
    assert "\n0 of 41" not in said


@pytest.mark.parametrize("layout", [layout for layout, one in LAYOUTS.items() if not one.has_template])
def test_all_templates_say_nothing_about_other_layouts(dataset: Path, tmp_path: Path, layout: str) -> None:
    """They are refused as one template is."""
    export_training(dataset, layout, out=tmp_path / "sft")
    for words in (("--all-templates",), ("--template", "qwen2_5")):
        code, _, said = run("verify-export", str(tmp_path / "sft"), *words)
        assert code == 2
        assert f"renders rows in its own way; a chat template says nothing about the layout {layout}" in said


@pytest.mark.parametrize("words", [(), ("--template", "qwen2_5"), ("--all-templates",)])
def test_an_export_without_rows_is_an_error(dataset: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Nothing passes because nothing was looked at."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    for name in ("train.jsonl", "samples.jsonl"):
        (tmp_path / "sft" / name).write_text("")
    code, _, said = run("verify-export", str(tmp_path / "sft"), *words)
    assert code == 2
    assert "train.jsonl: no rows" in said


@pytest.mark.parametrize(
    "words", [("--rows", "3"), ("--all-templates", "--rows", "0"), ("--all-templates", "--rows", "9" * 5000)]
)
def test_rows_that_do_not_fit_are_refused(dataset: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """`--rows` is a number or `all`, and about all templates."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    code, _, said = run("verify-export", str(tmp_path / "sft"), *words)
    assert (code, "--rows" in said) == (2, True)


def test_the_origin_of_the_template_is_named(dataset: Path, tmp_path: Path) -> None:
    """A known one by its name, an edited one as that; neither is a fault."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    (tmp_path / "mine.jinja").write_text(read_template("qwen2_5").source + "{# mine #}")
    for template, said in (("qwen2_5", "qwen2_5 of trl 1.16.0"), (str(tmp_path / "mine.jinja"), "none of trl 1.16.0")):
        code, text, _ = run("verify-export", str(tmp_path / "sft"), "--template", template)
        assert code == 0
        assert f"\ntemplate: {said}" in text
    _, text, _ = run("verify-export", str(tmp_path / "sft"), "--template", template, "--json")
    assert json.loads(text)["origin"]["kind"] == "unknown"


def test_a_changed_row_fails(dataset: Path, tmp_path: Path) -> None:
    """The exit code is 1, and the finding names row and place."""
    out = tmp_path / "sft"
    export_training(dataset, "trl", out=out)
    rows = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines()]
    rows[1]["prompt"][1]["content"] += "!"
    (out / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, said, _ = run("verify-export", str(out))
    assert code == 1
    assert "row 2, /prompt/1/content" in said
    (out / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    assert "2 rows of" in run("verify-export", str(out))[1]


def _no_rows(out: Path) -> None:
    (out / "train.jsonl").unlink()


def _bad_row(out: Path) -> None:
    (out / "train.jsonl").write_text("[1]\n")


def _bad_account(out: Path) -> None:
    (out / "export.json").write_text("{}")


@pytest.mark.parametrize(
    ("damage", "message"),
    [(_no_rows, "no train.jsonl"), (_bad_row, "train.jsonl:1: no JSON object"), (_bad_account, "export.json: ")],
)
def test_damaged_folders_are_named(dataset: Path, tmp_path: Path, damage: Callable[[Path], None], message: str) -> None:
    """One error with the file and, where there is one, the line."""
    export_training(dataset, "trl", out=tmp_path / "sft")
    damage(tmp_path / "sft")
    code, _, said = run("verify-export", str(tmp_path / "sft"))
    assert code == 2
    assert message in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--as", "trl"), "--as writes files"),
        (("--format", "openai", "--as", "trl"), "either --format"),
        ((), "either --format"),
        (("--format", "openai", "--slices", "turn"), "--protocol and --set are about training data"),
    ],
)
def test_options_that_do_not_fit_are_refused(dataset: Path, arguments: tuple[str, ...], message: str) -> None:
    """The message says what to give."""
    code, _, said = run("export", str(dataset), *arguments)
    assert code == 2
    assert message in said


def test_nothing_is_overwritten(dataset: Path, tmp_path: Path) -> None:
    """A folder with something in it, and a link, are left as they are."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    for name in ("full", "link"):
        with pytest.raises(BadInput):
            export_training(dataset, "trl", out=tmp_path / name)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine"]


def test_trainers_with_templates_of_their_own_take_none(dataset: Path, tmp_path: Path) -> None:
    """A chat template says nothing about rows that are rendered in another way."""
    export_training(dataset, "sharegpt", out=tmp_path / "sft")
    with pytest.raises(BadInput, match="renders rows in its own way"):
        verify_export(tmp_path / "sft", template="qwen2_5")


def test_options_of_a_log_are_checked(dataset: Path, tmp_path: Path) -> None:
    """Options of training data do not fit a log, and its name says what it is."""
    out = str(tmp_path / "run.eval")
    code, _, said = run("export", str(dataset), "--as", "inspect-log", "--slices", "turn", "-o", out)
    assert (code, "are about training data" in said) == (2, True)
    code, _, said = run("export", str(dataset), "--as", "inspect-log", "-o", str(tmp_path / "run.txt"))
    assert (code, "ends in .eval or .json" in said) == (2, True)
