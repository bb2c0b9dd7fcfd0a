// Rating graphs: points over true dates, of one player with his grade bands or of several; the event under the pointer
// (or the last touch) in words. Without this script a picture stands in its place.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("graph-data").textContent);
  const place = document.getElementById("graph");
  const note = document.getElementById("graph-note");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const one = data.series.length === 1;
  const seconds = (point) => Date.parse(point.date) / 1000;
  const shown = (value) => value.toFixed(data.decimals);
  const signed = (value) => (value > 0 ? "+" : value < 0 ? "" : "±") + shown(value);
  const year = 365.25 * 86400;
  const dashes = (n) => colour(`--dash-${n + 1}`).split(" ").map(Number).filter(Boolean); // of "none" nothing

  // Points of one day are spread evenly over the day, in their order; null where a player has none at a time.
  const byDay = data.series.map((of) => {
    const days = new Map();
    for (const point of of.points) days.set(seconds(point), [...(days.get(seconds(point)) ?? []), point]);
    return days;
  });
  const days = [...new Set(byDay.flatMap((of) => [...of.keys()]))].sort((a, b) => a - b);
  const slots = days.flatMap((day) => {
    const count = Math.max(...byDay.map((of) => of.get(day)?.length ?? 0));
    return Array.from({ length: count }, (_, i) => ({ day, i, time: day + (i * 86400) / count }));
  });
  const times = slots.map((slot) => slot.time);
  const points = byDay.map((of) => slots.map((slot) => of.get(slot.day)?.[slot.i] ?? null));
  const ratings = points.map((of) => of.map((point) => (point ? point.rating : null)));
  const last = times[times.length - 1];
  let low = 0, high = 0;

  const range = (within) => {
    const years = Number(within);
    const first = years ? Math.max(times[0], last - years * year) : times[0];
    const seen = ratings.flatMap((of) => of.filter((value, i) => value !== null && times[i] >= first));
    low = Math.floor((Math.min(...seen) - 40) / 100) * 100;
    high = Math.ceil((Math.max(...seen) + 40) / 100) * 100;
    const margin = Math.max((last - first) * 0.03, year / 24);
    return { min: first - margin, max: last + margin };
  };
  let x = range(data.range);

  // their names beside them, where neither grid nor curve runs through
  const bands = (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    data.bands.forEach((band, i) => {
      const next = data.bands[i + 1];
      const bottom = plot.valToPos(Math.max(band.from, low), "y", true);
      const top = next ? Math.max(plot.valToPos(next.from, "y", true), bbox.top) : bbox.top;
      ctx.fillStyle = i % 2 ? colour("--sunk") : colour("--paper");
      ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
      ctx.fillStyle = colour("--ink-3");
      if (bottom - top > 14 * devicePixelRatio) {
        ctx.fillText(band.grade, bbox.left + bbox.width + 6 * devicePixelRatio, (top + bottom) / 2);
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
    points[0].forEach((point, i) => {
      if (!point?.mark || times[i] < x.min) return;
      const at = plot.valToPos(times[i], "x", true), y = plot.valToPos(point.rating, "y", true);
      const down = point.mark.kind === "demotion";
      const up = down ? -1 : 1;
      ctx.strokeStyle = ctx.fillStyle = colour(down ? "--loss" : "--gain");
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(at, y - 2.4 * size * up);
      ctx.lineTo(at - size, y - size * up);
      ctx.lineTo(at + size, y - size * up);
      ctx.closePath();
      if (point.mark.kind === "waiting") ctx.stroke();
      else ctx.fill();
      const name = point.mark.kind === "waiting" ? `${point.mark.grade}?` : point.mark.grade;
      const half = ctx.measureText(name).width / 2;
      const middle = Math.min(Math.max(at, bbox.left + half), bbox.left + bbox.width - half);
      if (middle - half > free) {
        ctx.fillText(name, middle, down ? y + 5 * size : Math.max(y - 3.4 * size, bbox.top + 2.4 * size));
        free = middle + half + 2 * devicePixelRatio;
      }
    });
    ctx.restore();
  };

  const describe = (point) => {
    const change = point.change === null ? "" : ` (${signed(point.change)})`;
    const grade = point.mark ? ` – ${point.mark.grade} (${data.kinds[point.mark.kind]})` : "";
    return `${point.date}: ${shown(point.rating)}${change} – ${point.event}${grade}`;
  };
  const tell = (plot) => {
    const i = plot.cursor.idx;
    if (i === null || i === undefined) return;
    const here = data.series.map((of, n) => (points[n][i] ? `${one ? "" : `${of.name}, `}${describe(points[n][i])}` : ""));
    note.textContent = here.filter(Boolean).join("; ");
  };

  const axis = { stroke: () => colour("--ink-3"), grid: { stroke: () => colour("--line"), width: 1 }, ticks: { stroke: () => colour("--line") } };
  const dates = (_plot, ticks, _axis, _space, between) =>
    ticks.map((at) => new Date(at * 1000).toISOString().slice(0, between < 27 * 86400 ? 10 : 7));
  const height = () => (window.innerWidth < 700 ? 240 : 340);
  const line = (of, n) => ({
    label: of.name,
    stroke: () => colour(`--curve-${n + 1}`),
    dash: dashes(n).map((length) => length * devicePixelRatio),
    width: 2,
    spanGaps: true,
    points: { show: of.points.length < 150, size: 6, fill: () => colour(`--curve-${n + 1}`) },
  });
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: height(),
      legend: { show: false },
      padding: [null, 46, null, null], // for half a date, and the bands' names
      cursor: { y: false, drag: { x: false }, points: { size: 9 } },
      scales: { x: { time: true, range: () => [x.min, x.max] }, y: { range: () => [low, high] } },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
      axes: [{ ...axis, space: 84, values: dates }, { ...axis, size: 60, values: (_, ticks) => ticks.map(shown) }],
      series: [{}, ...data.series.map(line)],
      hooks: { drawClear: one ? [bands] : [], draw: one ? [grades] : [], setCursor: [tell] },
    },
    [times, ...ratings],
    place,
  );
  addEventListener("resize", () => plot.setSize({ width: place.clientWidth, height: height() }));

  for (const colours of ["print", "(prefers-color-scheme: dark)"]) // paper is white
    matchMedia(colours).addEventListener("change", () => plot.redraw(false));

  const choices = document.querySelectorAll("[data-range]");
  choices.forEach((choice) =>
    choice.addEventListener("click", (event) => {
      event.preventDefault();
      choices.forEach((each) => each.removeAttribute("aria-current"));
      choice.setAttribute("aria-current", "true");
      x = range(choice.dataset.range);
      plot.redraw(true, true);
      plot.setScale("x", x);
    }),
  );
})();
