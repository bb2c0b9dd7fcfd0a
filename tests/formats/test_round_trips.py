"""What a format can carry comes back from it as it was."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.carrying import lossless_forms
from ratings.formats.grid import read_grid, write_grid
from ratings.formats.h9 import read_h9, write_h9
from ratings.formats.head import Head
from ratings.formats.recognise import READERS, recognise
from ratings.formats.sheets import read_csv, read_xlsx, write_csv, write_xlsx
from ratings.formats.trf import read_trf, write_trf

from .tables import LETTERS, TODAY, colours, errors, even, shogi, stones, tables, without_lines, words

HEAD = Head("another", TODAY, TODAY)
COUNTRIES = st.sampled_from(["DE", "FR", "CH"])
DANGEROUS = words(LETTERS + "=+-@',;\"#|()&/.0123456789")
few = settings(max_examples=60)
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


both = st.builds(
    lambda kind, gave, black: {"handicap": kind, "gave": gave, "black": black},
    st.sampled_from(["s", "2p"]), st.booleans(), st.booleans(),
)  # fmt: skip
WRITERS = {"grid": write_grid, "trf": write_trf, "h9": write_h9, "csv": write_csv, "xlsx": write_xlsx}


def played(table):
    """What may not be lost on the way through any format."""
    return [
        (row.number, row.family, row.given, row.country, row.cells, row.macmahon or 0, row.simultaneous)
        for row in table.rows
    ]


@few
@given(
    tables(
        names=words("abcdeABCDEéüøñß[]_;|,"),
        conditions=even | shogi | colours | stones | both,
        optional=("macmahon",),
        heads=CONTROLLED,
    )
)
def test_table_comes_back_from_every_format_that_is_said_to_carry_it(table):
    forms = lossless_forms(table)
    assert {"csv", "xlsx"} <= set(forms)
    for form in set(forms) - {"published"}:  # it parts first and last names by columns, which may be ambiguous
        written = WRITERS[form](table)
        data = written if isinstance(written, bytes) else written.encode()
        found = READERS[form](data, HEAD, TODAY)
        assert (form, errors(found[1]), played(found[0])) == (form, [], played(table))
