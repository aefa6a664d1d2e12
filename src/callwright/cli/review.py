"""`callwright review`: people verify a dataset in rounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from callwright.cli import printable
from callwright.cli.results import print_json, terminal
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.datasets import Dataset
    from callwright.app.reviewing import Marker, Review, Round, Verdict
    from callwright.judge.asking import AskedQuestion


_QUESTION = "right, wrong, skip or stop? [r/w/s/q]"


@click.command("review")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--share", type=float, default=0.2, show_default=True, help="Share of the dialogues in a new round.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of a new round.")
@click.option("--list", "listing", is_flag=True, help="Print the ids of the round that are not marked.")
@click.option(
    "--mark",
    "marking",
    type=(str, click.Choice(["right", "wrong"])),
    metavar="ID right|wrong",
    help="Mark one dialogue; the beginning of an id is enough.",
)
@click.option(
    "--edit",
    "editing",
    type=(str, int, str),
    metavar="ID TURN TEXT",
    help="Give a turn (from 0) other words; the old ones are kept. Needs --by.",
)
@click.option("--edits", "history", is_flag=True, help="Print all edits: who, when, the words before and after.")
@click.option("--by", default="", metavar="NAME", help="Who marks; several people can mark the same round.")
@click.option("--note", help="What is wrong; with --mark.")
@click.option(
    "--turn", "turns", type=int, multiple=True, help="The assistant's turn that is wrong, from 0; with --mark ID wrong."
)
@click.option("--criteria", help="Grade by these criteria of `judge` instead, joined by commas; needs --by.")
@click.option("--grade", nargs=2, metavar="ID ANSWER", help="Grade one dialogue; with one criterion.")
@click.option("--json", "as_json", is_flag=True, help="Print the state of the review as JSON.")
def command(dataset: Path, **options: Any) -> None:
    """Look at the dialogues of DATASET, or at the transcripts of a run, in rounds, and mark each right or wrong.

    A round is a random share of the dialogues, those never seen first. The next begins when every dialogue of the last
    is marked; the review is finished when a round found no error and every dialogue was seen. Marks are kept in
    DATASET/.review; the same command resumes the review.

    With --criteria people grade the dialogues of the round as judges do. Their grades are kept with those of `judge`
    and printed beside them, with the agreement.
    """
    from callwright.app.transcript_reviews import is_run, open_reviewable

    asked = _Asked(**options)
    _refuse_lone(asked)
    data = open_reviewable(dataset)
    if not data.dialogues:
        raise BadInput(f"{data.folder}: no dialogues. There is nothing to review.")
    if is_run(dataset) and (asked.editing or asked.history or asked.criteria or asked.grade):
        raise BadInput(f"{dataset}: transcripts of a run are marked, not edited or graded. Leave the other option out.")
    if asked.editing or asked.history:
        _edit(data, asked.editing, asked.by, as_json=asked.as_json)
    elif asked.criteria:
        _grade(data, asked, asked.criteria)
    elif asked.listing or (asked.as_json and not asked.marking):
        _list(dataset, data, asked)
    else:
        _review(dataset, data, asked)


class _Asked(msgspec.Struct, frozen=True):
    """What the options ask for."""

    share: float
    seed: int
    listing: bool
    marking: tuple[str, Verdict] | None
    editing: tuple[str, int, str] | None
    history: bool
    by: str
    note: str | None
    turns: tuple[int, ...]
    criteria: str | None
    grade: tuple[str, str] | None
    as_json: bool


def _refuse_lone(asked: _Asked) -> None:
    """Raise BadInput for options that have no effect without others, or that do not go together."""
    acts = asked.marking or asked.listing
    if asked.note is not None and not asked.marking:
        raise BadInput("--note needs --mark. Leave it out.")
    if asked.turns and (not asked.marking or asked.marking[1] != "wrong"):
        raise BadInput("--turn needs --mark ID wrong. Leave it out.")
    if asked.listing and (asked.marking or asked.as_json):
        raise BadInput("--list cannot be combined with --mark or --json. Leave it out, or leave them out.")
    if asked.editing or asked.history:
        if acts or asked.criteria or asked.grade or (asked.editing and asked.history):
            raise BadInput("--edit and --edits go with no other action. Leave the others out.")
    elif (asked.criteria or asked.grade) and (acts or not asked.criteria):
        raise BadInput("--criteria and --grade go together, and with no mark or list. Leave the others out.")


def _list(dataset: Path, data: Dataset, asked: _Asked) -> None:
    """Print the state of the review, or the ids of the round that are not marked."""
    from callwright.app.reviewing import current_round, unmarked
    from callwright.app.reviews import read_review

    review = read_review(dataset, data.dialogues)
    drawn = current_round(review, share=asked.share, seed=asked.seed, by=asked.by)
    if asked.as_json:
        _show(dataset, review, as_json=True)
    for id_ in unmarked(review, drawn, by=asked.by) if drawn and asked.listing else ():
        click.echo(printable(id_))


def _review(dataset: Path, data: Dataset, asked: _Asked) -> None:
    """Mark one dialogue, or ask for marks of the round."""
    from callwright.app.reviewing import current_round
    from callwright.app.reviews import read_review, review_lock

    with review_lock(dataset):
        review = read_review(dataset, data.dialogues)
        drawn = current_round(review, share=asked.share, seed=asked.seed, by=asked.by)
        if asked.marking:
            review = _mark(data, review, drawn, asked.marking, _noted(asked.note, asked.by), asked.turns)
        elif drawn:
            review = _ask(data, review, drawn, asked.by)
    _show(dataset, review, as_json=asked.as_json)


def _grade(data: Dataset, asked: _Asked, criteria: str) -> None:
    """Ask for grades of the dialogues in the round, keep each at once, and print how everyone graded."""
    from callwright.app.grading import find_question, graded, keep_grade, open_questions
    from callwright.app.reviewing import current_round
    from callwright.app.reviews import read_review, review_lock
    from callwright.app.roles import read_criteria
    from callwright.report.judge_tables import judging_table

    rubrics, by, grade = read_criteria(criteria), asked.by, asked.grade
    drawn = current_round(read_review(data.folder, data.dialogues), share=asked.share, seed=asked.seed, by=by)
    ids = drawn.ids if drawn else tuple(one.id for one in data.dialogues)
    with review_lock(data.folder):
        if grade:
            keep_grade(data, find_question(data, ids, rubrics, by, grade[0]), grade[1])
        elif not asked.as_json:
            for question in open_questions(data, ids, rubrics, by):
                if (answer := _graded(data, question)) is None:
                    break
                keep_grade(data, question, answer)
    found = graded(data, ids, rubrics)
    if asked.as_json:
        print_json(found._asdict())
    else:
        terminal().print(judging_table(found.scores, found.agreement))


def _graded(data: Dataset, question: AskedQuestion) -> str | None:
    """Show a dialogue and a criterion, and return the person's answer; None where the input ended."""
    from callwright.report.dialogue_view import dialogue_view

    rubric = question.subject.rubric
    terminal().print(dialogue_view(question.subject.talk.dialogue, data.catalog.by_key))
    click.echo(f"\n{printable(rubric.name)}: {printable(rubric.question)}")
    for one in rubric.grades:
        click.echo(f"  {printable(one.answer)}: {printable(one.means)}")
    choice = click.Choice([one.answer for one in rubric.grades])

    def meant(typed: str) -> str:
        """The answer that begins with what was typed, where only one does: `y` for yes."""
        found = [one.answer for one in rubric.grades if one.answer.startswith(typed)]
        return str(choice.convert(found[0] if len(found) == 1 else typed, None, None))

    try:
        answer: str = click.prompt("Grade", type=choice, value_proc=meant)
    except click.Abort:
        click.echo()
        return None
    return answer


