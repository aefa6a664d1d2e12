"""Checks of rows that need the tokenizer of the model: E7 joined tokens, E8 lengths, E9 control tokens in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from callwright.errors import BadDocument, BadInput
from callwright.train.chat_template import TemplateFailed
from callwright.train.rendered_row import RenderedRow, RowFinding, common_start, texts_of, with_other_letters
from callwright.train.training_sample import TrainingSample

DEFAULT_LENGTH: Final = {"trl": 1024}
"""Tokens that a trainer cuts rows at where nothing is said; others have to be told."""


class Lengths(NamedTuple):
    """Tokens of a row, by part."""

    schemas: int
    history: int
    target: int

    @property
    def whole(self) -> int:
        """Tokens of the row."""
        return self.schemas + self.history + self.target


class Quantiles(msgspec.Struct, frozen=True):
    """Median, 95th percentile and maximum of token counts."""

    median: int
    p95: int
    most: int


class RowTokenizer:
    """A tokenizer read from a `tokenizer.json`."""

    def __init__(self, path: Path) -> None:
        """Raises BadInput where the file or the package that reads it is missing."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise BadInput('a tokenizer needs the package `tokenizers`: pip install "callwright[verify]"') from error
        file = path / "tokenizer.json" if path.is_dir() else path
        if not file.is_file():
            raise BadInput(f"{file}: no such file. Give a tokenizer.json, or the folder that holds it.")
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(file))
        except Exception as error:  # the package raises bare exceptions
            raise BadInput(f"{file}: no tokenizer ({error}). Give a tokenizer.json.") from error
        self._tokenizer.no_truncation()  # a file may hold both; trainers cut and fill rows by their own settings
        self._tokenizer.no_padding()
        self._unknown = getattr(self._tokenizer.model, "unk_token", None)

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text, without any that the tokenizer adds at its ends.

        Raises BadDocument for a text with half a character in it, which is none to the tokenizer.
        """
        try:
            found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        except TypeError as error:
            place = next((at for at, letter in enumerate(text) if "\ud800" <= letter <= "\udfff"), 0)
            raise BadDocument(f"half a character stands in {text[max(0, place - 20) : place + 20]!r}") from error
        return found

    def controls_in(self, text: str) -> Iterator[str]:
        """Yield the control tokens of a text, in order; a character that has no token is none."""
        found = (self.control[one] for one in self.ids(text) if one in self.control)
        return (one for one in found if one != self._unknown or one in text)

    def read_back(self, text: str) -> str | None:
        """Return the text that its tokens stand for, without blanks at its ends.

        None where the tokenizer does not tell, or control tokens stand in the text.
        """
        if self._tokenizer.decoder is None or any(self.controls_in(text)):
            return None
        found: str = self._tokenizer.decode(self.ids(text), skip_special_tokens=False)
        return found.strip()

    @cached_property
    def control(self) -> dict[int, str]:
        """Ids of the tokens that are no text, with how they are written."""
        added = self._tokenizer.get_added_tokens_decoder()
        return {number: token.content for number, token in added.items() if token.content.strip()}


def joined_tokens(row: RenderedRow, tokenizer: RowTokenizer) -> Iterator[RowFinding]:
    """E7: tokens of the prompt and tokens of the reply are the tokens of both together."""
    for at, (prompt, whole) in zip(row.targets, row.prompts, strict=True):
        if not whole.startswith(prompt):
            continue  # E6 names it
        apart = [*tokenizer.ids(prompt), *tokenizer.ids(whole[len(prompt) :])]
        if apart != tokenizer.ids(whole):
            border = f"{prompt[-10:]!r} + {whole[len(prompt) : len(prompt) + 10]!r}"
            yield row.finding(
                "E7", f"the tokens at {border} join", f"message {at}", "End the prompt where a token ends."
            )


def texts_kept(row: RenderedRow, sample: TrainingSample, tokenizer: RowTokenizer) -> Iterator[RowFinding]:
    """E7: the tokens of what is trained stand for that text, and not for `<unk>`, small letters or other accents."""
    for at, message in zip(row.targets, sample.trained, strict=False):
        called = (text for call in message.calls for text in (call.tool, *texts_of(call.values)))
        for text in dict.fromkeys((message.thought, message.content, *called)):
            read = tokenizer.read_back(text)
            if read is not None and read != text.strip():
                start = max(0, len(common_start(text.strip(), read)) - 10)
                what = f"the tokens of {text.strip()[start : start + 40]!r} read back as {read[start : start + 40]!r}"
                yield row.finding("E7", what, f"message {at}", _OTHER_TOKENIZER)
                break


_OTHER_TOKENIZER: Final = "Take the tokenizer of the model, or write the text as its tokens can."


def ends_are_tokens(row: RenderedRow, tokenizer: RowTokenizer) -> Iterator[RowFinding]:
    """E5: the mark that ends a reply is one token; in pieces it is text, and a server does not stop at it."""
    markers = [one for one in _markers(row.template.source) if one.startswith("<") and not one.startswith("</")]
    for at, text in zip(row.targets, row.trained or (), strict=False):
        mark = next((one for one in markers if text.rstrip().endswith(one)), None)
        if mark is not None and len(tokenizer.ids(mark)) > 1:
            what = f"the mark {mark!r} that ends the reply is {len(tokenizer.ids(mark))} tokens, not one"
            yield row.finding("E5", what, f"message {at}", "Give the tokenizer of the template's model.")
            return


def lengths_of(row: RenderedRow, tokenizer: RowTokenizer) -> Lengths:
    """Return the tokens of a row by part; what stands before the first target is schemas or history."""
    prompt, _ = row.prompts[0] if row.prompts else (row.text, row.text)
    before = len(tokenizer.ids(prompt))
    without = len(tokenizer.ids(row.template.render(row.messages[: row.targets[0]] or row.messages, [], prompt=True)))
    whole = len(tokenizer.ids(row.text))
    return Lengths(max(0, before - without), min(before, without), max(0, whole - before))


def cut_rows(row: RenderedRow, lengths: Lengths, most: int) -> Iterator[RowFinding]:
    """E8: the row fits; one that does not is cut at its end, where the trained reply stands."""
    if lengths.whole <= most:
        return
    calls = any(row.messages[at].get("tool_calls") for at in row.targets)
    lost = "the trained call is cut" if calls else "the trained reply is cut"
    gone = lengths.schemas + lengths.history >= most
    what = f"{lengths.whole:,} tokens of {most:,}: {'nothing trained is left' if gone else lost}"
    yield row.finding("E8", what, "", "Train with a greater length, or show fewer tools.")


def control_tokens(row: RenderedRow, sample: TrainingSample, tokenizer: RowTokenizer) -> Iterator[RowFinding]:
    """E9: no text of a person, a tool or a schema becomes a control token."""
    for where, text in _foreign_texts(sample):
        found = next(tokenizer.controls_in(text), None)
        if found is not None:
            yield row.finding("E9", f"the text holds the control token {found!r}", where, _TAKE_OUT)


def joined_controls(row: RenderedRow, tokenizer: RowTokenizer) -> Iterator[RowFinding]:
    """E9: with other letters in all messages the row has the same control tokens.

    A template that joins or changes texts makes a token of parts that hold none by themselves.
    """
    other = row.with_messages([with_other_letters(one) for one in row.messages])
    try:
        found, wanted = (tuple(tokenizer.controls_in(one.text)) for one in (row, other))
    except TemplateFailed:
        return
    if found != wanted:
        at = next((at for at, (one, two) in enumerate(zip(found, wanted, strict=False)) if one != two), len(wanted))
        made = found[at] if at < len(found) else wanted[at]
        yield row.finding("E9", f"the template makes the control token {made!r} of texts", "", _TAKE_OUT)


def marker_texts(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E9 without a tokenizer: no such text holds a marker that the template itself writes."""
    markers = _markers(row.template.source)
    for where, text in _foreign_texts(sample):
        found = next((one for one in markers if one in text), None)
        if found is not None:
            yield row.finding("E9", f"the text holds the template's marker {found!r}", where, _TAKE_OUT)


