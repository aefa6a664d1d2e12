"""The patterns of English questions (`data/questions.json`), by name; each is a list of alternatives."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec

_data = msgspec.json.decode((files(__package__) / "data" / "questions.json").read_bytes())
SAID_AS = tuple((re.compile(said, re.IGNORECASE), plain) for said, plain in _data.pop("said_as"))
"""What is said in other words before anything is heard."""
_ASKING = "|".join(_data.pop("asking"))
QUESTION = {
    name: re.compile("|".join(listed).replace("{asking}", _ASKING), re.IGNORECASE | re.MULTILINE)
    for name, listed in _data.items()
}
