"""Limits of CPU time and memory for reading one file, and their measurement."""

import contextlib
import time
from pathlib import Path

SECONDS_AT_MOST = 10.0  # a usual machine needs two at most; a busy one is up to four times slower
MEGABYTES_AT_MOST = 200
OWN = Path("/proc/self")


def _megabytes(key):
    """Return the peak memory of this process in megabytes; 0 if the system does not say."""
    status = OWN / "status"
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(key)), 0)


class Costs:
    """Context manager that measures CPU time in seconds and peak memory in megabytes.

    CPU time, because other processes' load does not lengthen it.
    """

    def __enter__(self):
        with contextlib.suppress(OSError):
            (OWN / "clear_refs").write_text("5")  # the highest mark begins anew
        self.memory, self.started = _megabytes("VmRSS"), time.process_time()
        return self

    def __exit__(self, *raised):
        self.seconds = time.process_time() - self.started
        self.megabytes = _megabytes("VmHWM") - self.memory

    @property
    def beyond(self):
        """Return the exceeded limits, as texts."""
        seconds = f"{self.seconds:.1f} s " if self.seconds > SECONDS_AT_MOST else ""
        return seconds + (f"{self.megabytes:.0f} MB" if self.megabytes > MEGABYTES_AT_MOST else "")
