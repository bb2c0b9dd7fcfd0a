"""What a format can carry comes back from it as it was."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.grid import read_grid, write_grid
from ratings.formats.h9 import read_h9, write_h9
from ratings.formats.head import Head
from ratings.formats.recognise import recognise
from ratings.formats.sheets import read_csv, read_xlsx, write_csv, write_xlsx
from ratings.formats.trf import read_trf, write_trf

from .tables import LETTERS, TODAY, colours, errors, even, shogi, stones, tables, without_lines, words

HEAD = Head("another", TODAY, TODAY)
COUNTRIES = st.sampled_from(["DE", "FR", "CH"])
DANGEROUS = words(LETTERS + "=+-@',;\"#|()&/.0123456789")
few = settings(max_examples=60, deadline=None)
CONTROLLED = st.tuples(words(), COUNTRIES, st.just("30min + 30sec"))


@few
@given(tables(conditions=even | shogi, optional=("new", "macmahon"), heads=CONTROLLED))
def test_grid_comes_back(table):
    again, problems = read_grid(write_grid(table).encode("latin-1"), TODAY)
    assert (errors(problems), without_lines(again)) == ([], table)


@few
@given(tables(conditions=even | colours, heads=CONTROLLED))
def test_trf_comes_back(table):
    data = write_trf(table).encode()
    again, problems = read_trf(data, HEAD, TODAY)
    assert (errors(problems), without_lines(again), recognise(data)) == ([], table, "trf")


@few
@given(
    tables(
        conditions=even | colours | stones,
        optional=("grade",),
        heads=st.tuples(words(), COUNTRIES, st.just("60 minutes")),
    )
)
def test_h9_comes_back(table):
    data = write_h9(table).encode()
    again, problems = read_h9(data, HEAD, TODAY)
    assert (errors(problems), without_lines(again), recognise(data)) == ([], table, "h9")


sheets = tables(
    names=DANGEROUS, conditions=even | shogi | colours | stones, optional=("new", "macmahon"),
    heads=st.tuples(DANGEROUS, DANGEROUS, DANGEROUS),
)  # fmt: skip


@few
@given(sheets)
def test_csv_comes_back(table):
    data = write_csv(table).encode()
    again, problems = read_csv(data, HEAD, TODAY)
    assert (errors(problems), without_lines(again), recognise(data)) == ([], table, "csv")


@few
@given(sheets)
def test_workbook_comes_back(table):
    data = write_xlsx(table)
    again, problems = read_xlsx(data, HEAD, TODAY)
    assert (errors(problems), without_lines(again), recognise(data)) == ([], table, "xlsx")
