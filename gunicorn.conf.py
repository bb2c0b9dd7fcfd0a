"""Settings of gunicorn, read from the directory in which it is started; the command line overrides them."""

import gc
import os
import shutil
from pathlib import Path
from typing import Any

import environ

environ.Env.read_env(Path(__file__).with_name(".env"))  # variables of the environment come first
# prometheus_client chooses at its import whether processes share their figures
from prometheus_client import multiprocess  # noqa: E402

workers = int(os.environ.get("WEB_WORKERS", "3"))
worker_class = "gthread"
threads = int(os.environ.get("WEB_THREADS", "8"))  # slow clients and slow services occupy threads, not whole workers
timeout = 60  # seconds without a heartbeat of a worker
graceful_timeout = 30
keepalive = 5
max_requests = 5000  # workers are replaced regularly; the jitter avoids replacing all at once
max_requests_jitter = 1000
control_socket_disable = True  # its place is the home directory, which units and images cannot write
forwarder_headers = ""  # no header may set SCRIPT_NAME or PATH_INFO

metrics = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")  # the workers add up their figures for /metrics there


def on_starting(_server: Any) -> None:
    """Begin with an empty directory: figures of earlier processes would count twice."""
    if metrics:
        shutil.rmtree(metrics, ignore_errors=True)
        Path(metrics).mkdir(parents=True)


def post_worker_init(_worker: Any) -> None:
    """Look for reference cycles less often, and never in imported modules; large pages make thousands of objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


def child_exit(_server: Any, worker: Any) -> None:
    """Remove the gauges of a worker that has ended."""
    if metrics:
        multiprocess.mark_process_dead(worker.pid)
