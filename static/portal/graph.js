// The rating graph: points over true dates, grade bands behind them, the event under the pointer in words.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("graph-data").textContent);
  const place = document.getElementById("graph");
  const note = document.getElementById("graph-note");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const times = data.points.map((point) => Date.parse(point.date) / 1000);
  const ratings = data.points.map((point) => point.rating);
  const shown = (value) => value.toFixed(data.decimals);
  const signed = (value) => (value > 0 ? "+" : "") + shown(value);
  const low = Math.floor((Math.min(...ratings) - 40) / 100) * 100;
  const high = Math.ceil((Math.max(...ratings) + 40) / 100) * 100;
  const year = 365.25 * 86400;
  const first = times[0], last = times[times.length - 1];
  const margin = Math.max((last - first) * 0.03, year / 12);

  const bands = (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    data.bands.forEach((band, i) => {
      const next = data.bands[i + 1];
      const bottom = plot.valToPos(Math.max(band.from, low), "y", true);
      const top = next ? plot.valToPos(next.from, "y", true) : bbox.top;
      ctx.fillStyle = i % 2 ? colour("--stripe") : colour("--raised");
      ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
      ctx.fillStyle = colour("--quiet");
      if (bottom - top > 14 * devicePixelRatio) {
        ctx.fillText(band.grade, bbox.left + bbox.width - 6 * devicePixelRatio, bottom - 4 * devicePixelRatio);
      }
    });
    ctx.restore();
  };

  const tell = (plot) => {
    const point = data.points[plot.cursor.idx];
    if (!point) return;
    const change = point.change === null ? "" : ` (${signed(point.change)})`;
    note.textContent = `${point.date}: ${shown(point.rating)}${change} – ${point.event}`;
  };

  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
  const height = () => (window.innerWidth < 700 ? 240 : 340);
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: height(),
      legend: { show: false },
      cursor: { y: false, points: { size: 9 } },
      scales: { x: { time: true, range: [first - margin, last + margin] }, y: { range: [low, high] } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      axes: [{ ...axis, space: 76, values: "{YYYY}-{MM}" }, { ...axis, size: 60, values: (_, ticks) => ticks.map(shown) }],
      series: [{}, { stroke: colour("--accent"), width: 2, points: { show: data.points.length < 150, size: 6, fill: colour("--accent") } }],
      hooks: { drawClear: [bands], setCursor: [tell] },
    },
    [times, ratings],
    place,
  );
  addEventListener("resize", () => plot.setSize({ width: place.clientWidth, height: height() }));
})();
