"""Store the change by a player's last event as it is displayed.

It is the difference of the displayed ratings, and that of the closing day on which the event counted if the event
itself left the rating as it was.
"""

from django.db import migrations

DECIMALS = {"bgf": 1, "egf-2021": 0, "glicko-2": 0, "rif-2021": 0, "fide-2024": 0, "rif-1995": 0}
"""Decimals with which ratings are displayed, by systems whose changes are no whole numbers or count on closing days."""
FIELDS = ("player", "games", "table", "adjustment", "decision", "before", "after", "change")


def read_last_changes(changes):
    """Return the ratings before and after and the change by each player's last event, by primary key."""
    last, waiting = {}, set()
    for player, games, table, adjustment, decision, *change in changes.values_list(*FIELDS).iterator():
        before, after, by = change
        if games > 0:
            last[player] = change
            (waiting.discard if by or before != after else waiting.add)(player)
        elif player in waiting and not (table or adjustment or decision):
            last[player] = change
            waiting.discard(player)
    return last


def round_last_changes(apps, schema_editor):
    """Replace the exact changes of the standings by the displayed ones."""
    Standing = apps.get_model("ratings", "Standing")
    Change = apps.get_model("ratings", "Change")
    lists = apps.get_model("ratings", "RatingList").objects.filter(system__in=DECIMALS)
    for pk, system in lists.values_list("pk", "system"):
        decimals = DECIMALS[system]
        last = read_last_changes(Change.objects.filter(list=pk).order_by("player", "day", "place"))
        changed = []
        for standing in Standing.objects.filter(list=pk).iterator():
            before, after, change = last.get(standing.player_id, (None, None, None))
            displayed = None if before is None or change is None else round(change, decimals)
            if displayed is not None and after is not None and after != before:
                displayed = round(round(after, decimals) - round(before, decimals), decimals)
            if displayed != standing.last_change:
                standing.last_change = displayed
                changed.append(standing)
        Standing.objects.bulk_update(changed, ["last_change"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0076_former_names")]

    operations = [migrations.RunPython(round_last_changes, migrations.RunPython.noop)]
