from portal.date_formats.en.formats import *  # noqa: F403 # the same in every language

SHORT_YEAR_MONTH_FORMAT = "Y年n月"
DAY_FORMAT = "Y年n月j日"
DAY_TIME_FORMAT = "Y年n月j日 H:i"
