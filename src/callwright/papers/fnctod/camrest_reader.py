"""`callwright read camrest`."""

from __future__ import annotations

from typing import Final

from callwright.papers.fnctod.restaurant_readers import read_camrest
from callwright.papers.paper import CorpusReader, NoOptions

READER: Final = CorpusReader(
    "Read FILE of CamRest676: restaurants, with belief states.", "FILE", NoOptions, read_camrest
)
