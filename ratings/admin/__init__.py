from . import derived, events, lists, on_the_way, people, runs, trail
