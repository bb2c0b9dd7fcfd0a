"""A program that receives webhooks: a real HTTP server on this machine, which can fail, hang and come back."""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SLOW_SECONDS = 0.2
"""Time between two bytes of a program that answers slowly."""


class Handler(BaseHTTPRequestHandler):
    """Answers the requests to its `receiver`."""

    receiver = None
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.receiver.received.append((self.path, dict(self.headers), body))
        answer = self.receiver.answers.pop(0) if self.receiver.answers else self.receiver.answer
        if isinstance(answer, int):
            self.reply(answer, body)
        else:
            getattr(self, answer)()

    def reply(self, status, body):
        if 200 <= status < 300:
            self.receiver.accepted.append(json.loads(body))
        self.send_response(status)
        for name, value in self.receiver.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def hang(self):
        self.receiver.ended.wait(30)
        self.close_connection = True

    def swallow(self):
        """Accept the message, and never say so."""
        self.receiver.accepted.append(json.loads(self.receiver.received[-1][2]))
        self.hang()

    def close(self):
        self.close_connection = True

    def drip(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.receiver.ended.wait(SLOW_SECONDS):
            self.wfile.write(b"x")

    def huge(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        until = time.monotonic() + 5
        while not self.receiver.ended.is_set() and time.monotonic() < until:
            self.wfile.write(b"x" * 65536)

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError:  # the portal has closed the connection
            self.close_connection = True

    def log_message(self, *_arguments):
        pass


class Receiver:
    """`received` are the requests with a complete body, `accepted` the bodies that were answered with 2xx, in order.

    `answers` are what the next requests get, then `answer`: a status, or “hang”, “swallow” (it accepts and hangs), “close”,
    “drip” (a header without end), “huge” (a body without end).
    """

    def __init__(self):
        self.received, self.accepted, self.answers = [], [], []
        self.answer, self.headers = 204, {}
        self.ended = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"receiver": self}))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/hooks?for=tests"

    @contextmanager
    def running(self):
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self.ended.set()
            self.server.shutdown()
            self.server.server_close()
            thread.join()

    def ids(self):
        """Return the ids of the accepted messages, in the order in which they arrived."""
        return [body["id"] for body in self.accepted]

    def sequence(self):
        """Return the numbers of the accepted messages, each once, in the order in which they first arrived."""
        return list(dict.fromkeys(body["sequence"] for body in self.accepted))
