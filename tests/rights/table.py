"""Expected rights, written by hand from the documents and never read from `ratings.access`.

Columns are roles, rows are actions. A cell is `-` (refused), `y` (allowed), or the states of the event in which the
action is allowed: d draft, s submitted, r returned, a accepted, v void, x deleted. All objects belong to one list.
"""

STATES = {"d": "draft", "s": "submitted", "r": "returned", "a": "accepted", "v": "void", "x": "deleted"}
PERSONS = {
    "vis": "visitor",
    "ply": "player with an account and their own page",
    "oth": "organiser of other events",
    "own": "organiser who made the event",
    "coo": "organiser with whom the event is shared",
    "clb": "organiser of the event's club",
    "of2": "officer of another list",
    "of1": "officer of the list",
    "ap2": "approver of another list",
    "ap1": "approver of the list",
    "adm": "administrator",
    "no2": "officer of the list without a second factor",
    "ina": "administrator whose account was closed",
}
KEYS = {
    "kre": "API key of the organiser, scope “see”",
    "kev": "API key of the organiser, scope “announce”",
    "krs": "API key of the organiser, scope “upload”",
    "kal": "API key of the officer, all scopes with “all events”",
    "kno": "the same key of an officer without a second factor",
    "kin": "the same key of a closed account",
}
RIGHTS = """
action                                  |vis|ply|oth|own|coo|clb   |of2|of1   |ap2|ap1|adm   |no2|ina|kre   |kev|krs|kal   |kno|kin
Events and results
open the organisers' pages              | - | - | y | y | y | y    | y | y    | - | - | y    | - | - | -    | - | - | -    | - | -
make an event                           | - | - | y | y | y | y    | y | y    | - | - | y    | - | - | -    | y | - | y    | y | -
see an event and its drafts             | - | - | - |dsravx|dsravx|dsravx| - |dsravx| - | - |dsravx| - | - |dsravx| - | - |dsravx| - | -
change, announce or share an event      | - | - | - |dr |dr |dr    | - |dsrav | - | - |dsrav | - | - | -    | - | - | -    | - | -
enter, upload and submit results        | - | - | - |dra|dra|dra   | - |dra   | - | - |dra   | - | - | -    | - |dra|dra   | - | -
correct a table                         | - | - | - |dra|dra|dra   | - |dra   | - | - |dra   | - | - | -    | - | - | -    | - | -
withdraw submitted results              | - | - | - |sa |sa |sa    | - |sa    | - | - |sa    | - | - | -    | - | - | -    | - | -
remind the officers of waiting results  | - | - | - |dsrav|dsrav|dsrav | - |dsrav | - | - |dsrav | - | - | -    | - | - | -    | - | -
delete and restore a draft event        | - | - | - |drx|drx|drx   | - |drx   | - | - |drx   | - | - | -    | - | - | -    | - | -
return and accept results               | - | - | - | - | - | -    | - |dsrav | - | - |dsrav | - | - | -    | - | - | -    | - | -
settle comments on results              | - | - | - |dsrav|dsrav|dsrav | - |dsrav | - | - |dsrav | - | - | -    | - | - | -    | - | -
void an event, delete a table, restore  | - | - | - | - | - | -    | - |av    | - | - |av    | - | - | -    | - | - | -    | - | -
Players
report an error                         | y | y | y | y | y | y    | y | y    | y | y | y    | y | y | -    | - | - | -    | - | -
open one's own page                     | - | y | y | y | y | y    | y | y    | y | y | y    | y | - | -    | - | - | -    | - | -
claim the page of a player              | - | - | y | y | y | y    | y | y    | y | y | y    | y | - | -    | - | - | -    | - | -
follow pages, choose their emails       | - | y | y | y | y | y    | y | y    | y | y | y    | y | - | -    | - | - | -    | - | -
change how one's own page is shown      | - | y | - | - | - | -    | - | -    | - | - | -    | - | - | -    | - | - | -    | - | -
open the officers' pages                | - | - | - | - | - | -    | y | y    | - | - | y    | - | - | -    | - | - | -    | - | -
answer claims and reports               | - | - | - | - | - | -    | y | y    | - | - | y    | - | - | -    | - | - | -    | - | -
merge players of the list, move results | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
erase a person for good                 | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
change a federation's pages             | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
keep the webhooks of a federation       | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
People and keys
make an API key                         | - | - | y | y | y | y    | y | y    | - | - | y    | - | - | -    | - | - | -    | - | -
see and submit files of the organiser   | - | - | - | y | - | -    | - | -    | - | - | -    | - | - | -    | - | - | -    | - | -
revoke an API key of the organiser      | - | - | - | y | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
see the API keys of everybody           | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
invite and dismiss organisers           | - | - | - | - | - | -    | y | y    | - | - | y    | - | - | -    | - | - | -    | - | -
set up the portal                       | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
appoint and dismiss officers, approvers | - | - | - | - | - | -    | - | -    | - | - | y    | - | - | -    | - | - | -    | - | -
Lists and grades
open the approvers' page                | - | - | - | - | - | -    | y | y    | y | y | y    | - | - | -    | - | - | -    | - | -
see an approval of the list             | - | - | - | - | - | -    | - | y    | - | y | y    | - | - | -    | - | - | -    | - | -
send, answer, confirm, reopen approvals | - | - | - | - | - | -    | - | -    | - | y | y    | - | - | -    | - | - | -    | - | -
request an approval, withdraw a request | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
answer questions about an approval      | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
confirm and withdraw proposals          | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
announce grades of the list, undo that  | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
study other rules on the list’s history | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
propose, adopt and reject rules of the list | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
import a rating list, undo an import    | - | - | - | - | - | -    | - | y    | - | - | y    | - | - | -    | - | - | -    | - | -
"""
OPERATIONS = ("list", "see", "add", "change", "delete", "export", "import")
STAFF = """
screen of the admin                                    |list       |see        |add        |change     |delete     |export     |import
award standing                                         |21abA      |21abA      |-          |-          |-          |21A        |-
change                                                 |21abA      |21abA      |-          |-          |-          |-          |-
run proposal merge claim                               |21A        |21A        |-          |-          |-          |-          |-
report                                                 |21A        |21A        |-          |-          |-          |21A        |-
approval                                               |21abA      |1aA        |-          |-          |-          |-          |-
submission upload eventstep entrylist evententry pairingsecret |21A        |1A         |-          |-          |-          |-          |-
halllink hallresult submissioncomment                  |21A        |1A         |-          |-          |-          |-          |-
event                                                  |ow21A      |wA1        |-          |-          |-          |21A        |-
table                                                  |ow21A      |wA1        |-          |-          |-          |-          |-
player                                                 |ow21abA    |ow21abA    |ow21A      |21A        |21A        |21A        |21A
club                                                   |ow21A      |ow21A      |21A        |21A        |21A        |21A        |21A
membership                                             |21A        |21A        |21A        |21A        |21A        |21A        |-
federationmembership                                   |21A        |21A        |21A        |21A        |21A        |21A        |21A
outsideid                                              |21A        |21A        |21A        |21A        |21A        |-          |-
formername                                             |21A        |21A        |21A        |21A        |21A        |-          |-
ratinglist                                             |ow21abA    |ow21abA    |A          |1A         |A          |-          |-
federation                                             |A          |A          |A          |A          |A          |-          |-
listplayer adjustment                                  |21A        |21A        |1A         |1A         |1A         |21A        |-
decision                                               |21abA      |21abA      |1A         |1A         |1A         |21A        |-
datedlist                                              |21A        |21A        |1A         |-          |1A         |21A        |-
logentry                                               |21A        |21A        |-          |-          |-          |-          |-
webhooksubscription checkpoint logkey witnessedlog        |A          |A          |-          |-          |-          |-          |-
apikey                                                 |A          |A          |-          |-          |-          |-          |-
outgoingmail                                           |A          |A          |-          |-          |A          |-          |-
user group emailaddress authenticator usersession      |A          |A          |A          |A          |A          |-          |-
"""
"""Who may use which screen of the admin, with staff status. Events and tables are changed by the rows of RIGHTS."""
STAFF_LETTERS = {
    "oth": "o",
    "own": "w",
    "coo": "w",
    "clb": "w",
    "of2": "2",
    "of1": "1",
    "ap2": "b",
    "ap1": "a",
    "adm": "A",
}


def cells_of(text, columns):
    """Return the cells of a table, by row and column, and the headings before rows."""
    rows, headings, heading = {}, {}, ""
    for line in text.strip().splitlines()[1:]:
        name, *cells = (part.strip() for part in line.split("|"))
        if not cells:
            heading = name
            continue
        rows[name], headings[name] = dict(zip(columns, cells, strict=True)), heading
    return rows, headings


COLUMNS = (*PERSONS, *KEYS)
TABLE, HEADINGS = cells_of(RIGHTS, COLUMNS)
SCREENS = {
    model: cells for names, cells in cells_of(STAFF, OPERATIONS)[0].items() for model in names.split()
}  # fmt: skip


def allows(row, column, state="d"):
    """Return whether the table lets a role do something, to an event in a state (its letter)."""
    cell = TABLE[row][column]
    return cell == "y" or (cell != "-" and state in cell)


def staff_allows(model, operation, column):
    """Return whether the table opens a screen of the admin to a role."""
    return STAFF_LETTERS.get(column, "?") in SCREENS[model][operation]
