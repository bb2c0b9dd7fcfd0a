"""Base class of invented federations with lists of one game: clubs, players, and years of Swiss tournaments."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.lists.adjustments import save_adjustment, save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.models import Adjustment, Club, Event, ListPlayer, Membership, Player, RatingList, Table, folded_name
from ratings.models.messages import RecordReason
from ratings.systems import values

from .people import LOCALES, Person, Registry

SEED = 20160204


class Federation:
    """Federation of one game; subclasses set the class attributes and override methods."""

    federation: ClassVar[str]
    identity: ClassVar[dict[str, str]]
    """Short name, line below the name, house colour and crest of the federation."""
    lists: ClassVar[tuple[dict[str, Any], ...]]
    """Fields of the lists on which its events are rated."""
    shares: ClassVar[dict[str, int]]
    players: ClassVar[int]
    clubs: ClassVar[int]
    club_name: ClassVar[str]
    years: ClassVar[int] = 10
    events_a_year: ClassVar[int]
    kinds: ClassVar[tuple[str, ...]]
    time_controls: ClassVar[tuple[str, ...]]
    fields: ClassVar[tuple[int, int]] = (12, 44)
    draws: ClassVar[float]
    strength: ClassVar[tuple[float, float]]
    gain: ClassVar[tuple[float, float]]
    strongest: ClassVar[float]
    weakest: ClassVar[float]

    def __init__(self, today: dt.date, number: int, size: float) -> None:
        """Set up the federation.

        `today` is the day after the last possible event; `number` distinguishes the random seeds of federations.
        """
        self.today, self.size = today, size
        self.rng = random.Random(SEED + number)
        self.registry = Registry(self.rng, self.shares)
        self.first_year = today.year - self.years

    def build(self) -> Iterator[str]:
        """Create the federation with its lists, players and events, and yield lines about the progress."""
        federation = get_or_create_federation(self.federation)
        for field, text in self.identity.items():
            setattr(federation, field, text)
        federation.full_clean()
        federation.save()
        self.rated_on = [RatingList(federation=federation, **fields) for fields in self.lists]
        for rating_list in self.rated_on:
            save_list(rating_list)
        self.system = self.rated_on[0].rating_system
        clubs = self.make_clubs()
        people = self.make_people(clubs)
        yield f"{len(people)} players in {len(clubs)} clubs"
        days = sorted(self.event_days())
        for number, day in enumerate(days, 1):
            self.event(day, number, people)
            if number % 50 == 0:
                yield f"{number} of {len(days)} events"
        self.finish(people, clubs[0])

    def finish(self, people: list[Person], club: Club) -> None:
        """Add data after all events; subclasses override this method."""

    def make_clubs(self) -> list[Club]:
        count = max(4, round(self.clubs * self.size))
        clubs: dict[str, Club] = {}
        for locale in self.registry.locales(count * 2):
            city = self.registry.city(LOCALES[locale][0])
            name, country = self.club_name.format(city), LOCALES[locale][0]
            club = Club(public_id=self.registry.public_id(), name=name, city=city, country=country)
            club.search_name = folded_name(club)
            clubs.setdefault(city, club)
        return Club.objects.bulk_create(list(clubs.values())[:count])

    def make_people(self, clubs: list[Club]) -> list[Person]:
        count = max(20, round(self.players * self.size))
        people: list[Person] = []
        names: set[str] = set()
        for locale in self.registry.locales(count * 3):
            player = self.registry.player(locale, (1950, self.today.year - 12))
            if player.name in names or len(people) == count:
                continue
            names.add(player.name)
            people.append(self.person(player))
        Player.objects.bulk_create(person.player for person in people)
        self.memberships(people, clubs)
        self.openings(people)
        self.add_list_data(people)
        return people

    def person(self, player: Player) -> Person:
        first = self.rng.randint(self.first_year - 4, self.today.year - 1)
        return Person(
            player,
            max(self.weakest, min(self.strongest, self.rng.gauss(*self.strength))),
            max(0.0, self.rng.gauss(*self.gain)),
            first,
            min(self.today.year, first + self.rng.choice((2, 4, 8, 15, 15))),
            self.rng.betavariate(1.2, 3),
        )

    def memberships(self, people: list[Person], clubs: list[Club]) -> None:
        """Make most players members of a club in their country, some of them after another club."""
        rows = []
        for person in people:
            near = [club for club in clubs if club.country == person.player.country]
            if not near or self.rng.random() < 0.15:
                continue
            start = dt.date(max(person.first_year, self.first_year - 4), self.rng.randint(1, 12), 1)
            if self.rng.random() < 0.15 and start.year < self.today.year - 2:
                moved = dt.date(self.rng.randint(start.year + 1, self.today.year - 1), 1, 1)
                rows.append(Membership(player=person.player, club=self.rng.choice(near), start=start, end=moved))
                start = moved
            rows.append(Membership(player=person.player, club=self.rng.choice(near), start=start))
        Membership.objects.bulk_create(rows)

    def openings(self, people: list[Person]) -> None:
        """Save starting ratings, carried over from an earlier list, of players from before the first event."""
        day = self.today - dt.timedelta(days=365 * self.years + 7)
        reason = RecordReason.CARRIED_OVER(year=day.year)
        for person in people:
            if person.first_year < self.first_year:
                for rating_list in self.rated_on:
                    state = self.opening(person)
                    save_adjustment(
                        Adjustment(list=rating_list, player=person.player, date=day, set=state, reason=reason)
                    )

    def opening(self, person: Person) -> dict[str, Any]:
        """Return the starting state of a player from before the first event."""
        return {"rating": round(person.strength)}

    def add_list_data(self, people: list[Person]) -> None:
        """Save other data of players on the lists; subclasses override this method."""

    def grade_of(self, rating: float) -> str:
        """Return the grade in whose band a rating lies, at most 4 Dan, since higher grades need approval."""
        bands = [band for band in self.system.grading.bands if band[0] not in ("5 Dan", "6 Dan")]
        return next((grade for grade, lowest in reversed(bands) if rating >= lowest), bands[0][0])

    def prior_grades(self, people: list[Person]) -> None:
        ListPlayer.objects.bulk_create(
            ListPlayer(list=rating_list, player=person.player, prior_grade=self.grade_of(person.strength))
            for rating_list in self.rated_on
            for person in people
        )

    def event_days(self) -> list[dt.date]:
        """Return Sundays spread over the years."""
        count = max(self.years, round(self.years * self.events_a_year * self.size))
        start = self.today - dt.timedelta(days=365 * self.years)
        days = {start + dt.timedelta(days=self.rng.randrange(365 * self.years - 10)) for _ in range(count)}
        return [day - dt.timedelta(days=(day.weekday() + 1) % 7) for day in days]

    def event(self, day: dt.date, number: int, people: list[Person]) -> None:
        seated = self.choose_participants(day, people)
        host = self.rng.choice(seated).player
        city = self.registry.city(str(host.country))
        rounds = self.rng.choice((4, 5, 5, 6, 7)) if len(seated) > 8 else 4
        first = day - dt.timedelta(days=1 if rounds > 4 else 0)
        event = Event(
            public_id=self.registry.public_id(),
            name=f"{city} {self.kinds[number % len(self.kinds)]} {day.year}",
            place=city,
            country=host.country,
            start=first,
            end=day,
            time_control=self.rng.choice(self.time_controls),
            state=Event.State.ACCEPTED,
        )
        save_event(event, self.rated_on)
        table = Table(event=event, first_day=first, last_day=day)
        self.details(table, number)
        ordered = sorted(seated, key=lambda person: -person.strength_in(day.year))
        pairings = self.pairings(ordered, rounds, day.year, number)
        save_table(table, [NewEntry(person.player, place) for place, person in enumerate(ordered, 1)], pairings)

    def details(self, table: Table, number: int) -> None:
        """Set details of a table that the system needs; subclasses override this method."""

    def choose_participants(self, day: dt.date, people: list[Person]) -> list[Person]:
        free = [person for person in people if person.first_year <= day.year <= person.last_year]
        keen = sorted(free, key=lambda person: -(self.rng.random() ** (1 / (person.activity + 0.08))))
        return keen[: self.rng.randint(*self.fields)]

    def pairings(self, ordered: list[Person], rounds: int, year: int, number: int) -> list[NumberedGame]:
        """Return the games of a Swiss tournament, which pairs players of similar points who have not met yet.

        A player without an opponent gets a bye.
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
                blank = NumberedGame(round_, places[a.player.pk], places[b.player.pk], 0.0)
                game = self.play_game(
                    self.conditions(blank, a.strength_in(year), b.strength_in(year), number), a, b, year
                )
                points[a.player.pk] += game.score
                points[b.player.pk] += 1 - game.score
                games.append(game)
        return games

    def conditions(self, game: NumberedGame, a: float, b: float, number: int) -> NumberedGame:
        """Return a game with its conditions, such as a handicap; `a` and `b` are strengths in rating points."""
        return game

    def play_game(self, game: NumberedGame, a: Person, b: Person, year: int) -> NumberedGame:
        chance = self.rng.random()
        if chance < self.draws:
            return replace(game, score=0.5)
        expected = self.expected_score(game, a.strength_in(year), b.strength_in(year))
        return replace(game, score=float((chance - self.draws) / (1 - self.draws) < expected))

    def expected_score(self, game: NumberedGame, a: float, b: float) -> float:
        """Return the expected score of player a from the rating system; 0.5 if it predicts none."""
        value = values.Game(game.round, "a", "b", None, True, game.handicap, game.giver, game.stones, game.black)
        expected = self.system.rating.predict(a, b, value, "a")
        return 0.5 if expected is None else expected