def _edit(data: Dataset, editing: tuple[str, int, str] | None, by: str, *, as_json: bool) -> None:
    """Make an edit, or print all of them."""
    from callwright.app.reviews import review_lock
    from callwright.app.turn_edits import edits, reword

    if editing and not by:
        raise BadInput("--edit needs --by. Say who edits: --by NAME.")
    if editing:
        with review_lock(data.folder):
            shown = [reword(data, *editing, _noted(None, by)[1])]
    else:
        shown = [*edits(data)]
    if as_json:
        print_json(shown)
        return
    for one in shown:
        click.echo(f"{printable(one.id)}, turn {one.turn}, by {printable(one.by)} at {printable(one.at)}")
        click.echo(f"  - {printable(one.before)}\n  + {printable(one.after)}")


def _noted(note: str | None, by: str) -> tuple[str, Marker]:
    """The note beside a verdict, and the person who marks now."""
    from datetime import UTC, datetime

    from callwright.app.reviewing import Marker

    return note or "", Marker(by, datetime.now(UTC).isoformat(timespec="seconds"))


def _mark(
    data: Dataset,
    review: Review,
    drawn: Round | None,
    marking: tuple[str, Verdict],
    noted: tuple[str, Marker],
    turns: tuple[int, ...] = (),
) -> Review:
    from callwright.app.reviewing import make_mark
    from callwright.app.reviews import keep_mark

    if drawn is None:
        raise BadInput(f"{data.folder}: the review is finished; nothing is left to mark. Leave --mark out.")
    note, person = noted
    mark = make_mark(review, drawn, *marking, note, turns=turns, person=person)
    dialogue = next(one for one in data.dialogues if one.id == mark.id)
    for turn in turns:
        if not 0 <= turn < len(dialogue.turns) or dialogue.role(dialogue.turns[turn]) != "assistant":
            raise BadInput(f"--turn {turn}: no turn of the assistant in {mark.id}. Turns are counted from 0.")
    return keep_mark(data.folder, review, drawn, mark)


