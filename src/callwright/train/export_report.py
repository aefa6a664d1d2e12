"""The verdict on an export: each check with its state, its findings, and the settings behind the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import BadDocument
from callwright.train.call_checks import arguments_are_objects
from callwright.train.chat_template import ChatTemplate, TemplateFailed
from callwright.train.export_checks import CHECKS, as_exported
from callwright.train.rendered_row import RenderedRow, RowFinding
from callwright.train.template_origin import TemplateOrigin, origin_of
from callwright.train.token_checks import (
    Lengths,
    Quantiles,
    RowTokenizer,
    control_tokens,
    cut_rows,
    ends_are_tokens,
    joined_controls,
    joined_tokens,
    lengths_of,
    marker_texts,
    quantiles,
    texts_kept,
)
from callwright.train.trainer_layouts import Row
from callwright.train.training_sample import TrainingSample

CheckState = Literal["passed", "failed", "partly checked", "not checked"]

CODES: Final = {
    "E1": "the file is what was exported",
    "E2": "the prompt shows every tool",
    "E3": "rendered calls read back",
    "E4": "nothing is lost",
    "E5": "exactly the replies are trained",
    "E6": "the prompt begins the text",
    "E7": "tokens do not join",
    "E8": "rows fit the length",
    "E9": "no control tokens in texts",
    "E10": "origin",
}
"""The checks by code."""


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one check, and the rows it found."""

    code: str
    name: str
    state: CheckState
    rows: int
    """Rows with a finding."""
    why: str = ""
    """Why it was not checked, or not with all that it looks for."""


class ExportVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one export under one template."""

    rows: int
    template: str
    checks: tuple[CheckResult, ...]
    findings: tuple[RowFinding, ...]
    lengths: dict[str, Quantiles]
    """Tokens of `schemas`, `history`, `target` and `whole`; empty without a tokenizer."""
    digests: dict[str, str]
    """Of template, tokenizer and rows."""
    origin: TemplateOrigin | None
    """Where the template is from; None without one."""
    signature: str

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(one.state != "failed" for one in self.checks)


class VerifySettings(NamedTuple):
    """The template and tokenizer that an export is checked against."""

    layout: str
    template: ChatTemplate | None
    """None: only what needs no template."""
    no_template: str = ""
    """Why there is none."""
    tokenizer: RowTokenizer | None = None
    most_tokens: int | None = None
    digests: Mapping[str, str] = {}
    changed: tuple[str, ...] = ()
    """Files that are no longer what was exported, by their digests."""
    counted: int | None = None
    """Rows that the account of the export counts."""


def verdict(rows: Sequence[Row], samples: Sequence[TrainingSample], settings: VerifySettings) -> ExportVerdict:
    """Return the findings of the checks in rows; `samples` are the sources of the rows, in their order."""
    return _verdict(rows, samples, settings, _changed_rows(rows, samples, settings.layout))


def _changed_rows(rows: Sequence[Row], samples: Sequence[TrainingSample], layout: str) -> dict[int, list[RowFinding]]:
    """What E1 finds, which is the same under every template, by the numbers of rows."""
    pairs = enumerate(zip(rows, samples, strict=False), 1)
    return {number: list(as_exported(number, row, sample, layout)) for number, (row, sample) in pairs}


def _verdict(
    rows: Sequence[Row],
    samples: Sequence[TrainingSample],
    settings: VerifySettings,
    changed: Mapping[int, list[RowFinding]],
) -> ExportVerdict:
    findings: list[RowFinding] = []
    lengths: list[Lengths] = []
    for number, (row, sample) in enumerate(zip(rows, samples, strict=False), 1):
        findings += changed[number]
        if settings.template is not None:
            findings += _rendered(number, row, sample, settings, lengths)
    if len(rows) != len(samples):
        what = f"{len(rows):,} rows of {len(samples):,} that were exported"
        findings.append(RowFinding(code="E1", row=min(len(rows), len(samples)) + 1, what=what, cure="Export again."))
    for name in settings.changed:
        what = f"{name} was changed after the export: its SHA-256 differs from the one in export.json"
        findings.append(RowFinding(code="E10", row=0, what=what, cure="Export again."))
    if settings.counted not in (None, len(rows)):
        what = f"export.json counts {settings.counted:,} rows, and there are {len(rows):,}"
        findings.append(RowFinding(code="E10", row=0, what=what, cure="Export again."))
    per_part = {name: quantiles([getattr(one, name) for one in lengths]) for name in _PARTS if lengths}
    template = settings.template.name if settings.template else ""
    most = settings.most_tokens if settings.tokenizer else None
    return ExportVerdict(
        rows=len(rows),
        template=template,
        checks=tuple(_results(findings, settings)),
        findings=tuple(findings),
        lengths=per_part,
        digests=dict(settings.digests),
        origin=origin_of(settings.template) if settings.template else None,
        signature=f"verify-export.v1 layout={settings.layout} template={template or '-'} max_length={most or '-'} "
        f"callwright={__version__}",
    )


_PARTS: Final = ("schemas", "history", "target", "whole")


def _rendered(
    number: int, row: Row, sample: TrainingSample, settings: VerifySettings, lengths: list[Lengths]
) -> Iterator[RowFinding]:
    """The findings of one row that need the template, and the row's lengths added to `lengths`."""
    assert settings.template is not None
    try:
        yield from arguments_are_objects(number, row)
        rendered = RenderedRow(number, row, settings.template)
        for check in CHECKS:
            yield from check(rendered, sample)
        if settings.tokenizer is not None:
            yield from ends_are_tokens(rendered, settings.tokenizer)
            yield from joined_tokens(rendered, settings.tokenizer)
            yield from texts_kept(rendered, sample, settings.tokenizer)
            lengths.append(lengths_of(rendered, settings.tokenizer))
            if settings.most_tokens is not None:
                yield from cut_rows(rendered, lengths[-1], settings.most_tokens)
            in_texts = list(control_tokens(rendered, sample, settings.tokenizer))
            yield from in_texts or joined_controls(rendered, settings.tokenizer)
        else:
            yield from marker_texts(rendered, sample)
    except TemplateFailed as error:
        cure = "Use another template, or --slices turn."
        yield RowFinding(code="E2", row=number, what=f"the template refuses the row: {error}", cure=cure)
    except BadDocument as error:
        yield RowFinding(code="E1", row=number, what=str(error), cure="Export again.")


