"""Content of the demo that could be real: names, places, days, and every kind of player."""

import datetime as dt
import random
import re
from collections import Counter, defaultdict

import pytest
from django.db.models import Min
from django.utils import timezone
from django.utils.html import escape

from ratings.formats.sheet_content import content_from_json
from ratings.localize import format_day
from ratings.management.demo import FEDERATIONS, names
from ratings.management.demo.calendar import MONTHS
from ratings.management.demo.names import FAMOUS, Names
from ratings.management.demo.people import COUNTRIES
from ratings.management.demo.places import are_near, cities
from ratings.models import (
    Approval,
    Award,
    Claim,
    Correction,
    Decision,
    Entry,
    Event,
    EventStep,
    Federation,
    ListPlayer,
    Player,
    RatingList,
    Report,
    Standing,
    Submission,
)
from ratings.queries.grades.awards import with_state
from ratings.queries.grades.certificates import certificate_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("printed")]

GENDERS = ("female", "male")
POLISH = {"female": r"(?<=[sc])ka$|dzka$", "male": r"(?<=[sc])ki$|dzki$"}
"""Endings of Polish surnames that have two forms."""


def today():
    return timezone.now().date()


def genders_of(faker, part, name):
    """Return the genders of a given name or surname, by faker's lists of names."""
    provider = next(one for one in faker.get_providers() if type(one).__module__.startswith("faker.providers.person"))
    common = getattr(provider, f"{part}s", ())
    found = {gender for gender in GENDERS if name in getattr(provider, f"{part}s_{gender}", common)}
    if part == "last_name" and type(provider).__module__.endswith("pl_PL"):
        found = {gender for gender in GENDERS if re.search(POLISH[gender], name)} or set(GENDERS)
    return found


def known_names(locale):
    return Names(random.Random(1), [locale])


def agrees(faker, family, given):
    return bool(genders_of(faker, "last_name", family) & genders_of(faker, "first_name", given))


class TestNames:
    @pytest.mark.parametrize("locale", sorted(set(COUNTRIES) - {"ja_JP"}))
    def test_given_names_and_surnames_have_the_same_gender(self, locale):
        drawn = known_names(locale)
        faker = drawn.fakers[locale]
        written = [drawn.draw(locale) for _ in range(300)]
        pairs = [tuple(name.native.split(" ", 1)) if name.native else (name.family, name.given) for name in written]
        assert [pair for pair in pairs if not agrees(faker, *pair)] == []
        assert len(set(pairs)) > 100

    def test_check_of_genders_finds_a_woman_with_a_man_s_name(self):
        czech, polish, ukrainian = (known_names(one).fakers[one] for one in ("cs_CZ", "pl_PL", "uk_UA"))
        assert [agrees(czech, "Doležalová", "Petr"), agrees(czech, "Doležal", "Petr")] == [False, True]
        assert [agrees(polish, "Kowalska", "Adam"), agrees(polish, "Kowalska", "Ewa")] == [False, True]
        assert not agrees(ukrainian, "Чорновіл", "Nobody")

    def test_players_of_the_demo_have_names_of_one_gender(self):
        checked = Counter()
        for locale in ("cs_CZ", "pl_PL", "lv_LV"):
            faker = known_names(locale).fakers[locale]
            for player in Player.objects.filter(country=COUNTRIES[locale]):
                assert agrees(faker, player.family_name, player.given_name), player.name
                checked[locale] += 1
        assert min(checked.values()) > 1

    def test_famous_names_are_drawn_again(self, monkeypatch):
        first = known_names("sv_SE").draw("sv_SE")
        monkeypatch.setattr(names, "FAMOUS", (f"{first.family} {first.given}",))
        assert known_names("sv_SE").draw("sv_SE") != first

    def test_no_player_of_the_demo_is_famous(self):
        assert {player.name for player in Player.objects.all()} & set(FAMOUS) == set()

    def test_names_in_other_scripts_are_shown_beside_the_latin_ones(self, client):
        scripts = {
            "JP": r"[\u4e00-\u9fff]",
            "UA": r"[\u0400-\u04ff]",
            "GR": r"[\u0370-\u03ff]",
            "GE": r"[\u10a0-\u10ff]",
        }
        for country, letters in scripts.items():
            players = Player.objects.filter(country=country, shown="full")
            assert all(re.search(letters, player.native_name) for player in players)
            assert all(re.fullmatch(r"[A-Z][A-Za-z-]*", player.family_name) for player in players)
            player = players.first()
            assert player.native_name in client.get(player.get_absolute_url()).content.decode()


