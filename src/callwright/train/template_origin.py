"""Where a chat template is from: one of an installed `trl`, known by the SHA-256 of its text, or none of them."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import msgspec

from callwright.train.chat_template import TRAINING, ChatTemplate, known_templates


class TemplateOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a template; one that is unknown was edited, or is another model's or revision's."""

    kind: Literal["original", "training twin", "unknown"]
    name: str = ""
    """Its name there."""
    trl: str = ""
    """The version that was looked in; empty where none is installed."""
    sha256: str

    def __str__(self) -> str:
        """Say it in a few words."""
        if not self.trl:
            return "not known, as no `trl` is installed"
        if self.kind == "unknown":
            return f"none of trl {self.trl}: edited, or of another model or revision"
        return f"{self.name} of trl {self.trl}{', a training twin' if self.kind == 'training twin' else ''}"


def origin_of(template: ChatTemplate) -> TemplateOrigin:
    """Return where a template is from."""
    found = sha256(template.source.encode()).hexdigest()
    names = {sha256(source.encode()).hexdigest(): name for name, source in known_templates().items()}
    if (name := names.get(found)) is None:
        return TemplateOrigin(kind="unknown", trl=_version() if names else "", sha256=found)
    kind: Literal["original", "training twin"] = "training twin" if name.endswith(TRAINING) else "original"
    return TemplateOrigin(kind=kind, name=name, trl=_version(), sha256=found)


def _version() -> str:
    try:
        return version("trl")
    except PackageNotFoundError:
        return "of an unknown version"
