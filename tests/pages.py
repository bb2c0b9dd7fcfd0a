"""Every public address by its name: a new one is added here by a line, and is held to what all of them keep to.

Pages may set no cookie; forms set the one that keeps others from sending them; what is one's own asks for a log-in.
`indexed`: search engines may have it.
"""

from dataclasses import dataclass

from django.urls import URLPattern, get_resolver

from ratings.models import (
    Award,
    Club,
    EventEntry,
    RatingList,
    Report,
    RuleProposal,
    Standing,
    Table,
)
from ratings.queries.grades.awards import with_state
from ratings.queries.grades.certificates import certificate_codes
from ratings.queries.runs.corrections import correcting_runs, corrections_by


@dataclass(frozen=True)
class Page:
    address: str
    kind: str = "page"
    indexed: bool = True


def closed(address, kind="page"):
    return Page(address, kind, indexed=False)


def file(address):
    return closed(address, "file")


PAGES = {
    "front": Page("/"),
    "search": closed("/search/?q=script"),
    "suggest": file("/search/suggest/?q=script"),
    "federation": closed("/federations/{federation}/", "way"),
    "crest svg": Page("/federations/{federation}/crest.svg", "file"),
    "crest png": Page("/federations/{federation}/crest.png", "file"),
    "portal_card": Page("/card.png", "file"),
    "federation_card": Page("/federations/{federation}/card.png", "file"),
    "list": Page("/lists/{list}/?active=all"),
    "list_card": Page("/lists/{list}/card.png", "file"),
    "list_file csv": file("/lists/{list}/list.csv?active=all"),
    "list_file txt": file("/lists/{list}/list.txt?active=all"),
    "list_file xlsx": file("/lists/{list}/list.xlsx?active=all"),
    "list_file json": file("/lists/{list}/list.json?active=all"),
    "latest": closed("/lists/{list}/latest/", "way"),
    "latest_file": closed("/lists/{list}/latest/list.csv", "way"),
    "moves": Page("/lists/{list}/moves/"),
    "statistics": Page("/lists/{list}/statistics/"),
    "statistics_chart": Page("/lists/{list}/statistics/calibration.svg", "file"),
    "list_health": Page("/lists/{list}/health/"),
    "list_health_file": file("/lists/{list}/health.csv"),
    "list_calculator": closed("/lists/{list}/calculator/?rating=1500&games=1600%2B"),
    "tournament": closed("/lists/{list}/calculator/tournament/", "form"),
    "promotions": Page("/lists/{list}/promotions/"),
    "promotion_feed": file("/lists/{list}/promotions.atom"),
    "grades": Page("/lists/{list}/grades/"),
    "dated_lists": Page("/lists/{list}/dated/"),
    "dated_list": Page("/lists/{list}/dated/{day}/"),
    "dated_card": Page("/lists/{list}/dated/{day}/card.png", "file"),
    "dated_file": file("/lists/{list}/dated/{day}/list.csv"),
    "history": file("/lists/{list}/history.json"),
    "digest": file("/lists/{list}/digest.txt"),
    "corrections": Page("/lists/{list}/corrections/"),
    "correction_feed": file("/lists/{list}/corrections.atom"),
    "list_log": Page("/lists/{list}/log/"),
    "log_text": file("/lists/{list}/log/log.txt"),
    "log_keys": file("/lists/{list}/log/keys.txt"),
    "log_export": file("/lists/{list}/log/export.zip"),
    "log_leaves": file("/lists/{list}/log/leaves/results.txt"),
    "dated_checkpoint": file("/lists/{list}/dated/{day}/checkpoint.txt"),
    "witnessed_logs": file("/witnessed.txt"),
    "player_proof": closed("/players/{published}/proof/"),
    "player_proof_file": file("/players/{published}/proof/{list}/{day}.txt"),
    "correction": Page("/lists/{list}/corrections/{run}/"),
    "player_correction": closed("/lists/{list}/corrections/{run}/{corrected}/"),
    "correction_card": Page("/lists/{list}/corrections/{run}/{corrected}/card.png", "file"),
    "all_rules": Page("/rules/"),
    "checks": Page("/rules/checks/"),
    "rules": Page("/lists/{list}/rules/"),
    "rule_proposals": Page("/lists/{proposal_list}/proposals/"),
    "rule_proposal": Page("/lists/{proposal_list}/proposals/{proposal}/?q={player}"),
    "rule_effects_file": file("/lists/{proposal_list}/proposals/{proposal}/players.csv"),
    "rule_effects_chart": Page("/lists/{proposal_list}/proposals/{proposal}/players.svg", "file"),
    "proposal_feed": file("/lists/{proposal_list}/proposals.atom"),
    "comparison": Page("/lists/{comparison}/comparison/"),
    "explanation": closed("/lists/{list}/tables/{table}/{player}/"),
    "closing_explanation": closed("/lists/{list}/closings/{day}/{player}/", "closing"),  # a list with closing days
    "closing_card": closed("/lists/{list}/closings/{day}/{player}/card.png", "closing"),
    "explanation_card": Page("/lists/{list}/tables/{table}/{player}/card.png", "file"),
    "events": Page("/events/"),
    "event_feed": file("/events.atom"),
    "event": Page("{event_page}"),
    "event_card": Page("/events/{event}/card.png", "file"),
    "event_crosstable": Page("/events/{event}/crosstable/"),
    "event_rounds": Page("/events/{event}/rounds/"),
    "event_grades": Page("/events/{event}/grades/"),
    "event_entries": closed("/events/{announced}/entries/"),
    "event_pairings": closed("/events/{announced}/pairings/"),
    "roster_file csv": file("/events/{announced}/roster.csv"),
    "roster_file json": file("/events/{announced}/roster.json"),
    "enter_event": closed("/events/{announced}/enter/", "form"),
    "own_entry": closed("/events/{announced}/entries/{entry}/", "form"),
    "table_file grid": file("/events/{event}/{table}/grid.txt"),
    "table_file published": file("/events/{event}/{table}/published.txt"),
    "table_file csv": file("/events/{event}/{table}/csv.csv"),
    "table_file xlsx": file("/events/{event}/{table}/xlsx.xlsx"),
    "player": Page("{player_page}"),
    "calculator": closed("/players/{player}/calculator/?game-0-rating=1850&game-0-score=1"),
    "without_slug": closed("/players/{player}-kuma/games/", "way"),
    "player_events": Page("/players/{player}/events/"),
    "player_games": Page("/players/{player}/games/"),
    "player_opponents": Page("/players/{player}/opponents/"),
    "player_grades": Page("/players/{player}/grades/"),
    "player_history": file("/players/{player}/history.csv"),
    "player_card": Page("/players/{player}/card.png", "file"),
    "player_graph": Page("/players/{player}/graph.svg", "file"),
    "player_graph csv": file("/players/{player}/graph.csv"),
    "choose_rival": closed("/players/{player}/versus/"),
    "versus": closed("/players/{player}/versus/{rival}/"),
    "versus_card": Page("/players/{player}/versus/{rival}/card.png", "file"),
    "versus_graph": file("/players/{player}/versus/{rival}/graph.svg"),
    "versus_graph csv": file("/players/{player}/versus/{rival}/graph.csv"),
    "compare": Page("/compare/?player={player}&player={rival}"),
    "lookup": closed("/lookup/", "form"),
    "compare_graph": Page("/compare/graph.svg?player={player}&player={rival}", "file"),
    "compare_graph csv": file("/compare/graph.csv?player={player}&player={rival}"),
    "public_laboratory": closed("/lists/{list}/laboratory/", "own"),
    "claim_page": closed("/players/{player}/claim/", "own"),
    "player_feed": file("/players/{player}/feed.atom"),
    "club_feed": file("/clubs/{club}/feed.atom"),
    "steps_feed": file("/events/{event}/feed.atom"),
    "published_feed": file("/lists/{list}/dated.atom"),
    "following": closed("/me/following/", "own"),
    "follow": closed("/me/follow/player/{player}/", "own"),
    "unsubscribe": closed("/unsubscribe/x/", "link"),  # from a mail
    "embedded_list": closed("/embed/lists/{list}/?active=all", "frame"),
    "embed_list": closed("/lists/{list}/embed/"),
    "embed_player": closed("/players/{player}/embed/"),
    "player_badge": Page("/players/{player}/badge.svg", "file"),
    "certificate": Page("/certificates/{certificate}/"),
    "certificate_file": file("/certificates/{certificate}.pdf"),
    "me": closed("/me/", "own"),
    "request_own_erasure": closed("/me/erase/", "own"),
    "personal_data": closed("/me/data/", "own"),
    "personal_data_file": closed("/me/data.json", "own"),
    "start": closed("/desk/", "own"),
    "withdraw_claim": closed("/me/claims/9/withdraw/", "own"),
    "give_up_page": closed("/me/release/", "own"),
    "countries": Page("/countries/"),
    "country": Page("/countries/FR/"),
    "clubs": Page("/clubs/"),
    "club": Page("{club_page}"),
    "calendar": Page("/calendar/"),
    "calendar_feed": file("/calendar.ics"),
    "new_report": closed("/report/players/{player}/", "form"),
    "report": closed("/reports/{report}/"),
    "privacy": Page("/privacy/"),
    "help": Page("/help/"),
    "help_role organiser": Page("/help/organiser/"),
    "help_role officer": Page("/help/officer/"),
    "help_role approver": Page("/help/approver/"),
    "help_role administrator": Page("/help/administrator/"),
    "language": Page("/language/", "choice"),
    "theme": Page("/theme/", "choice"),
    "robots": file("/robots.txt"),
    "undo_own_step": Page("/me/undo/1/", "choice"),
    "favicon": Page("/favicon.ico", "file"),
    "security_txt": file("/.well-known/security.txt"),
    "sitemap_index": Page("/sitemap.xml", "file"),
    "sitemap": Page("/sitemap-players.xml", "file"),
    "health": Page("/health/", "file"),
}
ELSEWHERE = ("hall/", "accounts/", "answer/", "admin/", "api/", "organise/", "metrics")
"""What is not public, or has tests of its own like these."""


