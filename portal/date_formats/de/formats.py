from portal.date_formats.en.formats import *  # noqa: F403 # the same in every language

SHORT_YEAR_MONTH_FORMAT = "N Y"
DAY_FORMAT = "d.m.Y"
DAY_TIME_FORMAT = "d.m.Y, H:i"
DECIMAL_SIGN = ","
