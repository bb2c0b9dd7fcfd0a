"""Measure how long pages take to show their largest content on a slow phone, as multiples of the page of words.

This is no test: times depend on the machine. Start a site without DEBUG and run

    python -m tests.browser.paint http://127.0.0.1:8000 /lists/shogi/ /events/

Each round loads every page once with an empty browser cache, at 390 pixels and with a CPU four times slower. The lines
give the medians of all rounds: the largest contentful paint in ms and as a multiple of /privacy/, the same without the
time until the first byte, the time until the first byte, and the work of the main thread.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable

from playwright.sync_api import Browser, sync_playwright

WORDS = "/privacy/"
PHONE = {"width": 390, "height": 844}
ROUNDS = 7
LARGEST_PAINT = """() => new Promise((resolve) => {
  const [visit] = performance.getEntriesByType("navigation");
  new PerformanceObserver((list) => resolve([list.getEntries().at(-1).startTime, visit.responseStart]))
    .observe({type: "largest-contentful-paint", buffered: true});
})"""


def measure(browser: Browser, address: str) -> tuple[float, float, float]:
    """Return the largest contentful paint, the time until the first byte and the main thread's work, in ms."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.request.get(address, headers={"Accept-Encoding": "gzip"})  # the page cache has it, if there is one
    protocol = context.new_cdp_session(page)
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    paint, first_byte = page.evaluate(LARGEST_PAINT)
    metrics = {metric["name"]: metric["value"] for metric in protocol.send("Performance.getMetrics")["metrics"]}
    context.close()
    return paint, first_byte, metrics["TaskDuration"] * 1000


def summarize(measured: Iterable[tuple[float, float, float]]) -> list[float]:
    """Return the medians of paint, paint without the wait for the first byte, that wait, and work."""
    columns = zip(*((paint, paint - first, first, work) for paint, first, work in measured), strict=True)
    return [statistics.median(column) for column in columns]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", help="address of the site, such as http://127.0.0.1:8000")
    parser.add_argument("paths", nargs="+", help="paths of pages, such as /events/")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--browser", help="program of the browser; the default is Playwright's")
    arguments = parser.parse_args()
    pages = [WORDS, *arguments.paths]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox"])
        rounds = [[measure(browser, arguments.site + path) for path in pages] for _ in range(arguments.rounds)]
        browser.close()
    summaries = [summarize(measured) for measured in zip(*rounds, strict=True)]
    sys.stdout.write("  paint     ×  −first     ×   first   work\n")
    for path, (paint, without_wait, first_byte, work) in zip(pages, summaries, strict=True):
        times, times_without_wait = paint / summaries[0][0], without_wait / summaries[0][1]
        figures = (
            f"{paint:7.0f} {times:5.2f} {without_wait:7.0f} {times_without_wait:5.2f} {first_byte:7.0f} {work:6.0f}"
        )
        sys.stdout.write(f"{figures}  {path}\n")


if __name__ == "__main__":
    main()
