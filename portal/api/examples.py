"""Example requests, displayed on the API page and run by a test."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HOOK = "/webhooks"
GRID = """[Lyon Open, Lyon, France, 2026-05-02]
[2026-05-02]
[Time control: 30min + 30sec]
1 N [Lovelace][Ada] FR [2+] 1
2 N [Babbage][Charles] GB [1-] 0
"""
MESSAGE = {
    "id": "msg_b1NcR6tYx4HsW0aMfKzLq8Jd",
    "kind": "rating.changed",
    "sequence": 43,
    "created": "2026-07-05T18:22:51Z",
    "federation": "fesa",
    "data": {
        "list": "shogi",
        "run": 918,
        "part": 1,
        "parts": 1,
        "changes": [{"player": "B3XD9PL", "before": 1500.0, "after": 1510.0}],
    },
}
"""A message to a webhook."""

PROGRAM = """from ratings_client import Client

portal = Client("{site}")
for line in portal.get_list_standings("{list}"):
    print(line["rank"], line["player"]["name"], line["rating"])
"""
"""A program that uses the Python client."""


@dataclass(frozen=True)
class Example:
    """An example request; {list}, {player}, {event}, {table}, {draft} and {webhook} in its path stand for objects.

    {list} and {player} do so in its body too. A request with `is_open` needs no key although it has a body.
    """

    what: str | Promise
    path: str
    json: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    is_open: bool = False

    @property
    def by_key(self) -> bool:
        own = self.path.endswith("/draft") or self.path.startswith(HOOK)
        return bool((self.json and not self.is_open) or self.file or own)

    def curl(self, site: str, known: Mapping[str, str]) -> str:
        """Return the request as a shell command; results are read from a file in the current directory."""
        arguments = ["curl", "-s"]
        if self.json:
            body = json.dumps(self.json).replace("{list}", known["list"]).replace("{player}", known["player"])
            arguments += ["-H", "Content-Type: application/json", "-d", body]
        if self.file:
            arguments += ["--data-binary", f"@{self.file}", "-H", "Content-Type: application/octet-stream"]
        quoted = " ".join(shlex.quote(argument) for argument in arguments)
        key = ' -H "Authorization: Bearer $KEY"' if self.by_key else ""
        return f"{quoted}{key} {shlex.quote(site + '/api/v1' + self.path.format_map(known))}"


READING = (
    Example(_("Get the first ten players of a list"), "/lists/{list}/standings?size=10"),
    Example(
        _("Get all players of a country, including inactive players"), "/lists/{list}/standings?country=FR&active=false"
    ),
    Example(_("Find a player by part of the name"), "/players?q=ann"),
    Example(_("Get a player and their standings on all lists"), "/players/{player}"),
    Example(_("Get a player's games with the ratings of a list"), "/players/{player}/games?list={list}"),
    Example(_("Get a player's ratings at the end of a day"), "/players/{player}/standings?on=2024-12-31"),
    Example(_("Get the ratings of all players at the end of a day"), "/lists/{list}/ratings?on=2024-12-31"),
    Example(_("Get what has changed since a given time"), "/lists/{list}/runs?since=2024-12-31T00:00:00Z"),
    Example(_("Get all rating changes since a day"), "/lists/{list}/changes?since=2024-12-31"),
    Example(_("Get the grades won since a day"), "/lists/{list}/promotions?since=2024-12-31"),
    Example(_("Get an event and its tables"), "/events/{event}"),
    Example(_("Get a crosstable with the ratings of a list"), "/events/{event}/tables/{table}?list={list}"),
    Example(
        _("Calculate the effect of a win against 1400 and a draw with 1500"),
        "/lists/{list}/calculator?player={player}&game=1400:1&game=1500:0.5",
    ),
    Example(_("Get the signed log of a list"), "/lists/{list}/checkpoints"),
    Example(_("Get the published ratings of a player for which there is a proof"), "/players/{player}/proofs"),
    Example(_("Get the proposed changes of a list's rules"), "/lists/{list}/proposals"),
    Example(_("Get the addresses of all feeds"), "/feeds"),
    Example(
        _("Look up many players by their names or ids"),
        "/lists/{list}/lookup",
        {"players": ["{player}", "Lovelace, Ada", "EGD 12345678"]},
        is_open=True,
    ),
)
WRITING = (
    Example(
        _("Announce an event"),
        "/events",
        {
            "name": "Lyon Open",
            "start": "2026-05-02",
            "end": "2026-05-02",
            "place": "Lyon",
            "country": "FR",
            "time_control": "30min + 30sec",
            "lists": ["{list}"],
        },
    ),
    Example(
        _("Upload the results of an event, as a file in any supported format"),
        "/events/{draft}/results?name=lyon.txt",
        file="lyon.txt",
    ),
    Example(_("Get the state of an event"), "/events/{draft}/draft"),
)
OWN_WEBHOOKS = (
    Example(_("Get your webhooks and their state"), HOOK),
    Example(_("Get the latest messages to a webhook"), f"{HOOK}/{{webhook}}/deliveries?size=20"),
)