class TestEvents:
    def test_nobody_plays_in_two_places_on_one_day(self):
        places = defaultdict(set)
        for entry in Entry.objects.select_related("table__event"):
            event = entry.table.event
            for days in range((event.end - event.start).days + 1):
                places[entry.player_id, event.start + dt.timedelta(days=days)].add(event.pk)
        by_public_id = dict(Player.objects.values_list("public_id", "pk"))
        for submission in Submission.objects.select_related("event"):
            for row in content_from_json(submission.content).rows:
                places[by_public_id.get(row.player), submission.event.start].add(submission.event_id)
        assert [key for key, events in places.items() if key[0] is not None and len(events) > 1] == []
        assert len(places) > 500

    def test_events_are_in_cities_of_their_federation(self):
        for federation in FEDERATIONS:
            events = Event.objects.filter(lists__federation__name=federation.federation).distinct()
            assert events.exists()
            for event in events:
                assert event.country in federation.hosts
                assert event.place in cities(str(event.country))
                assert event.name.startswith(f"{event.place} ")
                assert event.name.endswith(str(event.end.year))
                assert event.time_control
                assert event.club is None or (event.club.city, event.club.country) == (event.place, event.country)

    def test_names_of_events_differ_and_fit_the_season(self):
        events = list(Event.objects.all())
        assert [name for name, count in Counter(event.name for event in events).items() if count > 1] == []
        for event in events:
            kind = event.name.removeprefix(f"{event.place} ").rsplit(" ", 1)[0]
            assert event.end.month in MONTHS.get(kind, range(1, 13)), event.name
        assert any(event.name.startswith(f"{event.place} Club Evening") for event in events)

    def test_players_come_mostly_from_nearby(self):
        for federation in FEDERATIONS:
            entries = Entry.objects.filter(table__event__lists__federation__name=federation.federation).distinct()
            near = [
                are_near(str(entry.player.country), str(entry.table.event.country))
                for entry in entries.select_related("player", "table__event")
            ]
            assert sum(near) / len(near) > 0.5, federation.federation

    def test_every_federation_has_coming_events_with_all_that_visitors_need(self):
        for federation in Federation.objects.all():
            coming = Event.objects.filter(lists__federation=federation, start__gt=today()).distinct()
            assert coming.filter(announced_at__isnull=False).count() >= 4
            for event in coming:
                assert all((event.place, event.country, event.time_control, event.organiser))
                assert re.match(r"https://[a-z]+\.example\.org/", event.link)
                assert event.announced_at < timezone.now() < dt.datetime.combine(event.start, dt.time.max, dt.UTC)
                assert event.end < today() + dt.timedelta(days=183)


