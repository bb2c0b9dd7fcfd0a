import datetime as dt
import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from portal.charts.axes import PAPER, Limit
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import draw_graph
from portal.charts.marks import Mark
from portal.grades.graphs import mark_days
from portal.pdf.dossier import Dossier, write_dossier
from portal.site.federation_identity import Identity

from .read import pages, with_pdftotext

DAY = dt.date(2024, 2, 3)
CREST = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
FEDERATION = Identity("Shogi Federation", "Official ratings", "pine", CREST)
RISE = [(DAY + dt.timedelta(days=30 * n), 2300 + 11.5 * n) for n in range(13)]


def draw(points, marks=(), bound=None):
    marked = mark_days([GraphPoint(*each) for each in points], marks)
    limit = bound and Limit(bound, f"{bound} needed")
    return draw_graph([Curve("Sato", marked)], PAPER, span=(marked[0].day, marked[-1].day), limit=limit)


SATO = Dossier(
    title="Sato Ken: 5 Dan on FESA",
    identity=FEDERATION,
    facts=[("Player", "Sato Ken 佐藤 健, Japan"), ("Earned", "2025-02-01")],
    rule="After game 2 the rating was 2446, at least 2440.",
    dated=dt.date(2025, 6, 1),
    games=[("2025-02-01", "Cup", "1", "Щербаков Иван", "2430", "1", "2446")],
    graph=draw(RISE, [(DAY, Mark("4 Dan", "promotion")), (dt.date(2025, 1, 28), Mark("5 Dan", "waiting"))], 2440),
    earlier=[("2024-02-03", "4 Dan", "given", "")],
    since=[("2025-03-01", "Łódź Open", "2/3", "2446", "+8", "2454")],
)
WORDS = (
    "Shogi Federation Official ratings Sato Ken: 5 Dan on FESA Player Sato Ken 佐藤 健, Japan Earned 2025-02-01 Rule After game 2 the rating was 2446, at"
    " least 2440. Rating"
)
TABLES = (
    "Games that count Date Event Round Opponent Rating Result After 2025-02-01 Cup 1 Щербаков Иван 2430 1 2446"
    " Earlier grades Date Grade How Event 2024-02-03 4 Dan given"
    " Results since Date Event Games Before ± After 2025-03-01 Łódź Open 2/3 2446 +8 2454"
    " Shogi Federation · Sato Ken: 5 Dan on FESA · 1 Jun 2025 Page 1 of 1"
)


def test_dossier_shows_the_rule_the_games_the_graph_and_what_was_before_and_since():
    (text,) = pages(write_dossier(SATO))
    words, _, rest = text.partition(" Rating ")
    graph, _, tables = rest.partition(" Games that count ")
    assert (words + " Rating", "Games that count " + tables) == (WORDS, TABLES)
    assert graph == (
        "2280 2320 2360 2400 2440 Mar 2024 May 2024 Jul 2024 Sep 2024 Nov 2024 Jan 2025 2440 needed 4 Dan 5 Dan? 2438"
    )


def test_dossier_without_any_of_it_says_so():
    (text,) = pages(write_dossier(Dossier("Sato Ken: 5 Dan", FEDERATION, [], "A rule.", DAY)))
    assert text == (
        "Shogi Federation Official ratings Sato Ken: 5 Dan Rule A rule. Games that count No game counts for this grade. Earlier grades No earlier grade on this list. Results since No results since that day."
        " Shogi Federation · Sato Ken: 5 Dan · 3 Feb 2024 Page 1 of 1"
    )


def test_dossier_has_the_crest_of_the_federation():
    reader = PdfReader(io.BytesIO(write_dossier(SATO)))
    assert [image.image.size for page in reader.pages for image in page.images] == [(512, 512)]
    assert reader.metadata.author == "Shogi Federation"
    without = PdfReader(io.BytesIO(write_dossier(replace(SATO, identity=FEDERATION._replace(crest="", line="")))))
    assert [image for page in without.pages for image in page.images] == []
    assert " ".join(without.pages[0].extract_text().split()).startswith("Shogi Federation Sato Ken: 5 Dan on FESA")


def test_foot_with_a_long_name_leaves_room_for_the_page_number():
    long = FEDERATION._replace(name="Federation of all the players " * 4)
    assert pages(write_dossier(replace(SATO, identity=long)))[0].endswith("· 1 Jun 2025 Page 1 of 1")


def test_long_tables_go_on_with_their_head_on_the_next_sheet():
    games = [("2025-02-01", "Cup", str(n), f"Opponent{n}", "2430", "1", "2446") for n in range(70)]
    several = pages(write_dossier(replace(SATO, games=games)))
    assert [text.count("Opponent Rating Result After") for text in several] == [1, 1, 0][: len(several)]
    assert [text[-11:] for text in several] == [f"Page {n} of {len(several)}" for n in range(1, len(several) + 1)]
    assert all(sum(f"Opponent{n} " in text for text in several) == 1 for n in range(70))


@pytest.mark.parametrize(
    ("graph", "bound", "drawn"),
    [
        ([(DAY, 2440.0)], None, "2410 2420 2430 2440 2450 2460 2470 3 Feb 2024 2440"),
        ([(DAY, 100.0), (DAY, 100.0)], 2440, "0 500 1000 1500 2000 2500 3 Feb 2024 2440 needed 100"),
        ([(DAY, -30.0), (dt.date(2044, 2, 3), 30.0)], None, "−30 −20 −10 0 10 20 30 2025 2027 2029 2031 2033 2035 2037 2039 2041 2043 30"),
    ],
)  # fmt: skip
def test_axes_have_round_numbers_for_any_points(graph, bound, drawn):
    (text,) = pages(write_dossier(replace(SATO, graph=draw(graph, bound=bound))))
    assert text.partition(" at least 2440. Rating ")[2].partition(" Games that count ")[0] == drawn


def test_words_longer_than_their_column_are_broken():
    game = ("2025-02-01", "Z" * 120, "1", "X" * 90, "2430", "1", "2446")
    (text,) = pages(write_dossier(replace(SATO, games=[game])))
    assert (text.count("Z"), text.count("X")) == (120, 90)


@pytest.mark.services
def test_pdftotext_reads_the_dossier():
    text = with_pdftotext(write_dossier(SATO))
    assert text.startswith(WORDS)
    assert text.endswith(TABLES)
