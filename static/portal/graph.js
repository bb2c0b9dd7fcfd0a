// A graph of ratings: the event nearest to the pointer in a tooltip, arrow keys, and zooming by dragging.
// The server draws every span of days: zooming loads the page with another span and takes its graph.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DAY = 86400000;
  const LINE = 16, PAD = 12, DRAG = 8;
  let data, figure, points, at, pinned, from;

  const make = (name, attributes = {}, text = "") => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const svg = () => [...figure.querySelectorAll(":scope > svg")].find((one) => one.getBoundingClientRect().width);
  const isNarrow = () => svg().classList.contains("narrow");
  const plot = () => data.plots[isNarrow() ? "narrow" : "broad"];
  const place = (point) => (isNarrow() ? [point[2], point[3]] : [point[0], point[1]]);

  // all points of all curves from left to right, each with the number of its curve
  const start = () => {
    figure = document.getElementById("graph");
    data = JSON.parse(document.getElementById("graph-data").textContent);
    points = data.series.flatMap((of, curve) => of.points.map((point) => ({ point, curve })));
    points.sort((a, b) => a.point[0] - b.point[0]);
    at = pinned = from = null;
    figure.tabIndex = 0;
    figure.setAttribute("role", "group");
    figure.setAttribute("aria-label", `${svg().getAttribute("aria-label")} ${data.texts.keys}`);
    for (const one of figure.querySelectorAll(":scope > svg")) {
      one.setAttribute("aria-hidden", "true");
      one.addEventListener("pointerdown", press);
      one.addEventListener("pointermove", move);
      one.addEventListener("pointerup", release);
      one.addEventListener("pointerleave", () => { if (!pinned && from === null) hide(); });
      one.addEventListener("dblclick", () => load("all"));
    }
    figure.addEventListener("keydown", press_key);
  };

  const x_of = (event) => {
    const box = svg().getBoundingClientRect();
    return ((event.clientX - box.left) * svg().viewBox.baseVal.width) / box.width;
  };
  const nearest = (x) => {
    let best = 0;
    points.forEach(({ point }, i) => {
      if (Math.abs(place(point)[0] - x) < Math.abs(place(points[best].point)[0] - x)) best = i;
    });
    return best;
  };
  const hide = () => {
    figure.querySelectorAll(".g-tip, .g-cross, .g-at").forEach((one) => one.remove());
    at = pinned = null;
  };

  // the rating of every curve on the day of the chosen point: its last one until then
  const lines = () => {
    const { point } = points[at];
    const [, , , , rating, change, event, details] = point;
    if (data.series.length === 1) return [`${rating} ${change}`, event, details];
    const before = data.series.map((of) => [of.name, of.points.filter((one) => one[0] <= point[0]).at(-1)]);
    return [details.split(data.texts.between)[0], ...before.filter(([, one]) => one).map(([name, one]) => `${name}: ${one[4]}`), event];
  };

  const show = (number, pin = false) => {
    hide();
    [at, pinned] = [number, pin];
    const canvas = svg(), [left, right, top, bottom] = plot();
    const { point, curve } = points[at], [x, y] = place(point);
    canvas.append(make("line", { class: "g-cross", x1: x, x2: x, y1: top, y2: bottom }));
    canvas.append(make("circle", { class: `g-pt g-at c${curve + 1}`, cx: x, cy: y, r: 5.5 }));
    const tip = make("g", { class: "g-tip" }), box = make("rect", { rx: 8 });
    tip.append(box);
    const texts = lines().map((text, i) => make("text", i ? {} : { class: "b" }, text));
    tip.append(...texts);
    if (pin && point[8]) {
      const link = make("a", { href: point[8] }), why = make("text", {}, data.texts.why.replace("%(change)s", point[5]));
      link.append(why);
      tip.append(link);
      texts.push(why);
    }
    canvas.append(tip);
    const width = Math.max(...texts.map((text) => text.getComputedTextLength())) + 2 * PAD;
    const height = texts.length * LINE + PAD;
    const edge = canvas.viewBox.baseVal.width;
    const tip_x = Math.max(2, x + PAD + width > Math.max(right, edge - 190) ? Math.max(x - PAD - width, 2) : x + PAD);
    const tip_y = y + 8 + height > bottom ? Math.max(top - 8, y - 8 - height) : y + 8;
    for (const [key, value] of Object.entries({ x: Math.min(tip_x, edge - width), y: tip_y, width, height })) box.setAttribute(key, value);
    texts.forEach((text, i) => {
      text.setAttribute("x", Math.min(tip_x, edge - width) + PAD);
      text.setAttribute("y", tip_y + LINE * (i + 1) + 1);
    });
    figure.querySelector("#graph-note").textContent = lines().join(", ");
  };

  const press = (event) => {
    if (event.button || event.target.closest("a")) return;
    from = x_of(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    const x = x_of(event);
    if (from === null || Math.abs(x - from) < DRAG) {
      if (!pinned) show(nearest(x));
      return;
    }
    hide();
    const [left, right, top, bottom] = plot(), box = figure.querySelector(".g-select") ?? make("rect", { class: "g-select" });
    const [low, high] = [Math.max(left, Math.min(x, from)), Math.min(right, Math.max(x, from))];
    for (const [key, value] of Object.entries({ x: low, y: top, width: Math.max(0, high - low), height: bottom - top })) box.setAttribute(key, value);
    svg().append(box);
  };
  const release = (event) => {
    if (from === null) return;
    const x = x_of(event), start = from;
    from = null;
    const box = figure.querySelector(".g-select");
    if (box) {
      box.remove();
      zoom(Math.min(x, start), Math.max(x, start));
    } else if (pinned && nearest(x) === at) hide();
    else show(nearest(x), true);
  };

  const zoom = (low, high) => {
    const [left, right] = plot(), [first, last] = data.days;
    const day = (x) => new Date((first + ((x - left) / (right - left)) * (last - first)) * DAY).toISOString().slice(0, 10);
    load(`${day(Math.max(low, left))}..${day(Math.min(high, right))}`);
  };
  const zoom_by = (share) => {
    const [left, right] = plot(), middle = at === null ? (left + right) / 2 : place(points[at].point)[0];
    if (share > 1) load("all");
    else zoom(middle - ((right - left) * share) / 2, middle + ((right - left) * share) / 2);
  };
  const load = async (span) => {
    const address = new URL(location.href);
    address.searchParams.set("range", span);
    address.searchParams.delete("page"); // of the table
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) { location.assign(address); return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.getElementById("graph")) return;
    const focused = document.activeElement === figure;
    page.querySelector("#graph-points details").open = document.querySelector("#graph-points details").open;
    for (const part of ["#graph-data", "nav.ranges", "#graph", "#graph-points"]) document.querySelector(part).replaceWith(page.querySelector(part));
    history.replaceState(null, "", address);
    start();
    if (focused) figure.focus();
  };

  const press_key = (event) => {
    const last = points.length - 1;
    const keys = {
      ArrowRight: () => show(at === null ? 0 : Math.min(at + 1, last)),
      ArrowLeft: () => show(at === null ? last : Math.max(at - 1, 0)),
      Home: () => show(0),
      End: () => show(last),
      Enter: () => { if (at !== null && points[at].point[8]) location.href = points[at].point[8]; },
      "+": () => zoom_by(0.5),
      "-": () => zoom_by(2),
      Escape: () => (at === null ? load("all") : hide()),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  };

  start();
})();
