import os

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import redis, virtual

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")


class QoS(redis.QoS):
    """Count a message as done even if Redis does not confirm it.

    kombu logs the error and goes on counting the message as being worked on, so a worker that takes one message at a
    time never takes another one. Redis delivers the message again after the visibility timeout (an hour); every task
    is safe to run twice.
    """

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


redis.Channel.QoS = QoS
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def use_django_logging(**_options: object) -> None:
    """Leave logging as the settings configure it: with this receiver, Celery sets up no handlers and levels of its own.

    Its handlers would write log lines without the ids of requests, and never as JSON.
    """
