"""Counts of a server's requests and replies, in bounded memory."""

from __future__ import annotations

from collections import Counter, OrderedDict

import msgspec

MOST_KEPT = 200_000
"""Most requests whose counts are kept; beyond that, the least recently asked are dropped."""


class Counts(msgspec.Struct):
    """Counts of one request: how often it was asked, and how often its reply was sent completely."""

    asked: int = 0
    replied: int = 0


class Summary(msgspec.Struct):
    """The page of counts."""

    requests: int = 0
    """Requests for a completion, refused ones included."""
    replies: int = 0
    """Replies sent completely and without a fault."""
    refused: int = 0
    gone: int = 0
    """Clients that disconnected before the end of their reply."""
    faults: dict[str, int] = {}
    different: int = 0
    """Different request bodies, among those kept."""
    asked_again: int = 0
    """Requests whose body had been sent before."""
    asked_after_reply: int = 0
    """Of these, requests whose reply had been sent completely before: 0 if the client keeps its replies."""
    forgotten: int = 0


class CallTally:
    """Counts of one server, from its start."""

    def __init__(self, *, most_kept: int = MOST_KEPT) -> None:
        self.faults: Counter[str] = Counter()
        self.counts = Summary()
        """All but the faults and the different bodies, which `summary` adds."""
        self._most_kept = most_kept
        self._counts: OrderedDict[str, Counts] = OrderedDict()

    def ask(self, digest: str) -> int:
        """Count a request; return how often its body was asked before."""
        counts = self._counts.get(digest)
        if counts is None:
            counts = self._counts[digest] = Counts()
            if len(self._counts) > self._most_kept:
                self._counts.popitem(last=False)
                self.counts.forgotten += 1
        else:
            self._counts.move_to_end(digest)
        before = counts.asked
        counts.asked += 1
        self.counts.requests += 1
        self.counts.asked_again += before > 0
        self.counts.asked_after_reply += counts.replied > 0
        return before

    def replied(self, digest: str) -> None:
        self.counts.replies += 1
        if digest in self._counts:
            self._counts[digest].replied += 1

    def summary(self) -> Summary:
        faults = dict(sorted(self.faults.items()))
        return msgspec.structs.replace(self.counts, faults=faults, different=len(self._counts))

    def by_request(self) -> dict[str, Counts]:
        """Return the counts of each request by its digest, least recently asked first."""
        return dict(self._counts)
