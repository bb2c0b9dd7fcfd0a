"""Public catalogue of the checks of results: each has a code, a name, a description, a level and a place.

A check may report several messages. The page of the checks and the headings of the results page are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ratings.formats.parsed import FATAL, HINT, WARNING
from ratings.formats.problems import FileProblem as F
from ratings.formats.problems import SubmissionProblem as S
from ratings.systems.messages import Message, MessageCode
from ratings.systems.messages import Message as _


class Place(StrEnum):
    """Places in which a check reports a problem."""

    FILE = "file"
    EVENT = "event"
    DAYS = "days"
    PLAYER = "player"
    RESULT = "result"
    TABLE = "table"
    GRADE = "grade"


@dataclass(frozen=True)
class Check:
    """A check of results.

    `level` is that of its messages on the results page: an error must be fixed, a question answered, a note only
    informs. `level_in_file` is the level of a problem that only the file has, because the results were read
    differently; `level_submitted` is the level once the results are submitted, where ratings or memberships may have
    changed meanwhile. Both are empty if they are `level`.
    """

    code: str
    name: Message
    description: Message
    level: str
    place: Place
    messages: tuple[MessageCode, ...]
    level_in_file: str = ""
    level_submitted: str = ""


CHECKS = (
    Check("file-type", _("File type"), _(
        "The file must be a results file in one of the formats that the portal reads. For other files the message says "
        "what the file is and how to save it."
    ), FATAL, Place.FILE, (
        F.FILE_EMPTY, F.NOT_TEXT, F.UNKNOWN_FORMAT, F.OLD_OFFICE_FILE, F.PDF_FILE, F.PICTURE, F.TEXT_DOCUMENT,
        F.PACKED_FILE, F.THIS_IS, F.WEB_PAGE, F.DAMAGED_ARCHIVE, F.OPEN_DOCUMENT, F.WORD_DOCUMENT, F.ZIP_ARCHIVE,
        F.WORKBOOK_UNREADABLE, F.NOT_A_WORKBOOK, F.WORKBOOK_EMPTY, F.SEVERAL_TABLES, F.CSV_UNREADABLE, F.ZIP_EMPTY,
        F.ZIP_LOCKED, F.HISTORY_HAS_MORE, F.UNEXPECTED, F.RIF_TOURNAMENTS, F.RIF_NO_TOURNAMENT, F.RIF_LEFT_OUT,
    )),
    Check("size", _("Size"), _(
        "A file, a line, a table and a name have a maximum size. At most 1000 players, 30 rounds and 2 million bytes "
        "are read."
    ), FATAL, Place.FILE, (
        F.TOO_MANY_LINES, F.LINE_TOO_LONG, F.MORE_PROBLEMS, F.TOO_MANY_ROWS, F.TOO_MANY_ROUNDS_TO_READ,
        F.FILE_TOO_LARGE, F.TOO_MANY_ENTRIES, F.NAME_TOO_LONG_TO_READ, F.TOO_MANY_GAMES, F.TOO_MANY_ROUNDS,
        F.WORKBOOK_TOO_MANY_PARTS, F.WORKBOOK_TOO_LARGE, F.WORKBOOK_TOO_COMPRESSED, F.WORKBOOK_TOO_MANY_TEXTS,
        F.WORKBOOK_SHEETS_TOO_LARGE, F.WORKBOOK_LINE_TOO_LONG, F.WORKBOOK_TOO_MANY_LINES, F.WORKBOOK_TOO_MANY_COLUMNS,
        S.TABLE_TOO_LARGE, F.ZIP_TOO_LARGE,
    ), level_in_file=WARNING),
    Check("cut-off", _("File cut off"), _(
        "The file names opponents for whom it has no row, so its end is probably missing. This is reported once, not "
        "for each opponent. Upload the whole file."
    ), FATAL, Place.FILE, (F.FILE_CUT_OFF,), level_in_file=WARNING),
    Check("missing-numbers", _("Missing rows"), _(
        "The numbers of the rows have gaps, or the file announces another number of players."
    ), HINT, Place.FILE, (F.NUMBERS_MISSING, F.PLAYER_COUNT_DIFFERS)),
    Check("record-player", _("Starting ratings of unknown players"), _(
        "A history may hold starting ratings, adjustments and decisions on grades in addition to results. Each of "
        "these can be accepted only when its player is known."
    ), FATAL, Place.FILE, (F.RECORD_PLAYER_UNKNOWN,)),
    Check("record-twice", _("Duplicate starting ratings"), _(
        "A starting rating, adjustment or decision on a grade that is already on the list, or is in the file twice, is "
        "accepted only once."
    ), HINT, Place.FILE, (F.RECORD_STORED, F.RECORD_TWICE)),
    Check("row-numbers", _("Row numbers"), _(
        "Opponents are named by the numbers of their rows. Each number must be valid, unique and in order."
    ), WARNING, Place.FILE, (
        F.ROW_NUMBER_OUT_OF_ORDER, F.NUMBER_TWICE, F.NUMBER_OUT_OF_RANGE, F.NOT_A_ROW_NUMBER, F.ROW_NUMBER_MISSING,
        F.NO_NUMBER_COLUMN, F.NO_STARTING_RANK,
    )),
    Check("encoding", _("Character encoding"), _(
        "Files in UTF-8, UTF-16, Windows-1252, ISO-8859-1 and ISO-8859-15 are read. Letters that another program read"
        " wrongly, for example “SÃ¶ren” for “Sören”, are repaired, and each repaired word is named."
    ), HINT, Place.FILE, (
        F.UTF8_FILE, F.UTF_16_FILE, F.WINDOWS_FILE, F.ISO_8859_15_FILE, F.ENCODING_REPAIRED, F.ACCENTS_COMPOSED,
        F.NO_BREAK_SPACES,
    )),
    Check("lost-letters", _("Lost letters"), _(
        "A name contains another character in place of a letter that a program could not read: “S?ren”."
    ), WARNING, Place.PLAYER, (S.LETTER_LOST,)),
    Check("file-head", _("Name, days and time control in the file"), _(
        "The head of the file must hold the name, the days and, where the format has it, the time control."
    ), WARNING, Place.FILE, (
        F.EVENT_NAME_MISSING, F.DAYS_MISSING, F.NO_NAME_LINE, F.NO_DATE_LINE, F.NOT_LAST_DAY,
        F.NAME_LINE_EMPTY, F.TITLE_WITHOUT_DATE, F.TITLE_WITHOUT_NAME, F.RIF_DAYS_INCOMPLETE, F.RIF_DAYS_SWAPPED,
    )),
    Check("file-details", _("Details in the head of the file"), _(
        "Details are missing or do not fit, for example the time control, the country or the kind of handicap. The "
        "results are read without them."
    ), HINT, Place.FILE, (
        F.NO_TIME_CONTROL, F.TIME_CONTROL_SHORT, F.NAME_LINE_WITHOUT_DATE, F.LAST_DAY_OUTSIDE, F.NO_COUNTRY_IN_PC,
        F.NO_MINUTES_IN_TM, F.FEDERATION_UNKNOWN, F.EVEN_GAMES_WITH_STONES, F.HANDICAP_WITHOUT_STONES,
        F.STONES_FROM_GRADES, F.STONES_UNKNOWN,
        F.NOT_SECONDS, F.TIME_CONTROL_NOT_USED, F.ROUND_COUNT_DIFFERS, F.OTHER_POINTS,
        F.NOT_A_ROUND_DAY, F.ROUND_DAY_OUTSIDE,
    )),
    Check("unread-lines", _("Lines and columns that cannot be read"), _(
        "The file has lines or columns of the table that cannot be read, or no table at all."
    ), WARNING, Place.FILE, (
        F.ROW_AFTER_END, F.BRACKETS, F.NOT_A_PUBLISHED_ROW, F.PUBLISHED_ROW_END, F.NO_GRID_ROWS, F.NO_PLAYER_ROWS,
        F.NO_H9_ROWS, F.NOT_A_TOU_ROW, F.NO_TRF_ROWS, F.NO_CROSSTABLE_ROWS, F.NO_GAMES, F.TABLE_WITHOUT_PLAYERS,
        F.TOO_MANY_CELLS, F.TITLE_TWICE, F.NO_HEADER_ROW, F.QUOTE_OPEN_IN_CELL, F.ROUND_TITLES,
        F.ROUND_OF_PAIRINGS_MISSING, F.XML_UNREADABLE, F.XML_FORBIDDEN, F.NO_XML_PLAYERS, F.KEY_OF_SEVERAL,
        F.NO_PLAYER_ID, F.NO_AGA_PLAYERS, F.NOT_AN_AGA_PLAYER, F.RIF_ID_MISSING, F.RIF_ID_TWICE, F.RIF_ID_UNKNOWN,
        F.RIF_CATEGORY_UNKNOWN,
    )),
    Check("unreadable-row", _("Row that cannot be read"), _(
        "A row of the table has no readable name. Its text stays until it is corrected."
    ), FATAL, Place.PLAYER, (S.LINE_UNREADABLE,)),
    Check("left-out", _("Lines and columns that were left out"), _(
        "Lines and columns that do not belong to the table are named. Nothing is left out silently."
    ), HINT, Place.FILE, (
        F.TEXT_AFTER_TABLE, F.NOT_A_PLAYER_ROW, F.TEXT_AFTER_RESULTS, F.TEXT_OUTSIDE_TRF, F.NOT_RESULTS,
        F.NOT_IN_A_CROSSTABLE, F.COLUMN_NOT_READ, F.TEXT_ABOVE_TABLE, F.SEVERAL_SHEETS, F.NOT_A_BYE_LINE,
        F.BYE_OF_NOBODY, F.POINTS_BY_DECISION, F.PAIRING_LINES_KEPT, F.TEAM_LINES_LEFT_OUT, F.LINES_UNKNOWN,
        F.NATIONAL_LINE_OF_NOBODY, F.NATIONAL_LINES_READ, F.REGISTERED_LEFT_OUT, F.RIF_PLAYER_NUMBER,
        F.LINE_NOT_READ, F.KOMI_NOT_READ,
    )),
    Check("wrong-file", _("File of another event"), _(
        "The place, the players or the time of the file do not fit the event. It is probably the file of another event."
    ), WARNING, Place.FILE, (
        S.PLACE_DIFFERS, S.PLAYERS_DIFFER, S.FILE_OF_OTHER_TIME, S.FILE_OF_OTHER_DAY, S.DISCIPLINE_DIFFERS,
    )),
    Check("announced-late", _("Announced in time"), _(
        "A list may require that events are announced some days before they begin. Such an event needs an officer's "
        "decision and is not accepted automatically."
    ), HINT, Place.EVENT, (S.ANNOUNCED_TOO_LATE,)),
    Check("results-late", _("Results in time"), _(
        "A list may require that results are submitted within some days after the event. Later results need an "
        "officer's decision and are not accepted automatically."
    ), HINT, Place.EVENT, (S.RESULTS_TOO_LATE,)),
    Check("time-control", _("Time control"), _(
        "A list may require a minimum time per player. Results of faster games need an officer's decision and are not "
        "accepted automatically."
    ), HINT, Place.EVENT, (S.TIME_CONTROL_TOO_SHORT,)),
    Check("days", _("Days"), _(
        "The days must be dates, in order, and not in the future."
    ), FATAL, Place.DAYS, (
        F.LAST_DAY_BEFORE_FIRST, F.EVENT_IN_FUTURE, F.LAST_DAY_IN_FUTURE, F.DAY_IN_FUTURE, S.NOT_A_DATE,
        S.DAYS_REVERSED,
    ), level_in_file=WARNING),
    Check("event-days", _("Days outside the event"), _(
        "The results are from days on which the event was not played. Correct the days of the results or of the event."
    ), WARNING, Place.DAYS, (S.DAYS_OUTSIDE_EVENT, S.DAY_OUTSIDE_EVENT)),
    Check("late-results", _("Results before rated ones"), _(
        "Players have a rated event on the same day or later. Their later events are rated again."
    ), WARNING, Place.DAYS, (S.RATED_EVENTS_AFTER,)),
    Check("unknown-player", _("Unknown names"), _(
        "Each row needs a player. Choose a known player for the name, or mark it as a new player."
    ), FATAL, Place.PLAYER, (
        S.NAME_MISSING, S.NAME_AMBIGUOUS, S.NAME_UNKNOWN, S.NAME_UNKNOWN_TYPED, S.ID_CONTRADICTS, S.ID_DIFFERS,
    )),
    Check("player-twice", _("Player in two rows"), _(
        "Each player has one row."
    ), FATAL, Place.PLAYER, (S.PLAYER_TWICE,)),
    Check("two-places", _("Player in two places"), _(
        "A player also played in another place on the same day, in an accepted or waiting event. One of the two is "
        "probably somebody else. Events without a place and events longer than 14 days are not compared."
    ), WARNING, Place.PLAYER, (S.IN_TWO_PLACES, S.PLAYERS_IN_TWO_PLACES)),
    Check("name", _("Names"), _(
        "A player needs a last name of at most 100 letters, without invisible characters."
    ), FATAL, Place.PLAYER, (
        F.LAST_NAME_MISSING, F.TRF_LAST_NAME_MISSING, F.PLAYER_MISSING, S.LAST_NAME_MISSING, S.NAME_TOO_LONG,
        S.INVISIBLE_CHARACTERS,
    ), level_in_file=WARNING),
    Check("divided-name", _("First and last name"), _(
        "The file does not show where the last name ends; the message says how the name was read."
    ), HINT, Place.PLAYER, (F.LONG_NAME, F.ONE_NAME, F.NAMES_WITHOUT_COMMA, F.NO_COMMA_IN_NAME, F.RIF_NAME_DAMAGED,
        F.RIF_NATIVE_NAME_LEFT_OUT)),
    Check("new-resembles", _("New player who may be known"), _(
        "The name of a new player resembles that of a known one, was announced as new although it is known, or is"
        " that of a person who was erased."
    ), WARNING, Place.PLAYER, (S.NEW_RESEMBLES, S.NEW_BUT_KNOWN, S.NEW_MAY_BE_ERASED)),
    Check("namesakes", _("Two new players of one name"), _(
        "Two rows of new players have the same name. Usually the same player was entered twice."
    ), WARNING, Place.PLAYER, (S.NEW_PLAYERS_OF_ONE_NAME,)),
    Check("capitals", _("Capital letters"), _(
        "The name of a new player is written only in capitals or only in small letters."
    ), WARNING, Place.PLAYER, (S.NAME_CAPITALS,)),
    Check("new-details", _("Data of new players"), _(
        "A new player needs a nationality, and on some lists a birth year or the year in which they began to play."
    ), WARNING, Place.PLAYER, (F.COUNTRY_MISSING, S.COUNTRY_MISSING), level_in_file=HINT),
    Check("unknown-years", _("Unknown years"), _(
        "A list uses the birth year or the first year of play, which is not known for a new player."
    ), HINT, Place.PLAYER, (S.BIRTH_YEAR_UNKNOWN, S.START_YEAR_UNKNOWN)),
    Check("birth-year", _("Birth year"), _(
        "A new player would be younger than 4 or older than 105 years."
    ), WARNING, Place.PLAYER, (S.BIRTH_YEAR_DOUBTFUL,)),
    Check("country", _("Country codes"), _(
        "A nationality is a code of two letters."
    ), HINT, Place.PLAYER, (F.COUNTRY_LOWER_CASE, F.NO_COUNTRY, F.COUNTRY_LEFT_OUT)),
    Check("invalid-country", _("Invalid country"), _(
        "The nationality of a new player is not a country's code of two letters."
    ), FATAL, Place.PLAYER, (S.COUNTRY_INVALID,)),
    Check("country-differs", _("Another nationality"), _(
        "The file gives a player another nationality than the portal. The portal's one stays."
    ), HINT, Place.PLAYER, (S.COUNTRY_DIFFERS,)),
    Check("membership", _("Lapsed membership"), _(
        "The list requires players to be members of its federation, and the membership of a player had ended before "
        "the last day of the results, or none is recorded. Days of membership are not public."
    ), WARNING, Place.PLAYER, (S.MEMBERSHIP_LAPSED, S.MEMBERSHIP_MISSING), level_submitted=HINT),
    Check("score", _("Implausible score"), _(
        "A player scored at least 2.5 points more or less than expected from the ratings, which almost never happens. "
        "Often another player of the same name was chosen."
    ), WARNING, Place.PLAYER, (S.SCORE_IMPLAUSIBLE,), level_submitted=HINT),
    Check("printed-rating", _("Rating in the file"), _(
        "Published results contain a rating that differs from the list by more than 300 points."
    ), WARNING, Place.PLAYER, (S.PRINTED_RATING_FAR,), level_submitted=HINT),
    Check("forecast", _("Implausible ratings"), _(
        "For the rating officer: many new players, changes of 150 points or more, first ratings beyond all ratings of "
        "the list, and performances more than 500 points from the rating."
    ), HINT, Place.PLAYER, (
        S.MANY_NEW_PLAYERS, S.BIG_CHANGE, S.FIRST_RATING_HIGHEST, S.FIRST_RATING_LOWEST,
        S.PERFORMANCE_FAR_FROM_RATING,
    )),
    Check("preview", _("Ratings that cannot be computed"), _(
        "For the rating officer: the results have new errors since they were submitted, or a list cannot be rated with "
        "them."
    ), FATAL, Place.TABLE, (S.PREVIEW_FAILED,)),
    Check("preview-too-long", _("No preview of the ratings"), _(
        "For the rating officer: so many results are later than these that the effect on the lists is not computed "
        "before they are accepted."
    ), HINT, Place.TABLE, (S.PREVIEW_TOO_LONG,)),
    Check("result", _("Unreadable results"), _(
        "A result is the opponent's row and +, - or =, for example 7+, with a handicap where there was one. An "
        "unreadable result stays as typed until it is corrected; other problems are still reported."
    ), FATAL, Place.RESULT, (
        F.NOT_A_RESULT, F.NO_SHOW_MARK, F.KIND_DOES_NOT_FIT, F.NOT_A_HANDICAP, F.SEVERAL_RESULTS,
        F.SIMULTANEOUS_WITH_GAMES,
        F.RESULT_TURNED_INTO_DATE, F.NOT_AN_H9_RESULT, F.NOT_A_TRF_RESULT, F.XML_ROUND_INVALID,
        F.NOT_AN_OPENGOTHA_RESULT, F.NOT_A_MACMAHON_RESULT, F.NOT_AN_AGA_GAME, F.RIF_RESULT_INVALID, F.NOT_A_SCORE,
        F.NOT_A_ROUND,
        F.ROUND_OUT_OF_RANGE, F.GAME_INCOMPLETE, F.SEVERAL_GAMES_IN_ROUND, F.ANOTHER_RESULT_IN_ROUND,
        F.HANDICAP_GIVER_MISSING, F.NOT_A_HANDICAP_OR_STONES, F.STONES_OWNER_MISSING, F.NOT_A_COLOUR,
        S.STONES_IN_SHOGI,
    ), level_in_file=WARNING),
    Check("contradiction", _("Contradicting results"), _(
        "The two players of a game have results that do not fit, for example if both won. Buttons correct both rows."
    ), FATAL, Place.RESULT, (
        F.BOTH_WON, F.BOTH_LOST, F.RESULTS_DIFFER, F.HANDICAPS_DIFFER, F.STONES_DIFFER,
    ), level_in_file=WARNING),
    Check("opponent", _("Opponents"), _(
        "Two players of a game must name each other. Nobody plays against themselves or against a row that is missing."
    ), FATAL, Place.RESULT, (
        F.PLAYS_SELF, F.KEY_UNKNOWN, F.PLAYER_ID_UNKNOWN, F.AGA_ID_UNKNOWN, F.OPPONENT_MISSING, F.OPPONENT_HAS_OTHER,
        F.OPPONENT_HAS_NONE, F.ROUNDS_DIFFER,
    ), level_in_file=WARNING),
    Check("missing-result", _("Missing results"), _(
        "Every player needs a result in each round; 0- is an absence and 0+ a bye."
    ), FATAL, Place.RESULT, (S.RESULT_MISSING, S.NO_RESULTS)),
    Check("read-as", _("How a result was read"), _(
        "An unusual notation of a result was read; the message says how."
    ), HINT, Place.RESULT, (
        F.LETTER_O_AS_ZERO, F.RESULT_IN_SCORE_COLUMN, F.HALF_POINT_BYE, F.MARK_AFTER_RESULT, F.CELL_EMPTY,
        F.ROUNDS_ASSIGNED, F.RIF_ROUNDS_ASSIGNED, F.RIF_SELF, F.RIF_NO_RESULT, F.RIF_UNRATED_GAMES,
        F.NO_SHOW_AS_ABSENCE, F.FLOATER_MARK, F.HANDICAP_APART, F.ONE_UNRATED_GAME,
        F.UNRATED_GAMES, F.FORFEITS, F.POINTS_OF_REFEREE,
        F.SEVERAL_PAIRING_BYES, F.BYE_DIFFERS, F.BYE_WITH_OPPONENT, F.NO_RESULT_AGAINST,
        F.RESULT_WITHOUT_OPPONENT, F.COLOUR_IN_ONE_ROW,
    )),
    Check("lost-handicap", _("Handicap without an opponent"), _(
        "A result without an opponent has a handicap, which is left out."
    ), WARNING, Place.RESULT, (F.HANDICAP_WITHOUT_OPPONENT,), level_in_file=HINT),
    Check("stones", _("Handicap stones"), _(
        "A game of go has more handicap stones than usual."
    ), WARNING, Place.RESULT, (F.MANY_STONES,), level_in_file=HINT),
    Check("meet-again", _("Second game of a pair"), _(
        "Two players meet a second time in the same results."
    ), WARNING, Place.RESULT, (F.PAIR_MEETS_AGAIN,), level_in_file=HINT),
    Check("no-game", _("Player without a game"), _(
        "A player has no game in any round."
    ), WARNING, Place.TABLE, (F.NO_GAME_OF_PLAYER,), level_in_file=HINT),
    Check("empty-round", _("Round without a game"), _(
        "Nobody has a game in a round. Empty rounds at the end are asked about once: a template may have more rounds "
        "than the event."
    ), WARNING, Place.TABLE, (
        F.ROUND_WITHOUT_GAME, F.ROUNDS_WITHOUT_GAME, F.LAST_ROUND_WITHOUT_GAME,
    ), level_in_file=HINT),
    Check("unused-round", _("Unused rounds"), _(
        "The last rounds are empty and are left out."
    ), HINT, Place.TABLE, (F.ROUND_EMPTY, F.ROUNDS_EMPTY)),
    Check("points", _("Points"), _(
        "The points of a row must be the sum of MacMahon points and results."
    ), WARNING, Place.TABLE, (F.POINTS_DIFFER, F.NOT_A_NUMBER), level_in_file=HINT),
    Check("macmahon", _("MacMahon points"), _(
        "MacMahon points are whole or half points."
    ), FATAL, Place.TABLE, (F.MACMAHON_NOT_HALF_POINTS, F.NOT_HALF_POINTS), level_in_file=WARNING),
    Check("places", _("Official places"), _(
        "Official places are whole numbers from 1. Either all players have one or none."
    ), FATAL, Place.TABLE, (F.PLACE_NOT_A_NUMBER, F.PLACES_MISSING)),
    Check("places-left-out", _("Places in the file"), _(
        "The places in the file are ignored if some players have none."
    ), HINT, Place.TABLE, (F.PLACES_LEFT_OUT,)),
    Check("fields", _("Fields of the results page"), _(
        "There are at least two players and no empty row between them, the event is rated on a list, and the other "
        "fields can be stored."
    ), FATAL, Place.TABLE, (
        S.TOO_FEW_PLAYERS, S.EMPTY_ROW, S.NO_LISTS, S.NOT_A_YEAR, S.TEXT_TOO_LONG, S.FIELD_INVALID,
    )),
    Check("correction-reason", _("Reason of a correction"), _(
        "A correction of accepted results says why they are corrected. The reason stays in the history of the event."
    ), FATAL, Place.TABLE, (S.REASON_MISSING,)),
    Check("correction-unchanged", _("Correction without a change"), _(
        "A correction changes something in the accepted results."
    ), FATAL, Place.TABLE, (S.NOTHING_CORRECTED,), level_submitted=HINT),
    Check("same-games", _("Same games twice"), _(
        "Other results, accepted, waiting or in the same event, have the same players, games and last day."
    ), FATAL, Place.TABLE, (
        S.SAME_GAMES_WAITING, S.SAME_RESULTS_STORED, S.EVENT_EXISTS, S.DUPLICATE_NOT_ACCEPTED,
        S.DUPLICATE_ON_OTHER_LIST,
    )),
    Check("grade-in-file", _("Grades in the file"), _(
        "A grade or promotion in the file could not be read, or belongs to no row."
    ), WARNING, Place.GRADE, (F.NO_GRADE, F.PROMOTED_UNKNOWN, F.PROMOTED_AMBIGUOUS)),
    Check("grade-read-as", _("How a grade was read"), _(
        "A grade in the file was read in an unusual way, or left out because no such grade exists."
    ), HINT, Place.GRADE, (F.GRADE_READ_AS_KYU, F.GRADE_OUT_OF_RANGE)),
    Check("prior-grade", _("Prior grades"), _(
        "A grade held before the list began needs a source, and high grades in published results need approval."
    ), WARNING, Place.GRADE, (
        S.PRIOR_GRADE_INVALID, S.PRIOR_GRADE_KEPT, S.PRIOR_GRADE_SOURCE_MISSING, S.PRINTED_GRADE_NEEDS_APPROVAL,
    )),
    Check("prior-grade-approval", _("Prior grades that need approval"), _(
        "A high grade held before the list began is recorded by an administrator when the list starts, with a source."
    ), FATAL, Place.GRADE, (S.PRIOR_GRADE_REFUSED,)),
    Check("published-ratings", _("Published ratings"), _(
        "For the rating officer: published results contain ratings, changes or grades that the portal computes "
        "differently."
    ), HINT, Place.GRADE, (
        S.FIXED_AT_PRINTED_RATING, S.PRINTED_CHANGE_UNEXPLAINED, S.PRINTED_RATING_DIFFERS, S.PRINTED_GRADE_DIFFERS,
    )),
)  # fmt: skip
"""All checks, in the order of the page."""

PARTS = frozenset({
    F.SAVE_AS_SPREADSHEET, F.NO_HANDICAP, F.NO_COLOUR, F.MACMAHON_POINTS, F.POINTS, F.EXPECTED_RATING,
    F.EXPECTED_GAMES, F.EXPECTED_YEAR, F.EXPECTED_GRADE, F.EXPECTED_GENDER, F.EXPECTED_DAY, F.EXPECTED_ID,
    F.EXPECTED_OUTSIDE_ID, F.EXPECTED_NATIONAL_IDS, F.EXPECTED_NAME, F.EXPECTED_LISTED_RATING,
    F.EXPECTED_LISTED_YEAR, F.EXPECTED_K, F.EXPECTED_FFG_RATING, F.EXPECTED_GOR, F.EXPECTED_LICENCE_STATE,
    F.EXPECTED_COUNTRY, F.EXPECTED_FIDE_ID, F.EXPECTED_SEX, F.EXPECTED_AGA_ID, F.EXPECTED_AGA_RATING, F.COLUMNS,
    F.TAB_COLUMN, F.LINE_PROBLEM, S.EVENT_DAYS, S.EVENT_DAY, S.NAME_WITH_DAY,
})  # fmt: skip
"""Messages that are only values of other messages, or hold them."""
OF_OTHER_FILES = frozenset({
    F.NO_TITLES, F.NO_PLAYERS, F.NO_DATE, F.PLAYER_ABOVE_TITLES, F.NOT_A_PLAYER_LINE, F.PLAYER_LINE_UNREADABLE,
    F.RANK_WRONG, F.NOT_A_RATING_LIST, F.QUOTE_TOO_LONG, F.COLUMN_MISSING, F.COLUMN_TWICE, F.VALUES_BEYOND_TITLES,
    F.VALUE_MISSING, F.VALUE_INVALID, F.GRADES_MISPLACED, F.TEXT_AFTER_GRADES, F.COLUMNS_MISPLACED,
    F.NO_GRADE_BELOW_GRADES, F.COLUMNS_MISPLACED_WITHOUT_LONG_NAME, F.END_OF_LAST_NAME_UNKNOWN, F.RATING_TOO_HIGH,
    F.NOT_A_GAME, F.TOO_MANY_TYPED_GAMES, F.TOO_MANY_CALCULATED_ROWS, F.NAME_AMBIGUOUS_USE_ID,
    F.NAME_AMBIGUOUS_CHOOSE_ID, F.LISTED_FIELD_INVALID,
    F.TDLIST_VALUES, F.AGA_RATINGS_CONVERTED, F.NO_PIN, F.LIST_TITLES_MISSING, F.CHAPTER_MISSING, F.UNRATED_LEFT_OUT,
})  # fmt: skip
"""Messages about rating lists, lists of players and calculators, which are no checks of results."""
OF_EARLIER_RELEASES = frozenset({
    F.MEETS_TWICE, F.NO_GAME_IN_ROUND, F.TABLE_TRUNCATED, F.OPPONENT_UNKNOWN, F.OPPONENT_NAMES_OTHER,
    F.OPPONENT_NAMES_NOBODY, F.RESULTS_CONTRADICT, F.HANDICAPS_CONTRADICT, F.MISSING, F.STONES_CONTRADICT,
    F.EXPECTED_COLUMNS, F.QUOTE_OPEN, F.TOO_MANY_VALUES, F.LAST_NAME_COLUMN_EMPTY, F.LICENCES_NOT_READ,
    F.NATIONAL_LINES_KEPT,
})  # fmt: skip
"""Messages that only earlier releases stored."""

CHECK_BY_MESSAGE = {member.code: check for check in CHECKS for member in check.messages}


def find_level(message: str, *, in_file: bool = False, submitted: bool = False) -> str:
    """Return the level of a message by its check: of a problem that only the file has, or of submitted results.

    LookupError: no check has the message.
    """
    check = find_check(message)
    if check is None:
        raise LookupError(f"no check of the catalogue reports {message!r}")
    return (in_file and check.level_in_file) or (submitted and check.level_submitted) or check.level


def find_check(message: str) -> Check | None:
    """Return the check that reports a message; None for a message of an earlier release."""
    return CHECK_BY_MESSAGE.get(message.code) if isinstance(message, Message) else None
