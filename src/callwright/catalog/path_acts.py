"""The act that method and path tell: `POST /notes/{id}/archive` archives a note."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callwright.catalog.asked_acts import ACTS_OF_SERVERS, asked_verb
from callwright.catalog.clause_nouns import VERSION, ActReading, ClauseNoun
from callwright.catalog.clauses import leading_verb
from callwright.catalog.described_acts import OPENER
from callwright.catalog.gloss_wording import GIVEN_NOUNS
from callwright.catalog.named_acts import reading_of_words
from callwright.lang.english import base_verb, is_adjective, is_noun, is_plural, singular
from callwright.lang.phrases import is_known, words_of_name
from callwright.lang.verbs_of_acts import LOOKS
from callwright.records.tool import Tool

ACTS_OF_METHODS = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}


def path_acts(tool: Tool) -> Iterator[ActReading]:
    """Read an operation of HTTP: `POST /notes/{id}/archive` archives a note, `GET /notes` lists notes."""
    method, _, path = tool.source.partition(" ")
    parts = [_EXTENSION.sub("", part) for part in path.replace("}:", "}/").split("/") if part and "=" not in part]
    parts = [_DOTTED.sub("", part) if _DOTTED.match(part) else part for part in parts]
    named = [list(words_of_name(part)) for part in parts if "{" not in part]
    named = [found for found in named if found and not all(map(VERSION.fullmatch, found))]
    if method not in ACTS_OF_METHODS or not named:
        return
    if len(named) > 1 and "{" in parts[-1] and named[-1][1:] == [] and base_verb(named[-1][0]) == named[-1][0]:
        yield reading_of_words(named[-1][0], singular(" ".join(named[-2])).split())  # `DELETE /settings/delete/{id}`
    last, is_one = named[-1], "{" in parts[-1]
    if len(last) > 1 and not is_one and base_verb(last[0]) == last[0]:
        yield reading_of_words(last[0], last[1:])  # `POST /getChat`
    elif len(named) > 1 and not is_one and method != "GET" and base_verb(last[0]) == last[0]:
        yield reading_of_words(last[0], last[1:] or singular(" ".join(named[-2])).split())
    if len(named) > 1 and len(last) == 1 and is_adjective(last[0]):
        last = [*last, *named[-2]]  # `/rooms/free`
    elif len(named) > 1 and len(last) == 1 and last[0] in GIVEN_NOUNS:
        last = [*singular(" ".join(named[-2])).split(), *last]  # `/rooms/details`
    listed = method == "GET" and not is_one and is_plural(last[-1]) and last[-1] not in GIVEN_NOUNS
    verb = _told_verb(tool) or ("update" if method == "POST" and is_one else ACTS_OF_METHODS[method])
    is_kept = listed or last[-1] in GIVEN_NOUNS
    yield reading_of_words("list" if listed else verb, last if is_kept else singular(" ".join(last)).split())


def acts_of_parts(tool: Tool) -> Iterator[ActReading]:
    """Read the first word of a part of the path, the last part first: `POST /applicant_multi`."""
    method, _, path = tool.source.partition(" ")
    for part in reversed(path.split("/")):
        words_of_part = words_of_name(part)[:1] if _PLAIN_PART.fullmatch(part) else ()
        if words_of_part and is_known(words_of_part[0]):
            yield ActReading(ACTS_OF_METHODS.get(method, "get"), (ClauseNoun("", "a", [singular(words_of_part[0])]),))
            if method != "GET":
                return  # what is written is what stands last, and nothing around it


_PLAIN_PART = re.compile(r"[\w.-]+")
_DOTTED = re.compile(r"^[a-zA-Z][\w-]*\.(?=(?:get|list|create|update|delete|find|search|download|add|remove)[A-Z_-])")
"""The service before an operation in a path: `/rest_services.get_map`."""
_EXTENSION = re.compile(r"\.(?:[a-z]{2,5}|\{\w+\})$")


def _told_verb(tool: Tool) -> str:
    """Return the verb that a description begins with where the rest of it cannot be read."""
    tokens = OPENER.sub("", tool.description[:200].strip(), count=1).split(maxsplit=3)
    verb = leading_verb(tokens) if len(tokens) > 2 else ""
    is_sure = base_verb(verb) == verb and (verb in ACTS_OF_SERVERS | LOOKS or not is_noun(tokens[0].lower()))
    return asked_verb(verb, "" if tool.source.startswith(("GET ", "POST ")) else "PUT") if verb and is_sure else ""
