"""`callwright acts`: the act sequences that the grammar generates."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from callwright.papers.paper import Listing
from callwright.papers.tooldial.act_grammar import sequences


class ActOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which sequences are listed."""

    tools: Annotated[int, Meta(ge=1, le=6, description="Most tools that a dialogue calls.")] = 2
    unlisted: Annotated[
        bool, Meta(description="Add the sequences that the paper's released code has and its tables lack.")
    ] = False


def _rows(options: ActOptions) -> list[tuple[str, ...]]:
    return list(sequences(options.tools, unlisted=options.unlisted))


LISTING: Final = Listing("Print the act sequences that a dialogue over a tool graph can have.", ActOptions, _rows)
