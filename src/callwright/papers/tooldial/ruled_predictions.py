"""`builtin/retriever` in this protocol: acts and states by rules, from nothing but the history that every model sees.

acts    what the retriever's best score calls for; then a request while required values are missing, else the call
states  the tool aimed at by retriever and calls, with the values that are read from the user's words and from results
"""

from __future__ import annotations

import re
from typing import Final

from callwright.baselines.filling import Answer
from callwright.baselines.told_values import asked_in, supplied_value, told_values
from callwright.catalog.score_scale import CONFIRMED, SUGGESTED
from callwright.environment.asked_parameters import api_state
from callwright.models.chat import ChatRequest
from callwright.models.structured import read_mapping
from callwright.papers.tooldial.state_layout import PARTS, state_document
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

_LACKS: Final = re.compile(
    r"\b(?:not|dont|cant|cannot|couldnt|didnt|unable|no (?:idea|clue)|unsure|without|lost|forgot\w*)\b|n't\b", re.I
)
_DECLINES: Final = re.compile(r"\b(?:no|nope|nah|not|neither|different|something else|wrong)\b|n't\b", re.I)
_CHAIN: Final = re.compile(r"component of (\S+) to procure \S+'s input parameter (\S+) -> (\S+)")


def ruled_reply(request: ChatRequest) -> str:
    """Return the act or the state that is asked for, as a JSON object; for a response, the latest result."""
    seen = Seen(request.messages[-1].content)
    asked = decode(request.reply_schema).get("properties", {}) if request.reply_schema else {}
    if "action" in asked:
        return encode({"action": seen.act()})
    return encode(seen.state()) if asked else "\n".join(seen.results[-1:])


class Seen:
    """What a history tells, line by line. Labels of states are not looked at; acts tell what the last turn asked."""

    def __init__(self, history: str) -> None:
        self.tools: dict[str, Tool] = {}
        self.answers: list[tuple[str, Answer]] = []
        """The user's words, each with the tool that was aimed at."""
        self.target = self.source = self.parameter = self.output = ""
        self.score = 0.0
        self.results: list[str] = []
        self.step = self.told = self.before = self.message = ""
        """The latest search or call of this turn, the act that its history shows, that of the turn before."""
        for line in history.split("\n"):
            label, _, content = line.removeprefix("- ").partition(": ")
            self._hear(label, content)

    def _hear(self, label: str, content: str) -> None:
        if label == "User":
            self.before, self.step, self.told = self._stage(), "", ""
            self.answers.append((self.aim, Answer(content, asked_in(self.message, self.tools.get(self.aim)))))
            self.message = ""
        elif label == "Message":
            self.message = content
        elif label == "Action":
            self.told = content
        elif label == "Call result":
            self.results.append(content)
            self.step = "result"
        elif label in ("API documentation", "Retriever status") and (found := read_mapping(content)):
            self._search(found.get("retrieved_api")) if "retrieved_api" in found else self._read(found)

    def _search(self, found: Json) -> None:
        self.step = "search"
        if isinstance(found, dict) and found:
            self.score, self.target = max((float(str(score)), name) for name, score in found.items())
        elif isinstance(found, list) and (match := _CHAIN.search(" ".join(map(str, found)))):
            self.step, (self.source, self.parameter, self.output) = "chain", match.groups()

    def _read(self, document: dict[str, Json]) -> None:
        listed = [[one for one in document.get(part) or () if isinstance(one, dict)] for part in PARTS]
        known: Json = {str(one["name"]): one for part in listed for one in part}
        schema: Json = {"type": "object", "properties": known, "required": [str(one["name"]) for one in listed[0]]}
        name, told = str(document["api_name"]), str(document["api_description"])
        self.tools[name] = Tool(name=name, description=told, parameters=encode(schema))

    @property
    def aim(self) -> str:
        """The tool that is worked towards."""
        return self.source if self.source and not self.results else self.target

    def _stage(self) -> str:
        """The last act of the turn: the one that is shown, else what its searches and calls lead to."""
        if self.told or not self.message:
            return self.told
        return self.act() if self.step or self.before in ("suggest", "response") else "request"

    def act(self) -> str:
        """Return the next act."""
        if self.step == "search" and self.score < CONFIRMED:
            return "suggest" if self.score >= SUGGESTED else "clarify"
        if self.step == "result" and len(self.results) > bool(self.source):
            return "response"
        if self.step:
            return self._request_or_call()
        said = self.answers[-1][1].text if self.answers else ""
        if self.before in ("response", "suggest"):
            is_over = self.before == "response"
            return "system_bye" if is_over else "response_fail" if _DECLINES.search(said) else self._request_or_call()
        is_open = self.before in ("", "clarify") or (not self.source and _LACKS.search(said))
        return "retriever_call" if is_open else "call"

    def _request_or_call(self) -> str:
        """A request while required values of the tool aimed at are missing, or it is not known; else the call."""
        tool, values = self.tools.get(self.aim), self.values(self.aim)
        return "call" if tool is not None and values.keys() >= {*tool.required} else "request"

    def values(self, name: str) -> dict[str, Json]:
        """Return the values of a tool's parameters that the user said, or that a result settles."""
        own: dict[str, Json] = {}
        for one in (self.source, self.target) if name == self.target else (self.target, self.source):
            tool = self.tools.get(one)
            own |= told_values(tool, [answer for aim, answer in self.answers if aim in (one, "")]) if tool else {}
        if name == self.target and self.source:
            own.pop(self.parameter, None)
            said = " ".join(answer.text for aim, answer in self.answers if aim == name)
            found = supplied_value(self.results[0], self.output, said) if self.results else None
            own |= {} if found is None else {self.parameter: found}
        return own

    def state(self) -> dict[str, Json]:
        """Return the state at the end of the history."""
        is_open = self.message and self._stage() in ("clarify", "suggest", "response_fail", "system_bye")
        tool = self.tools.get(self.aim)
        if tool is None or is_open:
            return state_document(ApiState())
        values = self.values(tool.name)
        return state_document(api_state(tool, values, set(values)))
