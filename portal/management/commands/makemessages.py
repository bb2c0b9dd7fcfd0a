"""Django's `makemessages`, which also collects the messages of `ratings.systems.messages.Message`."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=Message"]