def _results(findings: Sequence[RowFinding], settings: VerifySettings) -> Iterator[CheckResult]:
    rows = Counter({code: len({one.row for one in findings if one.code == code}) for code in CODES})
    unchecked = _unchecked(settings)
    for code, name in CODES.items():
        state, why = unchecked.get(code, _PASSED) if not rows[code] else _FAILED
        yield CheckResult(code=code, name=name, state=state, rows=rows[code], why=why)


_PASSED: Final[tuple[CheckState, str]] = ("passed", "")
_FAILED: Final[tuple[CheckState, str]] = ("failed", "")


def _unchecked(settings: VerifySettings) -> dict[str, tuple[CheckState, str]]:
    """The checks that were not made, or not wholly, and why, by their codes."""
    if settings.template is None:
        return dict.fromkeys(["E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9"], ("not checked", settings.no_template))
    if settings.tokenizer is None:
        most = f"; rows were not measured against {settings.most_tokens:,} tokens" if settings.most_tokens else ""
        return {
            "E7": ("not checked", "give --tokenizer"),
            "E8": ("not checked", f"give --tokenizer{most}"),
            "E9": ("partly checked", "checked against template markers only; give --tokenizer"),
        }
    if settings.most_tokens is not None:
        return {}
    return {"E8": ("not checked", "give --max-length; the trainer has no known default")}


class TemplateMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The verdicts on one export under many templates."""

    export: ExportVerdict
    """On all rows, of the checks that need no template: E1 and E10."""
    looked_at: int
    """Rows that were checked under each template: the first ones."""
    templates: dict[str, ExportVerdict]
    """By the names of the templates."""

    @property
    def unharmed(self) -> tuple[str, ...]:
        """The templates under which no row has a finding that is the template's."""
        of_file = ("E1", "E10")
        return tuple(
            name for name, one in self.templates.items() if not any(two.code not in of_file for two in one.findings)
        )


def matrix(
    rows: Sequence[Row],
    samples: Sequence[TrainingSample],
    templates: Sequence[ChatTemplate],
    settings: VerifySettings,
    limit: int | None,
) -> TemplateMatrix:
    """Return the verdict on the first rows under each template, on all where `limit` is None."""
    changed = _changed_rows(rows, samples, settings.layout)
    first, sources = rows[:limit], samples[:limit]
    return TemplateMatrix(
        export=_verdict(rows, samples, settings, changed),
        looked_at=len(first),
        templates={one.name: _verdict(first, sources, settings._replace(template=one), changed) for one in templates},
    )
