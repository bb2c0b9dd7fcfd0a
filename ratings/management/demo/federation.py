"""Base class of invented federations with lists of one game: clubs, players, and years of Swiss tournaments."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.lists.adjustments import save_adjustment, save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.models import Adjustment, Club, Event, ListPlayer, Membership, Player, RatingList, Table, folded_name
from ratings.models.messages import RecordReason
from ratings.systems import values

from .calendar import Occasion, choose_sundays, past_sundays, unused_name
from .clubs import draw_memberships
from .coming import announce_events
from .pairing import play_swiss
from .people import COUNTRIES, Person, Registry
from .places import are_near, cities

SEED = 20160204
NEWCOMER = 12
"""Every twelfth player has begun in the last year."""
SAME, NEAR, FAR = 40.0, 5.0, 1.0
"""Weights of going to an event in the player's own country, in a country nearby, and elsewhere."""


class Federation:
    """Federation of one game; subclasses set the class attributes and override methods."""

    federation: ClassVar[str]
    identity: ClassVar[Mapping[str, Any]]
    """Short name, line below the name, house colour, crest and languages, and whether genders are recorded."""
    site: ClassVar[str]
    """Address of the federation's own pages."""
    lists: ClassVar[tuple[dict[str, Any], ...]]
    """Fields of the lists on which its events are rated."""
    compared: ClassVar[tuple[dict[str, Any], ...]] = ()
    """Fields of lists that rate the events of the first list by other rules, for comparison."""
    shares: ClassVar[dict[str, int]]
    hosts: ClassVar[tuple[str, ...]]
    """Countries of the federation: its clubs and events are there, and players from elsewhere live there."""
    abroad: ClassVar[tuple[str, ...]] = ()
    """Countries of players who live elsewhere and only visit events."""
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

        `today` is a day after the last possible event; `number` distinguishes the random seeds of federations.
        """
        self.today, self.number, self.size = today, number, size
        self.rng = random.Random(SEED + number)
        self.registry = Registry(self.rng, self.shares)
        self.start = today - dt.timedelta(days=365 * self.years)
        self.event_names: set[str] = set()

    def build(self) -> Iterator[str]:
        """Create the federation with its lists, players and events, and yield lines about the progress."""
        federation = get_or_create_federation(self.federation)
        for field, value in (*self.identity.items(), *self.addresses().items()):
            setattr(federation, field, value)
        federation.full_clean()
        federation.save()
        self.rated_on = [RatingList(federation=federation, **fields) for fields in self.lists]
        for rating_list in self.rated_on:
            save_list(rating_list)
        self.system = self.rated_on[0].rating_system
        self.days = self.event_days()
        clubs = self.make_clubs()
        people = self.make_people(clubs)
        yield f"{len(people)} players in {len(clubs)} clubs"
        for number, day in enumerate(self.days, 1):
            self.event(self.occasion(day, number), number, people, self.rng.choice(clubs))
            if number % 50 == 0:
                yield f"{number} of {len(self.days)} events"
        announce_events(self, clubs)
        self.finish(people, clubs)
        for fields in self.compared:
            save_list(RatingList(federation=federation, comparison_to=self.rated_on[0], **fields))

    def addresses(self) -> dict[str, str]:
        """Return the links of the federation: its home page, contact page, rules, privacy policy and imprint."""
        pages = ("contact", "rules", "privacy", "imprint")
        return {"home": f"{self.site}/"} | {page: f"{self.site}/{page}/" for page in pages}

    def finish(self, people: list[Person], clubs: list[Club]) -> None:
        """Add data after all events; subclasses override this method."""

    def make_clubs(self) -> list[Club]:
        """Save the clubs, each in another city of the federation's countries."""
        count = max(4, round(self.clubs * self.size))
        free = {country: self.rng.sample(cities(country), len(cities(country))) for country in self.hosts}
        clubs: list[Club] = []
        while len(clubs) < count:
            for locale in self.registry.locales(count):
                country = COUNTRIES[locale]
                if len(clubs) < count and free.get(country):
                    clubs.append(self.make_club(free[country].pop(), country))
        return Club.objects.bulk_create(clubs)

    def make_club(self, city: str, country: str) -> Club:
        """Return an unsaved club."""
        club = Club(
            public_id=self.registry.public_id(),
            name=self.club_name.format(city),
            city=city,
            country=country,
            website=f"{self.site}/clubs/{self.registry.public_id().lower()}/",
        )
        club.search_name = folded_name(club)
        return club

    def make_people(self, clubs: list[Club]) -> list[Person]:
        count = max(20, round(self.players * self.size))
        people: list[Person] = []
        names: set[str] = set()
        for locale in self.registry.locales(count * 3):
            player = self.registry.player(locale, (1950, self.today.year - 12))
            if player.name in names or len(people) == count:
                continue
            names.add(player.name)
            people.append(self.person(player, self.first_day(len(people))))
        if not self.identity.get("records_gender"):
            for person in people:
                person.player.gender, person.player.gender_public = "", False
        Player.objects.bulk_create(person.player for person in people)
        Membership.objects.bulk_create(draw_memberships(self.rng, people, clubs, self.start, self.today))
        self.openings(people)
        self.add_list_data(people)
        return people

    def first_day(self, number: int) -> dt.date:
        """Return the day on which a player began: of a newcomer in the last year, of others at any time before."""
        if number % NEWCOMER == NEWCOMER - 1:
            return min(self.today - dt.timedelta(days=self.rng.randint(40, 340)), self.days[-1] - dt.timedelta(days=7))
        return self.today - dt.timedelta(days=self.rng.randint(400, 365 * (self.years + 5)))

    def person(self, player: Player, since: dt.date) -> Person:
        abroad = str(player.country) in self.abroad
        return Person(
            player,
            max(self.weakest, min(self.strongest, self.rng.gauss(*self.strength))),
            max(0.0, self.rng.gauss(*self.gain)),
            since,
            since + dt.timedelta(days=365 * self.rng.choice((2, 4, 8, 15, 15))),
            self.rng.betavariate(1.2, 3),
            str(player.country) if abroad or player.country in self.hosts else self.rng.choice(self.hosts),
        )

    def openings(self, people: list[Person]) -> None:
        """Save starting ratings, carried over from an earlier list, of players from before the first event."""
        day = self.start - dt.timedelta(days=7)
        reason = RecordReason.CARRIED_OVER(year=day.year)
        for person in people:
            if person.since < self.start:
                for rating_list in self.rated_on:
                    state = self.opening_on(rating_list, person)
                    save_adjustment(
                        Adjustment(list=rating_list, player=person.player, date=day, set=state, reason=reason)
                    )

    def opening(self, person: Person) -> dict[str, Any]:
        """Return the starting state of a player from before the first event."""
        return {"rating": round(person.strength)}

    def opening_on(self, rating_list: RatingList, person: Person) -> dict[str, Any]:
        """Return the starting state on one of the lists; the same on all of them unless subclasses override this."""
        return self.opening(person)

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
        """Return the last days of the events, one weekend each, so that nobody can be at two places."""
        count = max(2 * self.years, round(self.years * self.events_a_year * self.size))
        return choose_sundays(self.rng, past_sundays(self.today, self.years), count)

    def occasion(self, day: dt.date, number: int) -> Occasion:
        """Return the plan of a weekend's event; `number` counts the events from 1."""
        return Occasion(day, self.kinds, self.fields, self.rng.choice((4, 5, 5, 6, 7)))

    def event(self, occasion: Occasion, number: int, people: list[Person], host: Club) -> None:
        """Save an event in the city of its host."""
        day = occasion.day
        seated = self.choose_participants(occasion, people, host)
        rounds = min(occasion.rounds, len(seated) // 2)
        event = self.new_event(host, day, occasion.kinds, two_days=rounds > 4)
        event.state = Event.State.ACCEPTED
        save_event(event, self.rated_on)
        table = Table(event=event, first_day=event.start, last_day=event.end)
        self.details(table, number)
        ordered = sorted(seated, key=lambda person: -person.strength_in(day.year))

        def play(blank: NumberedGame, a: Person, b: Person) -> NumberedGame:
            game = self.conditions(blank, a.strength_in(day.year), b.strength_in(day.year), number)
            return self.play_game(game, a, b, day.year)

        entries = [NewEntry(person.player, place) for place, person in enumerate(ordered, 1)]
        save_table(table, entries, play_swiss(ordered, rounds, play))

    def new_event(self, host: Club, day: dt.date, kinds: Sequence[str], *, two_days: bool) -> Event:
        """Return an unsaved event in the city of its host that ends on `day`."""
        name = unused_name(self.rng, host.city, kinds, day, self.event_names)
        self.event_names.add(name)
        return Event(
            public_id=self.registry.public_id(),
            name=name,
            place=host.city,
            country=host.country,
            club=host,
            organiser=host.name,
            start=day - dt.timedelta(days=two_days),
            end=day,
            time_control=self.rng.choice(self.time_controls),
        )

    def details(self, table: Table, number: int) -> None:
        """Set details of a table that the system needs; subclasses override this method."""

    def choose_participants(self, occasion: Occasion, people: list[Person], host: Club) -> list[Person]:
        """Return the players of an event, mostly from its country or from one nearby, and many in their first year."""
        free = [person for person in people if person.plays_on(occasion.day)]
        keen = sorted(free, key=lambda person: -(self.rng.random() ** (1 / self.keenness(person, host))))
        same = sum(person.lives_in == host.country for person in free)
        near = sum(are_near(person.lives_in, str(host.country)) for person in free)
        return keen[: max(occasion.fields[0], min(self.rng.randint(*occasion.fields), (same + near) // 2))]

    def keenness(self, person: Person, host: Club) -> float:
        """Return the weight of a player when the participants of an event are chosen."""
        country = str(host.country)
        distance = SAME if person.lives_in == country else NEAR if are_near(person.lives_in, country) else FAR
        newcomer = 3 if (self.today - person.since).days < 365 else 1
        return (person.activity + 0.08) * distance * newcomer

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
