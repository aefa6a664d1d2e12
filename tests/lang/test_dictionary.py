"""`callwright.lang.dictionary`: entries read one by one are those that the library reads all at once."""

from __future__ import annotations

import random

from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from callwright.lang.dictionary import inflections, lemmatizer


def test_entries_are_those_of_the_library() -> None:
    """Of 3,000 words and all that have several entries, auxiliaries among them; an unknown word has none."""
    whole = (
        (InflectionLUCodec.load(inflections().infl_lu_fn), inflections().infl_dict),
        (LemmaLUCodec.load(lemmatizer().lemma_lu_fn), lemmatizer().lemma_dict),
    )
    for entries, table in whole:
        words = [*random.Random(7).sample(sorted(entries), 3000), "be", "can", "will", "dare", "set", "left", "can't"]
        assert {word: table.get(word, {}) for word in words} == {word: entries.get(word, {}) for word in words}
        assert table.get("qwertyish", {}) == {}
