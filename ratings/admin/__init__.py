from ratings.admin.events import entries, events
from ratings.admin.lists import federations, lists
from ratings.admin.players import people
from ratings.admin.results import workflow
from ratings.admin.runs import checkpoints, derived, runs
from ratings.admin.site import accounts_and_audit, mails, webhooks
