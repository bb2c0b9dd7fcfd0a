"""Data that would like to be a part of the page, for every kind of page there is."""

import datetime as dt

from ratings.domain.lists.publishing import publish
from ratings.domain.lists.statistics import refresh
from ratings.domain.players.merging import merge_players
from ratings.domain.runs.log_keys import create_key
from ratings.models import (
    Club,
    DatedList,
    EntryList,
    EventEntry,
    Federation,
    Membership,
    PairingPage,
    Player,
    RatingList,
    Report,
    RuleEffect,
    RuleProposal,
)
from tests.factories import give_rating, make_event, make_list, make_player, make_table

CREST = '<svg viewBox="0 0 2 2" xmlns="http://www.w3.org/2000/svg"><path d="M0 0h2v2z" /></svg>'
FAMILY, GIVEN = '<script>alert("x")</script>', "\"'&<u>"


def make_hostile_site(rate_all):
    """A federation in which everything that has a name has one that would like to be a part of the page."""
    create_key("portal.example")
    bad = f"{FAMILY}{GIVEN}"
    fesa = make_list(name=bad, federation=bad, publish_from=dt.date(2020, 1, 1), options={"corrections": "revised"})
    Federation.objects.update(short_name=GIVEN, description=bad, crest=CREST, home="https://example.org/?a&b")
    make_list("twin", name=f"Twin {bad}", federation=bad, system="icu-1989", comparison_to=fesa)
    player, other, third = make_player(FAMILY, GIVEN, native_name=bad), make_player(FAMILY, "Zoë"), make_player()
    club = Club.objects.create(name=bad, city=bad, country="FR")
    Membership.objects.create(player=player, club=club)
    give_rating(fesa, player, 1799, grade="1 Kyu")
    give_rating(fesa, other, 1500, grade="3 Kyu")
    give_rating(fesa, third, 1700)
    event = make_event(bad, "2024-03-02", [fesa], place=bad, organiser=bad, time_control=bad)
    games = [(1, 1, 2, 1.0), (2, 1, 3, 1.0)]
    make_table(None, [player, other, third], games, "2024-03-02", event=event, name=bad)
    coming = make_event(bad, "2999-01-01", [fesa], place=bad, organiser=bad, state="draft", address=bad,
               schedule=f"{bad}\n{bad}", contact=bad, announced_at=dt.datetime.now(dt.UTC))  # fmt: skip
    EntryList.objects.create(event=coming)
    tables = [[[bad, "Result"], [f"{FAMILY} {GIVEN}", "?-?"]]]
    PairingPage.objects.create(
        event=coming, kind="pairings", round=1, tables=tables, received_at=dt.datetime.now(dt.UTC)
    )
    EventEntry.objects.create(event=coming, player=player, state="confirmed")
    EventEntry.objects.create(
        event=coming, family_name=FAMILY, given_name=GIVEN, message=bad, club=bad, state="confirmed"
    )
    rate_all()
    publish(DatedList(list=fesa, day=dt.date(2024, 6, 1)))
    make_table(fesa, [other, third], [(1, 1, 2, 1.0)], "2024-02-02", event_name=f"Late {bad}")
    give_rating(fesa, other, 1900, "2024-01-01")  # so that the player's own rating is corrected
    double = make_player(FAMILY, "Double")
    rate_all()
    merge_players(double, other, reason=bad)
    rate_all()
    Report.objects.create(player=player, text=bad)
    rate_all()
    refresh(RatingList.objects.get(pk=fesa.pk))
    RatingList.objects.filter(pk=fesa.pk).update(active_years=50)  # so that the effects of a proposal show somebody
    propose_change(fesa, player, bad)
    return Player.objects.get(pk=player.pk)


def propose_change(rating_list, player, text, **more):
    """A proposal that is open for comments, with its effect on a player."""
    proposal = RuleProposal.objects.create(
        list=rating_list, title=text, reason=text, proposed_by=text, system=rating_list.system,
        options={"corrections": "kept"}, in_force=dt.date(2999, 1, 1), since=dt.date(2020, 1, 1), state="open",
        work="done", published_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
        changed_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC), **more,
    )  # fmt: skip
    RuleEffect.objects.create(proposal=proposal, player=player, present=1500, rating=1512)
    return proposal
