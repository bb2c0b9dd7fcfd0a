"""Examples that the page of the API shows and a test runs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

GRID = """[Lyon Open, Lyon, France, 2026-05-02]
[2026-05-02]
[Time control: 30min + 30sec]
1 N [Lovelace][Ada] FR [2+] 1
2 N [Babbage][Charles] GB [1-] 0
"""


@dataclass(frozen=True)
class Example:
    """A request; its path names what the site has by {list}, {player}, {event}, {table}, {draft}."""

    what: str | Promise
    path: str
    json: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""

    @property
    def by_key(self) -> bool:
        return bool(self.json or self.file or self.path.endswith("/draft"))

    def curl(self, site: str, known: Mapping[str, str]) -> str:
        """As it is typed into a shell; results come from a file beside it."""
        words = ["curl", "-s"]
        if self.json:
            body = json.dumps(self.json).replace("{list}", known["list"])
            words += ["-H", "Content-Type: application/json", "-d", body]
        if self.file:
            words += ["--data-binary", f"@{self.file}", "-H", "Content-Type: application/octet-stream"]
        quoted = " ".join(shlex.quote(word) for word in words)
        key = ' -H "Authorization: Bearer $KEY"' if self.by_key else ""
        return f"{quoted}{key} {shlex.quote(site + '/api/v1' + self.path.format_map(known))}"


READING = (
    Example(_("The first ten of a list"), "/lists/{list}/standings?size=10"),
    Example(_("All of one country, also those who have not played for long"),
            "/lists/{list}/standings?country=FR&active=false"),
    Example(_("A player, by a part of his name"), "/players?q=ann"),
    Example(_("A player with his places on all lists"), "/players/{player}"),
    Example(_("His games, with ratings of that list"), "/players/{player}/games?list={list}"),
    Example(_("His ratings at the end of a day"), "/players/{player}/standings?on=2024-12-31"),
    Example(_("Everybody's ratings at the end of a day"), "/lists/{list}/ratings?on=2024-12-31"),
    Example(_("What is new since a time"), "/lists/{list}/runs?since=2024-12-31T00:00:00Z"),
    Example(_("Every change of a rating since a day"), "/lists/{list}/changes?since=2024-12-31"),
    Example(_("Grades won since a day"), "/lists/{list}/promotions?since=2024-12-31"),
    Example(_("An event and its tables"), "/events/{event}"),
    Example(_("A crosstable with the ratings of a list"), "/events/{event}/tables/{table}?list={list}"),
    Example(_("What a win against 1400 and a draw with 1500 would do"),
            "/lists/{list}/calculator?player={player}&game=1400:1&game=1500:0.5"),
)  # fmt: skip
WRITING = (
    Example(_("Announce an event"), "/events",
            {"name": "Lyon Open", "start": "2026-05-02", "end": "2026-05-02", "place": "Lyon", "country": "FR",
             "time_control": "30min + 30sec", "lists": ["{list}"]}),
    Example(_("Give its results, a file in any format that the site reads"), "/events/{draft}/results?name=lyon.txt",
            file="lyon.txt"),
    Example(_("See how far it is"), "/events/{draft}/draft"),
)  # fmt: skip