def public_names():
    """The names of all addresses in portal/urls.py but those of managing pages."""
    found = [
        pattern for pattern in get_resolver().url_patterns if not str(pattern.pattern).lstrip("^").startswith(ELSEWHERE)
    ]
    return {pattern.name if isinstance(pattern, URLPattern) else str(pattern.pattern) for pattern in found}


def values():
    """Return one value of each kind for addresses, from the rows of the database."""
    own = RatingList.objects.filter(comparison_to=None, public=True, dated__isnull=False).order_by("pk").first()
    comparison = RatingList.objects.exclude(comparison_to=None).filter(public=True).first()
    award = Award.objects.filter(list=own, last_of_step=True, table__isnull=False).order_by("pk").first()
    standing = Standing.objects.get(list=own, player=award.player)
    run = correcting_runs(own)[0]
    proposal = RuleProposal.objects.exclude(state=RuleProposal.State.DRAFT).select_related("list").first()
    codes = certificate_codes(standing, with_state(award.player.awards.filter(list=own)))
    table = Table.objects.get(pk=award.table_id)
    entry = EventEntry.objects.filter(event__state="draft", event__announced_at__isnull=False).order_by("pk")[0]
    club = Club.objects.filter(memberships__player=award.player).first() or Club.objects.order_by("pk").first()
    return {
        "federation": own.federation.slug,
        "list": own.slug,
        "comparison": comparison.slug,
        "day": own.dated.first().day,
        "proposal": proposal.pk,
        "proposal_list": proposal.list.slug,
        "run": run.pk,
        "corrected": corrections_by(run)[0].player.public_id,
        "table": table.pk,
        "event": table.event.public_id,
        "announced": entry.event.public_id,
        "entry": entry.key,
        "event_page": table.event.get_absolute_url(),
        "player": award.player.public_id,
        "published": own.dated.first().lines.order_by("pk").first().player.public_id,
        "rival": own.standings.filter(published=True).exclude(player=award.player).first().player.public_id,
        "player_page": award.player.get_absolute_url(),
        "club": club.public_id,
        "club_page": club.get_absolute_url(),
        "certificate": next(iter(codes.values())),
        "report": Report.objects.first().public_id,
    }


def addresses(*kinds):
    """The address of every page of these kinds, by its name."""
    known = values()
    return {name: page.address.format(**known) for name, page in PAGES.items() if page.kind in kinds}
