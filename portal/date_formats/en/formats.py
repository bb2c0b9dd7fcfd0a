DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i"
TIME_FORMAT = "H:i"
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"]
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ""
SHORT_YEAR_MONTH_FORMAT = "M Y"  # of the boxes beside events; not a format of Django
SHORT_MONTH_FORMAT = "M"  # the name of a month in DAY_FORMAT; not a format of Django
DAY_FORMAT = "j M Y"  # of days in sentences and tables of pages; not a format of Django
DAY_TIME_FORMAT = "j M Y, H:i"  # of times beside such days; not a format of Django
DECIMAL_SIGN = "."  # of numbers in texts and tables of pages; not a format of Django, whose forms read a point
