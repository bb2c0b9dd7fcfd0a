"""The demo federation: invented people, clubs and ten years of events from a fixed seed, made by the domain."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass

from anyascii import anyascii
from faker import Faker

from ratings.domain.outside import lay_down
from ratings.domain.tables import Pairing, Seat, save_event, save_table
from ratings.models import (
    Adjustment,
    Club,
    Event,
    ListPlayer,
    Membership,
    Player,
    RatingList,
    Table,
    folded_name,
    new_public_id,
)
from ratings.systems.arithmetic import expected_score
from ratings.systems.fesa_games import fractional_grade, rating_of_grade
from ratings.systems.fesa_tables import HANDICAPS

SEED = 20160204
PLAYERS, CLUBS, YEARS, EVENTS_A_YEAR = 340, 40, 10, 15

# locale of the names, country, how many of a hundred players come from there, how a surname becomes a town
COUNTRIES = (
    ("fr_FR", "FR", 20, "Saint-{}"), ("de_DE", "DE", 17, "{}hausen"), ("nl_NL", "NL", 10, "{}drecht"),
    ("pl_PL", "PL", 9, "{}owo"), ("en_GB", "GB", 8, "{} on Sea"), ("sv_SE", "SE", 7, "{}stad"),
    ("cs_CZ", "CZ", 6, "{}ov"), ("it_IT", "IT", 5, "Monte {}"), ("es_ES", "ES", 5, "Villa {}"),
    ("uk_UA", "UA", 5, "{}hrad"), ("hu_HU", "HU", 4, "{}falva"), ("ja_JP", "JP", 4, "{}machi"),
)  # fmt: skip
KINDS = ("Open", "Spring Cup", "Championship", "Autumn Cup", "Memorial", "Winter Tournament", "Grand Prix")


@dataclass
class Person:
    """A player with what he is really worth, and how that moves."""

    player: Player
    strength: float
    gain_a_year: float
    first_year: int
    last_year: int
    zeal: float

    def worth(self, year: int) -> float:
        return self.strength + self.gain_a_year * min(year - self.first_year, 6)


def effect(handicap: str, giver: float) -> float:
    """What a handicap is worth in rating points when a player of this strength gives it."""
    return giver - rating_of_grade(fractional_grade(giver) - HANDICAPS[handicap])


class Demo:
    """Builds the federation around one list; `today` is the day after its last possible event."""

    def __init__(self, rating_list: RatingList, today: dt.date) -> None:
        self.list, self.today = rating_list, today
        self.chance = random.Random(SEED)
        self.fakers = {locale: Faker(locale) for locale, *_ in COUNTRIES}
        for number, faker in enumerate(self.fakers.values()):
            faker.seed_instance(SEED + number)
        self.first_year = today.year - YEARS

    def build(self) -> Iterator[str]:
        """Everything, telling now and then how far it is."""
        clubs = self.clubs()
        people = self.people(clubs)
        yield f"{len(people)} players in {len(clubs)} clubs"
        events = sorted(self.event_days())
        for number, day in enumerate(events, 1):
            self.event(day, number, people)
            if number % 50 == 0:
                yield f"{number} of {len(events)} events"
        self.draft(clubs[0])

    def public_id(self) -> str:
        return "".join(self.chance.choice("23456789BCDFGHJKLMNPQRSTVWXZ") for _ in range(len(new_public_id())))

    def locales(self, count: int) -> list[tuple[str, str]]:
        weights = [share for _, _, share, _ in COUNTRIES]
        return [(locale, country) for locale, country, *_ in self.chance.choices(COUNTRIES, weights, k=count)]

    def clubs(self) -> list[Club]:
        clubs: dict[str, Club] = {}
        for _, country in self.locales(CLUBS * 2):
            city = self.city(country)
            clubs.setdefault(city, Club(public_id=self.public_id(), name=f"Shogi {city}", city=city, country=country))
        return Club.objects.bulk_create(list(clubs.values())[:CLUBS])

    def city(self, country: str) -> str:
        locale, pattern = next((locale, pattern) for locale, code, _, pattern in COUNTRIES if code == country)
        return pattern.format(self.names(locale)[0])

    def names(self, locale: str) -> tuple[str, str, str]:
        """Family and given name in Latin letters, and the name as it is written at home where that differs."""
        faker = self.fakers[locale]
        if locale == "ja_JP":
            return faker.last_romanized_name(), faker.first_romanized_name(), ""
        family, given = faker.last_name(), faker.first_name()
        if locale == "uk_UA":
            return anyascii(family).replace("'", ""), anyascii(given).replace("'", ""), f"{family} {given}"
        return family, given, ""

    def people(self, clubs: list[Club]) -> list[Person]:
        people: list[Person] = []
        names: set[str] = set()
        for locale, country in self.locales(PLAYERS * 2):
            player = self.player(locale, country)
            if player.name in names or len(people) == PLAYERS:
                continue
            names.add(player.name)
            first = self.chance.randint(self.first_year - 4, self.today.year - 1)
            people.append(
                Person(
                    player,
                    min(2380, self.chance.gauss(1250, 420) + (500 if country == "JP" else 0)),
                    max(0.0, self.chance.gauss(35, 45)),
                    first,
                    min(self.today.year, first + self.chance.choice((2, 4, 8, 15, 15))),
                    self.chance.betavariate(1.2, 3),
                )
            )
        Player.objects.bulk_create(person.player for person in people)
        self.memberships(people, clubs)
        self.openings(people)
        self.prior_grades(people)
        return people

    def player(self, locale: str, country: str) -> Player:
        family, given, native = self.names(locale)
        player = Player(
            public_id=self.public_id(), family_name=family, given_name=given, native_name=native, country=country,
            birth_year=self.chance.randint(1950, self.today.year - 12),
        )  # fmt: skip
        player.search_name = folded_name(player)
        return player

    def memberships(self, people: list[Person], clubs: list[Club]) -> None:
        """Most belong to a club of their country, some have been in another before."""
        rows = []
        for person in people:
            near = [club for club in clubs if club.country == person.player.country]
            if not near or self.chance.random() < 0.15:
                continue
            start = dt.date(max(person.first_year, self.first_year - 4), self.chance.randint(1, 12), 1)
            if self.chance.random() < 0.15 and start.year < self.today.year - 2:
                moved = dt.date(self.chance.randint(start.year + 1, self.today.year - 1), 1, 1)
                rows.append(Membership(player=person.player, club=self.chance.choice(near), start=start, end=moved))
                start = moved
            rows.append(Membership(player=person.player, club=self.chance.choice(near), start=start))
        Membership.objects.bulk_create(rows)

    def openings(self, people: list[Person]) -> None:
        """The list that the portal took over: who played before the first event begins with a rating and a grade."""
        day = self.today - dt.timedelta(days=365 * YEARS + 7)
        for person in people:
            if person.first_year >= self.first_year:
                continue
            rating = max(100, round(person.strength))
            games = self.chance.randint(18, 180)
            state = {"rating": rating, "games": games, "bonus_games": 100, "grade": self.grade_of(rating - 30)}
            reason = f"opening: carried over from the list of {day.year}"
            lay_down(Adjustment(list=self.list, player=person.player, date=day, set=state, reason=reason))

    def grade_of(self, rating: float) -> str:
        """The grade in whose band a rating lies, 4 Dan at most: what lies above needs approval."""
        bands = [band for band in self.list.rating_system.bands if band[0] not in ("5 Dan", "6 Dan")]
        return next((grade for grade, lowest in reversed(bands) if rating >= lowest), bands[0][0])

    def prior_grades(self, people: list[Person]) -> None:
        """Strong newcomers bring an official grade from elsewhere."""
        ListPlayer.objects.bulk_create(
            ListPlayer(
                list=self.list,
                player=person.player,
                prior_grade=self.grade_of(person.strength),
            )
            for person in people
            if person.strength > 1850 and person.first_year >= self.first_year and self.chance.random() < 0.6
        )

    def event_days(self) -> list[dt.date]:
        """Sundays, spread over the years."""
        start = self.today - dt.timedelta(days=365 * YEARS)
        days = {
            start + dt.timedelta(days=self.chance.randrange(365 * YEARS - 10)) for _ in range(YEARS * EVENTS_A_YEAR)
        }
        return [day - dt.timedelta(days=(day.weekday() + 1) % 7) for day in days]

    def event(self, day: dt.date, number: int, people: list[Person]) -> None:
        seated = self.seated(day, people)
        host = self.chance.choice(seated).player
        city = self.city(str(host.country))
        rounds = self.chance.choice((4, 5, 5, 6, 7)) if len(seated) > 8 else 4
        first = day - dt.timedelta(days=1 if rounds > 4 else 0)
        event = Event(
            public_id=self.public_id(),
            name=f"{city} {KINDS[number % len(KINDS)]} {day.year}",
            place=city,
            country=host.country,
            start=first,
            end=day,
            time_control=self.chance.choice(("30min + 30sec", "20min + 40sec", "45min + 40sec")),
            state=Event.State.ACCEPTED,
        )
        save_event(event, [self.list])
        ordered = sorted(seated, key=lambda person: -person.worth(day.year))
        pairings = self.pairings(ordered, rounds, day.year, handicaps=number % 6 == 0)
        seats = [Seat(person.player, place) for place, person in enumerate(ordered, 1)]
        save_table(Table(event=event, first_day=first, last_day=day), seats, pairings)

    def seated(self, day: dt.date, people: list[Person]) -> list[Person]:
        free = [person for person in people if person.first_year <= day.year <= person.last_year]
        keen = sorted(free, key=lambda person: -(self.chance.random() ** (1 / (person.zeal + 0.08))))
        return keen[: self.chance.randint(12, 44)]

    def pairings(self, ordered: list[Person], rounds: int, year: int, *, handicaps: bool) -> list[Pairing]:
        """A Swiss tournament: neighbours by points who have not met; who is left over has a bye."""
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
                    games.append(Pairing(round_, places[a.player.pk], None, 1.0, played=False))
                    points[a.player.pk] += 1
                    continue
                waiting.remove(b)
                met.add(frozenset((a.player.pk, b.player.pk)))
                game = self.game(a, b, round_, year, places, handicaps=handicaps)
                points[a.player.pk] += game.score
                points[b.player.pk] += 1 - game.score
                games.append(game)
        return games

    def game(self, a: Person, b: Person, round_: int, year: int, places: dict[int, int], *, handicaps: bool) -> Pairing:
        gap = a.worth(year) - b.worth(year)
        kind = self.handicap(max(a.worth(year), b.worth(year)), abs(gap)) if handicaps else None
        if kind is not None:
            gap -= effect(kind, max(a.worth(year), b.worth(year))) * (1 if gap > 0 else -1)
        chance = self.chance.random()
        score = 0.5 if chance > 0.985 else float(chance / 0.985 < expected_score(gap, 0))
        giver = None if kind is None else "a" if a.worth(year) > b.worth(year) else "b"
        return Pairing(round_, places[a.player.pk], places[b.player.pk], score, handicap=kind, giver=giver)

    def handicap(self, giver: float, gap: float) -> str | None:
        """The largest handicap that does not turn the tables."""
        fitting = [kind for kind in HANDICAPS if gap > 200 and effect(kind, giver) <= gap]
        return max(fitting, key=HANDICAPS.__getitem__, default=None)

    def draft(self, club: Club) -> None:
        """An event to come, for the organiser to play with."""
        day = self.today + dt.timedelta(days=20)
        event = Event(
            public_id=self.public_id(), name=f"{club.city} Open {day.year}", place=club.city, country=club.country,
            start=day, end=day, organiser=club.name, time_control="30min + 30sec",
        )  # fmt: skip
        save_event(event, [self.list])
