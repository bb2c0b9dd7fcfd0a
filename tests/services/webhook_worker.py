"""A worker of webhooks with beat, which sends to this machine and waits for seconds where a real one waits for minutes.

python webhook_worker.py FILE_OF_BEAT
"""

import datetime as dt
import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.services.webhook_settings"

import django

django.setup()

from portal.celery import app  # noqa: E402 - needs the settings
from ratings.domain.site import webhook_delivery, webhook_sending  # noqa: E402

webhook_delivery.LEASE = dt.timedelta(seconds=4)
webhook_delivery.FIRST_DELAY, webhook_delivery.LONGEST_DELAY = dt.timedelta(seconds=0.5), dt.timedelta(seconds=1)
webhook_sending.READ_SECONDS = 1.0

if __name__ == "__main__":
    arguments = ["--pool", "prefork", "--concurrency", "2", "-Q", "webhooks"]
    app.worker_main(["worker", "--beat", f"--schedule={sys.argv[1]}", *arguments])
