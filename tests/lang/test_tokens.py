from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Send it to Zoë, please.", ["send", "it", "to", "zoë", "please"]),
        ("don't 'quote' Sam’s", ["don't", "quote", "sam's"]),
        ("user_id=42", ["user", "id", "42"]),
        ("E\u0301TE\u0301", ["\u00e9t\u00e9"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("删除 file", ["删", "除", "file"]),
        ("— … !", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    """Words are lower-case runs of letters, digits and marks; apostrophes stay inside, ideographs stand alone."""
    assert words(text) == expected


@given(st.text(max_size=80))
@example("' \u00e9")
def test_words_are_stable(text: str) -> None:
    """Splitting the joined words again gives the same words, none of them empty."""
    found = words(text)
    assert all(found)
    assert words(" ".join(found)) == found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("getHTTPResponseCode", ["get", "http", "response", "code"]),
        ("list-files_v2", ["list", "files", "v2"]),
        ("userIDs", ["user", "ids"]),
        ("downloadURLsByName", ["download", "urls", "by", "name"]),
        ("S3Bucket", ["s3", "bucket"]),
        ("admin.apps.approve", ["admin", "apps", "approve"]),
    ],
)
def test_identifier_words(name: str, expected: list[str]) -> None:
    """Identifiers are split at punctuation and at changes of case, acronyms and their plurals kept whole."""
    assert identifier_words(name) == expected


@pytest.mark.parametrize(
    "forms",
    [
        "approve approves approved approving",
        "request requests requested requesting",
        "policy policies",
        "status statuses",
        "address addresses addressed addressing",
        "process processes processed processing",
        "plan plans planned planning",
        "submit submits submitted submitting",
        "cancel cancels cancelled canceled cancelling canceling",
        "add adds added adding",
        "use uses used using",
        "copy copies copied copying",
        "note notes noted noting",
        "file files filed filing",
        "change changes changed changing",
        "quote quotes quoted quoting",
        "invoice invoices invoiced invoicing",
        "lease leases leased leasing",
        "parse parses parsed parsing",
        "issue issues issued issuing",
        "box boxes boxed",
        "employee employees employee's",
        "pay pays paid paying",
    ],
)
def test_forms_of_one_word_share_a_stem(forms: str) -> None:
    """The inflected forms of one word have one stem."""
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("plan", "plane"), ("note", "not"), ("rate", "rat"), ("united", "unit"), ("local", "locale"), ("string", "str")],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    """Words that only look like forms of each other stay apart."""
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["status", "address", "process", "string", "during", "is", "v2", "été", "id", "feed"])
def test_words_without_an_ending_are_kept(word: str) -> None:
    """What only looks like an ending is not cut off."""
    assert stem(word) == word


@given(st.text(alphabet="abcdefghilmnorstuvyz'", max_size=12))
def test_stem_of_any_word_is_not_empty(word: str) -> None:
    """A stem is at most one letter longer than the word, and is empty only for nothing but endings."""
    assert len(stem(word)) <= len(word) + 1
    assert stem(word) or not word.removesuffix("'s").removesuffix("'")


def test_content_stems_lack_stop_words() -> None:
    """Content stems are the stems in order, without stop words but with negation."""
    assert "not" not in STOP_WORDS
    assert content_stems("The files that were not shared with you") == ["file", "not", "share"]
