"""Players with long names, which weigh more on a page than those of the benchmarks."""

import random

from ratings.management.bench.site import COUNTRIES
from ratings.models import Club, Membership, Player

SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvwz" for vowel in "aeiou"]
KANJI = [chr(code) for code in range(0x4E00, 0x5000)]


def make_long_name(rng: random.Random, fewest: int, most: int) -> str:
    return "".join(rng.choices(SYLLABLES, k=rng.randint(fewest, most))).capitalize()


def make_players_with_long_names(number: int, seed: int = 1) -> list[Player]:
    """Create players with 30 letters on average, a name in their own script and one of 60 clubs."""
    rng = random.Random(seed)
    clubs = Club.objects.bulk_create(Club(name=make_long_name(rng, 8, 12)) for _ in range(60))
    players = Player.objects.bulk_create(
        Player(
            family_name=make_long_name(rng, 4, 10),
            given_name=f"{make_long_name(rng, 3, 6)} {make_long_name(rng, 3, 3)}",
            native_name="".join(rng.choices(KANJI, k=4)),
            country=rng.choice(COUNTRIES.split()),
            shown="full",
        )
        for _ in range(number)
    )
    Membership.objects.bulk_create(Membership(player=player, club=rng.choice(clubs)) for player in players)
    return players
