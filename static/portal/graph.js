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

  // the grade's name at its date, and a mark on the line; of names that would cover one another the first stands
  const grades = (plot) => {
    const { ctx, bbox } = plot;
    const size = 5 * devicePixelRatio;
    let free = -Infinity;
    ctx.save();
    ctx.font = `600 ${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    data.points.forEach((point, i) => {
      if (!point.mark) return;
      const x = plot.valToPos(times[i], "x", true), y = plot.valToPos(ratings[i], "y", true);
      const down = point.mark.kind === "demotion";
      const up = down ? -1 : 1;
      ctx.strokeStyle = ctx.fillStyle = colour(down ? "--loss" : "--gain");
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(x, y - 2.4 * size * up);
      ctx.lineTo(x - size, y - size * up);
      ctx.lineTo(x + size, y - size * up);
      ctx.closePath();
      if (point.mark.kind === "waiting") ctx.stroke();
      else ctx.fill();
      const name = point.mark.kind === "waiting" ? `${point.mark.grade}?` : point.mark.grade;
      const half = ctx.measureText(name).width / 2;
      const middle = Math.min(Math.max(x, bbox.left + half), bbox.left + bbox.width - half);
      if (middle - half > free) {
        ctx.fillText(name, middle, down ? y + 5 * size : Math.max(y - 3.4 * size, bbox.top + 2.4 * size));
        free = middle + half + 2 * devicePixelRatio;
      }
    });
    ctx.restore();
  };

  const tell = (plot) => {
    const point = data.points[plot.cursor.idx];
    if (!point) return;
    const change = point.change === null ? "" : ` (${signed(point.change)})`;
    const grade = point.mark ? ` – ${point.mark.grade} (${data.kinds[point.mark.kind]})` : "";
    note.textContent = `${point.date}: ${shown(point.rating)}${change} – ${point.event}${grade}`;
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
      hooks: { drawClear: [bands], draw: [grades], setCursor: [tell] },
    },
    [times, ratings],
    place,
  );
  addEventListener("resize", () => plot.setSize({ width: place.clientWidth, height: height() }));
})();
