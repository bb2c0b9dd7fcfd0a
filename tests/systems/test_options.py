import re

import pytest

from ratings.systems import SYSTEMS, get_system


@pytest.mark.parametrize("key", SYSTEMS)
def test_defaults_pass_their_own_check(key):
    system = SYSTEMS[key]
    given = {option.key: option.default for option in system.options}
    assert dict(get_system(key, given).settings) == dict(get_system(key).settings) == given


@pytest.mark.parametrize(
    ("key", "options", "words"),
    [
        (
            "fide",
            {},
            "'fide' is not one of the systems fesa-2016, fesa-2000, icu-1989, rif-1995, rif-1997, bgf, egf-2021, glicko-2, rif-2021, fide-2024",
        ),
        ("rif-1997", {"k": 1}, "“k” is not an option of rif-1997; it has none"),
        (
            "rif-1995",
            {"zero": "on"},
            "“zero” is not an option of rif-1995; its options are new_vs_new, zero_rule",
        ),
        ("rif-1995", {"zero_rule": "maybe"}, "zero_rule: maybe cannot be; it takes on / off"),
        ("icu-1989", {"cap": "high"}, "cap: high cannot be; it takes a rating from 1 to 5000"),
        ("icu-1989", {"cap": None}, "cap: null cannot be; it takes a rating from 1 to 5000"),
        ("icu-1989", {"min_bonus_games": 0}, "min_bonus_games: 0 cannot be; it takes a whole number from 4 to 50"),
        ("icu-1989", {"prov_limit": True}, "prov_limit: true cannot be; it takes a whole number from 1 to 100"),
        ("icu-1989", {"bracket_for_graded": 1}, "bracket_for_graded: 1 cannot be; it takes false / true"),
        ("bgf", {"board_2021": "2021-1-1"}, "board_2021: 2021-1-1 cannot be; it takes a date (YYYY-MM-DD)"),
        ("bgf", {"top_label": "7 Kyu"}, "top_label: 7 Kyu cannot be; it takes a dan grade or none"),
        ("egf-2021", {"weights": "club"}, "weights: club cannot be; it takes by_class / none"),
        ("egf-2021", {"max_stones": 10}, "max_stones: 10 cannot be; it takes a whole number from 0 to 9"),
        ("glicko-2", {"tau": 0.1}, "tau: 0.1 cannot be; it takes a number from 0.2 to 1.5"),
        ("glicko-2", {"tau": None}, "tau: null cannot be; it takes a number from 0.2 to 1.5"),
        ("rif-2021", {"w2": 0}, "w2: 0 cannot be; it takes a number from 0.01 to 1000 or none"),
        ("rif-2021", {"virtual_games": 0}, "virtual_games: 0 cannot be; it takes a whole number from 1 to 20"),
    ],
)
def test_invalid_options_are_refused_with_a_message(key, options, words):
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        get_system(key, options)


def test_every_option_has_a_label_and_a_meaning():
    nameless = [(key, option.key) for key, system in SYSTEMS.items() for option in system.options
                if not (option.label and option.meaning.endswith("."))]  # fmt: skip
    assert nameless == []
