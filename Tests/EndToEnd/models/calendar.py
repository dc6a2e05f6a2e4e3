"""When the periods of a subscription end: a month later, on the day of the month on which it began, or on the last day of a shorter month."""

import calendar
from datetime import timedelta

#: How long a subscription stays active when its renewal fails, and how long the store tries again.
GRACE_PERIOD = timedelta(days=16)
BILLING_RETRY = timedelta(days=60)


def in_month(time, year, month, day):
    """Returns this day of a month, or the month's last day, at the same time of the day."""
    return time.replace(year=year, month=month, day=min(day, calendar.monthrange(year, month)[1]))


def month_after(start, anchor):
    """Returns the end of a month that begins at `start`. The subscription has the day of `anchor`."""
    follows_anchor = start.day == in_month(start, start.year, start.month, anchor.day).day
    return in_month(start, start.year + start.month // 12, start.month % 12 + 1, anchor.day if follows_anchor else start.day)