class TestTimes:
    def test_dated_lists_were_published_on_the_day_after(self, client):
        for rating_list in RatingList.objects.filter(comparison_to=None):
            dated = list(rating_list.dated.all())
            assert len(dated) >= 2
            for one in dated:
                assert one.day < one.published_at.date() <= one.day + dt.timedelta(days=1)
                page = client.get(one.get_absolute_url()).content.decode()
                assert re.search(rf"as it was published on\s+{format_day(one.published_at.date())}", page)

    def test_waiting_approvals_were_earned_lately(self):
        waiting = Approval.objects.filter(state__in=Approval.OPEN)
        assert [case.grade for case in waiting] == ["5 Dan"]
        assert set(Standing.objects.exclude(waiting="").values_list("player")) == set(waiting.values_list("player"))
        for case in waiting:
            assert today() - dt.timedelta(weeks=8) <= case.earned_on < case.opened_at.date() <= today()

    def test_old_approvals_are_answered_and_have_certificates(self):
        answered = Approval.objects.filter(state__in=["approved", "declined"])
        assert {case.state for case in answered} == {"approved", "declined"}
        for case in answered:
            assert case.earned_on < case.opened_at.date() < case.answered_on < today() - dt.timedelta(days=30)
            assert (case.decided_at.date(), case.decided_by.username) == (case.answered_on, "approver")
            assert [step.at.date() for step in case.steps.all()] == [case.sent_on, case.answered_on]
            assert case.signed_by
            assert bool(case.reason) == (case.state == "declined")
        granted = answered.filter(state="approved").first()
        standing = Standing.objects.get(list=granted.list, player=granted.player)
        awards = with_state(Award.objects.filter(list=granted.list, player=granted.player))
        assert any("5-dan" in code for code in certificate_codes(standing, awards).values())

    def test_grades_were_announced_when_their_term_was_over(self):
        announced = Decision.objects.filter(ruling="kept")
        assert announced.count() > 5
        for decision in announced:
            assert decision.date <= decision.made_at.date() <= min(today(), decision.date + dt.timedelta(days=7))

    def test_what_waits_for_officers_is_days_old(self):
        submitted = EventStep.objects.filter(what="submitted", event__state="submitted")
        reports, claims = Report.objects.filter(state="open"), Claim.objects.filter(state="open")
        waiting = [*submitted, *reports, *claims]
        assert (submitted.count(), reports.count(), claims.count()) == (1, 2, 1)
        assert all(1 <= (today() - one.at.date()).days <= 14 for one in waiting)
        assert Report.objects.filter(state="mended").count() == Claim.objects.filter(state="granted").count() == 1

    def test_late_event_corrected_ratings_of_others_with_event_and_reason(self, client):
        runs = {correction.run for correction in Correction.objects.filter(run__list__slug="shogi")}
        late = Event.objects.get(name__contains=" Masters' Evening ")
        assert late.end < today() - dt.timedelta(days=200)
        seated = set(late.tables.get().entries.values_list("player", flat=True))
        for run in runs:
            page = client.get(f"/lists/shogi/corrections/{run.pk}/").content.decode()
            assert escape(f"{late.name} was added") in page
            assert set(run.corrections.values_list("player", flat=True)) - seated


class TestPlayersAndFederations:
    def test_federations_have_a_face_of_their_own(self, client):
        federations = list(Federation.objects.all())
        assert len(federations) == len(FEDERATIONS) == len({federation.house for federation in federations})
        for federation in federations:
            assert 2 <= len(federation.short_name) <= 4
            assert federation.crest.startswith("<svg")
            assert "\n" not in federation.description
            assert federation.description
            assert set(federation.languages) <= {"en", "fr", "de", "ja"}
            assert "en" in federation.languages
            assert [label for label, _ in federation.links] == [
                "Home page", "Contact", "Rules of the federation", "Privacy policy", "Imprint"
            ]  # fmt: skip
            hosts = {address.split("/")[2] for _, address in federation.links}
            assert [host.endswith(".example.org") for host in hosts] == [True]

    @pytest.mark.parametrize("shown", ["anonymous", "initials"])
    def test_some_players_are_not_shown_in_full(self, client, shown):
        for rating_list in RatingList.objects.filter(comparison_to=None):
            standing = rating_list.standings.filter(published=True, player__shown=shown, player__erased_at=None).first()
            page = client.get(standing.player.get_absolute_url()).content.decode()
            assert standing.player.public_name in page
            assert standing.player.name not in page

    def test_some_players_are_inactive_and_some_new(self):
        inactive = Counter()
        for rating_list in RatingList.objects.filter(comparison_to=None):
            played = rating_list.standings.filter(published=True, last_played__isnull=False)
            since = rating_list.active_since(today())
            inactive[rating_list.slug] = played.filter(last_played__lt=since).count()
            assert played.filter(last_played__gte=since).exists()
            began = rating_list.changes.filter(table__isnull=False).values("player").annotate(first=Min("day"))
            assert began.filter(first__gte=today() - dt.timedelta(days=365)).exists()
        assert min(inactive["shogi"], inactive["go"]) > 1

    def test_one_rating_of_each_list_is_withdrawn_and_one_person_erased(self, client):
        for rating_list in RatingList.objects.filter(comparison_to=None):
            withdrawn = ListPlayer.objects.get(list=rating_list, withdrawn=True).player
            assert not rating_list.standings.filter(player=withdrawn, published=True).exists()
        erased = Player.objects.get(erased_at__isnull=False)
        assert erased.erased_at.date() < today()
        page = client.get(erased.get_absolute_url()).content.decode()
        assert f"Player {erased.public_id}" in page
