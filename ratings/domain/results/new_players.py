"""Players who are new in several files of one batch."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.formats.sheet_content import content_from_json
from ratings.matching import fold
from ratings.models import BatchFile, Player, Submission


def choose_new_players(submission: Submission, players: Iterable[Player]) -> None:
    """Choose players whom an accepted submission created where other files of its batches have them as new.

    Files of one batch that have a new player of the same name and country mean the same person, who would else be
    created once for each file.
    """
    created = {(fold(player.family_name), fold(player.given_name), str(player.country)): player for player in players}
    batches = BatchFile.objects.filter(submission=submission).values("batch")
    others = BatchFile.objects.filter(batch__in=batches, submission__isnull=False).exclude(submission=submission)
    ended = (Submission.State.ACCEPTED, Submission.State.DELETED)
    drafts = Submission.objects.filter(pk__in=others.values("submission")).exclude(state__in=ended)
    if not created:
        return
    for draft in drafts.select_for_update(of=("self",)):
        content, changed = content_from_json(draft.content), False
        for row in content.rows:
            player = created.get((fold(row.family), fold(row.given), row.country.upper()))
            if row.new and not row.player and player is not None:
                row.player, row.new, changed = player.public_id, False, True
        if changed:
            # an officer's page of the submitted ones is still right; an organiser's page of a draft is not
            draft.content, draft.version = content.to_json(), draft.version + draft.is_open
            draft.save(update_fields=["content", "version"])
