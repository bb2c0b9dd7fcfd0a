"""Catalogue of the problems that readers of files and the checks of submissions report."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class FileProblem(MessageCode, namespace="file"):
    """Problems of files and of tables as they were read."""

    FILE_EMPTY = _("the file is empty")
    NOT_TEXT = _("this is not a text file; save it as plain text in Latin-1 or UTF-8")
    UTF8_FILE = _("the file is in UTF-8; the federation's own program reads ISO-8859-1 only")
    UTF_16_FILE = _("the file is in UTF-16, as Notepad's “Unicode”; it was read so")
    WINDOWS_FILE = _("the file is in Windows-1252, not ISO-8859-1; it was read so")
    ISO_8859_15_FILE = _("the file is in ISO-8859-15, not ISO-8859-1; it was read so")
    ENCODING_REPAIRED = _("the file said “{said}”; read as “{read}”")
    ACCENTS_COMPOSED = _("accents are written as separate characters; they were composed")
    NO_BREAK_SPACES = _("no-break spaces were read as spaces")
    TOO_MANY_LINES = _("the file has {lines:,} lines; at most {most:,} are read")
    LINE_TOO_LONG = _("the line has {lines:,} characters; at most {most:,} are read")
    MORE_PROBLEMS = _("and {counts:,} more; correct these first")
    UNKNOWN_FORMAT = _(
        "unknown format: expected American Grid, a published FESA table, TRF, .h9, .tou, OpenGotha, MacMahon, .rif, "
        "AGA results, a crosstable or a list of games as CSV or .xlsx, or ratings-history/1"
    )
    SAVE_AS_SPREADSHEET = _("save it as .xlsx or CSV")
    OLD_OFFICE_FILE = _("this is an old Excel or Word file; open it and {save}")
    PDF_FILE = _("this is a PDF, from which no table can be read; take the file it was made from and {save}")
    PICTURE = _("this is a picture; type the results into the template or the portal's crosstable")
    TEXT_DOCUMENT = _("this is a text document; save it as plain text")
    PACKED_FILE = _("this is a packed file; unpack it and upload the results file in it")
    THIS_IS = _("this is {what}")
    WEB_PAGE = _("this is a web page; copy its table into a spreadsheet and save that as .xlsx or CSV")
    DAMAGED_ARCHIVE = _("a damaged workbook or archive; save it again, or {save}")
    OPEN_DOCUMENT = _("an OpenDocument file; open it and {save}")
    WORD_DOCUMENT = _("a Word document; copy its table into a spreadsheet and {save}")
    ZIP_ARCHIVE = _("a zip archive without a workbook; unpack it and upload the results file in it, or {save}")
    ZIP_TOO_LARGE = _("the archive holds too much: at most {files} files and {megabytes} MB")
    UNEXPECTED = _("the portal failed to read this file; the administrators find the reason in its log")
    HISTORY_HAS_MORE = _(
        "this history also has starting ratings: {openings}, adjustments: {adjustments}, decisions on grades: "
        "{decisions}. A rating officer of the list can accept them. The command manage.py import_history reads the "
        "whole history"
    )
    RECORD_PLAYER_UNKNOWN = _("Unknown player: accept the results first, or add the player.")
    RECORD_STORED = _("This entry is already on the list.")
    RECORD_TWICE = _("This entry is in the file twice.")
    ZIP_EMPTY = _("the archive holds no files")
    ZIP_LOCKED = _("the archive is locked by a password; save it without one")
    ROW_NUMBER_OUT_OF_ORDER = _(
        "row {expected} of the table has the number {number}; opponents are counted by rows, so number them "
        "1, 2, 3 … in order"
    )
    NUMBER_TWICE = _("the number {number} is used twice")
    NUMBER_OUT_OF_RANGE = _("the number {number} is not one of 1 to {most:,}")
    NUMBERS_MISSING = _("no player has the number {shown}: are all players in the file?")
    TOO_MANY_ROWS = _("{rows:,} rows; at most {most:,} players")
    TOO_MANY_ROUNDS_TO_READ = _("more than {most} rounds cannot be read")
    NO_GAME_OF_PLAYER = _("{name} has no game")
    ROUND_WITHOUT_GAME = _("nobody has a game in round {round}")
    ROUNDS_WITHOUT_GAME = _("nobody has a game in rounds {first} to {last}: were fewer rounds played?")
    LAST_ROUND_WITHOUT_GAME = _("nobody has a game in the last round, {round}: were fewer rounds played?")
    PAIR_MEETS_AGAIN = _("{name} and {other} meet a second time")
    FILE_CUT_OFF = _("the file seems cut off after player {last}: opponents {first}–{most} are missing")
    ROUNDS_DIFFER = _("{cells} rounds where the other rows have {usual}")
    PLAYS_SELF = _("{name} plays against themselves")
    OPPONENT_MISSING = _("{name}: opponent {opponent} does not exist; the table has {rows} rows")
    OPPONENT_HAS_OTHER = _("{name} has {other} as opponent, but {other} has {third}")
    OPPONENT_HAS_NONE = _("{name} has {other} as opponent, but {other} has no game in this round")
    BOTH_WON = _("{name} and {other} both won")
    BOTH_LOST = _("{name} and {other} both lost")
    RESULTS_DIFFER = _("{name} has {cell} against {other}, who has {mirror}: one of the two results is wrong")
    HANDICAPS_DIFFER = _(
        "{name} has {mark}, but {other} has {mirror_mark}: both need the same handicap, one given (-) and one "
        "received (+)"
    )
    STONES_DIFFER = _(
        "{name} has {mark}, but {other} has {mirror_mark}: both need the same number of stones, one with /b and one "
        "with /w"
    )
    NO_HANDICAP = _("no handicap")
    NO_COLOUR = _("no colour")
    POINTS_DIFFER = _("points {points}, but MacMahon and results give {counted}")
    COLOUR_IN_ONE_ROW = _("the colour stands in row {number} only")
    ROUND_EMPTY = _("round {round} is empty and is left out")
    ROUNDS_EMPTY = _("rounds {first} to {last} are empty and are left out")
    EVENT_NAME_MISSING = _("the file tells no name of the event; give it one by --name")
    DAYS_MISSING = _("the file has no dates; say when the event was (--day)")
    LAST_NAME_MISSING = _("the last name is missing")
    COUNTRY_MISSING = _("a new player needs a nationality of two letters")
    LAST_DAY_BEFORE_FIRST = _("the last day {end} is before the first, {start}")
    EVENT_IN_FUTURE = _("the file has no dates, and the event's last day {end} is in the future")
    LAST_DAY_IN_FUTURE = _("the last day {last_day} is in the future")
    DAY_IN_FUTURE = _("the day {day} is in the future")
    NO_GRID_ROWS = _("no player rows: a row looks like 1 [Last][First] FR [2+ 3-] 1")
    NO_NAME_LINE = _("no name line: the file begins with [Name, City, Country, date]")
    NO_DATE_LINE = _("no date line: the second line is the last day, as [2026-03-08]")
    NOT_LAST_DAY = _("“{closing}” is not the last day; write it as [2026-03-08]")
    LAST_DAY_OUTSIDE = _("the last day {last} is not inside {first_day} to {last_day} of the name line")
    NO_TIME_CONTROL = _("no time control given; write [Time control: 30min + 30sec]")
    TIME_CONTROL_SHORT = _("the time control is below 30min + 30sec and 20min + 40sec")
    NAME_LINE_WITHOUT_DATE = _("the name line has no date; write [Name, City, Country, 2026-03-07 to 2026-03-08]")
    NAME_LINE_EMPTY = _("the name line is empty: [Name, City, Country, date]")
    TEXT_AFTER_TABLE = _("text after the table was left out: “{line}”")
    ROW_AFTER_END = _("a player row after the end of the table; move it up or delete the text between")
    BRACKETS = _("unmatched brackets: expected place [Last][First] nationality [results] [MacMahon] points")
    MACMAHON_POINTS = _("MacMahon points")
    POINTS = _("points")
    NOT_A_NUMBER = _("{what} “{text}” cannot be read as a number")
    MACMAHON_NOT_HALF_POINTS = _("MacMahon points “{text}”: whole or half points")
    PLACE_NOT_A_NUMBER = _("invalid official place “{text}”: expected a whole number from 1")
    PLACES_MISSING = _("players without an official place: {count}; enter a place for every player or for none")
    PLACES_LEFT_OUT = _("some players have no place in the file, so its places were ignored")
    COUNTRY_LOWER_CASE = _("nationality “{code}” in lower case")
    NO_PLAYER_ROWS = _("no player rows")
    TITLE_WITHOUT_DATE = _("the title has no date; it ends in “ : 2024-04-20/21” or “, 2024-04-20 to 2024-04-21”")
    TITLE_WITHOUT_NAME = _("the title has no name; it begins with the event's")
    NOT_A_PUBLISHED_ROW = _("not a row of a published table: “{text}”")
    PUBLISHED_ROW_END = _("after the results come MMS (if any), Pts and +/-; a row with * has no +/-")
    PROMOTED_UNKNOWN = _("Promoting {name}: this name is in no row of the table")
    PROMOTED_AMBIGUOUS = _("Promoting {name}: this name is in several rows of the table")
    NO_TITLES = _("no line of titles (Name, Grades, Elo, #games, Nationality), which shows where the columns are")
    NO_PLAYERS = _("no players below the titles")
    NO_DATE = _("“{day}” is not a date")
    PLAYER_ABOVE_TITLES = _("a player's line above the titles; move it below them")
    NOT_A_PLAYER_LINE = _("not read, because it is not a player's line: “{line}”")
    PLAYER_LINE_UNREADABLE = _(
        "a player's line has rank, names, grades, rating, games, nationality; this cannot be read: “{line}”"
    )
    RANK_WRONG = _("rank {rank} belongs to player number {count}; is a line missing above?")
    NOT_A_RATING_LIST = _(
        "no known rating list: expected FESA's text (“Elo list for 2026-06-01”, then a line of titles), FIDE's TXT "
        "with its line of titles or XML, the list of the European Go Database or of the French Go Federation with its "
        "day, TDList A or B of the American Go Association, or CSV or .xlsx whose first line names the columns (Last "
        "name, First name, Country, Rating, Games, Grade, Prior grade, Birth year, id)"
    )
    NOT_A_PLAYER_ROW = _("not a player row, left out: “{text}”")
    LETTER_O_AS_ZERO = _("the letter O in “{word}” was read as zero")
    NO_GRADE = _("grade missing after place, last name and first name, for example 5d or 10k")
    NO_COUNTRY = _("no country of two letters behind the grade")
    LONG_NAME = _("“{shown}” is more than two words: the last one was read as the first name")
    ONE_NAME = _("only one name, “{family}”: it was read as the last name")
    GRADE_READ_AS_KYU = _("the grade “{word}” has no k or d: it was read as kyu")
    GRADE_OUT_OF_RANGE = _("the grade “{word}” is not one of {lowest}k to {highest}d; it was left out")
    COUNTRY_LEFT_OUT = _("“{word}” is not a two-letter country code; it was left out")
    RESULT_IN_SCORE_COLUMN = _("“{word}” is in score column {column} and looks like a result; it was read as a score")
    TEXT_AFTER_RESULTS = _("text after the results was left out: “{words}”")
    NOT_AN_H9_RESULT = _("“{word}” is not a result. Write the opponent’s row and + − or =, for example 7+ or 7−/b3")
    HALF_POINT_BYE = _("0=0 was read as 0=, half a point without a game")
    MARK_AFTER_RESULT = _("“{marks}” after the result was left out; for a game that was not played write 0+ or 0-")
    MANY_STONES = _("{stones} stones are more than {most}: is that right?")
    NO_H9_ROWS = _("no player rows: a row looks like 1 Muster Anna 5d DE Club 3 2+ 3-/w 0+")
    NO_COUNTRY_IN_PC = _("PC[{pc}] does not begin with a two-letter country code")
    NO_MINUTES_IN_TM = _("TM[{minutes}] is not a number of minutes")
    EVEN_GAMES_WITH_STONES = _("HA[h9] stands for even games, but results name handicap stones")
    HANDICAP_WITHOUT_STONES = _(
        "HA[{text}] stands for handicap games, but no result names stones: all games were read as even; "
        "write them as 2+/w3 and 1-/b3"
    )
    NOT_A_TOU_ROW = _(
        "invalid row of a .tou file: “{text}”; expected place, LASTNAME Firstname, grade, licence, club and results, "
        "for example 2+w0"
    )
    NO_XML_PLAYERS = _("no players: the file has no element {element}")
    KEY_OF_SEVERAL = _(
        "{name} and the player in line {line} have the same key (name without blanks, in capitals): change one of the "
        "names"
    )
    KEY_UNKNOWN = _("{attribute}: no player “{key}”; expected last and first name without blanks, in capitals")
    XML_ROUND_INVALID = _("“{text}” is not the number of a round")
    NOT_AN_OPENGOTHA_RESULT = _("“{text}” is not a result; write RESULT_WHITEWINS, RESULT_BLACKWINS or RESULT_EQUAL")
    NOT_A_MACMAHON_RESULT = _("“{text}” is not a result; write 1-0, 0-1 or ½-½, White first")
    NO_PLAYER_ID = _("the player has no Id; pairings need it")
    PLAYER_ID_UNKNOWN = _("{element}: no player has the Id “{text}”")
    NO_AGA_PLAYERS = _("no players: expected lines with id, Last, First and rank below PLAYERS")
    NOT_AN_AGA_PLAYER = _("“{text}” is not a player; write id, Last, First and rank, for example 489 Muster, Anna 4k")
    NOT_AN_AGA_GAME = _(
        "“{text}” is not a game; write the ids of White and Black, the winner W or B, stones and komi, for example "
        "489 3199 W 0 7"
    )
    AGA_ID_UNKNOWN = _("no player of the file has the id {id}")
    KOMI_NOT_READ = _("a reverse komi ({komi}) was not read")
    ROUNDS_ASSIGNED = _(
        "games without a round: {games}; each is in the first round in which both players are free (write GAMES 1, "
        "GAMES 2 … to name rounds)"
    )
    LINE_NOT_READ = _("not read: “{line}”")
    REGISTERED_LEFT_OUT = _("players who were only registered in advance and have no game, left out: {players}")
    STONES_FROM_GRADES = _("handicap {policy}: the stones of {games} games follow from the grades")
    STONES_UNKNOWN = _(
        "handicap {policy}: the stones of {games} games are not known, as a grade is missing or the weaker player has "
        "White; they were read as even"
    )
    RIF_ID_MISSING = _("{element} without id; every country, city, rule, player, tournament and game needs one")
    RIF_ID_TWICE = _("{element}: the id {id} is used twice")
    RIF_ID_UNKNOWN = _("{element} {id}: there is no {missing} with the id “{text}”")
    RIF_TOURNAMENTS = _(
        "the database has {tournaments} rated tournaments with games; expected exactly one: upload the database on the "
        "page “Upload files”, which makes a draft of each tournament, or use the command manage.py import_results"
    )
    RIF_NO_TOURNAMENT = _(
        'the database has no rated tournament with games; expected <tournament rated="1"> with type 0 or no type, and '
        "<game> with the id of the tournament"
    )
    RIF_LEFT_OUT = _(
        "the tournaments of this database were read, except for those that are not rated (rated 0, or a type other "
        "than 0): {unrated}, and those without games: {empty}"
    )
    RIF_CATEGORY_UNKNOWN = _("tournament {id}: the category “{text}” of its rule is not 1 (renju) or 2 (gomoku)")
    RIF_DAYS_INCOMPLETE = _("tournament {id} has no exact dates; read as {first} to {last}")
    RIF_DAYS_SWAPPED = _("tournament {id} ends on {end}, before its start on {start}; the two days were exchanged")
    RIF_PLAYER_NUMBER = _("“{text}” is not the number of a player (disp_id); write 1 to 7 digits, the first one not 0")
    RIF_NAME_DAMAGED = _("the name “{name}” has characters that are not UTF-8; correct them")
    RIF_SELF = _("game {id}: {name} plays against themselves; the game was left out")
    RIF_NO_RESULT = _("games without a result, left out: {games}")
    RIF_RESULT_INVALID = _("game {id}: “{text}” is not the result of Black; write 1, 0.5 or 0")
    RIF_NATIVE_NAME_LEFT_OUT = _(
        "the name in the player's own script was left out: “{name}” is damaged or has more than 100 letters"
    )
    RIF_UNRATED_GAMES = _("games that are marked as not rated: {games}; their points count")
    RIF_ROUNDS_ASSIGNED = _("games without a round: {games}; each is in the first round in which both players are free")
    FILE_TOO_LARGE = _("the file has {data:,} bytes or more; at most {most:,} are read")
    TOO_MANY_ENTRIES = _("its lists have {entries:,} entries; a results file has at most {most:,}")
    SEVERAL_TABLES = _("the history has {tables} tables; a results file has exactly one: write one file per table")
    NAME_TOO_LONG_TO_READ = _("a name has more than {most:,} letters")
    NOT_RESULTS = _("openings, adjustments and decisions of the history are not results and were not read")
    NOT_IN_A_CROSSTABLE = _(
        "fixed ratings, ages, overtime, board sizes, online and correspondence games have no place in a "
        "crosstable and were not read"
    )
    TABLE_WITHOUT_PLAYERS = _("the table has no players")
    NAMES_WITHOUT_COMMA = _(
        "{undivided} names have no comma between last and first name: the last word was read as the first name"
    )
    ROUND_OUT_OF_RANGE = _("round {outside} is not one of 1 to {most}")
    GAME_INCOMPLETE = _("a game without a round or a result: give it both")
    SEVERAL_GAMES_IN_ROUND = _("{name} has several games in this round")
    NO_NUMBER_COLUMN = _("no column with the numbers of the rows; title it Nr")
    NO_CROSSTABLE_ROWS = _(
        "no player rows: write one row per player below the header row; if this is the template, fill it in "
        "(lines that begin with # are not read)"
    )
    NOT_A_ROW_NUMBER = _("“{number}” is not a row number; number the rows 1, 2, 3 …")
    ROW_NUMBER_MISSING = _("the number of the row is missing; number the rows 1, 2, 3 …")
    TOO_MANY_CELLS = _("more cells than the header row has columns")
    SIMULTANEOUS_WITH_GAMES = _("& stands for a simultaneous display; leave the other rounds empty")
    NOT_HALF_POINTS = _("{what} “{text}”: expected whole or half points")
    CELL_EMPTY = _("empty: read as an absence (0-)")
    SEVERAL_RESULTS = _("several results in one round: write one, for example 7+")
    ANOTHER_RESULT_IN_ROUND = _("{name} has another result in this round, in line {before}")
    NO_GAMES = _("no games: write one row per game below the header row: round, player, opponent, result")
    TOO_MANY_GAMES = _("{body:,} games; at most {most:,} are read")
    PLAYER_MISSING = _("the player is missing")
    HANDICAP_WITHOUT_OPPONENT = _("a handicap without an opponent was left out")
    NOT_A_ROUND = _("“{text}” is not a round; write a number from 1 to {most}")
    ROUND_OF_PAIRINGS_MISSING = _("no round: add a column “Round”, or write “Round 1” above the games of the round")
    NOT_A_SCORE = _("“{text}” is not a result; write 1, 0 or ½, or 1-0, 0-1, ½-½, from the player's side")
    HANDICAP_GIVER_MISSING = _("who gave the handicap? write player or opponent as the handicap giver")
    NOT_A_HANDICAP_OR_STONES = _("handicap “{handicap}” is not one of {handicaps} nor a number of stones")
    STONES_OWNER_MISSING = _("who had the stones? the handicap's giver is White, the other one Black")
    NOT_A_COLOUR = _("“{text}” is not a colour; write b or w for the colour of the player")
    TOO_MANY_ROUNDS = _("{rounds} rounds; at most {most} are read")
    ROUND_TITLES = _("the rounds are titled {titles}; title them 1, 2, 3 … in order")
    QUOTE_TOO_LONG = _('the quote (") opened here ends in line {start}; close it')
    CSV_UNREADABLE = _("invalid CSV from here on: {error}; look for a quote that is not closed")
    COLUMN_MISSING = _("the first line names the columns; {names} is missing")
    COLUMN_TWICE = _("there are two columns “{titles}”; remove one")
    COLUMN_NOT_READ = _("the column “{title}” was not read")
    VALUES_BEYOND_TITLES = _("{cells} values below {columns} titles")
    VALUE_MISSING = _("the {titles} is missing")
    VALUE_INVALID = _("{titles} “{values}” is not {what}")
    EXPECTED_RATING = _("a number (leave out players without a rating)")
    EXPECTED_GAMES = _("a number from 0 to 9999")
    EXPECTED_YEAR = _("a year of four digits")
    EXPECTED_GRADE = _("a grade, for example 5 Kyu or 1 Dan")
    EXPECTED_GENDER = _("female, male or other")
    EXPECTED_DAY = _("a day, for example 2026-12-31")
    EXPECTED_OUTSIDE_ID = _("an id in the form of this registry")
    EXPECTED_NATIONAL_IDS = _("one id for each country, behind its code of two letters, for example FR 2600001; DE 345")
    EXPECTED_ID = _("up to 12 letters and digits")
    LISTED_FIELD_INVALID = _("{place}: invalid value “{text}”: expected {what}")
    COLUMNS = _("columns {first}–{last}, {title}")
    EXPECTED_NAME = _("a name, for example Muster, Anna")
    EXPECTED_LISTED_RATING = _("a rating: a whole number, 0 for none")
    EXPECTED_LISTED_YEAR = _("a year of four digits, 0 for none")
    EXPECTED_K = _("a factor K: a number from 0 to 99")
    EXPECTED_FIDE_ID = _("a FIDE id: 4 to 10 digits")
    EXPECTED_SEX = _("M or F")
    EXPECTED_FFG_RATING = _("a rating of the French scale: a whole number, for example -1400")
    EXPECTED_GOR = _("a rating of the database: a whole number, for example 2312 or -900")
    EXPECTED_AGA_ID = _("an AGA id: 1 to 6 digits")
    EXPECTED_AGA_RATING = _("a rating of the AGA: 1.0 or more for dan, -1.0 or less for kyu, for example -20.06")
    EXPECTED_LICENCE_STATE = _("a state of the licence: L, C, X, - or e")
    EXPECTED_COUNTRY = _("a country of two letters")
    TAB_COLUMN = _("column {column}, {title}")
    TDLIST_VALUES = _(
        "number of tab-separated values in this line: {values}; expected {expected}: name, id, type, rating, end of "
        "the membership, chapter, state, sigma, day"
    )
    AGA_RATINGS_CONVERTED = _("AGA ratings are converted grade by grade: 1.0 and -1.0 both become {rating}")
    NO_PIN = _("line without PIN: “{line}”; expected a blank and a PIN of 8 digits at its beginning")
    LICENCES_NOT_READ = _(
        "licence numbers that are not stored: {players}; add them in the admin as ids of a national federation"
    )
    LIST_TITLES_MISSING = _("the line of titles has no {titles}; its titles show where the columns are")
    CHAPTER_MISSING = _("the file has no ratings of type {chapter}")
    UNRATED_LEFT_OUT = _("players without a rating, left out: {players}")
    XML_UNREADABLE = _("invalid XML, column {column}: {error}")
    XML_FORBIDDEN = _("the XML file has a DOCTYPE, which is not allowed; remove it")
    TEXT_ABOVE_TABLE = _("text above the table was left out: “{shown}”")
    TITLE_TWICE = _("two columns are titled “{title}”; remove one")
    RESULT_TURNED_INTO_DATE = _(
        "the spreadsheet turned a result into the date “{text}”; format the column as text and type the result again"
    )
    NO_HEADER_ROW = _(
        "no header row: a crosstable has the columns Nr, Last name, First name, Country, 1, 2, 3 …, Points; "
        "a list of games Round, Player, Opponent, Result"
    )
    QUOTE_OPEN_IN_CELL = _(
        "a quotation mark is opened here and not closed, or text follows where it is closed; put the whole "
        "cell between two of them"
    )
    WORKBOOK_UNREADABLE = _(
        "the workbook cannot be read; open it in a spreadsheet program and save it again as .xlsx, or as CSV"
    )
    NOT_A_WORKBOOK = _("this is not a workbook; save it as .xlsx or as CSV")
    WORKBOOK_TOO_MANY_PARTS = _(
        "the workbook has {members:,} parts, at most {members_at_most} are read; copy the table to a new one"
    )
    WORKBOOK_TOO_LARGE = _(
        "the workbook is larger than {unpacked_at_most:,} bytes when unpacked; copy the table to a new one"
    )
    WORKBOOK_TOO_COMPRESSED = _("the workbook is packed more tightly than any table is; copy the table to a new one")
    WORKBOOK_TOO_MANY_TEXTS = _(
        "the workbook has more texts, formats or names than any table needs; copy the table to a new one"
    )
    WORKBOOK_SHEETS_TOO_LARGE = _("the workbook's sheets are larger than any table; copy the table to a new one")
    SEVERAL_SHEETS = _("the workbook has several sheets; the first one with a table was read")
    WORKBOOK_EMPTY = _("the workbook is empty")
    WORKBOOK_LINE_TOO_LONG = _("the line has more than {most:,} characters; shorten its texts")
    WORKBOOK_TOO_MANY_LINES = _("more than {lines_at_most:,} lines; at most {rows_at_most:,} players are read")
    WORKBOOK_TOO_MANY_COLUMNS = _("more than {most} columns; delete what does not belong to the table")
    NOT_A_RESULT = _("“{broken}” is not a result. Write the opponent’s row and + − or =, for example 7+")
    KIND_DOES_NOT_FIT = _(
        "“{kind}” does not fit this result: write 7+! for a game won by default, 7+u for one played without rating, "
        "0+f for a full point without an opponent that is not the bye of the pairing"
    )
    NO_SHOW_MARK = _("# stands for a no-show and can only follow 0")
    NO_SHOW_AS_ABSENCE = _("0# was read as an absence (0-)")
    FLOATER_MARK = _("a pairing program's floater mark was left out")
    HANDICAP_APART = _("the handicap is separate from its result; it was attached")
    NOT_A_HANDICAP = _("handicap “{type}” is not one of {handicaps}")
    NO_STARTING_RANK = _("no starting rank in columns 5–8, but “{rank}”")
    TRF_LAST_NAME_MISSING = _("the last name is missing; write the name in columns 15–47 as Last, First")
    NO_COMMA_IN_NAME = _("no comma between last and first name: “{family}” was read as the last name")
    FEDERATION_UNKNOWN = _("the federation “{code}” is not one of FIDE's codes")
    NOT_A_TRF_RESULT = _(
        "“{text}” is not a result; columns {first}–{last} hold opponent, colour and result, for example    7 w 1"
    )
    ONE_UNRATED_GAME = _("1 game was played without rating (W, D, L): its points count")
    UNRATED_GAMES = _("{games} games were played without rating (W, D, L): their points count")
    BYE_WITH_OPPONENT = _("row {opponent} is named with “{result}”, a bye: it was read as not played")
    NO_RESULT_AGAINST = _("no result against row {opponent}: it was read as not played")
    RESULT_WITHOUT_OPPONENT = _("a result “{result}” without an opponent was read as not played")
    TEXT_OUTSIDE_TRF = _("text outside the lines of TRF was left out: “{line}”")
    NO_TRF_ROWS = _("no player rows: they begin with 001 and the starting rank in columns 5–8")
    PLAYER_COUNT_DIFFERS = _("line 062 announces {told} players, but the file has {rows}")
    ROUND_COUNT_DIFFERS = _("line {code} announces {told} rounds, but the file has {rounds}")
    NOT_A_ROUND_DAY = _("“{text}” is not the day of a round; write YY/MM/DD in columns {first}–{last}")
    ROUND_DAY_OUTSIDE = _("round on {day}, outside the days of the event; expected a day from {first} to {last}")
    NOT_SECONDS = _("invalid time control in line 222: “{text}”; expected seconds, for example 5400+30")
    TIME_CONTROL_NOT_USED = _(
        "the time control “{text}” differs between periods or colours and was not imported; enter the minutes"
    )
    NOT_A_BYE_LINE = _(
        "“{text}” is no line of byes: F, H or Z in column 5, the round in columns 7–9, then starting ranks"
    )
    BYE_OF_NOBODY = _("line 240 announces a bye of starting rank {rank} in round {round}, which is not in the file")
    BYE_DIFFERS = _("line 240 announces the bye {sign} of {name}, who has another result in this round")
    OTHER_POINTS = _(
        "line {code} counts other points than 1, ½ and 0: the points in the file are not compared with the results"
    )
    POINTS_BY_DECISION = _("points given or taken by decision (299) are not stored: “{text}”")
    PAIRING_LINES_KEPT = _("lines for pairing programs, not imported: {codes}")
    TEAM_LINES_LEFT_OUT = _("teams are not read; lines left out: {codes}")
    LINES_UNKNOWN = _("lines of unknown kinds, not imported: {codes}")
    NATIONAL_LINES_KEPT = _("lines with national ratings and numbers, not imported: {lines}")
    NATIONAL_LINES_READ = _(
        "lines of national federations: {lines}; their numbers identify players, their ratings are not used"
    )
    NATIONAL_LINE_OF_NOBODY = _("line {code} names starting rank {rank}, which no player has")
    SEVERAL_PAIRING_BYES = _("pairing-allocated bye (U) of {count} players in a round; expected at most one")
    FORFEITS = _("games won or lost by default (+ -): {games}; their points count, they are not rated")
    POINTS_OF_REFEREE = _(
        "the referee gave points that no result has; they count for both players, without the game: {games}"
    )
    LINE_PROBLEM = _("{problem}: “{line}”")
    GRADES_MISPLACED = _("the grades do not stand below their title")
    TEXT_AFTER_GRADES = _("something stands between grades and rating")
    COLUMNS_MISPLACED = _("the columns do not stand below their titles")
    NO_GRADE_BELOW_GRADES = _("something that is no grade stands below the grades")
    COLUMNS_MISPLACED_WITHOUT_LONG_NAME = _(
        "the columns do not stand below their titles, and no long name has pushed them"
    )
    END_OF_LAST_NAME_UNKNOWN = _("where the last name ends cannot be told (give this list as CSV)")
    RATING_TOO_HIGH = _("invalid rating {rating}: at most {highest}")
    NOT_A_GAME = _("“{text}” is not a game; write rating and result, for example 1650+ 1720= 1800-")
    TOO_MANY_TYPED_GAMES = _("{games} games; at most {most} are calculated at once")
    TOO_MANY_CALCULATED_ROWS = _("{rows} players; at most {most} are calculated here")
    NAME_AMBIGUOUS_USE_ID = _("{name} may be several players; write the public id in place of the name")
    NAME_AMBIGUOUS_CHOOSE_ID = _("{name} may be several players; write the public id in place of the name: {players}")
    # stored by earlier releases, which named rows instead of players
    MEETS_TWICE = _("{name} meets row {opponent} twice")
    NO_GAME_IN_ROUND = _("nobody has a game")
    TABLE_TRUNCATED = _(
        "opponents up to row {most} are named, but the table ends with row {last}: its end may be missing"
    )
    OPPONENT_UNKNOWN = _("opponent {opponent} does not exist: the table has {rows} rows")
    OPPONENT_NAMES_OTHER = _("names row {opponent}, but row {opponent} names row {named} in this round")
    OPPONENT_NAMES_NOBODY = _("names row {opponent}, but row {opponent} has no opponent in this round")
    RESULTS_CONTRADICT = _("{cell} against {mirror} in row {opponent}: one of the two results is wrong")
    HANDICAPS_CONTRADICT = _(
        "handicap {mark} against {mirror_mark} in row {opponent}: both rows need the same handicap, one "
        "given (-) and one received (+)"
    )
    MISSING = _("missing")
    STONES_CONTRADICT = _(
        "{mark} against {mirror_mark} in row {opponent}: both rows need the same number of stones, one with "
        "/b and one with /w"
    )
    # stored by releases that read new players from CSV of their own
    EXPECTED_COLUMNS = _("the first line names the columns: {columns}")
    QUOTE_OPEN = _("a quotation mark is opened here and not closed, or text follows where it is closed")
    TOO_MANY_VALUES = _("more than {columns} columns")
    LAST_NAME_COLUMN_EMPTY = _("last_name is missing")


class SubmissionProblem(MessageCode, namespace="submission"):
    """Problems that the checks of a submission find: rows, players, days, lists and unusual results."""

    PLACE_DIFFERS = _("the file is from {place}, but the event is in {event}: is it the right file?")
    PLAYERS_DIFFER = _("no player of this file is in the other results of this event: is it the right file?")
    EVENT_EXISTS = _("an event “{name}” of {day} exists with other results: correct it there")
    DUPLICATE_NOT_ACCEPTED = _("“{event}” has these results already, but they are not accepted: accept them instead")
    DUPLICATE_ON_OTHER_LIST = _("“{event}” has these results already: add the list {list} to it instead")
    NEW_BUT_KNOWN = _("announced as new, but {name} is known: taken as the same person")
    RESULT_MISSING = _("the result is missing; 0- is an absence, 0+ a bye")
    NO_RESULTS = _("there are no results yet")
    LINE_UNREADABLE = _("this line of the file could not be read: “{text}”; fill in the row")
    NOT_A_YEAR = _("“{text}” is not a year: write four digits, for example 1987")
    TEXT_TOO_LONG = _("this text has {count} characters; at most {most} can be stored")
    REASON_MISSING = _("enter the reason for the correction")
    NOTHING_CORRECTED = _("nothing differs from the accepted results yet: change what is wrong")
    NOT_A_DATE = _("“{text}” is not a date; write year, month and day, for example 2026-03-07")
    DAYS_REVERSED = _("the last day is before the first day")
    FIELD_INVALID = _("“{text}” cannot be used here: correct the field")
    PLAYER_TWICE = _("{name} is in row {also} too")
    COUNTRY_DIFFERS = _("{name} is known with the nationality {country}")
    LAST_NAME_MISSING = _("the last name is missing")
    NAME_TOO_LONG = _("a name has at most {most} letters")
    INVISIBLE_CHARACTERS = _("the name contains invisible characters: {characters}")
    COUNTRY_MISSING = _("a new player needs a nationality of two letters")
    COUNTRY_INVALID = _("“{code}” is not a two-letter country code")
    NEW_RESEMBLES = _("new, but resembles {names}")
    NEW_MAY_BE_ERASED = _(
        "new, but a person with this name was erased: ask a rating officer for the player, or confirm that this is "
        "another person"
    )
    BIRTH_YEAR_UNKNOWN = _("the birth year is not known")
    START_YEAR_UNKNOWN = _("the year in which they began to play is not known")
    PRIOR_GRADE_INVALID = _("prior grade “{grade}” is not one of {first} to {last}")
    PRIOR_GRADE_REFUSED = _("prior grade: {problem}")
    PRIOR_GRADE_KEPT = _("{name} has the prior grade {grade} already; it was kept")
    PRIOR_GRADE_SOURCE_MISSING = _("tell how the prior grade is known (diploma, federation's list …)")
    TOO_FEW_PLAYERS = _("a table has at least two players")
    TABLE_TOO_LARGE = _("at most {rows} players and {rounds} rounds")
    EMPTY_ROW = _("there is an empty row between the players; opponents are counted by rows")
    NO_LISTS = _("choose on the event's page the lists on which it is rated")
    STONES_IN_SHOGI = _("handicap stones are for go; a shogi handicap is 3+(-2p)")
    RATED_EVENTS_AFTER = _("not after the last rated event of {names}; later tables are rated again")
    DAYS_OUTSIDE_EVENT = _("these results are from {first} – {last}, but the event is on {event}: correct one of them")
    DAY_OUTSIDE_EVENT = _("these results are from {day}, but the event is on {event}: correct one of them")
    EVENT_DAYS = _("{first} – {last}")
    EVENT_DAY = _("{day}")
    NAME_WITH_DAY = _("{name} ({day})")
    SAME_GAMES_WAITING = _("“{other}” ({state}) has the same games already: withdraw or delete one of the two")
    SAME_RESULTS_STORED = _("“{event}” already has exactly these results")
    PRINTED_GRADE_NEEDS_APPROVAL = _(
        "{name}: {grade} is printed, but needs approval on {list} and is not taken over; only an administrator records "
        "it when a list starts"
    )
    FIXED_AT_PRINTED_RATING = _("{name} has an unknown past and is fixed at {rating}")
    PRINTED_CHANGE_UNEXPLAINED = _("no number of bonus games explains the printed change of {name}")
    PRINTED_RATING_DIFFERS = _("printed rating {printed}, computed {computed}")
    PRINTED_GRADE_DIFFERS = _("printed grade {printed}, computed {computed}")
    MANY_NEW_PLAYERS = _("{new} of {players} players are new")
    BIG_CHANGE = _("changes by {change} points")
    FIRST_RATING_HIGHEST = _("first rating {rating} is above every rating on the list")
    FIRST_RATING_LOWEST = _("first rating {rating} is below every rating on the list")
    PREVIEW_FAILED = _("{problem}")
    PREVIEW_TOO_LONG = _("There are too many later results to preview them here.")
    ANNOUNCED_TOO_LATE = _("{list}: the event was not announced {days} days in advance")
    RESULTS_TOO_LATE = _("{list}: the results were not submitted within {days} days")
    TIME_CONTROL_TOO_SHORT = _("{list}: the time control is shorter than {least}")
    PERFORMANCE_FAR_FROM_RATING = _("performance {performance} with a rating of {rating}")
    FILE_OF_OTHER_TIME = _(
        "these results are from {first} – {last}, but the event is on {event}: is it the right file?"
    )
    FILE_OF_OTHER_DAY = _("these results are from {day}, but the event is on {event}: is it the right file?")
    NEW_PLAYERS_OF_ONE_NAME = _("{name} is also new in row {also}: are they two people?")
    LETTER_LOST = _("a letter of “{text}” was lost or read wrongly: type the name again")
    NAME_CAPITALS = _("“{text}” is a new player: should the name be written “{better}”?")
    BIRTH_YEAR_DOUBTFUL = _("{name} is a new player, born in {year}: is that right?")
    IN_TWO_PLACES = _("{name} also played in “{event}” in {place} on {day}: is it the right player?")
    PLAYERS_IN_TWO_PLACES = _("{count} players also played in “{event}” in {place} on {day}: {names}; which is right?")
    SCORE_IMPLAUSIBLE = _(
        "{name}, rated {rating}, scored {score} of {games} against opponents rated {opponents} on average, where "
        "{expected} was expected: is it the right player?"
    )
    PRINTED_RATING_FAR = _("the file gives {name} the rating {printed}, {list} has {rating}: is it the right player?")
    MEMBERSHIP_LAPSED = _(
        "the membership of {federation} ended before the last day of these results: {names}. Renew it, or say why the "
        "results count"
    )
    MEMBERSHIP_MISSING = _(
        "no membership of {federation} is recorded for {names}. Enter it, or say why the results count"
    )
    NAME_MISSING = _("the name is missing")
    NAME_AMBIGUOUS = _("{name} may be several players: choose one")
    NAME_UNKNOWN = _("{name} is unknown: choose a player, or “new player”")
    ID_CONTRADICTS = _("{id} is {player}, but the name is {name}: choose the player")
    DISCIPLINE_DIFFERS = _("the file has results of {discipline}, which the event’s lists do not rate: {lists}")
    ID_DIFFERS = _("a player {name} is known, but with another id than in the file: choose the player, or “new player”")
    NAME_UNKNOWN_TYPED = _("{name} is unknown: correct the name, or choose “new player”")
