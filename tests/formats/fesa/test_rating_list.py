import datetime as dt

from ratings.formats.fesa.rating_list import ListLine, write_rating_list


def test_list_text_has_the_federations_columns():
    text = write_rating_list(
        dt.date(2017, 8, 19),
        [
            ListLine("Yamamoto", "Taichi", "5 Dan", "5 Dan", 2556, 55, "JP"),
            ListLine("Tanabe", "Hirotaka", None, "10 Kyu", 962, 7, "JP"),
        ],
    )
    assert text.split("\n") == [
        "Elo list for 2017-08-19",
        "",
        "    Name                               Grades       Elo #games Nationality",
        "  1 Yamamoto          Taichi           5 Dan  5 Dan 2556  55     JP",
        "  2 Tanabe            Hirotaka               10 Kyu  962   7     JP",
    ]
    line = text.split("\n")[3]
    # 0-based columns of the federation's file: grade 38-43, second grade 45-50, Elo 52-55, games 57-59, nationality 65
    assert [line[4:12], line[22:28], line[38:44], line[45:51], line[52:56], line[57:60], line[65:]] == [
        "Yamamoto", "Taichi", " 5 Dan", "  5 Dan"[1:], "2556", " 55", "JP",
    ]  # fmt: skip
