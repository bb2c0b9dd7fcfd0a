"""Convert stored English messages to codes with values; texts that match no message stay as a person typed them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db import migrations
from django.db.models import TextField, Value
from django.db.models.functions import Cast

RATING = {
    "fixed outsider": "rating.fixed_outsider",
    "not a rated table": "rating.not_a_rated_table",
    "no rated game": "rating.no_rated_game",
    "{id} is a fixed outsider without a rating": "rating.outsider_without_rating",
    "a fixed player needs a rating": "rating.fixed_player_without_rating",
    "table {table} of {day}: {error}": "rating.table_not_ratable",
    "decision of {day} for player {player}: {error}": "rating.decision_invalid",
    "adjustment of {day} for player {player}: {error}": "rating.adjustment_invalid",
    "{key} is not one of {keys}": "rating.key_invalid",
    "{key}: {value} cannot be": "rating.value_invalid",
    "“{name}” is not a grade from {lowest} to {highest}": "fesa.not_a_grade",
    (
        "{id} has {games} games: above {many_games} the formula loses meaning and the table should be split "
        "at a point in time"
    ): "fesa.many_games",
    "not settled after {most_rounds} rounds; still moving: {moving}": "fesa.not_settled",
    "games without a rating": "rating.games_without_rating",
    "a rating needs games or past": "fesa.rating_without_games",
    "games and past exclude each other": "fesa.games_and_past",
    "{handicaps} handicap games are not rated in this edition": "fesa.handicaps_not_rated",
    "too fast to be rated": "bgf.too_fast",
    "neither a rating nor a declared rank: the games are not rated": "bgf.no_rank",
    "a grade without a rating; a declared rank is the player's prior grade": "bgf.grade_without_rating",
    (
        "before {day} another system was in force, of which nothing is known; results of then can only be "
        "given as ratings"
    ): "bgf.before_system",
    "begins with the declared rank {prior_grade}": "bgf.declared_rank",
    "the games are too fast to be rated": "bgf.games_too_fast",
    "{unrated} games on boards that are not rated": "bgf.boards_not_rated",
    "{id} has neither a rating nor a declared rank: the games are not rated": "bgf.player_without_rank",
    "{many} games with more than {most_stones} stones: confirm them": "bgf.many_stones",
    "a rating needs games": "icu.rating_without_games",
    "{id} and whoever he met have no rating: these games count for nobody": "icu.group_without_rating",
    "met nobody with a rating, nor did those he met": "icu.met_nobody_rated",
    "no game against a player with a start rating": "rif.met_no_start_rating",
    "fewer than {least_games} games: no start rating": "rif.too_few_games",
    "no points against officially rated players: no start rating": "rif.no_points",
    "{names}: nobody among them met a rated player; every opponent is taken as {pivot}": "rif.no_link",
    "{names}: fewer than {few_links} games tie these newcomers to the rated; look at them": "rif.few_links",
    "{names}: start ratings not settled after {most_rounds} rounds": "rif.not_settled",
    "{minutes:g} minutes a player are too fast: {least} are needed": "rif.too_fast",
    "pending or previous without a rating": "rif.pending_without_rating",
    "pending is for official players; others carry their rating along": "rif.pending_not_official",
    "a provisional player has results, not a rating": "rif.provisional_with_rating",
    "established without a rating": "rif.established_without_rating",
    "results are for a provisional player": "rif.results_not_provisional",
    "official list of {day}": "rif.official_list",
    "no game that counts": "rif.no_counting_game",
}
"""Codes of notes and warnings of the rating systems, by their English pattern."""
FILE = {
    "the file is empty": "file.file_empty",
    "this is no text file (save it as plain text in Latin-1 or UTF-8)": "file.not_text",
    "the file is in UTF-8; the federation's own program reads ISO-8859-1 only": "file.utf8_file",
    "accents are written as separate characters; they were composed": "file.accents_composed",
    "no-break spaces were read as spaces": "file.no_break_spaces",
    "the file has {lines:,} lines; at most {most:,} are read": "file.too_many_lines",
    "the line has {lines:,} characters; at most {most:,} are read": "file.line_too_long",
    "and {counts:,} more; mend these first": "file.more_problems",
    (
        "the file is in none of the known forms: American Grid, published FESA table, TRF, .h9, crosstable "
        "or list of games as CSV or .xlsx, ratings-history/1"
    ): "file.unknown_format",
    "save it as .xlsx or CSV": "file.save_as_spreadsheet",
    "this is an old Excel or Word file; open it and {save}": "file.old_office_file",
    "this is a PDF, which holds no table that can be read; take the file it was made from and {save}": "file.pdf_file",
    "this is a picture; type the results into the template or the portal's crosstable": "file.picture",
    "this is a text document; save it as plain text": "file.text_document",
    "this is a packed file; unpack it and send the results file in it": "file.packed_file",
    "this is {what}": "file.this_is",
    "this is a web page; copy its table into a spreadsheet and save that as .xlsx or CSV": "file.web_page",
    "a damaged workbook or archive; save it again, or {save}": "file.damaged_archive",
    "an OpenDocument file; open it and {save}": "file.open_document",
    "a Word document; copy its table into a spreadsheet and {save}": "file.word_document",
    "a zip archive and no workbook; unpack it and send the results file in it, or {save}": "file.zip_archive",
    (
        "row {expected} of the table bears the number {number}; opponents are counted by rows, so number "
        "them 1, 2, 3 … in order"
    ): "file.row_number_out_of_order",
    "the number {number} stands twice": "file.number_twice",
    "the number {number} is not one of 1 to {most:,}": "file.number_out_of_range",
    "nobody has the number {shown}: are all players in the file?": "file.numbers_missing",
    "{rows:,} rows; at most {most:,} players": "file.too_many_rows",
    "more than {most} rounds cannot be read": "file.too_many_rounds_to_read",
    "{name} meets row {opponent} twice": "file.meets_twice",
    "{name} has no game": "file.no_game_of_player",
    "nobody has a game": "file.no_game_in_round",
    (
        "opponents up to row {most} are named, but the table ends with row {last}: its end may be missing"
    ): "file.table_truncated",
    "{cells} rounds where the other rows have {usual}": "file.rounds_differ",
    "{name} plays himself": "file.plays_self",
    "opponent {opponent} does not exist: the table has {rows} rows": "file.opponent_unknown",
    "names row {opponent}, but row {opponent} names row {named} in this round": "file.opponent_names_other",
    "names row {opponent}, but row {opponent} names nobody in this round": "file.opponent_names_nobody",
    "{cell} against {mirror} in row {opponent}: the two results must add up to 1": "file.results_contradict",
    (
        "handicap {mark} against {mirror_mark} in row {opponent}: both rows need the same handicap, one "
        "given (-) and one received (+)"
    ): "file.handicaps_contradict",
    (
        "{mark} against {mirror_mark} in row {opponent}: both rows need the same number of stones, one with "
        "/b and one with /w"
    ): "file.stones_contradict",
    "points {points}, but MacMahon and results give {counted}": "file.points_differ",
    "the colour stands in row {number} only": "file.colour_in_one_row",
    "round {round} is empty and is left out": "file.round_empty",
    "rounds {first} to {last} are empty and are left out": "file.rounds_empty",
    "the file tells no days; say when the event was (--day)": "file.days_missing",
    "the last day {end} is before the first, {start}": "file.last_day_before_first",
    "the file tells no days, and the event's last day {end} is in the future": "file.event_in_future",
    "the last day {last_day} is in the future": "file.last_day_in_future",
    "the day {day} is in the future": "file.day_in_future",
    "no player rows: a row looks like 1 [Last][First] FR [2+ 3-] 1": "file.no_grid_rows",
    "no name line: the file begins with [Name, City, Country, date]": "file.no_name_line",
    "no date line: the second line is the last day, as [2026-03-08]": "file.no_date_line",
    "“{closing}” is not the last day; write it as [2026-03-08]": "file.not_last_day",
    "the last day {last} is not inside {first_day} to {last_day} of the name line": "file.last_day_outside",
    "no time control given; write [Time control: 30min + 30sec]": "file.no_time_control",
    "the time control is below 30min + 30sec and 20min + 40sec": "file.time_control_short",
    "the name line has no date; write [Name, City, Country, 2026-03-07 to 2026-03-08]": "file.name_line_without_date",
    "the name line is empty: [Name, City, Country, date]": "file.name_line_empty",
    "text after the table was left out: “{line}”": "file.text_after_table",
    "a player row after the end of the table; move it up or delete the text between": "file.row_after_end",
    "the brackets do not add up: place [Last][First] nationality [results] [MacMahon] points": "file.brackets",
    "{what} “{text}” cannot be read as a number": "file.not_a_number",
    "MacMahon points “{text}”: whole or half points": "file.macmahon_not_half_points",
    "nationality “{code}” in lower case": "file.country_lower_case",
    "the first line names the columns: {columns}": "file.expected_columns",
    "a quotation mark is opened here and not closed, or text follows where it is closed": "file.quote_open",
    "more than {columns} columns": "file.too_many_values",
    "last_name is missing": "file.last_name_column_empty",
    "no player rows": "file.no_player_rows",
    "the title has no date; it ends in “ : 2024-04-20/21” or “, 2024-04-20 to 2024-04-21”": "file.title_without_date",
    "the title has no name; it begins with the event's": "file.title_without_name",
    "not a row of a published table: “{text}”": "file.not_a_published_row",
    "after the results come MMS (if any), Pts and +/-; a row with * has no +/-": "file.published_row_end",
    "Promoting {name}: this name stands in no row of the table": "file.promoted_unknown",
    "Promoting {name}: this name stands in several rows of the table": "file.promoted_ambiguous",
    "no line of titles (Name, Grades, Elo, #games, Nationality), which tells where the columns are": "file.no_titles",
    "no players below the titles": "file.no_players",
    "“{day}” is no date": "file.no_date",
    "a player's line above the titles; move it below them": "file.player_above_titles",
    "not read, for it is no player's line: “{line}”": "file.not_a_player_line",
    (
        "a player's line has rank, names, grades, rating, games, nationality; this cannot be read: “{line}”"
    ): "file.player_line_unreadable",
    "rank {rank} is that of the {count}. player; is a line missing above?": "file.rank_wrong",
    (
        "neither FESA's rating list text (“Elo list for 2026-06-01”, then a line of titles) nor CSV whose "
        "first line names the columns (Last name, First name, Country, Rating, Games, Grade, Prior grade, "
        "Birth year, id)"
    ): "file.not_a_rating_list",
    "not a player row, left out: “{text}”": "file.not_a_player_row",
    "the letter O in “{word}” was read as zero": "file.letter_o_as_zero",
    "no grade such as 5d or 10k behind place, last name and first name": "file.no_grade",
    "no country of two letters behind the grade": "file.no_country",
    "“{shown}” are more than two words: the last one was read as the first name": "file.long_name",
    "only one name, “{family}”: it was read as the last name": "file.one_name",
    "the grade “{word}” has no k or d: it was read as kyu": "file.grade_read_as_kyu",
    "the grade “{word}” is not one of {lowest}k to {highest}d; it was left out": "file.grade_out_of_range",
    "“{word}” is no country's code of two letters; it was left out": "file.country_left_out",
    (
        "“{word}” stands in score column {column} and looks like a result; it was read as a score"
    ): "file.result_in_score_column",
    "text behind the results was left out: “{words}”": "file.text_after_results",
    "“{word}” is no result; write opponent and + - or =, such as 7+ or 7-/b3": "file.not_an_h9_result",
    "0=0 was read as 0=, half a point without a game": "file.half_point_bye",
    (
        "“{marks}” behind the result was left out; for a game that was not played write 0+ or 0-"
    ): "file.mark_after_result",
    "{stones} stones are more than {most}: is that right?": "file.many_stones",
    "no player rows: a row looks like 1 Muster Anna 5d DE Club 3 2+ 3-/w 0+": "file.no_h9_rows",
    "PC[{pc}] begins with no country of two letters": "file.no_country_in_pc",
    "TM[{minutes}] is no number of minutes": "file.no_minutes_in_tm",
    "HA[h9] tells even games, but results name handicap stones": "file.even_games_with_stones",
    (
        "HA[{text}] tells handicap games, but no result names stones: all games were read as even; write "
        "them as 2+/w3 and 1-/b3"
    ): "file.handicap_without_stones",
    "the file has {data:,} bytes or more; at most {most:,} are read": "file.file_too_large",
    "its lists have {entries:,} entries; a results file has at most {most:,}": "file.too_many_entries",
    (
        "the history has {tables} tables; a results file has exactly one, so write one file a table"
    ): "file.several_tables",
    "a name has more than {most:,} letters": "file.name_too_long_to_read",
    "openings, adjustments and decisions of the history are not results and were not read": "file.not_results",
    (
        "fixed ratings, ages, overtime and what is special of a game (board size, online, by correspondence) "
        "have no place in a crosstable and were not read"
    ): "file.not_in_a_crosstable",
    "the table has no players": "file.table_without_players",
    (
        "{undivided} names have no comma between last and first name: the last word was read as the first "
        "name"
    ): "file.names_without_comma",
    "round {outside} is not one of 1 to {most}": "file.round_out_of_range",
    "a game without a round or a result: give it both": "file.game_incomplete",
    "{name} has several games in this round": "file.several_games_in_round",
    "no column with the numbers of the rows; title it Nr": "file.no_number_column",
    (
        "no player rows: below the header row stands a row a player; if this is the template, fill it in "
        "(lines that begin with # are not read)"
    ): "file.no_crosstable_rows",
    "“{number}” is no number of a row; number the rows 1, 2, 3 …": "file.not_a_row_number",
    "the number of the row is missing; number the rows 1, 2, 3 …": "file.row_number_missing",
    "more cells than the header row has columns": "file.too_many_cells",
    "& stands for a simultaneous display; leave the other rounds empty": "file.simultaneous_with_games",
    "{what} “{text}” are no whole or half points": "file.not_half_points",
    "nothing stands here: it was read as an absence (0-)": "file.cell_empty",
    "one result a round, such as 7+": "file.several_results",
    "{name} has another result in this round, in line {before}": "file.another_result_in_round",
    "no games: below the header row stands a row a game: round, player, opponent, result": "file.no_games",
    "{body:,} games; at most {most:,} are read": "file.too_many_games",
    "the player is missing": "file.player_missing",
    "a handicap without an opponent was left out": "file.handicap_without_opponent",
    "“{text}” is no round; write a number from 1 to {most}": "file.not_a_round",
    "“{text}” is no result; write 1, 0 or ½, or 1-0, 0-1, ½-½, as the player has it": "file.not_a_score",
    "who gave the handicap? write player or opponent as the handicap giver": "file.handicap_giver_missing",
    "handicap “{handicap}” is not one of {handicaps} nor a number of stones": "file.not_a_handicap_or_stones",
    "who had the stones? the handicap's giver is White, the other one Black": "file.stones_owner_missing",
    "“{text}” is no colour; write b or w, as the player had it": "file.not_a_colour",
    "{rounds} rounds; at most {most} are read": "file.too_many_rounds",
    "the rounds are titled {titles}; title them 1, 2, 3 … in order": "file.round_titles",
    'the quote (") opened here ends in line {start}; close it': "file.quote_too_long",
    "no CSV from here on: {error}; look for a quote that is not closed": "file.csv_unreadable",
    "the first line names the columns; {names} is missing": "file.column_missing",
    "the column “{titles}” stands twice": "file.column_twice",
    "the column “{title}” was not read": "file.column_not_read",
    "{cells} values below {columns} titles": "file.values_beyond_titles",
    "the {titles} is missing": "file.value_missing",
    "{titles} “{values}” is not {what}": "file.value_invalid",
    "a number (leave out who has no rating)": "file.expected_rating",
    "a number from 0 to 9999": "file.expected_games",
    "a year of four digits": "file.expected_year",
    "a grade such as 5 Kyu or 1 Dan": "file.expected_grade",
    "up to 12 letters and digits": "file.expected_id",
    "text above the table was left out: “{shown}”": "file.text_above_table",
    "two columns are titled “{title}”; leave one": "file.title_twice",
    (
        "the spreadsheet turned a result into the date “{text}”; format the column as text and type the "
        "result again"
    ): "file.result_turned_into_date",
    (
        "no header row: a crosstable has the columns Nr, Last name, First name, Country, 1, 2, 3 …, Points; "
        "a list of games Round, Player, Opponent, Result"
    ): "file.no_header_row",
    (
        "a quotation mark is opened here and not closed, or text follows where it is closed; put the whole "
        "cell between two of them"
    ): "file.quote_open_in_cell",
    (
        "the workbook cannot be read; open it in a spreadsheet program and save it again as .xlsx, or as CSV"
    ): "file.workbook_unreadable",
    "this is no workbook; save it as .xlsx or as CSV": "file.not_a_workbook",
    (
        "the workbook has {members:,} parts, at most {members_at_most} are read; copy the table to a new one"
    ): "file.workbook_too_many_parts",
    (
        "the workbook is larger than {unpacked_at_most:,} bytes when unpacked; copy the table to a new one"
    ): "file.workbook_too_large",
    (
        "the workbook is packed more tightly than any table is; copy the table to a new one"
    ): "file.workbook_too_compressed",
    (
        "the workbook has more texts, formats or names than any table needs; copy the table to a new one"
    ): "file.workbook_too_many_texts",
    "the workbook's sheets are larger than any table; copy the table to a new one": "file.workbook_sheets_too_large",
    "the workbook has several sheets; the first one with a table was read": "file.several_sheets",
    "the workbook is empty": "file.workbook_empty",
    "the line has more than {most:,} characters; shorten its texts": "file.workbook_line_too_long",
    "more than {lines_at_most:,} lines; at most {rows_at_most:,} players are read": "file.workbook_too_many_lines",
    "more than {most} columns; delete what does not belong to the table": "file.workbook_too_many_columns",
    "“{broken}” is no result; write opponent and + - or =, such as 7+ or 7-(+2p)": "file.not_a_result",
    "# stands for a no-show and goes with 0 only": "file.no_show_mark",
    "0# was read as an absence (0-)": "file.no_show_as_absence",
    "a pairing program's floater mark was left out": "file.floater_mark",
    "the handicap stands apart from its result; it was attached": "file.handicap_apart",
    "handicap “{type}” is not one of {handicaps}": "file.not_a_handicap",
    "no starting rank in columns 5–8, but “{rank}”": "file.no_starting_rank",
    "the last name is missing; the name stands in columns 15–47 as Last, First": "file.trf_last_name_missing",
    "no comma parts last and first name: “{family}” was read as the last name": "file.no_comma_in_name",
    "the federation “{code}” is not one of FIDE's codes": "file.federation_unknown",
    (
        "“{text}” is no result; columns {first}–{last} hold opponent, colour and result, such as    7 w 1"
    ): "file.not_a_trf_result",
    "1 game was played without rating (W, D, L): the points stay": "file.one_unrated_game",
    "{games} games were played without rating (W, D, L): the points stay": "file.unrated_games",
    "row {opponent} stands beside “{result}”, a bye: it was read as not played": "file.bye_with_opponent",
    "no result against row {opponent}: it was read as not played": "file.no_result_against",
    "a result “{result}” without an opponent was read as not played": "file.result_without_opponent",
    "text outside the lines of TRF was left out: “{line}”": "file.text_outside_trf",
    "no player rows: they begin with 001 and the starting rank in columns 5–8": "file.no_trf_rows",
    "line 062 tells {told} players, but {rows} stand in the file": "file.player_count_differs",
    "a rating of {rating} cannot be; it is at most {highest}": "file.rating_too_high",
    "“{text}” is no game; write rating and result, as 1650+ 1720= 1800-": "file.not_a_game",
    "{games} games; at most {most} are reckoned at once": "file.too_many_typed_games",
    "{rows} players; at most {most} are reckoned here": "file.too_many_calculated_rows",
    "{name} may be several players; write the public id in place of the name": "file.name_ambiguous_use_id",
    "one result a round": "file.several_results",
    "MacMahon points “{text}” are no whole or half points": "file.macmahon_not_half_points",
    "the last day {last_day} is in the future": "file.last_day_in_future",
    "nationality “{code}” in lower case": "file.country_lower_case",
    "nationality “{code}” in lower case": "file.country_lower_case",
    "the last day {end} is before the first, {start}": "file.last_day_before_first",
    "the last day {end} is before the first, {start}": "file.last_day_before_first",
    "the letter O in “{word}” was read as zero": "file.letter_o_as_zero",
    "“{word}” is no country's code of two letters; it was left out": "file.country_left_out",
    "& stands for a simultaneous display; leave his other rounds empty": "file.simultaneous_with_games",
    "points “{text}” cannot be read as a number": "file.not_a_number",
    "points “{text}” cannot be read as a number": "file.not_a_number",
    "{name} plays himself": "file.plays_self",
    "the column “{title}” is not read": "file.column_not_read",
    "{stones} stones are more than {most}: is that right?": "file.many_stones",
}
"""Codes of problems of files, by their English pattern."""
SUBMISSION = {
    "the file is of {place}, the event is in {event}: is it the right file?": "submission.place_differs",
    "announced as new, but {name} is known: taken as the same person": "submission.new_but_known",
    "the result is missing; 0- is an absence, 0+ a bye": "submission.result_missing",
    "there are no results yet": "submission.no_results",
    "this line of the file could not be read: “{text}”; fill in the row": "submission.line_unreadable",
    "“{text}” is not a year: write four digits, such as 1987": "submission.not_a_year",
    "this text has {count} characters; at most {most} can be stored": "submission.text_too_long",
    "“{text}” is no date; write year, month and day as 2026-03-07": "submission.not_a_date",
    "the last day is before the first day": "submission.days_reversed",
    "“{text}” cannot be used here: correct the field": "submission.field_invalid",
    "{name} stands in row {also} too": "submission.player_twice",
    "{name} is known with the nationality {country}": "submission.country_differs",
    "the last name is missing": "submission.last_name_missing",
    "a name has at most {most} letters": "submission.name_too_long",
    "the name contains invisible characters: {characters}": "submission.invisible_characters",
    "a new player needs a nationality of two letters": "submission.country_missing",
    "“{code}” is no country's code of two letters": "submission.country_invalid",
    "new, but resembles {names}": "submission.new_resembles",
    "the birth year is not known": "submission.birth_year_unknown",
    "the year in which he began to play is not known": "submission.start_year_unknown",
    "tell how the prior grade is known (diploma, federation's list …)": "submission.prior_grade_source_missing",
    "a table has at least two players": "submission.too_few_players",
    "at most {rows} players and {rounds} rounds": "submission.table_too_large",
    "there is an empty row between the players; opponents are counted by rows": "submission.empty_row",
    "say on the event's page on which lists it is to be rated": "submission.no_lists",
    "handicap stones are for go; a shogi handicap is 3+(-2p)": "submission.stones_in_shogi",
    "not after the last rated event of {names}; later tables are rated again": "submission.rated_events_after",
    (
        "these results are of {first} – {last}, but the event is of {event}: correct one of them"
    ): "submission.days_outside_event",
    (
        "“{other}” ({state}) has the same games already: withdraw or delete one of the two"
    ): "submission.same_games_waiting",
    "“{event}” has these very results already": "submission.same_results_stored",
    "{new} of {players} players are new": "submission.many_new_players",
    "changes by {change} points": "submission.big_change",
    "first rating {rating} is above everybody on the list": "submission.first_rating_highest",
    "first rating {rating} is below everybody on the list": "submission.first_rating_lowest",
    "performance {performance} with a rating of {rating}": "submission.performance_far_from_rating",
    "the name is missing": "submission.name_missing",
    "{name} may be several players: choose one": "submission.name_ambiguous",
    "{name} is unknown: choose who is meant, or “new player”": "submission.name_unknown",
    "{name} is unknown: correct the name, or choose “new player”": "submission.name_unknown_typed",
}
"""Codes of problems of submissions, by their English pattern."""
RUN = {
    "{table} was changed": "run.table_changed",
    "{table} was added": "run.table_added",
    "{table} was deleted": "run.table_deleted",
    "{table} was restored": "run.table_restored",
    "{event} was voided": "run.event_voided",
    "{event} was accepted or changed": "run.event_changed",
    "decision of {date} for {whom} taken back": "run.decision_withdrawn",
    "decision of {date} for {whom} laid down or changed": "run.decision_changed",
    "adjustment of {date} for {whom} taken back": "run.adjustment_withdrawn",
    "adjustment of {date} for {whom} laid down or changed": "run.adjustment_changed",
    "the list's system or options were changed": "run.options_changed",
    "rated again from the beginning, as asked": "run.rated_from_the_start",
    "import of {source} of {day} undone": "run.list_import_undone",
    "import of {files} undone": "run.results_import_undone",
    "{gone} was merged into {kept}": "run.players_merged",
    "the merge of {gone} into {kept} was undone": "run.merge_undone",
    "taken back: {what}": "run.move_undone",
    "the data of {player} on this list were changed": "run.player_changed",
    "what is known of player {player} was changed": "run.player_changed",
}
"""Codes of the reasons of runs, by their English pattern."""
RECORD = {
    "opening by the federation's list": "record.opening",
    "opened by the list {source} of {day}": "record.opened_by_list",
    "opening: carried over from the list of {year}": "record.carried_over",
    "published rating": "record.published_rating",
    "published promotions": "record.published_promotions",
}
"""Codes of the reasons of recorded adjustments and decisions, by their English pattern."""
ANNOUNCED = {
    "announced": "record.announced",
    "announced after the term": "record.announced_after_term",
    "announced with the list of {day}": "record.announced_with_list",
}
"""Codes of the reasons of announcements; in other records a person may have typed these words."""
AWARD = {
    "upper bound": "award.upper_bound",
    "games above MP": "award.games_above_mp",
    "games above LB": "award.games_above_lb",
    "provisional": "award.provisional",
    "bound to get it": "award.bound_to_get_it",
    "above the band": "award.above_band",
    "demotion": "award.demotion",
    "printed": "award.printed",
    "given": "award.given",
    "kept": "award.kept",
    "withheld": "award.withheld",
    "approved": "award.approved",
    "declined": "award.declined",
}
"""Codes of the ways of winning a grade, by their English name."""

EARNED = re.compile(r"(?P<reason>.*); earned (?P<day>\d{4}-\d\d-\d\d) \((?P<how>[^()]*)\)")
VALUE = re.compile(r"\{(\w+)(:[^}]*)?\}")
BATCH = 500


NESTED = {
    "player {player}": "run.of_player",
    "the list": "run.of_list",
    "missing": "file.missing",
    "no colour": "file.no_colour",
    "MacMahon points": "file.macmahon_points",
    "points": "file.points",
}
"""Codes of messages that occur only as a value of another message."""


def convert_value(name: str, value: Any) -> Any:
    """Return a value, converted if it is a message itself."""
    return Converter(NESTED).convert(value) if name in ("whom", "what", "mark", "mirror_mark") else value


class Converter:
    """Converts English texts to the JSON form of messages, by the patterns from which they were made."""

    def __init__(self, *patterns: Mapping[str, str]) -> None:
        self.patterns = [
            (_compile(pattern), pattern, code)
            for part in patterns
            for pattern, code in sorted(part.items(), key=lambda item: -len(VALUE.sub("", item[0])))
        ]

    def convert(self, text: str) -> Any:
        """Return {"code": …, "values": {…}} for a text that was made from a pattern, otherwise the text."""
        for regex, pattern, code in self.patterns:
            if match := regex.fullmatch(text):
                formats = dict(VALUE.findall(pattern))
                values = {name: self._value(name, value, formats[name]) for name, value in match.groupdict().items()}
                if code != "run.move_undone":  # its value is what a person typed
                    values = {name: convert_value(name, value) for name, value in values.items()}
                return {"code": code, **({"values": values} if values else {})}
        return text

    def _value(self, name: str, value: str, format_: str) -> Any:
        if not format_:
            return value
        number = float(value.replace(",", ""))
        return int(number) if number.is_integer() else number


def _compile(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern; a value with a number format matches numbers only."""
    regex, position, seen = "", 0, set()
    for match in VALUE.finditer(pattern):
        regex += re.escape(pattern[position : match.start()])
        name, group = match[1], r"[\d,.]+" if match[2] else ".+?"
        regex += f"(?P={name})" if name in seen else f"(?P<{name}>{group})"
        seen.add(name)
        position = match.end()
    return re.compile(regex + re.escape(pattern[position:]), re.DOTALL)


