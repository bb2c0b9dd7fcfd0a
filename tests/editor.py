"""Somebody who edits a list's inputs at random, the same way for the same seed."""

from __future__ import annotations

import datetime as dt
import random
from contextlib import suppress

from django.core.exceptions import ValidationError

from ratings.domain.events.tables import save_details, save_event
from ratings.domain.lists.adjustments import (
    delete_adjustment,
    delete_list_player,
    save_adjustment,
    save_list_player,
    save_player,
)
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.reassign_results import move_results
from ratings.domain.results.deleting import delete_table
from ratings.models import Adjustment, Decision, Entry, Event, ListPlayer, Table
from tests.factories import make_player, make_table


class Editor:
    """Somebody who edits at random, the same for the same seed."""

    def __init__(self, rating_list, seed, *, players=9, days=260):
        self.list, self.chance, self.days = rating_list, random.Random(seed), days
        self.players = [make_player() for _ in range(players)]
        self.merges = []

    def day(self):
        return dt.date(2024, 1, 1) + dt.timedelta(days=self.chance.randrange(self.days))

    def new_table(self):
        seated = self.chance.sample(self.players, self.chance.randint(2, 6))
        places = range(1, len(seated) + 1)
        games = [(r, *self.chance.sample(places, 2), self.chance.choice((0.0, 0.5, 1.0))) for r in range(1, 7)]
        make_table(self.list, seated, games, str(self.day()))

    def table(self):
        return self.chance.choice(list(Table.objects.filter(event__lists=self.list).order_by("pk")))

    def move(self):
        table = self.table()
        table.last_day = self.day()
        table.first_day = table.last_day - dt.timedelta(days=self.chance.randrange(50))
        save_details(table)

    def reorder(self):
        table = self.table()
        table.position = self.chance.randrange(3)
        save_details(table)

    def unrate(self):
        table = self.table()
        table.rated = not table.rated
        save_details(table)

    def delete(self):
        delete_table(self.table())

    def draft(self):
        event = self.table().event
        event.state = Event.State.DRAFT if event.state == Event.State.ACCEPTED else Event.State.ACCEPTED
        save_event(event)

    def give(self):
        given = Adjustment(list=self.list, player=self.chance.choice(self.players), date=self.day(), reason="r",
                           set={"rating": self.chance.randint(1000, 2400)})  # fmt: skip
        if self.chance.random() < 0.2:
            given.player, given.set, given.shift = None, None, self.chance.choice((-50, 50))
        save_adjustment(given)

    def take(self):
        for given in self.chance.sample(list(self.list.adjustments.order_by("pk")), 1):
            delete_adjustment(given)

    def decide(self):
        if not self.list.has_grades:
            return
        table = self.table()
        before = table if self.chance.random() < 0.6 and table.event.lists.exists() else None
        ruling = self.chance.choice(("printed", "withheld", "given", "kept"))
        grade = self.chance.choice(self.list.rating_system.grading.grades[8:22])
        player = self.chance.choice(self.players)
        if not Decision.objects.filter(list=self.list, player=player).exists():
            with suppress(ValidationError):  # the grade needs approval
                save_adjustment(Decision(list=self.list, player=player, grade=grade, ruling=ruling, before=before,
                                  date=before.last_day if before else self.day(), reason="r"))  # fmt: skip

    def know(self):
        player = self.chance.choice(self.players)
        row = ListPlayer.objects.filter(list=self.list, player=player).first() or ListPlayer(
            list=self.list, player=player
        )
        row.withdrawn, row.start_year = self.chance.random() < 0.3, 2000 + self.chance.randrange(24)
        grading = self.list.rating_system.grading
        free = [rank for rank in grading.ranks if rank not in grading.grades_needing_approval]
        if free:
            row.prior_grade = self.chance.choice(("", *free[10:20]))
        save_list_player(row)

    def forget(self):
        for row in self.list.members.order_by("pk")[:1]:
            delete_list_player(row)

    def be_born(self):
        player = self.chance.choice(self.players)
        player.birth_date = dt.date(1995 + self.chance.randrange(12), 1, 1)
        save_player(player)

    def fix(self):
        entry = self.chance.choice(list(Entry.objects.filter(table__event__lists=self.list).order_by("pk")))
        Entry.objects.filter(pk=entry.pk).update(fixed_rating=self.chance.choice((None, 1500)))
        save_details(entry.table)

    def swap(self):
        entry = self.chance.choice(list(Entry.objects.filter(table__event__lists=self.list).order_by("pk")))
        with suppress(ValidationError):  # he sits there already
            move_results([entry.table], entry.player, self.chance.choice(self.players), reason="r")

    def merge(self):
        gone, kept = self.chance.sample(self.players, 2)
        with suppress(ValidationError):  # they stand in one table
            self.merges.append(merge_players(gone, kept, reason="r"))
            self.players.remove(gone)

    def unmerge(self):
        record = self.merges.pop()
        undo_merge(record)
        self.players.append(record.gone)

    def edit(self):
        kinds = [self.new_table] * 4 + [self.move, self.reorder, self.unrate, self.delete, self.draft, self.give,
                 self.take, self.decide, self.know, self.forget, self.be_born, self.fix,
                 self.swap, self.merge, self.unmerge]  # fmt: skip
        while True:
            try:
                return self.chance.choice(kinds)()
            except (IndexError, ValueError):
                continue  # nothing there yet to choose from
