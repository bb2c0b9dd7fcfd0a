from . import derived, events, lists, people, runs