def convert_record(converter: Converter, text: str) -> Any:
    """Convert the reason of an adjustment, decision or step, which may end with how the grade was earned."""
    if match := EARNED.fullmatch(text):
        reason, how = Converter(ANNOUNCED).convert(match["reason"]), Converter(AWARD).convert(match["how"])
        return {"code": "record.earned", "values": {"reason": reason, "day": match["day"], "how": how}}
    return converter.convert(text)


def convert_list(converter: Converter, texts: list[str]) -> str:
    return json.dumps([converter.convert(text) for text in texts], ensure_ascii=False, sort_keys=True) if texts else ""


def dump_message(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, sort_keys=True)


def convert_column(model: Any, column: str, convert: Callable[[str], str]) -> None:
    """Convert the distinct texts of a column; they are few, because messages repeat."""
    alias = f"raw_{column}"
    raw = Cast(column, TextField())
    texts = model.objects.order_by().annotate(**{alias: raw}).values_list(alias, flat=True).distinct()
    for text in list(texts):
        if text and not text.startswith(("{", "[")) and (converted := convert(text)) != text:
            model.objects.annotate(**{alias: raw}).filter(**{alias: text}).update(
                **{column: Value(converted, output_field=TextField())}
            )


def convert_messages(apps: Any, schema_editor: object) -> None:
    rating, run, record = Converter(RATING, RECORD), Converter(RUN), Converter(RECORD)
    step = Converter(RECORD, ANNOUNCED)
    convert_column(apps.get_model("ratings", "Change"), "note", lambda text: dump_message(convert_record(rating, text)))
    convert_column(apps.get_model("ratings", "RatedTable"), "warnings", lambda text: convert_list(rating, text.splitlines()))
    convert_column(apps.get_model("ratings", "Run"), "reasons", lambda text: convert_list(run, text.split("; ")))
    for name in ("Adjustment", "Decision"):
        convert_column(apps.get_model("ratings", name), "reason", lambda text: dump_message(convert_record(record, text)))
    steps = apps.get_model("ratings", "RecordedStep")
    convert_column(steps, "reason", lambda text: dump_message(step.convert(text)))
    problems = Converter(SUBMISSION, FILE)
    convert_submissions(apps.get_model("ratings", "Sheet"), problems)
    convert_summaries(apps.get_model("ratings", "EventStep"), problems)


