"""Items from another thread: in order, with its result and its error, and no thread that waits for ever."""

import threading

import pytest

from ratings.domain.runs.threads import StoppedError, receive_from_thread


def receive_all(produce, use):
    with receive_from_thread("test", produce, 1) as (items, result):
        for item in items:
            use(item)
        return result.result()


def test_received_items_come_in_order_and_with_the_result():
    def produce(send):
        for item in range(20):
            send(item)
        return threading.current_thread()

    with receive_from_thread("test", produce, 2) as (items, result):
        assert list(items) == list(range(20))
        assert result.result() is not threading.current_thread()


def test_error_is_raised_after_the_last_item():
    def produce(send):
        send(1)
        raise LookupError("nothing more")

    received = []
    with pytest.raises(LookupError, match="nothing more"):
        receive_all(produce, received.append)
    assert received == [1]


def test_thread_ends_when_the_block_ends():
    ended = []

    def produce(send):
        try:
            for item in range(1000):
                send(item)
        except StoppedError as error:
            ended.append(error)
            raise

    with receive_from_thread("test", produce, 1) as (items, result):
        assert next(items) == 0
    assert len(ended) == 1
    with pytest.raises(StoppedError):
        result.result()


def test_error_of_the_receiver_ends_the_thread_and_is_raised():
    with pytest.raises(ZeroDivisionError):
        receive_all(lambda send: [send(0) for _ in range(1000)], lambda item: 1 / item)
