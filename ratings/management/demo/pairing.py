"""Swiss pairings of the demo's tournaments."""

from __future__ import annotations

from collections.abc import Callable

from ratings.domain.events.tables import NumberedGame

from .people import Person

Play = Callable[[NumberedGame, Person, Person], NumberedGame]
"""Function that returns a game between two players with its conditions and its score."""


def play_swiss(ordered: list[Person], rounds: int, play: Play) -> list[NumberedGame]:
    """Return the games of a Swiss tournament, which pairs players of similar points who have not met yet.

    `ordered` are the players by their numbers, from 1. A player without an opponent gets a bye.
    """
    places = {person.player.pk: place for place, person in enumerate(ordered, 1)}
    points = dict.fromkeys(places, 0.0)
    met: set[frozenset[int]] = set()
    games = []
    for round_ in range(1, rounds + 1):
        waiting = sorted(ordered, key=lambda person: (-points[person.player.pk], places[person.player.pk]))
        while waiting:
            a = waiting.pop(0)
            b = next((p for p in waiting if frozenset((a.player.pk, p.player.pk)) not in met), None)
            if b is None:
                games.append(NumberedGame(round_, places[a.player.pk], None, 1.0, played=False))
                points[a.player.pk] += 1
                continue
            waiting.remove(b)
            met.add(frozenset((a.player.pk, b.player.pk)))
            game = play(NumberedGame(round_, places[a.player.pk], places[b.player.pk], 0.0), a, b)
            points[a.player.pk] += game.score
            points[b.player.pk] += 1 - game.score
            games.append(game)
    return games
