"""Commands and tasks: what each may change, in words and as tables. Whoever has a shell on the server runs commands."""

RUN = "run change award standing ratedtable tablefacts correction ratinglist approval notification webhookdelivery checkpoint leafblock followedchange"
"""What rating runs write, with the approvals that they open and close, and the mails about them."""
STORED = "player event table entry game event_lists adjustment listplayer upload auditlog_logentry recordedstep"
COMMANDS = {
    "create_list": (
        "adds a list, and its federation if there is none of this name",
        "ratinglist federation auditlog_logentry",
    ),
    "demo": ("fills an empty database, with DEBUG only", ""),
    "backup": ("nothing: it writes a file of the whole database, which only its owner can read", ""),
    "restore": ("everything, in an empty database, or with --replace in any", ""),
    "export_history": ("nothing", ""),
    "export_list": ("nothing", ""),
    "verify": ("nothing", ""),
    "delete_expired": (
        "deletes or empties what is older than its retention period, as the nightly task does",
        "pairingpage filebatch batchfile event submission upload eventstep event_lists event_organisers evententry report outgoingmail notification halllink answerlink apikey usersessions_usersession run auditlog_logentry django_admin_log webhooksubscription webhookdelivery followedchange",
    ),
    "log_key": ("the keys that sign the logs of the lists", "logkey"),
    "witness": (
        "the checkpoints of other sites that this site has cosigned; with --add, cosignatures of its own",
        "witnessedlog checkpoint",
    ),
    "rate": ("nothing", ""),
    "evaluate": ("nothing", ""),
    "bench": ("a database of its own", ""),
    "bench_web": ("a database of its own", ""),
    "bench_memory": ("a database of its own", ""),
    "makemessages": ("the catalogues of texts", ""),
    "api_client": ("the Python client of the API, a file", ""),
    "import_history": ("players, accepted events, starting ratings, decisions", f"{STORED} {RUN} decision"),
    "setup": (
        "a federation, its lists, their starting ratings, people with roles, the first event, the first key of the logs",
        f"{STORED} {RUN} logkey federation submission eventstep auth_user auth_user_groups account_emailaddress",
    ),
    "import_list": ("players, starting ratings", f"{STORED} {RUN}"),
    "import_results": ("players, accepted events with their submissions", f"{STORED} {RUN} submission eventstep"),
    "sweep": (
        "the same as the tasks",
        f"{RUN} decision recordedstep liststatistics outgoingmail auditlog_logentry study ruleproposal ruleeffect webhooksubscription",
    ),
}
TASKS = {
    "ratings.rerate": ("ratings, and approvals that open or close with them", RUN),
    "ratings.sweep": ("the same for all lists; deletes held forms", f"{RUN} heldform heldfile heartbeat study ruleproposal ruleeffect"),
    "ratings.facts": ("facts of rated tables for pages", "tablefacts"),
    "ratings.hall": ("the provisional ratings of a running event", "hall"),
    "ratings.evaluate": ("the results of studies", "study"),
    "ratings.effects": ("the effects of proposed rules", "ruleproposal ruleeffect"),
    "ratings.summarise": ("the stored summary of what waits", "eventstep"),
    "ratings.read_batch": ("makes drafts from the files that a person uploaded together", "filebatch batchfile event event_lists submission upload eventstep auditlog_logentry"),
    "ratings.preview_batch": ("what the drafts of these files would do to the ratings, stored with the files", "batchfile"),
    "ratings.delete_expired": ("deletes or empties what is older than its retention period, see the record of processing", "pairingpage filebatch batchfile event submission upload eventstep event_lists event_organisers evententry report outgoingmail notification halllink answerlink apikey usersessions_usersession run auditlog_logentry django_admin_log webhooksubscription webhookdelivery followedchange"),
    "ratings.erase_deleted": ("the same, for messages of the last release", "pairingpage filebatch batchfile event submission upload eventstep event_lists event_organisers evententry report outgoingmail notification halllink answerlink apikey usersessions_usersession run auditlog_logentry django_admin_log webhooksubscription webhookdelivery followedchange"),
    "ratings.mails": ("delivers mails", "outgoingmail notification followedchange"),
    "ratings.weekly_mails": ("has the weekly mails about followed pages written", "notification"),
    "ratings.webhooks": ("nothing: it has workers send the messages to other programs that are due", ""),
    "ratings.webhook": ("sends the messages to a program", "webhooksubscription webhookdelivery"),
    "ratings.webhook_ping": ("sends a test message to a program", "webhookdelivery"),
    "ratings.publish": ("publishes lists on their days", "datedlist datedline decision recordedstep auditlog_logentry ratinglist run webhookdelivery checkpoint leafblock notification followedchange"),
    "ratings.announce": ("announces grades after the list's term; reminds approvers", "decision recordedstep auditlog_logentry ratinglist run approval notification webhookdelivery followedchange"),
    "ratings.statistics": ("the statistics of lists", "liststatistics"),
}  # fmt: skip
