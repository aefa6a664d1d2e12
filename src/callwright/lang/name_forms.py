"""How a name is put together that a description shows: `accounts/{account_id}/locations/{location}`.

Documents that took marks out leave `accounts//locations/`.
"""

from __future__ import annotations

import re

from callwright.lang.schemas import singular

_HOLDS = r"[a-z][A-Za-z]{1,30}"
_STANDS_FOR = r"\{\$?[\w-]{1,40}\}|<[\w-]{1,40}>|\*|-|global|[A-Z][A-Z_]{2,40}|a-z[*+\[\]a-z0-9-]{0,20}"
NAME_FORM = re.compile(
    r"\b(?:[Ff]ormat(?:ted)?|[Ff]orms?|[Ee]xamples?|[Ee]\.g\.|[Ll]ike)[^.\n]{0,40}[ :`'\"]"
    rf"((?:{_HOLDS}/(?:{_STANDS_FOR})?/){{1,5}}{_HOLDS}/(?:{_STANDS_FOR})?|{_HOLDS}/(?:{_STANDS_FOR}))/?(?![\w{{<*/])"
)
"""A form of a name in a description; the first group is the form."""
PART_OF_FORM = re.compile(rf"({_HOLDS})/({_STANDS_FOR})?")
"""A thing in a form, and what stands for its name."""
_OWNER = re.compile(
    r"(?:\bname of |^(?:Required\. |Immutable\. |The parent, which is )*)(?:the |an? )?(?:parent |destination )?"
    r"((?:[a-z]+ )??[A-Za-z][a-z]+) (?:and|in|for|to|that|which|this|on|from|under|the)\b"
)


def form_in(description: str) -> str:
    """Return the form of a name that a description tells; empty where it tells none.

    >>> form_in("The parent. Format: `shops/{shop}/shelves/{shelf}`"), form_in("Format: shops/ /shelves/.")
    ('shops/{shop}/shelves/{shelf}', 'shops//shelves/')
    """
    found = NAME_FORM.search(description[:500].replace("/ /", "//"))
    return found[1] if found else ""


def named_by_form(description: str) -> str:
    """Return the thing that a name of a form is of: the last of the form, else the one that the description names.

    >>> named_by_form("The parent. Format: shops/{shop}/shelves/{shelf}"), named_by_form("The name of the shop to open")
    ('shelf', 'shop')
    """
    if form := form_in(description):
        held = PART_OF_FORM.findall(form)[-1][0]
        return singular(" ".join(re.findall("[A-Z]?[a-z]+", held)).lower())
    owner = _OWNER.search(description[:200])
    return owner[1].lower() if owner and owner[1].lower().split()[-1] not in _NO_THINGS else ""


_NO_THINGS = frozenset("value values names string parent entity resource name id list collection owner it this".split())
