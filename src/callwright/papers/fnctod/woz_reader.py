"""`callwright read woz`."""

from __future__ import annotations

from typing import Final

from callwright.papers.fnctod.restaurant_readers import read_woz
from callwright.papers.paper import CorpusReader, NoOptions

READER: Final = CorpusReader("Read FILE of WOZ 2.0: restaurants, with belief states.", "FILE", NoOptions, read_woz)