def convert_submissions(sheets: Any, problems: Converter) -> None:
    """Convert the remarks and the confirmed warnings of submissions."""
    for sheet in sheets.objects.order_by("pk").iterator(chunk_size=BATCH):
        warnings, content = sheet.warnings, sheet.content
        if remarks := content.get("remarks", []):
            converted = [{**remark, "message": problems.convert(remark["message"])} for remark in remarks]
            keys = {make_key(old): make_key(new) for old, new in zip(remarks, converted, strict=True)}
            confirmed = content.get("confirmed", {})
            confirmed |= {keys[key]: reason for key, reason in confirmed.items() if key in keys}
            content = {**content, "remarks": converted, "confirmed": confirmed}
        converted_warnings = [[row, round_, problems.convert(text), reason] for row, round_, text, reason in warnings]
        if content != sheet.content or converted_warnings != warnings:
            sheets.objects.filter(pk=sheet.pk).update(content=content, warnings=converted_warnings)


def make_key(remark: Mapping[str, Any]) -> str:
    """Return the key under which the confirmation of a remark is stored, before or after the conversion."""
    message = remark["message"] if isinstance(remark["message"], str) else json.dumps(remark["message"], sort_keys=True)
    identity = f"{remark['level']}|{message}|{remark.get('row')}|{remark.get('round')}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def convert_summaries(steps: Any, problems: Converter) -> None:
    """Convert the odd figures in the stored summaries of submissions."""
    for step in steps.objects.filter(data__has_key="summary").order_by("pk").iterator(chunk_size=BATCH):
        summary = step.data["summary"]
        odd = [[player, problems.convert(text)] for player, text in summary.get("odd", [])]
        if odd != summary.get("odd", []):
            steps.objects.filter(pk=step.pk).update(data={**step.data, "summary": {**summary, "odd": odd}})


class Migration(migrations.Migration):
    dependencies = [("ratings", "0031_message_columns")]

    operations = [migrations.RunPython(convert_messages, migrations.RunPython.noop)]