_TAKE_OUT: Final = "Take it out of the text, or escape it."


def _foreign_texts(sample: TrainingSample) -> Iterator[tuple[str, str]]:
    """The words of messages, names and values of calls, and all texts of tools and of their schemas, with the place."""
    for at, one in enumerate(sample.messages):
        yield f"message {at}", one.content
        yield from ((f"message {at}", text) for call in one.calls for text in texts_of(call.values))
    yield from (("tools", text) for tool in sample.tools for text in texts_of(tool))


@lru_cache(maxsize=256)
def _markers(source: str) -> tuple[str, ...]:
    """The marks that a template writes, such as `<|im_end|>` and `[INST]`; none that are a letter or two."""
    first, *others = source.split("{#")  # comments of Jinja
    return tuple(dict.fromkeys(_MARKER.findall("".join([first, *(one.partition("#}")[2] for one in others)]))))


_MARKER: Final = re.compile(r"<[|/｜]*[\w.▁-]{3,40}[|｜]?>|\[\|\w{3,40}\|\]|\[/?[A-Z_]{3,40}\]")


def quantiles(values: Sequence[int]) -> Quantiles:
    """Return median, 95th percentile (nearest rank) and maximum of at least one count.

    >>> quantiles([3, 1, 2])
    Quantiles(median=2, p95=3, most=3)
    """
    ordered = sorted(values)
    rank = -(-95 * len(ordered) // 100)
    return Quantiles(ordered[(len(ordered) - 1) // 2], ordered[max(0, rank - 1)], ordered[-1])
