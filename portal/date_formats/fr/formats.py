from portal.date_formats.en.formats import *  # noqa: F403 # the same in every language

SHORT_YEAR_MONTH_FORMAT = "N Y"
SHORT_MONTH_FORMAT = "N"
DAY_FORMAT = "j N Y"
DAY_TIME_FORMAT = "j N Y, H:i"
DECIMAL_SIGN = ","
