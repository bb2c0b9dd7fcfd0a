"""The rating portal below its pages: rating systems, files, database and background tasks."""

import os

# linear algebra runs in one thread: its vectors are short, and threads would wait for one another and for other workers
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