def _ask(data: Dataset, review: Review, drawn: Round, by: str) -> Review:
    """Show the unmarked dialogues, one after the other, and keep each mark at once."""
    from callwright.app.reviewing import unmarked
    from callwright.report.dialogue_view import dialogue_view

    console = terminal()
    dialogues = {dialogue.id: dialogue for dialogue in data.dialogues}
    waiting = unmarked(review, drawn, by=by)
    for place, id_ in enumerate(waiting, len(drawn.ids) - len(waiting) + 1):
        console.print(dialogue_view(dialogues[id_], data.catalog.by_key))
        click.echo(f"\nRound {drawn.round}, dialogue {place:,} of {len(drawn.ids):,}")
        try:
            answer = click.prompt(_QUESTION, type=click.Choice(["r", "w", "s", "q"]), show_choices=False)
            note = click.prompt("What is wrong?", default="", show_default=False) if answer == "w" else ""
        except click.Abort:  # the input ended, or Ctrl-C: what was marked is kept
            click.echo()
            break
        if answer == "q":
            break
        if answer != "s":
            review = _mark(data, review, drawn, (id_, "wrong" if answer == "w" else "right"), _noted(note, by))
    return review


def _show(folder: Path, review: Review, *, as_json: bool) -> None:
    from callwright.app.reviewing import summary

    stands = summary(review)
    if as_json:
        print_json(stands)
        return
    click.echo(f"{stands.seen:,} of {stands.dialogues:,} dialogues seen")
    for one in stands.rounds:
        rate = "" if one.error_rate is None else f" ({one.error_rate:.1%})"
        click.echo(f"  round {one.round}: {one.marked:,} of {one.size:,} marked, {one.wrong:,} wrong{rate}")
    for wrong in stands.wrong:
        where = f", turn {', '.join(map(str, wrong.turns))}" if wrong.turns else ""
        click.echo(f"  wrong: {printable(wrong.id)}{where}{f': {printable(wrong.note)}' if wrong.note else ''}")
    if len(stands.reviewers) > 1:
        names = ", ".join(f"{printable(name) or 'no name'} {count:,}" for name, count in stands.reviewers.items())
        alike = "" if stands.agreed is None else f"; {stands.agreed:.1%} of {stands.agreement.n:,} marked alike"
        alpha = "" if stands.agreement.value is None else f", alpha {stands.agreement.value:.2f}"
        click.echo(f"  marked by: {names}{alike}{alpha}")
    left = f"Not finished: `callwright review {printable(str(folder))}` goes on."
    click.echo("Finished: the last round found no error, and every dialogue was seen." if stands.finished else left)
